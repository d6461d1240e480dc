"""How fast a game is shown, and the keys that change it: the same in every view."""

from __future__ import annotations

from dataclasses import dataclass

from pacman.rules import EAST, NORTH, SOUTH, WEST
from pacman.view.protocol import Steer

SPEEDS = (0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 80, 120, 200, 400)
"""Plies a second."""

TURNS = {
    "left": WEST,
    "right": EAST,
    "up": NORTH,
    "down": SOUTH,
    "a": WEST,
    "d": EAST,
    "w": NORTH,
    "s": SOUTH,
}
HELP = (
    ("Space", "pause, go on"),
    (". Right", "one ply"),
    ("+ -", "faster, slower"),
    ("H ?", "this help"),
    ("Q Esc", "leave"),
)
STEER_HELP = (("Arrows, W A S D", "steer Pacman"),)


@dataclass
class Pace:
    """What the viewer has asked for so far. `steps` counts single plies that are still to be shown.

    >>> pace = Pace(10)
    >>> pace.press("+"), pace.speed, pace.press("space"), pace.paused
    (True, 15, True, True)
    """

    speed: float
    steer: Steer | None = None
    paused: bool = False
    steps: int = 0
    help: bool = False
    left: bool = False

    def press(self, key: str) -> bool:
        """Does what the key is for; False when it is for nothing."""
        if self.steer is not None and key in TURNS:
            self.steer(TURNS[key])
        elif key == "space":
            self.paused, self.steps = not self.paused, 0
        elif key in (".", "right"):
            self.paused = True
            self.steps += 1
        elif key in ("+", "="):
            self.speed = next((speed for speed in SPEEDS if speed > self.speed), self.speed)
        elif key in ("-", "_"):
            self.speed = next((speed for speed in reversed(SPEEDS) if speed < self.speed), self.speed)
        elif key in ("h", "?"):
            self.help = not self.help
        elif key in ("q", "escape"):
            self.left = True
        else:
            return False
        return True

    def __str__(self) -> str:
        return "step by step" if self.paused else f"{self.speed:g} plies/s"

    def key_help(self) -> tuple[tuple[str, str], ...]:
        """What each key does, for a help panel."""
        if self.steer is None:
            return HELP
        return STEER_HELP + tuple((key.removesuffix(" Right"), use) for key, use in HELP)
