"""The commands that a viewer can give, and their keys: one table for every view and for the help panel."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pacman.core.rules import EAST, NORTH, SOUTH, WEST


@dataclass(frozen=True)
class Control:
    """A command, its keys, the text for these keys, and what the command does; the `group` is its place in the help."""

    group: str
    command: str
    keys: tuple[str, ...]
    keys_text: str
    description: str
    repeats: bool = False
    """True if the command is repeated while its key is down."""


STEERING_KEYS = {
    "left": WEST,
    "right": EAST,
    "up": NORTH,
    "down": SOUTH,
    "a": WEST,
    "d": EAST,
    "w": NORTH,
    "s": SOUTH,
}
STEERING_HELP = "Arrows or W A S D", "steer Pacman"
"""The row for `STEERING_KEYS` in the help panel: (keys, description)."""

PLAY, TIME, SEARCH = "PLAY", "TIME", "SEARCH"
"""The groups of the help."""
CONTROLS = (
    Control(TIME, "play", ("space",), "Space", "pause or continue"),
    Control(TIME, "step", (".", "right"), ". Right", "next ply", repeats=True),
    Control(TIME, "back", (",", "left", "backspace"), ", Left", "previous ply", repeats=True),
    Control(TIME, "step round", (">", "down"), "> Down", "next round", repeats=True),
    Control(TIME, "back round", ("<", "up"), "< Up", "previous round", repeats=True),
    Control(TIME, "first", ("home",), "Home", "go to the start"),
    Control(TIME, "last", ("end",), "End", "go to the latest ply"),
    Control(TIME, "faster", ("+", "="), "+", "faster", repeats=True),
    Control(TIME, "slower", ("-", "_"), "-", "slower", repeats=True),
    Control(PLAY, "again", ("r",), "R", "restart with the same seed"),
    Control(PLAY, "new seed", ("n",), "N", "new game with the next seed"),
    Control(PLAY, "next layout", ("l",), "L", "new game on the next layout"),
    Control(PLAY, "take over", ("i",), "I", "play on from here yourself"),
    Control(PLAY, "agent takes over", ("u",), "U", "let another agent play on from here"),
    Control(PLAY, "next branch", ("b",), "B", "show the next branch of this game"),
    Control(SEARCH, "overlay", ("o",), "O", "next search overlay"),
    Control(SEARCH, "mute", ("m",), "M", "hide or show the overlay"),
    Control(SEARCH, "tree", ("t",), "T", "hide or show the search tree"),
    Control(SEARCH, "lecture", ("e",), "E", "hide or show the tree in large type"),
    Control(SEARCH, "quiz", ("z",), "Z", "quiz: stop before each move of Pacman"),
    Control(PLAY, "picture", ("p",), "P", "save a picture"),
    Control(PLAY, "full screen", ("f",), "F", "full screen on or off"),
    Control(PLAY, "help", ("h",), "H", "hide or show these keys"),
    Control(SEARCH, "why", ("y", "?"), "Y ?", "why this move? hide or show the reasons"),
    Control(PLAY, "close", ("escape",), "Esc", "close the help, the tree or the full screen"),
    Control(PLAY, "leave", ("q",), "Q", "quit"),
)
BASIC_COMMANDS = frozenset(
    {
        "play",
        "step",
        "back",
        "step round",
        "back round",
        "first",
        "last",
        "faster",
        "slower",
        "again",
        "help",
        "close",
        "leave",
    }
)
"""The commands that every view has for every game."""
BRANCH_COMMANDS = frozenset({"take over", "agent takes over", "next branch"})
"""The commands for a game from whose positions a person or another agent can play on."""
NEW_GAME_COMMANDS = frozenset({"new seed", "next layout"})
"""The commands that need a program which can start new games."""


class Keyboard:
    """The available commands, by key. If a person `steers`, the keys in `STEERING_KEYS` steer Pacman instead.

    >>> Keyboard(BASIC_COMMANDS).command("."), Keyboard(BASIC_COMMANDS, steers=True).command("left")
    ('step', None)
    """

    def __init__(self, commands: Collection[str], *, steers: bool = False) -> None:
        self.steers = steers
        self.controls = tuple(control for control in CONTROLS if control.command in commands)
        self._steering_keys = STEERING_KEYS if steers else {}
        self._by_key = {
            key: control for control in self.controls for key in control.keys if key not in self._steering_keys
        }
        if "h" in self._by_key:  # without a search there is no "why", and ? is what many people try for help
            self._by_key.setdefault("?", self._by_key["h"])

    def command(self, key: str, *, repeated: bool = False) -> str | None:
        """The command of a key, or None. `repeated` means that the key has stayed down since its last report."""
        control = self._by_key.get(key)
        return control.command if control and (control.repeats or not repeated) else None

    def direction(self, key: str) -> str | None:
        """The direction in which a key steers Pacman, or None if no person steers."""
        return self._steering_keys.get(key)

    def help(self) -> dict[str, list[tuple[str, str]]]:
        """By group, (keys, description) of every available command, as text for the viewer."""
        groups: dict[str, list[tuple[str, str]]] = {PLAY: [STEERING_HELP] if self.steers else [], TIME: [], SEARCH: []}
        for control in self.controls:
            keys = [word for word in control.keys_text.split() if word.lower() not in self._steering_keys]
            groups[control.group].append((" or ".join(keys), control.description))
        return {group: rows for group, rows in groups.items() if rows}
