"""`python -m pacman regret`: what an agent gives away, move by move, against perfect play on a board that is solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from pacman.commands import options
from pacman.commands.game_setup import GameSetup
from pacman.commands.output import aside, print_report
from pacman.core.errors import InputError
from pacman.core.state import GameState
from pacman.play.exact import Solution, prepare, solve
from pacman.play.game import Agent, Game


@dataclass(frozen=True)
class ImperfectMove:
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
    worst: ImperfectMove | None

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
    worst: ImperfectMove | None = None
    for number in range(seed, seed + games):
        game = Game(solution.root, [agent, *ghosts], [""] * (len(ghosts) + 1), seed=number)
        before = game.state
        for ply in game:
            if ply.agent == 0:
                slip = ImperfectMove(number, before, ply.action, solution.action_values(before))
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
    layout: options.LayoutOption = "nook",
    pacman: options.PacmanOption = "expectimax",
    arguments: options.ArgumentOption = [],  # noqa: B006  # typer copies it
    ghosts: options.GhostsOption = "",
    games: options.GamesOption = 20,
    seed: options.SeedOption = 0,
    states: options.StatesOption = 2_000_000,
    as_json: options.JsonOption = False,
) -> None:
    """What an agent gives away a move against perfect play, on a board small enough to be solved."""
    options.at_least_one("--games", games, "game")
    options.at_least_one("--states", states, "position")
    if pacman == "keyboard":
        raise InputError("--pacman keyboard: nobody is there to play; name an agent, as in --pacman expectimax")
    game = GameSetup(layout, pacman, tuple(arguments), ghosts).game(seed)
    prepare(aside)
    print_report(regret(solve(game.start, states), game.agents[0], game.agents[1:], games, seed), as_json)
