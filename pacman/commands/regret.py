"""`python -m pacman regret`: how many points each move of an agent loses against perfect play, on a solved board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from pacman.commands.shared import options
from pacman.commands.shared.output import ResultWriter, aside, warn_no_sandbox, warn_of_layout
from pacman.core.errors import InputError
from pacman.core.words import counted
from pacman.play.game import Agent, Game

if TYPE_CHECKING:
    from pacman.core.state import GameState
    from pacman.play.exact import Solution


@dataclass(frozen=True)
class ImperfectMove:
    """A move that was not perfect: the position, the action, and the expected final score after each action."""

    seed: int
    state: GameState
    action: str
    worths: dict[str, float]

    @property
    def regret(self) -> float:
        """The points that the move loses."""
        return max(self.worths.values()) - self.worths[self.action]

    @property
    def best(self) -> str:
        """A perfect action; the first one on a tie."""
        return max(self.worths, key=self.worths.__getitem__)


@dataclass(frozen=True)
class Regret:
    """Games of one agent compared with perfect play, in points. A move within twice `error` of the best is perfect.

    `expected` is the mean score of perfect play. `worst` is the first of the moves that lose most.
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
        """The points that the worst move loses; 0 if all moves were perfect."""
        return self.worst.regret if self.worst else 0.0

    def as_json(self) -> dict[str, Any]:
        """The report as an object that `json` can write."""
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
            f"{counted(self.games, 'game')}, {counted(self.moves, 'move')}, {self.imperfect} of them not perfect",
            f"regret: mean {self.mean:.3f} points per move, largest {self.largest:.3f}",
            f"mean score {self.mean_score:.1f}; mean score of perfect play {self.expected:.1f}",
        ]
        if self.worst is not None:
            worths = (f"  {action:5} {worth:12.6f}" for action, worth in self.worst.worths.items())
            move = f"{self.worst.action} instead of {self.worst.best}"
            title = f"worst move: {move}, in the game with seed {self.worst.seed}, in this position:"
            lines += ["", title, str(self.worst.state), "expected final score after each action:", *worths]
        return "\n".join(lines)


def regret(solution: Solution, agent: Agent, ghosts: Sequence[Agent], games: int, seed: int = 0) -> Regret:
    """Plays games of `agent` from the solved position, and compares each of its moves with perfect play.

    Game n has the seed `seed + n`. InputError, with the seed, for a game that ends with a fault.
    """
    regrets: list[float] = []
    scores: list[int] = []
    worst: ImperfectMove | None = None
    for number in range(seed, seed + games):
        game = Game(solution.root, [agent, *ghosts], [""] * (len(ghosts) + 1), seed=number)
        before = game.state
        for ply in game:
            if ply.agent == 0:
                move = ImperfectMove(number, before, ply.action, solution.action_values(before))
                regrets.append(move.regret)
                if move.regret > (worst.regret if worst else 2 * solution.error):
                    worst = move
            before = ply.state
        assert game.result is not None
        if game.result.fault:
            raise InputError(f"seed {number}: {game.result.fault}".replace("\n", " "))
        scores.append(game.result.score)
    imperfect = sum(points > 2 * solution.error for points in regrets)
    root = solution.root
    return Regret(
        games, len(regrets), fmean(regrets), imperfect, fmean(scores), solution.value(root), solution.error, worst
    )


def compute_regret(
    layout: options.LayoutOption = "nook",
    pacman: options.AutomaticPacmanOption = "expectimax",
    arguments: options.ArgumentOption = [],  # noqa: B006  # typer copies it
    ghosts: options.GhostsOption = "",
    games: options.GamesOption = 20,
    seed: options.SeriesSeedOption = 0,
    states: options.StatesOption = 2_000_000,
    json_file: options.JsonOption = None,
) -> None:
    """Measure how many points an agent loses per move, compared with perfect play on a small board. Needs numba.

    \b
    Examples:
      python -m pacman regret --layout nook --pacman expectimax
      python -m pacman regret --layout nook --ghosts optimal --pacman my.py:MinimaxAgent --games 5
    """
    from pacman.commands.shared.game_setup import GameSetup
    from pacman.play.exact import prepare, solve

    options.check_at_least_one("--states", states, "position")
    if pacman == "keyboard":
        raise InputError("--pacman keyboard: a person cannot play here; name an agent, for example --pacman expectimax")
    game = GameSetup(layout, pacman, tuple(arguments), ghosts, games=games).game(seed)
    warn_of_layout(layout)
    warn_no_sandbox([pacman, *options.kinds(ghosts)])
    prepare(aside)
    with ResultWriter(json_file) as writer:
        writer.report(regret(solve(game.start, states), game.agents[0], game.agents[1:], games, seed))
