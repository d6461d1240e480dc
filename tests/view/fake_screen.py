"""Shared by the tests of views: a short game in a corridor, and a screen without a display."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import fields
from random import Random
from typing import Any, Self, TextIO

from pacman.core.state import GameState, start
from pacman.picture.canvas import Canvas
from pacman.picture.moment import VisibleState
from pacman.picture.paint import Painter
from pacman.play.game import Game
from pacman.record.report import SearchReport
from pacman.view.player import Player
from pacman.view.screen import Event, Key, Screen
from pacman.view.shown_search import AnalysisWorker
from pacman.view.terminal.text import Text
from pacman.view.view_protocol import ViewedGame
from pacman.view.window import Window


def wait_for_report(worker: AnalysisWorker, state: GameState, seconds: float) -> SearchReport | None:
    """The study of `state`, waiting for it at most so long."""
    end = time.monotonic() + seconds
    while (report := worker.request(state)) is None and worker.is_busy(state) and time.monotonic() < end:
        time.sleep(0.001)
    return report or worker.request(state)


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


def corridor(**options: int) -> Game:
    """A game of five plies, which Pacman loses."""
    names = ["walker", "random"]
    return Game(start(CORRIDOR), [Walker(), Walker()], names, seed=7, clock=lambda: 0.0, **options)


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
    """A player with those of the options that are its own."""
    names = {each.name for each in fields(Player)} & options.keys()
    return Player(speed, **{name: options.pop(name) for name in names})


def make_window(screen: FakeScreen, speed: float = 10.0, **options: Any) -> Window:
    """A window on a screen; the options are those of the player and of the window."""
    return Window(_player(speed, options), screen=screen.open, **options)


def make_text(file: TextIO, speed: float = 5.0, **options: Any) -> Text:
    """A view in characters that does not wait; the options are those of the player and of the view."""
    return Text(_player(speed, options), file=file, **{"sleep": lambda seconds: None, **options})


def record_snapshots(painter: Painter) -> list[VisibleState]:
    """The snapshots that the painter paints from now on."""
    snapshots: list[VisibleState] = []
    paint = painter.paint

    def spy(canvas: Canvas, visible: VisibleState, *rest: object, **more: object) -> None:
        snapshots.append(visible)
        paint(canvas, visible, *rest, **more)  # type: ignore[arg-type]

    painter.paint = spy  # type: ignore[method-assign]
    return snapshots


def show(window: Window, *games: ViewedGame) -> list[VisibleState]:
    """The snapshots that the window paints while it shows these games; without games, a `corridor`."""
    snapshots = record_snapshots(window.painter)
    window.show(*(games or [corridor()]))
    return snapshots
