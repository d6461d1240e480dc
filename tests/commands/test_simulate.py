"""`simulate` plays the games of `watch` with the same seeds, in any number of processes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from pacman.commands.games import GameSetup
from pacman.core.errors import InputError
from pacman.play.series import MOST_SEEDS, GameStatistics, play_games, play_in_processes
from tests.command_line import run_here

GAMES = [
    GameSetup("nook", "random", "random", games=4),
    GameSetup("smallish", "reflex", "random,directional", games=3),
    GameSetup("pantry", "greedy", "directional,optimal", games=3),
    GameSetup("gamble", "alphabeta:rounds=1:evaluation=score", max_plies=60, games=3),
]


def statistics(setup: GameSetup, first: int, stop: int) -> GameStatistics:
    return GameStatistics.of(play_games(setup.quiet_game, range(first, stop)))


@pytest.mark.parametrize("setup", GAMES, ids=lambda setup: setup.pacman)
def test_each_game_is_the_one_that_watch_shows_with_its_seed(setup: GameSetup) -> None:
    options = [setup.pacman, f"--layout={setup.layout}", f"--max-plies={setup.max_plies}", "--json", "-"]
    options += [f"--ghosts={setup.ghosts}"]
    for seed in range(7, 7 + setup.games):
        watched = json.loads(run_here("pacman", "watch", *options, "--view", "none", "--seed", str(seed)).stdout)
        part = statistics(setup, seed, seed + 1)
        assert (part.outcomes, part.scores, part.plies) == (
            {watched["outcome"]: 1}, {watched["score"]: 1}, watched["plies"],
        )  # fmt: skip
        assert part.lost_seeds == ([seed] if watched["outcome"] == "loss" else [])


def test_the_number_of_processes_does_not_matter() -> None:
    setup = GameSetup("nook", "reflex", "random", games=23)
    finished: list[int] = []
    makes, seeds = {"one": setup.quiet_game}, range(5, 28)
    alone, three = play_in_processes(makes, seeds, 1, finished.append), play_in_processes(makes, seeds, 3)
    for (results,) in (alone, three):
        assert GameStatistics.of(results) == statistics(setup, 5, 28)
    assert sum(finished) == 23


def test_the_printed_command_shows_a_lost_game() -> None:
    options = ["scripted:actions=Stop,Stop", "--layout", "gamble", "--ghosts", "random,random"]
    said = run_here("pacman", "simulate", *options, "--games", "30", "--jobs", "1", "--max-plies", "90").stdout
    assert "seeds of lost games: " in said
    program, command = said.splitlines()[-1].split(": ")
    assert program == "watch a lost game"
    *start, seed = shlex.split(command)[2:]
    assert seed in said.partition("seeds of lost games: ")[2].split("\n")[0].split(", ")
    watched = json.loads(run_here(*start, seed, "--view", "none", "--json", "-").stdout)
    assert (watched["outcome"], str(watched["seed"])) == ("loss", seed)


def test_the_statistics_of_many_games() -> None:
    total = statistics(GameSetup("nook", "random", "random", games=40), 0, 40)
    assert sum(count for _, _, count in total.histogram()) == 40
    low, high = total.score_interval
    assert low <= total.mean_score <= high
    assert len(total.lost_seeds) == MOST_SEEDS < total.outcomes["loss"]
    assert f"seeds of lost games: {', '.join(map(str, total.lost_seeds))}, ...\n" in str(total)
    assert total.as_json()["first_lost_seeds"] == total.lost_seeds


def test_a_fault_is_one_line_with_the_seed(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from agents.base import BaseAgent\n\n\nclass Mine(BaseAgent):\n    def choose(self, state):\n"
                    "        return 1 / (state.pacman.cell - state.pacman.cell)\n")  # fmt: skip
    with pytest.raises(
        InputError,
        match=r"^seed 3: Pacman at ply 0, mine\.py:6: ZeroDivisionError: division by zero\. The",
    ):
        statistics(GameSetup("nook", f"{file}:Mine"), 3, 5)
