"""`simulate` plays the games of `watch` with the same seeds, in any number of processes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from pacman.commands.games import GameSetup
from pacman.commands.simulate import quiet_game
from pacman.core.errors import InputError
from pacman.play.series import MOST_SEEDS, GameStatistics, play_games, play_in_processes
from tests.command_line import run_here

GAMES = [
    GameSetup("nook", "random", (), "random", games=4),
    GameSetup("smallish", "reflex", (), "random,directional", games=3),
    GameSetup("pantry", "greedy", (), "directional,optimal", games=3),
    GameSetup("gamble", "alphabeta", ("rounds=1", "evaluation=score"), "", max_plies=60, games=3),
]


def statistics(setup: GameSetup, first: int, stop: int) -> GameStatistics:
    return GameStatistics.of(play_games(quiet_game(setup), range(first, stop)))


@pytest.mark.parametrize("setup", GAMES, ids=lambda setup: setup.pacman)
def test_each_game_is_the_one_that_watch_shows_with_its_seed(setup: GameSetup) -> None:
    options = [f"--layout={setup.layout}", f"--pacman={setup.pacman}", f"--max-plies={setup.max_plies}", "--json", "-"]
    options += [f"--ghosts={setup.ghosts}", *(word for argument in setup.arguments for word in ("-a", argument))]
    for seed in range(7, 7 + setup.games):
        watched = json.loads(run_here("pacman", "watch", *options, "--view", "none", "--seed", str(seed)).stdout)
        part = statistics(setup, seed, seed + 1)
        assert (part.outcomes, part.scores, part.plies) == (
            {watched["outcome"]: 1}, {watched["score"]: 1}, watched["plies"],
        )  # fmt: skip
        assert part.lost_seeds == ([seed] if watched["outcome"] == "loss" else [])


def test_the_number_of_processes_does_not_matter() -> None:
    setup = GameSetup("nook", "reflex", (), "random", games=23)
    finished: list[int] = []
    make, seeds = quiet_game(setup), range(5, 28)
    one, three = play_in_processes(make, seeds, 1, finished.append), play_in_processes(make, seeds, 3)
    assert one == three == statistics(setup, 5, 28)
    assert sum(finished) == one.games == 23


def test_the_printed_command_shows_a_lost_game() -> None:
    options = ["--layout", "gamble", "--pacman", "scripted", "-a", "actions=Stop,Stop", "--ghosts", "random,random"]
    said = run_here("pacman", "simulate", *options, "--games", "30", "--jobs", "1", "--max-plies", "90").stdout
    assert "seeds of lost games: " in said
    program, command = said.splitlines()[-1].split(": ")
    assert program == "watch a lost game"
    *start, seed = shlex.split(command)[2:]
    assert seed in said.partition("seeds of lost games: ")[2].split("\n")[0].split(", ")
    watched = json.loads(run_here(*start, seed, "--view", "none", "--json", "-").stdout)
    assert (watched["outcome"], str(watched["seed"])) == ("loss", seed)


def test_the_summaries_of_parts_add_up_to_the_summary_of_all_games() -> None:
    setup = GameSetup("nook", "random", (), "random", games=40)
    total, parts = statistics(setup, 0, 40), GameStatistics()
    for first in range(0, 40, 10):
        parts.add(statistics(setup, first, first + 10))
    assert parts == total
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
