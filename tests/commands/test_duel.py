"""`duel` plays the games of `watch` with each agent: the table, the most different game, and its film."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path

import pytest

from pacman.play.game import Result
from pacman.play.series import Duel
from pacman.view.film import STRIP
from tests.command_line import run_here

GAME = ["--layout", "smallish", "--ghosts", "random,directional", "--games", "6", "--seed", "3", "--jobs", "1"]


def write_agent(file: Path, action: str) -> None:
    lines = ["from agents.base import BaseAgent", "", "", "class Mine(BaseAgent):"]
    lines += ["    def choose(self, state):", f"        return {action}", ""]
    file.write_text("\n".join(lines), encoding="utf-8")


def table(*scores: list[int]) -> Duel:
    games = [[Result("win", score, 1, seed, ()) for seed, score in enumerate(row)] for row in scores]
    return Duel("abc"[: len(scores)], games)


def test_the_differences_are_those_of_the_same_games() -> None:
    duel = table([10, 20, 30], [11, 19, 60], [0, 0, 1])
    assert duel.ranking == [1, 0, 2]
    mean, low, high = duel.difference(0, 1)
    deviation = sqrt(((-1 + 10) ** 2 + (1 + 10) ** 2 + (-30 + 10) ** 2) / 2)
    assert mean == -10
    assert high - mean == pytest.approx(mean - low) == pytest.approx(1.96 * deviation / sqrt(3), rel=1e-4)
    assert duel.most_different == 2


def test_one_game_and_equal_agents_have_a_table() -> None:
    assert table([5], [5]).ranking == [0, 1]
    assert "+0.0 (+0.0 to +0.0)" in str(table([5, 6], [5, 6]))
    assert str(table([5], [5])).startswith("1 game of each agent\n")


def test_the_games_are_those_of_watch(tmp_path: Path) -> None:
    done = run_here("pacman", "duel", "reflex", "minimax:rounds=1", *GAME, "--json", "-")
    duel = json.loads(done.stdout)
    agents = {agent["name"]: agent for agent in duel["agents"]}
    seed, names = duel["most_different"]["seed"], [agent["name"] for agent in duel["agents"]]
    for name, score in zip(names, duel["most_different"]["scores"], strict=True):
        words = ["watch", name, *GAME[:4], "--seed", str(seed), "--view", "none", "--json", "-"]
        assert json.loads(run_here("pacman", *words).stdout)["score"] == score
    words = ["simulate", "minimax:rounds=1", *GAME, "--json", "-"]
    series = json.loads(run_here("pacman", *words).stdout)
    minimax = agents["minimax:rounds=1"]
    assert (minimax["mean_score"], minimax["wins"]) == (series["mean_score"], series["outcomes"].get("win", 0))


def test_the_film_shows_the_most_different_game_with_the_names_of_the_files(tmp_path: Path) -> None:
    from PIL import Image

    for name, number in (("ada", 0), ("bob", -1)):
        write_agent(tmp_path / f"{name}.py", f"state.actions()[{number}]")
    film, files = tmp_path / "duel.png", [f"{tmp_path / name}.py:Mine" for name in ("ada", "bob")]
    done = run_here("pacman", "duel", *files, *GAME, "--max-plies", "30", "--film", str(film))
    assert done.returncode == 0, done.stderr
    assert f"{film}: seed " in done.stdout
    with Image.open(film) as picture:
        strip = picture.convert("RGB").crop((0, picture.height - STRIP, picture.width, picture.height))
        assert len(strip.getcolors(1 << 16) or []) > 3


def test_an_agent_that_fails_ends_the_duel_with_its_name_and_the_seed(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    write_agent(file, "'Up'")
    done = run_here("pacman", "duel", "reflex", f"{file}:Mine", *GAME)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{file}:Mine: seed 3: Pacman at ply 0" in done.stderr.splitlines()[-1]
