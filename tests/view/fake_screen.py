"""Shared by the tests of views: a short game in a corridor, and a screen and a terminal without a display."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import fields
from math import inf
from random import Random
from typing import Any, Self, TextIO

import pytest

from pacman.commands.games import GameSetup
from pacman.commands.options import BoardOptions
from pacman.core.state import GameState, start
from pacman.picture.canvas import Canvas
from pacman.play.game import Game
from pacman.view import ViewedGame
from pacman.view.controls import Keyboard
from pacman.view.player import Player
from pacman.view.screen import Event, Key, Screen
from pacman.view.terminal import Text
from pacman.view.terminal_keys import Keys
from pacman.view.window import Pane, Window

CORRIDOR = "%%%%%%%%\n%P.  .G%\n%%%%%%%%"


class Walker:
    """An agent that goes East, or else takes the last action."""

    def begin(self, rng: Random) -> None:
        pass

    def choose(self, state: GameState) -> str:
        return "East" if "East" in state.actions() else state.actions()[-1]


class Thinker(Walker):
    """An agent that does not answer while a test runs."""

    def choose(self, state: GameState) -> str:
        time.sleep(90)
        raise AssertionError("never")


class Person(Walker):
    """An agent that keeps what a person presses, in `turns`, and walks on."""

    def __init__(self) -> None:
        self.turns: list[str] = []
        self.press = self.turns.append


def corridor(pacman: Walker | None = None, **options: int) -> Game:
    """A game of five plies, which Pacman loses."""
    names = ["walker", "random"]
    return Game(start(CORRIDOR), [pacman or Walker(), Walker()], names, seed=7, clock=lambda: 0.0, **options)


NAMES = ("minimax", "expectimax")


def games(*names: str) -> list[Game]:
    """Games of at most 60 plies of these agents, all with the same seed."""
    return [
        GameSetup(BoardOptions("smallish", "random,optimal"), name, 1, max_plies=60).game(7) for name in names or NAMES
    ]


class FakeScreen(Screen):
    """A screen without a display. `script` has the events of each frame, or its keys as text; frames do not wait."""

    def __init__(
        self,
        script: Mapping[int, Sequence[Event] | str],
        frame_seconds: float = 1 / 60,
        last_frame: int = 2000,
        size: tuple[int, int] = (320, 240),
    ) -> None:
        self.script: Mapping[int, Sequence[Event]] = {
            frame: [Key(name) for name in events.split()] if isinstance(events, str) else events
            for frame, events in script.items()
        }
        self.frame_seconds, self.last_frame = frame_seconds, last_frame
        self.frames = self.closed = 0
        self.titles: list[str] = []
        self.is_full = False
        self.page = Canvas(*size)

    def open(self, size: tuple[int, int] | None, title: str, is_full: bool = False) -> Self:
        self.is_full = is_full
        return self

    def title(self, title: str) -> None:
        self.titles.append(title)

    def canvas(self) -> Canvas:
        return self.page

    def flip(self, fps: float) -> float:
        self.frames += 1
        assert self.frames < self.last_frame, "the window did not end"
        time.sleep(0.0005)
        return self.frame_seconds

    def sleep(self, seconds: float) -> float:
        return 0.0  # tests count frames

    def events(self) -> list[Event]:
        return list(self.script.get(self.frames, ()))

    def toggle_full_screen(self) -> None:
        self.is_full = not self.is_full

    def close(self) -> None:
        self.closed += 1


def _player(speed: float, options: dict[str, Any]) -> Player:
    """A player with those of the options that are its own; the rest are those of a view."""
    names = {each.name for each in fields(Player)} & options.keys()
    return Player(speed, **{name: options.pop(name) for name in names})


def make_window(screen: FakeScreen, speed: float = 10.0, **options: Any) -> Window:
    return Window(_player(speed, options), screen=screen.open, **options)


def make_text(file: TextIO, speed: float = 5.0, **options: Any) -> Text:
    return Text(_player(speed, options), file=file, **{"sleep": lambda seconds: None, **options})


class Script(Keys):
    """A script of keys: the name of a key by the number of the check for keys."""

    def __init__(self, **keys: str) -> None:
        super().__init__()
        self.looks, self.keys = 0, {int(look[1:]): name for look, name in keys.items()}

    def poll(self) -> list[str]:
        self.looks += 1
        assert self.looks < 5000, "the view waits for ever"
        return [self.keys[self.looks]] if self.looks in self.keys else []


_STEP = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|[^\x1b]", re.S)


class SmallTerminal(io.StringIO):
    """A terminal of a given size, which understands what our view writes."""

    encoding = "utf-8"

    def __init__(self, columns: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self._columns, self._lines = columns, [""] * rows
        self._row = self._column = 0
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(rows))

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        lines = self._lines
        for step in _STEP.finditer(text):
            row, column = self._row, self._column
            if step[0] in ("\r", "\n"):
                self._row, self._column = row + (step[0] == "\n"), 0
            elif step[2] == "F":
                self._row, self._column = max(0, row - int(step[1])), 0
            elif step[2] in ("J", "K"):
                lines[row] = lines[row][:column]
                lines[row + 1 :] = [""] * len(lines[row + 1 :]) if step[2] == "J" else lines[row + 1 :]
            elif not step[2]:
                lines[row] = lines[row][:column].ljust(column) + step[0] + lines[row][column + 1 :]
                self._column += 1
            assert self._row < len(lines), "there are too many lines"
            assert self._column <= self._columns, "a line is too long"
        return super().write(text)

    @property
    def screen(self) -> list[str]:
        """The lines as far as the cursor's, without colours."""
        return [line.rstrip() for line in self._lines[: self._row + 1]]


FRAME = 1 / 60


class Viewer:
    """A player with somebody who presses its keys. Without games, it plays a `corridor` of five plies."""

    def __init__(self, *games: ViewedGame, speed: float = 10.0, **options: Any) -> None:
        self.player = Player(speed, **options)
        self.player.begin(*(games or [corridor()]))
        self.keyboard = Keyboard(self.player)
        self.plies = [0]

    def press(self, keys: str) -> Viewer:
        """Presses the keys, each when nothing moves any more; "space/space" are two at once, and `wait` is none."""
        for together in keys.split():
            for key in together.split("/") if together != "wait" else ():
                self.keyboard.press(self.player, key)
            self.wait()
        return self

    def wait(self, most: float = inf) -> Viewer:
        """Lets time pass until nothing moves any more, at most so many seconds."""
        player, end, passed = self.player, time.monotonic() + 30, 0.0
        while player.after is None and passed < most:
            player.message_seconds = min(player.message_seconds, 0.0)
            self._look()
            if not player.is_busy or player.help_page is not None:
                self._look()  # the report may have come after the first look
                break
            assert time.monotonic() < end, "it never rests"
            time.sleep(0.0003)
            player.tick(FRAME)
            passed += FRAME
        return self

    def _look(self) -> None:
        self.player.follow_games()
        if self.player.ply != self.plies[-1]:
            self.plies.append(self.player.ply)

    def click(self, window: Window, *events: Event) -> Viewer:
        """Gives mouse events to a window of this player."""
        for event in events:
            window.handle_event(event)
        return self.wait()

    def window(self, canvas: Canvas, **options: Any) -> Window:
        """A window that has drawn the player on a canvas."""
        window = Window(self.player, **options)
        window.keyboard, window.panes = self.keyboard, [Pane(track, window.theme) for track in self.player.tracks]
        window.draw(canvas)
        return window

    def facts(self, names: Sequence[str]) -> dict[str, object]:
        """The values of these attributes of the player, or of its first search."""
        search = self.player.searches[0] if self.player.searches else None
        return {name: getattr(self.player if hasattr(self.player, name) else search, name) for name in names}
