"""The times that a user of the viewer waits: for a frame in a full-HD window, for a film, and for the window."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from time import thread_time

from agents.analysis import choose_search
from agents.ghosts import RandomGhost
from agents.pacmen import GreedyPacman
from pacman.core.state import start
from pacman.picture.overlays import NONE, OVERLAYS
from pacman.play.game import Game
from pacman.play.recording import Recorder, Replay
from pacman.view import SPEED
from pacman.view.film import FPS, Film
from pacman.view.player import Player
from pacman.view.screen import Event, Key, Screen
from pacman.view.window import Window
from tests.bench.figures import Figure, interleaved, python, timed

SIZE = 1920, 1080
FRAMES = 300
WARM = 40
"""The first frames are not measured, because they draw the sprites and texts for the first time."""
OPEN = """
import sys
from pacman.commands import app as cli
from pacman.view.screen import Screen
Screen.flip = lambda self, fps: sys.exit(0)
from pacman.__main__ import app
sys.argv[1:] = ["watch", "reflex"]
cli.run(app, "pacman")
"""


def view(repeats: int) -> Iterator[Figure]:
    """The frame times without and with each overlay, the seconds of a film, and the seconds until the first frame."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    for overlay in OVERLAYS:
        yield from _frames(overlay)
    yield from _frames("values", " and the tree", first_key="t")
    yield from _frames("values", " and the tree in large type", first_key="e")
    yield _film(repeats)
    yield _opening(repeats)


class _Timed(Screen):
    """A window that does not wait between frames, and records the processor time that its thread needs for each."""

    def __init__(self, size: tuple[int, int] | None, title: str, is_full: bool, first_key: str) -> None:
        super().__init__(size, title, is_full)
        self.seconds: list[float] = []
        self._first_key = first_key
        self._began = 0.0

    def events(self) -> list[Event]:
        self._began = thread_time()
        keys = self._first_key * (not self.seconds) if len(self.seconds) < WARM + FRAMES else "q"
        return [Key(key) for key in keys]

    def flip(self, fps: float) -> float:
        self._window.flip()
        self.seconds.append(thread_time() - self._began)
        return 1 / 60


def _frames(overlay: str, tree: str = "", first_key: str = "") -> Iterator[Figure]:
    screens: list[_Timed] = []

    def opened(size: tuple[int, int] | None, title: str, is_full: bool) -> Screen:
        screens.append(_Timed(size, title, is_full, first_key))
        return screens[-1]

    player = Player(analysers=[choose_search("alphabeta")], overlay=overlay)
    Window(player, size=SIZE, screen=opened).show(_game())
    times = sorted(1000 * seconds for seconds in screens[0].seconds[WARM:])
    what = "no overlay" if overlay == NONE else f"overlay {overlay}{tree}"
    method = (
        f"{len(times)} frames of smallish at {SIZE[0]}x{SIZE[1]}, {SPEED:g} rounds/s, software rendering, no display"
    )
    yield Figure(f"frame, {what}", times[len(times) // 2], "ms", method, "below 1.5")
    yield Figure(f"frame, {what}, 99th percentile", quantiles(times, n=100)[98], "ms", method, "below 8")


def _game() -> Game:
    """A game of 223 plies that Pacman wins and in which he eats ghosts."""
    ghosts = [RandomGhost(), RandomGhost()]
    return Game(start("smallish", ghosts), [GreedyPacman(), *ghosts], ["greedy", "random 1", "random 2"], seed=0)


def _film(repeats: int) -> Figure:
    with tempfile.TemporaryDirectory() as folder:
        game = _game()
        with Recorder(Path(folder) / "game.json", game):
            game.play()
        target, most = Path(folder) / "game.gif", FRAMES / FPS[".gif"]
        (seconds,) = interleaved(
            repeats, lambda: Film(max_seconds=most).write(target, Replay.load(Path(folder) / "game.json"))
        )
    return timed("film", seconds, "s", f"{FRAMES} frames of smallish as a GIF, cells of 24 pixels", "below 5")


def _opening(repeats: int) -> Figure:
    environment = os.environ | {"SDL_VIDEODRIVER": "dummy"}
    command = python("-c", OPEN)
    (seconds,) = interleaved(repeats, lambda: subprocess.run(command, env=environment, check=True, capture_output=True))
    return timed("window open", seconds, "s", "the command `watch` until it exits at the first frame", "below 0.7")
