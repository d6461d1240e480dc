"""Games side by side: their picture, and the command line. What their keys do is in test_player."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agents.analysis import choose_search
from pacman.__main__ import app
from pacman.commands.games import GameSetup
from pacman.picture.canvas import Canvas
from pacman.picture.colours import THEMES
from pacman.play.recording import Replay
from pacman.view import After
from pacman.view.screen import Mouse
from pacman.view.window import Window
from tests.view.fake_screen import NAMES, Viewer, games
from tests.view.reference_pictures import is_like_reference


def test_the_time_line_can_be_clicked() -> None:
    viewer = Viewer(*games()).press("space >")
    window = viewer.window(Canvas(900, 420))
    assert viewer.player.ply == 3
    viewer.click(window, Mouse("press", 440, 412))
    assert [track.ply for track in viewer.player.tracks] in ([1, 1], [2, 2])


@pytest.mark.parametrize(
    ("size", "name"), [((640, 400), "light"), ((1280, 720), "dark"), ((1920, 1080), "colour-blind")]
)
def test_the_window_looks_like_its_reference_picture(size: tuple[int, int], name: str) -> None:
    both_games, canvas = games(), Canvas(*size)
    for game in both_games:
        game.clock = lambda: 0.0  # the picture shows the agents' times
    viewer = Viewer(*both_games, analysers=[choose_search(name, rounds=1) for name in NAMES], overlay="values")
    viewer.press("space > >")
    viewer.player.speed = 8.0
    for track in viewer.player.tracks:
        track.animation.now = replace(track.animation.now, clock=0.0)  # skirts and capsules move with the clock
    viewer.window(canvas, theme=THEMES[name])
    assert is_like_reference(canvas, f"search/beside-{size[0]}x{size[1]}")


# ---- the command line


def run(*arguments: str) -> list[str]:
    """The lines that `watch` prints."""
    result = CliRunner().invoke(app, ["watch", "--ghosts", "random,optimal", "--max-plies", "30", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_each_agent_has_its_own_options_and_the_game_that_it_has_alone() -> None:
    names = ["minimax:rounds=1", "minimax:rounds=2:evaluation=score", "greedy"]
    options = ["--rounds", "3", "--view", "none", "--seed", "3"]
    assert run(*names, *options) == [f"{name}: {run(name, *options)[0]}" for name in names]
    setup = GameSetup("smallish", "folder/mine.py:Mine:rounds=1", is_compared=True)
    assert setup.display_name == "mine.py:Mine rounds=1"


def test_each_game_is_recorded(tmp_path: Path) -> None:
    rows = run("minimax", "greedy", "--view", "none", "--json", "-", "--save", str(tmp_path / "vs.json"))
    assert [json.loads(row)["pacman"] for row in rows] == ["minimax", "greedy"]
    recordings = [Replay.load(tmp_path / f"vs-{number}.json") for number in (1, 2)]
    assert [one.names[0] for one in recordings] == ["minimax", "greedy"]
    assert all(len(list(one)) > 0 and one.note == "" for one in recordings)
    out, errors = tmp_path / "vs.gif", []
    for options in (["--seconds", "0.2"], ["--tree"]):
        words = ["film", *(str(one.path) for one in recordings), "--out", str(out), *options]
        errors.append(str(CliRunner().invoke(app, words).exception))
        assert out.exists()
    assert errors == ["None", "2 recordings side by side: expected at most 4, no --tree and no --lecture"]


def test_the_window_is_opened_for_two(monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[tuple[str, ...]] = []

    class CountingWindow(Window):
        def show(self, *games: object) -> After:
            names.append(tuple(game.names[0] for game in games))  # type: ignore[attr-defined]
            assert len(self.player.searches) == 2
            return After.AGAIN if len(names) == 1 else After.LEAVE

    monkeypatch.setattr("pacman.view.window.Window", CountingWindow)
    run("minimax", "expectimax")
    assert names == [NAMES, NAMES]


def test_a_person_has_only_one_keyboard() -> None:
    assert "only one keyboard" in str(CliRunner().invoke(app, ["watch", "keyboard", "minimax"]).exception)
