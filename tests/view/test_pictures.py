"""Compares each screen, at three sizes, with its reference picture in tests/view/pictures/screens.

UPDATE_PICTURES=1 replaces the reference pictures after an intended change. WHOLE_PICTURES=FOLDER writes the pictures in
their full size to a folder.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from agents.analysis import choose_search
from agents.ghosts import RandomGhost
from agents.pacmen import GreedyPacman
from pacman import start
from pacman.picture import paint
from pacman.picture.canvas import Canvas
from pacman.picture.colours import theme
from pacman.play.game import Game
from tests.view.fake_screen import Viewer
from tests.view.reference_pictures import is_like_reference

SIZES = {"laptop": (1280, 800), "hall": (1920, 1080), "small": (480, 360)}


@dataclass(frozen=True)
class ScreenCase:
    """How to get a screen: keys, a seed (0 wins, 1 loses), and the options of the window."""

    keys: str = ""
    seed: int = 0
    theme: str = "dark"
    is_playing: bool = False
    overlay: str = "none"
    has_search: bool = False
    is_steered: bool = False
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
    "paused": ScreenCase("> " * 12 + "space/space"),
    "blink": ScreenCase("> " * 48),
    "back": ScreenCase("> " * 30 + "< " * 12),
    "help": ScreenCase("h", has_search=True),
    "win": ScreenCase(is_playing=True),
    "loss": ScreenCase(is_playing=True, seed=1),
    "values": ScreenCase("> " * 5, overlay="values", has_search=True),
    "line": ScreenCase("> " * 5, overlay="line", has_search=True),
    "heat": ScreenCase("> " * 5, overlay="heat", has_search=True),
    "layers": ScreenCase("> " * 5, overlay="layers", has_search=True),
    "tree": ScreenCase("> " * 5 + "t j j j j", has_search=True, overlay="values"),
    "tree-focus": ScreenCase("> " * 5 + "t tab down right down", has_search=True, layout=WIDE),
    "lecture": ScreenCase("> " * 5 + "e", has_search=True),
    "lecture-step": ScreenCase("> " * 5 + "e j j j j j j", has_search=True, theme="light"),
    "lecture-below": ScreenCase("> " * 5 + "e", has_search=True, layout=WIDE),
    "quiz": ScreenCase("> " * 5 + "e z", has_search=True, theme="colour-blind"),
    "why": ScreenCase("> " * 5 + "y", has_search=True, overlay="values"),
}


def game(seed: int, layout: str = "smallish", is_steered: bool = False) -> Game:
    pacman = GreedyPacman()
    if is_steered:
        pacman.press = lambda direction: None  # type: ignore[attr-defined]
    agents = [pacman, RandomGhost(), RandomGhost()]
    names = ["greedy", "random 1", "random 2"]
    return Game(start(layout, agents[1:]), agents, names, seed=seed, move_timeout=None, clock=lambda: 0.0)


def take_pictures(name: str) -> dict[str, Canvas]:
    """The pictures of a screen, by size."""
    case = CASES[name]
    viewer = Viewer(
        game(case.seed, case.layout, case.is_steered),
        speed=128 if case.is_playing else 4,
        can_start_games=True,
        analysers=[choose_search("expectimax", rounds=2)] if case.has_search else [],
        overlay=case.overlay,
    )
    viewer.press("wait" if case.is_playing or case.is_steered else "space").press(case.keys)
    animation = viewer.player.tracks[0].animation
    animation.now = replace(animation.now, clock=0.0)  # skirts, mouths and capsules move with the clock
    pages = {size: Canvas(*SIZES[size]) for size in SIZES}
    for page in pages.values():
        viewer.window(page, theme=theme(case.theme))
    return pages


@pytest.mark.parametrize("name", CASES)
def test_a_screen_looks_like_its_reference_picture(name: str) -> None:
    pages = take_pictures(name)
    if folder := os.environ.get("WHOLE_PICTURES"):
        for size, page in pages.items():
            (Path(folder) / f"{name}-{size}.png").write_bytes(page.png())
    assert [size for size, page in pages.items() if not is_like_reference(page, f"screens/{name}-{size}")] == []


def test_a_missing_ghost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paint, "_draw_ghost", lambda *rest: None)
    monkeypatch.delenv("UPDATE_PICTURES", raising=False)
    assert not is_like_reference(take_pictures("middle")["hall"], "screens/middle-hall")
