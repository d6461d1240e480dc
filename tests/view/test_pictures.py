"""Compares each screen, at three sizes, with its reference picture in tests/view/pictures/screens.

UPDATE_PICTURES=1 replaces the reference pictures after an intended change. WHOLE_PICTURES=FOLDER writes the pictures in
their full size to a folder.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from agents.analysis import choose_search
from agents.ghosts import RandomGhost
from agents.pacmen import GreedyPacman
from pacman import start
from pacman.picture.canvas import Canvas
from pacman.picture.colours import theme
from pacman.picture.paint import Painter
from pacman.play.game import Game, Ply
from pacman.view import timeline
from pacman.view.screen import Event, Key
from pacman.view.timeline import PlyFeed
from tests.view.fake_screen import FakeScreen, make_window
from tests.view.reference_pictures import is_like_reference

SIZES = {"laptop": (1280, 800), "hall": (1920, 1080), "small": (480, 360)}
FPS = 15
"""The frames per second. More frames give the same pictures, more slowly."""
END_FRAME = 100
"""The number of frames after which only the ghosts' skirts still move."""


@dataclass(frozen=True)
class ScreenCase:
    """How to get a screen: a seed (0 wins, 1 loses), keys, and the options of the window."""

    keys: str = ""
    seed: int = 0
    theme: str = "dark"
    is_playing: bool = False
    overlay: str = "none"
    has_search: bool = False
    is_steered: bool = False
    end_frame: int = END_FRAME
    layout: str = "smallish"


WIDE = """\
%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
%P....%......o.....%........G%
%.%%%.%.%%%%.%.%%%.%.%%%%.%%.%
%.....o......%.....o........G%
%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
"""
"""A board that is so wide that a tree fits below it."""
CASES = {
    "start": ScreenCase(),
    "ready": ScreenCase(is_steered=True),
    "middle": ScreenCase("> " * 20),
    "light": ScreenCase("> " * 20, theme="light"),
    "colour-blind": ScreenCase("> " * 20, theme="colour-blind"),
    "scared": ScreenCase("> " * 20 + ". ."),
    "scared-light": ScreenCase("> " * 20 + ". .", theme="light"),
    "scared-colour-blind": ScreenCase("> " * 20 + ". .", theme="colour-blind"),
    "paused": ScreenCase("> " * 12 + "WAIT space space"),
    "blink": ScreenCase("> " * 48, end_frame=97),
    "back": ScreenCase("> " * 30 + "WAIT " + "< " * 12),
    "help": ScreenCase("h", has_search=True),
    "win": ScreenCase(is_playing=True),
    "loss": ScreenCase(is_playing=True, seed=1),
    "values": ScreenCase("> " * 5, overlay="values", has_search=True),
    "line": ScreenCase("> " * 5, overlay="line", has_search=True),
    "heat": ScreenCase("> " * 5, overlay="heat", has_search=True),
    "layers": ScreenCase("> " * 5, overlay="layers", has_search=True),
    "tree": ScreenCase("> " * 5 + "t WAIT j j j j", has_search=True, overlay="values"),
    "tree-focus": ScreenCase("> " * 5 + "t WAIT tab down right down", has_search=True, layout=WIDE),
    "lecture": ScreenCase("> " * 5 + "e", has_search=True),
    "lecture-step": ScreenCase("> " * 5 + "e WAIT j j j j j j", has_search=True, theme="light"),
    "lecture-below": ScreenCase("> " * 5 + "e", has_search=True, layout=WIDE),
    "quiz": ScreenCase("> " * 5 + "e z", has_search=True, theme="colour-blind"),
    "why": ScreenCase("> " * 5 + "y", has_search=True, overlay="values"),
}


class SizedScreen(FakeScreen):
    """A screen; it draws the last three frames at the three sizes."""

    def __init__(self, keys: str, end_frame: int) -> None:
        super().__init__({})
        self.end_frame = end_frame
        self.keys = {1: [], end_frame // 2: []}
        frame = 1
        for key in keys.split():
            if key == "WAIT":
                frame = self.end_frame // 2
            else:
                self.keys[frame].append(key)
        self.pages = {name: Canvas(*size) for name, size in SIZES.items()}
        self.is_busy: Callable[[], bool] = lambda: False

    def canvas(self) -> Canvas:
        order = list(self.pages.values())
        return order[max(0, self.frames - self.end_frame) % 3] if self.frames >= self.end_frame else self.pages["small"]

    def flip(self, fps: float) -> float:
        time.sleep(0.0005)
        end = time.monotonic() + 60
        while (
            self.frames in (self.end_frame // 2 - 1, self.end_frame - 1) and self.is_busy() and time.monotonic() < end
        ):
            time.sleep(0.01)
        self.frames += 1
        return 1 / FPS if self.frames < self.end_frame else 0.0

    def events(self) -> list[Event]:
        keys = self.keys.get(self.frames, []) if self.frames < self.end_frame + 3 else ["q"]
        return [Key(key) for key in keys]


class PatientFeed(PlyFeed):
    """Waits for every ply that the window asks for, so that a picture does not depend on the speed of the machine."""

    count = 0

    def pull(self, plies_allowed: int, seconds: float) -> list[Ply]:
        plies = super().pull(plies_allowed, seconds)
        while not self.is_over and self.count + len(plies) < plies_allowed:
            plies += super().pull(plies_allowed, 1.0)
        self.count += len(plies)
        return plies


@pytest.fixture(autouse=True)
def patient_feed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "PlyFeed", PatientFeed)


def game(seed: int, layout: str = "smallish") -> Game:
    agents = [GreedyPacman(), RandomGhost(), RandomGhost()]
    names = ["greedy", "random 1", "random 2"]
    return Game(start(layout, agents[1:]), agents, names, seed=seed, move_timeout=None, clock=lambda: 0.0)


def take_pictures(name: str) -> dict[str, Canvas]:
    """The pictures of a screen, by size."""
    case = CASES[name]
    screen = SizedScreen(case.keys, case.end_frame)
    if not case.is_playing and not case.is_steered:
        screen.keys.setdefault(0, []).insert(0, "space")
    window = make_window(
        screen,
        128 if case.is_playing else 4,
        steer=(lambda action: None) if case.is_steered else None,
        theme=theme(case.theme),
        can_start_games=True,
        analysers=[choose_search("expectimax", rounds=2)] if case.has_search else [],
        overlay=case.overlay,
    )
    screen.is_busy = lambda: any(search.is_busy for search in window.player.searches)
    window.show(game(case.seed, case.layout))
    return screen.pages


@pytest.mark.slow("that draw a window", keep=8)
@pytest.mark.parametrize("name", CASES)
def test_a_screen_looks_like_its_reference_picture(name: str) -> None:
    pages = take_pictures(name)
    if folder := os.environ.get("WHOLE_PICTURES"):
        for size, page in pages.items():
            path = Path(folder) / f"{name}-{size}.png"
            path.unlink(missing_ok=True)
            page.write_png(path)
    assert [size for size, page in pages.items() if not is_like_reference(page, f"screens/{name}-{size}")] == []


def test_a_missing_ghost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture without a ghost is not like its reference picture."""
    monkeypatch.setattr(Painter, "_ghost", lambda *rest: ())
    monkeypatch.delenv("UPDATE_PICTURES", raising=False)
    assert not is_like_reference(take_pictures("middle")["hall"], "screens/middle-hall")
