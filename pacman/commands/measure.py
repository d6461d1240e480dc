"""`python -m pacman simulate`, `duel` and `solve-exactly`: many games, also of several agents, and exact values."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

from pacman.commands.app import arg, as_started, opt
from pacman.commands.options import (
    AGENT_HELP,
    MOST_AGENTS,
    BoardOptions,
    GamesOption,
    JobsOption,
    JsonOption,
    SeriesOptions,
    SeriesSeedOption,
)
from pacman.core.errors import InputError, counted
from pacman.core.state import GameState, start
from pacman.play.game import MAX_PLIES, Agent, Game, Ply

if TYPE_CHECKING:
    from pacman.play.exact import Solution
    from pacman.play.game import Result
    from pacman.play.series import MakeGame

OWN_EVALUATION = ("minimax", "alphabeta", "expectimax", "expectiminimax")
"""The searches of this project that have an evaluation of their own unless an option names one."""


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
    from pacman.commands.games import GameSetup
    from pacman.commands.output import ResultWriter, warn_no_sandbox, warn_of_layout
    from pacman.play.series import GameStatistics

    agent = agent or "reflex"
    _demand_no_person(agent, "simulate")
    setup = GameSetup(board, agent, None, series.max_plies, games=series.games)
    setup.game(series.seed)  # errors are reported before the games begin
    warn_of_layout(board.layout)
    warn_no_sandbox(setup.agents)
    with ResultWriter(json_file) as writer:
        (results,) = _play({agent: setup.game}, series, jobs)
        total = GameStatistics(results)
        writer.report(str(total), total.as_json())
        if total.lost_seeds:
            writer.text(f"watch a lost game: {_watch_command([agent], board, series, total.lost_seeds[0])}")


def duel(
    agents: Annotated[list[str], arg(AGENT_HELP, "AGENT")],
    board: BoardOptions = BoardOptions(),
    series: SeriesOptions = SeriesOptions(games=100),
    film: Annotated[
        Path | None, opt("Film the most different game side by side: .gif, .webp, .mp4 or .png.", "FILE")
    ] = None,
    jobs: JobsOption = 0,
    json_file: JsonOption = None,
) -> None:
    """Let several agents play the same games: who wins more, who has more points, and is it luck?

    A row says how many points an agent has more than the best one, in the same games. If the interval does not contain
    0, the difference is probably no luck. A mark in the film is a round in which the agents chose differently.

    The searches of this project have an evaluation of their own. To compare your search with one that counts the score,
    as yours does unless you write another evaluation, name it alphabeta:evaluation=score.

    \b
    Examples:
      python -m pacman duel my.py:Expectimax expectimax --layout crossroads
      python -m pacman duel minimax:rounds=1 minimax:rounds=2 reflex --games 50 --ghosts optimal
      python -m pacman duel my.py:Mine theirs.py:Mine --film duel.gif
    """
    from pacman.commands.games import GameSetup
    from pacman.commands.output import ResultWriter, aside, check_writable, warn_no_sandbox, warn_of_layout
    from pacman.commands.recorded import film_games
    from pacman.play.series import Duel
    from pacman.view.film import Film, film_format

    if len(agents) < 2 or len(set(agents)) < len(agents):
        raise InputError(f"duel {' '.join(agents)}: expected two or more different agents")
    for agent in agents:
        _demand_no_person(agent, "duel")
    if film is not None:
        film_format(film)
        check_writable(film)
        if len(agents) > MOST_AGENTS:
            advice = f"name {MOST_AGENTS} agents, or leave it out"
            raise InputError(f"--film shows at most {MOST_AGENTS} games side by side: {advice}")
    setups = [GameSetup(board, agent, None, series.max_plies, games=series.games, is_compared=True) for agent in agents]
    for setup in setups:  # errors are reported before the games begin
        setup.game(series.seed)
    warn_of_layout(board.layout)
    warn_no_sandbox([*agents, *board.kinds])
    own = [agent for agent in agents if agent.split(":")[0] in OWN_EVALUATION and "evaluation=" not in agent]
    if own and any(".py" in agent for agent in agents):
        advice = f"to compare the searches alone, name it {own[0]}:evaluation=score"
        aside(f"{own[0]} has an evaluation of its own, so the duel compares evaluations too; {advice}")
    with ResultWriter(json_file) as writer:
        table = Duel(agents, _play({each.pacman: each.game for each in setups}, series, jobs))
        writer.report(str(table), table.as_json())
        most = series.seed + table.most_different
        is_same = len({score for _, score in table.most_different_scores}) == 1
        scores = ", ".join(f"{name} {score}" for name, score in table.most_different_scores)
        same = "all games are the same: each agent has the same score in them"
        writer.text(same if is_same else f"most different game: seed {most}: {scores}")
        if film is not None:
            film_games([setups[agent].game(most) for agent in table.ranking], film, Film())
            writer.text(f"{film}: seed {most}")
        elif len(agents) <= MOST_AGENTS and not is_same:
            writer.text(f"watch it: {_watch_command(agents, board, series, most)}")


def _demand_no_person(agent: str, command: str) -> None:
    """InputError if a person would have to play."""
    if agent == "keyboard":
        raise InputError(f"{command} keyboard: a person cannot play here; name an agent, for example minimax")


def _play(makes: Mapping[str, MakeGame], series: SeriesOptions, jobs: int) -> list[list[Result]]:
    """The results of the same games for each agent, with a progress bar. `jobs` is that of `--jobs`."""
    from pacman.commands.output import progress_bar
    from pacman.play.series import play_in_processes

    seeds = range(series.seed, series.seed + series.games)
    with progress_bar("games", total=len(seeds) * len(makes)) as update:
        return play_in_processes(makes, seeds, jobs or os.cpu_count() or 1, lambda count: update(advance=count))


def _watch_command(agents: Sequence[str], board: BoardOptions, series: SeriesOptions, seed: int) -> str:
    """The command that shows the game with this seed, of each agent."""
    words = ["python", "-m", "pacman", "watch", *agents, "--layout", board.layout]
    words += ["--ghosts", board.ghosts] if board.ghosts else []
    words += ["--max-plies", str(series.max_plies)] if series.max_plies != MAX_PLIES else []
    return as_started(shlex.join([*words, "--seed", str(seed)]))


# ---- the exact value of a board


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
    states: Annotated[int, opt("Stop if the board has more than N positions.", "N", min=1, hidden=True)] = 500_000,
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

    _demand_no_person(agent, "--agent")
    if out is not None:
        check_no_loss(out)
    if agent:
        game = GameSetup(board, agent, games=games).game(seed)
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
            _save(solution, out)
        report = values_of(solution)
        if agents:
            report["agent"] = regret_of(solution, agents, games, seed)
        writer.report(report_text(report), report)


def values_of(solution: Solution) -> dict[str, Any]:
    """The values of the first position, their errors, and the number of positions and sweeps."""
    root = solution.root
    return {
        "states": solution.states,
        "expected_score": solution.value(root),
        "error": solution.error,
        "win_probability": solution.win_probability(root),
        "win_error": solution.win_error,
        "sweeps": solution.sweeps,
        "actions": solution.action_values(root),
    }


def regret_of(solution: Solution, agents: Sequence[Agent], games: int, seed: int = 0) -> dict[str, Any]:
    """Plays games from the solved position, and says what each move of Pacman, the first of `agents`, loses in points.

    Game n has the seed `seed + n`. A move within twice the error of the best is perfect. `worst` is the first of the
    moves that lose most. InputError, with the seed, for a game that ends with a fault.
    """
    from pacman.play.series import play_games

    moves: list[float] = []
    worst: dict[str, Any] | None = None
    least = largest = 2 * solution.error

    def compare(seed: int, before: GameState, ply: Ply) -> None:
        nonlocal worst, largest
        if ply.agent == 0:
            worths = solution.action_values(before)
            best = max(worths, key=worths.__getitem__)
            moves.append(worths[best] - worths[ply.action])
            if moves[-1] > largest:
                largest, place = moves[-1], {"seed": seed, "position": str(before)}
                worst = place | {"action": ply.action, "best": best, "actions": worths}

    def game(seed: int) -> Game:
        return Game(solution.root, agents, [""] * len(agents), seed=seed)

    scores = [result.score for result in play_games(game, range(seed, seed + games), compare)]
    return {
        "games": len(scores),
        "moves": len(moves),
        "regret_a_move": fmean(moves),
        "largest_regret": largest if worst else 0.0,
        "imperfect_moves": sum(points > least for points in moves),
        "mean_score": fmean(scores),
        "perfect_score": solution.value(solution.root),
        "error": solution.error,
        "worst": worst,
    }


def report_text(report: Mapping[str, Any]) -> str:
    """The values of a board, and what the moves of an agent lose, as text."""
    lines = [
        f"{counted(report['states'], 'position')}, {counted(report['sweeps'], 'sweep')}",
        f"expected final score: {report['expected_score']:.6f} (error at most {report['error']:.1e})",
        f"win probability if Pacman plays for the best expected score: {report['win_probability']:.6f} "
        f"(error at most {report['win_error']:.1e})",
        "expected final score after each first action:",
        *_lines(report["actions"]),
    ]
    if agent := report.get("agent"):
        games, moves = counted(agent["games"], "game"), counted(agent["moves"], "move")
        lost = f"mean {agent['regret_a_move']:.3f} per move, largest {agent['largest_regret']:.3f}"
        lines += ["", f"{games}, {moves}, {agent['imperfect_moves']} of them not perfect"]
        lines += [f"points lost against perfect play: {lost}"]
        lines += [f"mean score {agent['mean_score']:.1f}; mean score of perfect play {agent['perfect_score']:.1f}"]
        if worst := agent["worst"]:
            move = f"{worst['action']} instead of {worst['best']}"
            lines += ["", f"worst move: {move}, in the game with seed {worst['seed']}, in this position:"]
            lines += [worst["position"], "expected final score after each action:", *_lines(worst["actions"])]
    return "\n".join(lines)


def _lines(worths: Mapping[str, float]) -> list[str]:
    return [f"  {action:5} {worth:12.6f}" for action, worth in worths.items()]


def _save(solution: Solution, file: Path) -> None:
    """Writes a line for each position, with the score 0: its `value` and its `win_probability`."""
    from pacman.core.files import write_file

    values = zip(solution.positions(), solution.values.tolist(), solution.wins.tolist(), strict=True)
    lines = ({"position": str(state), "value": value, "win_probability": win} for state, value, win in values)
    write_file(file, "".join(f"{json.dumps(line)}\n" for line in lines).encode(), "--out")
