"""`python -m pacman simulate` and `solve-exactly`: many games, and the exact value of a small board."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

from pacman.commands.app import arg, opt
from pacman.commands.options import (
    AGENT_HELP,
    BoardOptions,
    GamesOption,
    JobsOption,
    JsonOption,
    SeriesOptions,
    SeriesSeedOption,
    check_at_least_one,
)
from pacman.core.errors import InputError, counted
from pacman.core.state import GameState, start
from pacman.play.game import MAX_PLIES, Agent, Game, Ply

if TYPE_CHECKING:
    from pacman.play.exact import Solution
    from pacman.play.game import Result
    from pacman.play.series import MakeGame


def simulate(
    agent: Annotated[str, arg(f"{AGENT_HELP} Default: reflex.", "AGENT")] = "",
    board: BoardOptions = BoardOptions(),
    series: SeriesOptions = SeriesOptions(games=1_000),
    jobs: JobsOption = 0,
    json_file: JsonOption = None,
) -> None:
    """Play many games, and print win rate, mean score, a histogram, and the seeds of lost games.

    The results are the same for any --jobs. `watch --seed N` shows the game with seed N.

    \b
    Examples:
      python -m pacman simulate reflex --layout smallish --games 10000
      python -m pacman simulate expectimax:rounds=1 --ghosts random,directional --games 500
      python -m pacman simulate --layout nook --jobs 4 --json -
    """
    from pacman.commands.app import as_started
    from pacman.commands.games import GameSetup
    from pacman.commands.output import ResultWriter, warn_no_sandbox, warn_of_layout
    from pacman.play.series import GameStatistics

    agent = agent or "reflex"
    demand_no_person(agent, "simulate")
    setup = GameSetup(board.layout, agent, board.ghosts, max_plies=series.max_plies, games=series.games)
    setup.game(series.seed)  # errors are reported before the games begin
    warn_of_layout(board.layout)
    warn_no_sandbox(setup.agents)
    with ResultWriter(json_file) as writer:
        (results,) = play_with_progress({agent: setup.quiet_game}, series, jobs)
        total = GameStatistics.of(results)
        writer.report(total)
        if total.lost_seeds:
            command = watch_command([agent], board, series, total.lost_seeds[0])
            writer.text(as_started(f"watch a lost game: {command}"))


def demand_no_person(agent: str, command: str) -> None:
    """InputError if a person would have to play."""
    if agent == "keyboard":
        raise InputError(f"{command} keyboard: a person cannot play here; name an agent, for example minimax")


def play_with_progress(makes: Mapping[str, MakeGame], series: SeriesOptions, jobs: int) -> list[list[Result]]:
    """The results of the same games for each agent, with a progress bar. `jobs` is that of `--jobs`."""
    from pacman.commands.output import progress_bar
    from pacman.play.series import play_in_processes

    seeds = range(series.seed, series.seed + series.games)
    with progress_bar("games", total=len(seeds) * len(makes)) as update:
        return play_in_processes(makes, seeds, jobs or os.cpu_count() or 1, lambda done: update(advance=done))


def watch_command(agents: Sequence[str], board: BoardOptions, series: SeriesOptions, seed: int) -> str:
    """The command that shows the game with this seed, of each agent."""
    words = ["python", "-m", "pacman", "watch", *agents, "--layout", board.layout]
    words += ["--ghosts", board.ghosts] if board.ghosts else []
    words += ["--max-plies", str(series.max_plies)] if series.max_plies != MAX_PLIES else []
    return shlex.join([*words, "--seed", str(seed)])


# ---- the exact value of a board


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

    def as_json(self) -> dict[str, Any]:
        """The move as an object that `json` can write."""
        place = {"seed": self.seed, "position": str(self.state)}
        return place | {"action": self.action, "best": self.best, "actions": self.worths}

    def __str__(self) -> str:
        move = f"{self.action} instead of {self.best}"
        title = f"worst move: {move}, in the game with seed {self.seed}, in this position:"
        return "\n".join([title, str(self.state), "expected final score after each action:", *_lines(self.worths)])


@dataclass(frozen=True)
class Regret:
    """What each move of an agent loses, in points, and the final scores of its games.

    A move within twice `error` of the best is perfect. `worst` is the first of the moves that lose most.
    """

    moves: list[float]
    scores: list[int]
    expected: float
    error: float
    worst: ImperfectMove | None

    @property
    def imperfect(self) -> int:
        """The number of moves that were not perfect."""
        return sum(points > 2 * self.error for points in self.moves)

    def as_json(self) -> dict[str, Any]:
        """The report as an object that `json` can write."""
        return {
            "games": len(self.scores),
            "moves": len(self.moves),
            "regret_a_move": fmean(self.moves),
            "largest_regret": self.worst.regret if self.worst else 0.0,
            "imperfect_moves": self.imperfect,
            "mean_score": fmean(self.scores),
            "perfect_score": self.expected,
            "error": self.error,
            "worst": self.worst and self.worst.as_json(),
        }

    def __str__(self) -> str:
        largest = self.worst.regret if self.worst else 0.0
        games, moves = counted(len(self.scores), "game"), counted(len(self.moves), "move")
        lines = [
            f"{games}, {moves}, {self.imperfect} of them not perfect",
            f"points lost against perfect play: mean {fmean(self.moves):.3f} per move, largest {largest:.3f}",
            f"mean score {fmean(self.scores):.1f}; mean score of perfect play {self.expected:.1f}",
        ]
        return "\n".join([*lines, "", str(self.worst)] if self.worst else lines)


@dataclass(frozen=True)
class SolutionReport:
    """The report of a solved board; with `regret`, also of the games of an agent on it."""

    solution: Solution
    regret: Regret | None = None

    def as_json(self) -> dict[str, Any]:
        """The values of the first position, their errors, the number of positions and sweeps, and the agent's games."""
        solution, root = self.solution, self.solution.root
        found = {
            "states": solution.states,
            "expected_score": solution.value(root),
            "error": solution.error,
            "win_probability": solution.win_probability(root),
            "win_error": solution.win_error,
            "sweeps": solution.sweeps,
            "actions": solution.action_values(root),
        }
        return found | ({"agent": self.regret.as_json()} if self.regret else {})

    def __str__(self) -> str:
        solution, root = self.solution, self.solution.root
        lines = [
            f"{counted(solution.states, 'position')}, {counted(solution.sweeps, 'sweep')}",
            f"expected final score: {solution.value(root):.6f} (error at most {solution.error:.1e})",
            f"win probability if Pacman plays for the best expected score: {solution.win_probability(root):.6f} "
            f"(error at most {solution.win_error:.1e})",
            "expected final score after each first action:",
            *_lines(solution.action_values(root)),
        ]
        return "\n".join([*lines, "", str(self.regret)] if self.regret else lines)


def _lines(worths: dict[str, float]) -> list[str]:
    return [f"  {action:5} {worth:12.6f}" for action, worth in worths.items()]


def regret_of(solution: Solution, agents: Sequence[Agent], games: int, seed: int = 0) -> Regret:
    """Plays games from the solved position, and compares each move of Pacman, the first of `agents`, with perfect play.

    Game n has the seed `seed + n`. InputError, with the seed, for a game that ends with a fault.
    """
    from pacman.play.series import play_games

    moves: list[float] = []
    worst: ImperfectMove | None = None

    def compare(seed: int, before: GameState, ply: Ply) -> None:
        nonlocal worst
        if ply.agent == 0:
            move = ImperfectMove(seed, before, ply.action, solution.action_values(before))
            moves.append(move.regret)
            if move.regret > (worst.regret if worst else 2 * solution.error):
                worst = move

    def game(seed: int) -> Game:
        return Game(solution.root, agents, [""] * len(agents), seed=seed)

    scores = [result.score for result in play_games(game, range(seed, seed + games), compare)]
    return Regret(moves, scores, solution.value(solution.root), solution.error, worst)


def save(solution: Solution, file: Path) -> None:
    """Writes a line for each position, with the score 0: its `value` and its `win_probability`."""
    from pacman.core.files import write_file

    lines = (
        {"position": str(state), "value": value, "win_probability": win}
        for state, value, win in zip(
            solution.positions(), solution.values.tolist(), solution.wins.tolist(), strict=True
        )
    )
    write_file(file, "".join(f"{json.dumps(line)}\n" for line in lines).encode(), "--out")


def solve_exactly(
    board: BoardOptions = BoardOptions(layout="nook"),
    agent: Annotated[
        str,
        opt(
            "Also play games of this agent, and print how many points its moves lose against perfect play. "
            f"{AGENT_HELP}",
            "AGENT",
        ),
    ] = "",
    games: GamesOption = 20,
    seed: SeriesSeedOption = 0,
    states: Annotated[int, opt("Stop if the board has more than N positions.", "N", hidden=True)] = 500_000,
    out: Annotated[
        Path | None, opt("Save the values of all positions: one JSON object per line.", "FILE", "--out", "-o")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Compute the exact value of a small board, and of each first action, under perfect play.

    With --agent, also measure how many points an agent loses per move, compared with perfect play.

    \b
    Examples:
      python -m pacman solve-exactly --layout nook
      python -m pacman solve-exactly --layout nook --ghosts optimal --json -
      python -m pacman solve-exactly --layout nook --agent my.py:MinimaxAgent --games 5
      python -m pacman solve-exactly --layout nook --out values.jsonl
    """
    from agents.load import make_ghost
    from pacman.commands.games import GameSetup
    from pacman.commands.output import ResultWriter, check_no_loss, progress_bar, warn_no_sandbox, warn_of_layout
    from pacman.play.exact import solve

    check_at_least_one("--states", states, "position")
    check_at_least_one("--games", games, "game")
    demand_no_person(agent, "--agent")
    if out is not None:
        check_no_loss(out)
    if agent:
        game = GameSetup(board.layout, agent, board.ghosts, games=games).game(seed)
        root, agents = game.start, game.agents
    else:
        kinds = [make_ghost(kind) if ".py:" in kind else kind for kind in board.kinds]
        root, agents = start(board.layout, kinds or None), []
    warn_of_layout(board.layout)
    warn_no_sandbox([agent, *board.kinds])
    with ResultWriter(json_file) as writer:
        with progress_bar("positions") as update:
            solution = solve(root, states, lambda line: update(description=line))
        if out is not None:
            save(solution, out)
        regret = regret_of(solution, agents, games, seed) if agents else None
        writer.report(SolutionReport(solution, regret))
