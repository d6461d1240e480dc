"""`--reload`: the game starts again when a file is saved; a file with a mistake leaves the old game in the window."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agents import load
from pacman import start
from pacman.__main__ import app
from pacman.commands.views import Reloader
from pacman.play.game import Game
from pacman.view.screen import Key
from pacman.view.view_protocol import After
from pacman.view.window import Window
from tests.view.fake_screen import FakeScreen

AGENT = """
from helping import CHOICE
from agents.base import BaseAgent

class Mine(BaseAgent):
    def choose(self, state):
        return CHOICE if CHOICE in state.actions() else "Stop"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "mine.py").write_text(AGENT)
    (tmp_path / "helping.py").write_text("CHOICE = 'West'\n")
    yield tmp_path
    load.forget_files([tmp_path / "mine.py"])


def save(path: Path, text: str) -> None:
    """Saves a file so that its time differs from the one before even where clocks are coarse."""
    before = path.stat().st_mtime_ns
    path.write_text(text)
    os.utime(path, ns=(before + 10**7, before + 10**7))


def choice(folder: Path) -> str:
    """The first move of the agent as its file is now."""
    agents = load.make_pacman(f"{folder / 'mine.py'}:Mine")
    return str(agents.choose(start("smallish")))


def test_a_saved_file_and_the_files_that_it_imports_run_again(folder: Path) -> None:
    choices: list[str] = []
    reloader = Reloader([str(folder / "mine.py")], lambda: choices.append(choice(folder)))
    assert choice(folder) == "West"
    assert reloader() is None, "the import of `helping` is new, but nothing was saved"
    save(folder / "mine.py", AGENT.replace('"Stop"', '"East"'))
    assert reloader() == ""
    save(folder / "helping.py", "CHOICE = 'East'\n")
    assert reloader() == ""
    assert choices[-1] == "East"
    (folder / "mine.py").rename(folder / "away.py")
    assert reloader() is None, "an editor may replace the file"
    (folder / "away.py").rename(folder / "mine.py")
    assert reloader() is None


def test_a_mistake_is_reported_once_and_mending_it_plays_again(folder: Path) -> None:
    choices: list[str] = []
    reloader = Reloader([str(folder / "mine.py")], lambda: choices.append(choice(folder)))
    choice(folder)
    assert reloader() is None
    save(folder / "mine.py", AGENT + "\ndef broken(:\n")
    problem = reloader()
    assert problem is not None
    assert problem.startswith(f"{folder / 'mine.py'}:9: not valid Python: ")
    assert reloader() is None
    save(folder / "mine.py", AGENT)
    assert reloader() == ""


def test_the_window_keeps_the_old_game_until_the_file_is_mended(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, shown = folder / "mine.py", list[Game]()
    errors: list[str] = []

    class Editing(FakeScreen):
        """In the first game: saves a mistake, then mends it; in the second game: quits."""

        def flip(self, fps: float) -> float:
            if self.frames == 30:
                save(file, "class Mine(:\n")
            if self.frames == 90:
                errors.append(window[0].player.file_error)
                assert len(shown) == 1
                save(file, AGENT.replace('"Stop"', '"East"'))
            if len(shown) == 2:
                self.script = {self.frames + 1: [Key("q")]}
            return super().flip(fps)

    class Listed(Window):
        def show(self, *games: object) -> After:
            window.append(self)
            shown.extend(game.source for game in games)  # type: ignore[attr-defined]
            return super().show(*games)  # type: ignore[arg-type]

    window: list[Listed] = []
    screen = Editing({})
    monkeypatch.setattr("pacman.view.screen.open_display", lambda: None)
    monkeypatch.setattr("pacman.view.window.Window", lambda *rest, **more: Listed(*rest, **more, screen=screen.open))
    result = CliRunner().invoke(app, ["watch", f"{file}:Mine", "--reload", "--overlay", "values"])
    assert result.exit_code == 0, result.output
    (error,) = errors
    assert error.startswith(f"{file}:1: not valid Python: ")
    assert [type(game.agents[0]).__name__ for game in shown] == ["Mine", "Mine"]
    assert type(shown[0].agents[0]) is not type(shown[1].agents[0])
    assert window[-1].player.file_error == ""
