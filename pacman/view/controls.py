"""What a viewer can ask for, and with which keys: one table, which the help panel is made of, for every view."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pacman.core.rules import EAST, NORTH, SOUTH, WEST


@dataclass(frozen=True)
class Control:
    """A command, the keys that give it, how they are written for people, and what it does."""

    command: str
    keys: tuple[str, ...]
    written: str
    use: str
    repeats: bool = False
    """Holding the key down gives the command again and again."""


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
STEERING = "Arrows, W A S D", "steer Pacman"
"""Their row of the help panel: (keys, use)."""

CONTROLS = (
    Control("play", ("space",), "Space", "pause, go on"),
    Control("step", (".", "right"), ". Right", "one ply on", repeats=True),
    Control("back", (",", "left", "backspace"), ", Left", "one ply back", repeats=True),
    Control("step round", (">", "down"), "> Down", "one round on", repeats=True),
    Control("back round", ("<", "up"), "< Up", "one round back", repeats=True),
    Control("first", ("home",), "Home", "the start of the game"),
    Control("last", ("end",), "End", "the latest ply"),
    Control("faster", ("+", "="), "+", "faster", repeats=True),
    Control("slower", ("-", "_"), "-", "slower", repeats=True),
    Control("again", ("r",), "R", "again, with the same seed"),
    Control("new seed", ("n",), "N", "a new game, with the next seed"),
    Control("next layout", ("l",), "L", "a new game, on the next layout"),
    Control("overlay", ("o",), "O", "see the search: the next overlay"),
    Control("mute", ("m",), "M", "hide the overlay, show it again"),
    Control("tree", ("t",), "T", "the searched tree, in a panel"),
    Control("picture", ("p",), "P", "save a picture"),
    Control("full screen", ("f",), "F", "full screen"),
    Control("help", ("h", "?"), "H ?", "these keys"),
    Control("leave", ("q", "escape"), "Q Esc", "leave"),
)
ANYWHERE = frozenset({"play", "step", "back", "step round", "back round", "first", "last", "faster", "slower"}) | {
    "again",
    "help",
    "leave",
}
"""What every view can do with every game."""
RENEWING = frozenset({"new seed", "next layout"})
"""What only somebody who can make new games can do."""


class Keyboard:
    """The commands that are there, by key. A person who steers has the arrows and letters of `TURNS` for it.

    >>> Keyboard(ANYWHERE).command("."), Keyboard(ANYWHERE, steers=True).command("left")
    ('step', None)
    """

    def __init__(self, commands: Collection[str], *, steers: bool = False) -> None:
        self.steers = steers
        self.controls = tuple(control for control in CONTROLS if control.command in commands)
        taken = TURNS if steers else {}
        self._by_key = {key: control for control in self.controls for key in control.keys if key not in taken}

    def command(self, key: str, *, repeated: bool = False) -> str | None:
        """The command of a key, None for none; `repeated` while the key is held down."""
        control = self._by_key.get(key)
        return control.command if control and (control.repeats or not repeated) else None

    def turn(self, key: str) -> str | None:
        """The way that a key steers Pacman, None where nobody steers."""
        return TURNS.get(key) if self.steers else None

    def help(self) -> tuple[tuple[str, str], ...]:
        """(keys, use) of everything, for people."""
        taken = TURNS if self.steers else {}
        rows = [STEERING] if self.steers else []
        for control in self.controls:
            rows.append((" ".join(word for word in control.written.split() if word.lower() not in taken), control.use))
        return tuple(rows)
