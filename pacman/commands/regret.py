"""`python -m pacman regret`: what an agent gives away, move by move, against perfect play on a board that is solved."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pacman.commands.stage import Cast, aside, at_least_one
from pacman.core.errors import InputError
from pacman.core.state import GameState
from pacman.play.game import Agent, Game

if TYPE_CHECKING:  # numpy is loaded when the board is solved, not by `--help`
    from pacman.play.exact import Solution


@dataclass(frozen=True)
class Slip:
    """A move that was not perfect: where, what was played, and the expected final score after each action."""

    seed: int
    state: GameState
    action: str
    worths: dict[str, float]

    @property
    def regret(self) -> float:
        """The points given away."""
        return max(self.worths.values()) - self.worths[self.action]

    @property
    def best(self) -> str:
        """A perfect action, the first of equals."""
        return max(self.worths, key=self.worths.__getitem__)


@dataclass(frozen=True)
class Regret:
    """Games of one agent held against perfect play. Points; a move within `error` of the best one is perfect.

    `expected` is what perfect play earns on average, `worst` the first of the moves that gave most away.
    """

    games: int
    moves: int
    mean: float
    imperfect: int
    mean_score: float
    expected: float
    error: float
    worst: Slip | None

    @property
    def largest(self) -> float:
        return self.worst.regret if self.worst else 0.0

    def as_json(self) -> dict[str, Any]:
        worst = self.worst
        return {
            "games": self.games,
            "moves": self.moves,
            "regret_a_move": self.mean,
            "largest_regret": self.largest,
            "imperfect_moves": self.imperfect,
            "mean_score": self.mean_score,
            "perfect_score": self.expected,
            "error": self.error,
            "worst": worst
            and {
                "seed": worst.seed,
                "position": str(worst.state),
                "action": worst.action,
                "best": worst.best,
                "actions": worst.worths,
            },
        }

    def __str__(self) -> str:
        lines = [
            f"{self.games} games, {self.moves} moves, {self.imperfect} of them not perfect",
            f"regret {self.mean:.3f} points a move, {self.largest:.3f} at most",
            f"mean score {self.mean_score:.1f}; perfect play earns {self.expected:.1f} on average",
        ]
        if self.worst is not None:
            worths = (f"  {action:5} {worth:12.6f}" for action, worth in self.worst.worths.items())
            chose = f"the worst move, {self.worst.action} where {self.worst.best} is best (seed {self.worst.seed}):"
            lines += ["", chose, str(self.worst.state), *worths]
        return "\n".join(lines)


def regret(solution: Solution, agent: Agent, ghosts: Sequence[Agent], games: int, seed: int = 0) -> Regret:
    """Plays games of `agent` from the solved position, and holds each of its moves against perfect play.

    Game n has the seed `seed + n`. InputError, with the seed, for a game that ends with a fault.
    """
    given: list[float] = []
    scores: list[int] = []
    worst: Slip | None = None
    for number in range(seed, seed + games):
        game = Game(solution.root, [agent, *ghosts], [""] * (len(ghosts) + 1), seed=number)
        before = game.state
        for ply in game:
            if ply.agent == 0:
                slip = Slip(number, before, ply.action, solution.worths(before))
                given.append(slip.regret)
                if slip.regret > (worst.regret if worst else 2 * solution.error):
                    worst = slip
            before = ply.state
        assert game.result is not None
        if game.result.fault:
            raise InputError(f"seed {number}: {game.result.fault}".replace("\n", " "))
        scores.append(game.result.score)
    imperfect = sum(points > 2 * solution.error for points in given)
    root = solution.root
    return Regret(
        games, len(given), fmean(given), imperfect, fmean(scores), solution.value(root), solution.error, worst
    )


def command(
    layout: Annotated[str, typer.Option("--layout", "-l", help="A layout's name, or a .lay file.")] = "nook",
    pacman: Annotated[str, typer.Option("--pacman", "-p", help="Whose moves are measured.")] = "expectimax",
    arguments: Annotated[
        list[str], typer.Option("--pacman-arg", "-a", metavar="KEY=VALUE", help="An argument of his, as in rounds=3.")
    ] = [],  # noqa: B006  # typer copies it
    ghosts: Annotated[
        str, typer.Option("--ghosts", "-g", metavar="KIND,KIND,...", help="By default all are random.")
    ] = "",
    games: Annotated[int, typer.Option("--games", "-n", help="How many games.")] = 20,
    seed: Annotated[int, typer.Option(help="Of the first game; the next one takes the next.")] = 0,
    states: Annotated[int, typer.Option(help="Refuse a board with more positions.")] = 2_000_000,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """What an agent gives away a move against perfect play, on a board small enough to be solved."""
    from pacman.play.exact import prepare, solve

    at_least_one("--games", games, "game")
    at_least_one("--states", states, "position")
    if pacman == "keyboard":
        raise InputError("--pacman keyboard: nobody is there to play; name an agent, as in --pacman expectimax")
    game = Cast(layout, pacman, tuple(arguments), ghosts).game(seed)
    prepare(aside)
    found = regret(solve(game.start, states), game.agents[0], game.agents[1:], games, seed)
    typer.echo(json.dumps(found.as_json()) if as_json else str(found))
