"""`simulate` and `duel` play the games of `watch` with the same seeds, in any number of processes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from pacman.commands.games import GameSetup
from pacman.commands.options import BoardOptions
from pacman.core.errors import InputError
from pacman.play.game import Result
from pacman.play.series import MOST_SEEDS, Duel, GameStatistics, interval, play_games, play_in_processes
from pacman.view.film import STRIP
from tests.command_line import run_here

GAMES = [
    GameSetup(BoardOptions("nook", "random"), "random", games=4),
    GameSetup(BoardOptions("smallish", "random,directional"), "reflex", games=3),
    GameSetup(BoardOptions("pantry", "directional,optimal"), "greedy", games=3),
    GameSetup(BoardOptions("gamble"), "alphabeta:rounds=1:evaluation=score", max_plies=60, games=3),
]
GAME = ["--layout", "smallish", "--ghosts", "random,directional", "--games", "6", "--seed", "3", "--jobs", "1"]


def statistics(setup: GameSetup, first: int, stop: int) -> GameStatistics:
    return GameStatistics(play_games(setup.game, range(first, stop)))


def answer(*words: str) -> Any:
    """The JSON of a command."""
    return json.loads(run_here("pacman", *words, "--json", "-").stdout)


def watched(agent: str, options: Sequence[str], seed: int) -> Any:
    return answer("watch", agent, *options, "--view", "none", "--seed", str(seed))


def write_agent(file: Path, action: str) -> str:
    lines = ["from agents.base import BaseAgent", "", "", "class Mine(BaseAgent):"]
    lines += ["    def choose(self, state):", f"        return {action}", ""]
    file.write_text("\n".join(lines), encoding="utf-8")
    return f"{file}:Mine"


@pytest.mark.parametrize("setup", GAMES, ids=lambda setup: setup.pacman)
def test_each_game_is_the_one_that_watch_shows_with_its_seed(setup: GameSetup) -> None:
    options = [f"--layout={setup.board.layout}", f"--ghosts={setup.board.ghosts}", f"--max-plies={setup.max_plies}"]
    for seed in range(7, 7 + setup.games):
        game, part = watched(setup.pacman, options, seed), statistics(setup, seed, seed + 1)
        assert (part.outcomes, part.scores, part.plies) == ({game["outcome"]: 1}, [game["score"]], game["plies"])
        assert part.lost_seeds == ([seed] if game["outcome"] == "loss" else [])


def test_the_number_of_processes_does_not_matter() -> None:
    setup, finished = GameSetup(BoardOptions("nook", "random"), "reflex", games=23), list[int]()
    makes, seeds = {"one": setup.game}, range(5, 28)
    for (results,) in (play_in_processes(makes, seeds, 1, finished.append), play_in_processes(makes, seeds, 3)):
        assert GameStatistics(results).as_json() == statistics(setup, 5, 28).as_json()
    assert sum(finished) == 23


def test_the_printed_command_shows_a_lost_game() -> None:
    options = ["scripted:actions=Stop,Stop", "--layout", "gamble", "--ghosts", "random,random", "--max-plies", "90"]
    text = run_here("pacman", "simulate", *options, "--games", "30", "--jobs", "1").stdout
    program, command = text.splitlines()[-1].split(": ")
    assert program == "watch a lost game"
    *words, seed = shlex.split(command)[2:]
    assert words[-3:] == ["--max-plies", "90", "--seed"]
    assert seed in text.partition("seeds of lost games: ")[2].split("\n")[0].split(", ")
    game = json.loads(run_here(*words, seed, "--view", "none", "--json", "-").stdout)
    assert (game["outcome"], str(game["seed"])) == ("loss", seed)


def test_the_statistics_of_games() -> None:
    total = statistics(GameSetup(BoardOptions("nook", "random"), "random", games=40), 0, 40)
    assert sum(count for _, _, count in total.histogram()) == 40
    mean, low, high = total.score
    assert low <= mean <= high
    assert len(total.lost_seeds) == MOST_SEEDS < total.outcomes["loss"]
    assert f"seeds of lost games: {', '.join(map(str, total.lost_seeds))}, ...\n" in str(total)
    assert total.as_json()["first_lost_seeds"] == total.lost_seeds
    results = [Result("win", 500, 9, 0, ()), Result("loss", -300, 9, 1, ()), Result("fault", 10, 9, 2, ())]
    total = GameStatistics(results)
    assert (total.games, total.score[0], total.outcomes) == (3, 70, {"fault": 1, "loss": 1, "win": 1})
    assert "seeds of lost games: 1\n" in str(total)
    rate, low, high = total.win_rate
    assert 0 < low < 1 / 3 == rate < high < 1
    assert (interval(0, 5)[0], interval(5, 5)[1]) == (0.0, 1.0)


def test_a_fault_is_one_line_with_the_seed(tmp_path: Path) -> None:
    agent = write_agent(tmp_path / "mine.py", "1 / (state.pacman.cell - state.pacman.cell)")
    with pytest.raises(
        InputError, match=r"^seed 3: Pacman at ply 0, mine\.py:6: ZeroDivisionError: division by zero\. The"
    ):
        statistics(GameSetup(BoardOptions("nook"), agent), 3, 5)
    agent = write_agent(tmp_path / "bad.py", "'Up'")
    done = run_here("pacman", "duel", "reflex", agent, *GAME)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{agent}: seed 3: Pacman at ply 0" in done.stderr.splitlines()[-1]


# ---- duel


def table(*scores: list[int]) -> Duel:
    games = [[Result("win", score, 1, seed, ()) for seed, score in enumerate(row)] for row in scores]
    return Duel("abc"[: len(scores)], games)


def test_the_differences_are_those_of_the_same_games() -> None:
    duel = table([10, 20, 30], [11, 19, 60], [0, 0, 1])
    assert (duel.ranking, duel.most_different) == ([1, 0, 2], 2)
    mean, low, high = duel.difference(0, 1)
    deviation = sqrt(((-1 + 10) ** 2 + (1 + 10) ** 2 + (-30 + 10) ** 2) / 2)
    assert mean == -10
    assert high - mean == pytest.approx(mean - low) == pytest.approx(1.96 * deviation / sqrt(3), rel=1e-4)
    assert table([5], [5]).ranking == [0, 1]
    assert "+0.0 (+0.0 to +0.0)" in str(table([5, 6], [5, 6]))
    assert str(table([5], [5])).startswith("1 game of each agent\n")


def test_a_duel_of_equal_agents_names_no_game() -> None:
    done = run_here("pacman", "duel", "minimax:rounds=1", "alphabeta:rounds=1", "--layout", "nook", "--games", "2")
    assert "all games are the same" in done.stdout
    assert "seed" not in done.stdout
    assert "watch it" not in done.stdout


def test_the_games_of_a_duel_are_those_of_watch_and_simulate() -> None:
    duel = answer("duel", "reflex", "minimax:rounds=1", *GAME)
    agents = {agent["name"]: agent for agent in duel["agents"]}
    for name, score in zip(agents, duel["most_different"]["scores"], strict=True):
        assert watched(name, GAME[:4], duel["most_different"]["seed"])["score"] == score
    series, minimax = answer("simulate", "minimax:rounds=1", *GAME), agents["minimax:rounds=1"]
    assert (minimax["mean_score"], minimax["wins"]) == (series["mean_score"], series["outcomes"].get("win", 0))


def test_the_film_shows_the_most_different_game(tmp_path: Path) -> None:
    from PIL import Image

    agents = [write_agent(tmp_path / f"{name}.py", f"state.actions()[{n}]") for name, n in (("ada", 0), ("bob", -1))]
    film = tmp_path / "duel.png"
    done = run_here("pacman", "duel", *agents, *GAME, "--max-plies", "30", "--film", str(film))
    assert done.returncode == 0, done.stderr
    assert f"{film}: seed " in done.stdout
    with Image.open(film) as picture:
        strip = picture.convert("RGB").crop((0, picture.height - STRIP, picture.width, picture.height))
        assert len(strip.getcolors(1 << 16) or []) > 3
