"""The keys of a viewer, one row each: a new key is a new row. The window, the terminal and the help read them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum

from pacman.core.rules import EAST, NORTH, SOUTH, WEST
from pacman.core.state import GameState
from pacman.play.recording import GameLine
from pacman.view.shown_search import ShownSearch
from pacman.view.speed import faster, slower
from pacman.view.timeline import Timeline
from pacman.view.view_protocol import After

GO_BACK = "the game is over here: go back (,) to see the search"
"""The message of a key that shows a search where nothing is left to search."""


class Viewer:
    """What the keys do in every view. A view overrides what it does in its own way."""

    line: GameLine | None = None
    """The game, if a person or another agent can play on from its positions."""

    @property
    def state(self) -> GameState:
        """The position that is visible."""
        raise NotImplementedError

    def play_or_pause(self) -> None:
        """Goes on with the game, or pauses it."""

    def go_on(self, change: Callable[[Timeline], None]) -> None:
        """Plays a part of the game, and pauses it then."""

    def jump(self, change: Callable[[Timeline], None]) -> None:
        """Shows another ply at once."""

    def change_speed(self, change: Callable[[float], float]) -> None:
        """Changes the speed, in rounds per second."""

    def change_search(self, change: Callable[[ShownSearch], str]) -> None:
        """Changes what is visible of the search, and shows the message."""

    def tree(self) -> None:
        """Opens or closes the tree of the search."""
        self.change_search(lambda search: search.tree())

    def choose(self, after: After) -> None:
        """Ends this game with the viewer's choice of what comes next."""

    def play_on(self, after: After) -> None:
        """Lets a person or another agent play on from here, or says why that is not possible."""
        if self.state.is_terminal:
            self.show_message("the game is over here: go back first")
        else:
            self.choose(after)

    def show_message(self, message: str) -> None:
        """Shows a message for a while."""

    def turn_help(self) -> None:
        """Shows or hides the keys."""

    def close_topmost(self) -> None:
        """Closes what was opened last."""

    def lecture(self) -> None:
        """Opens or closes the tree in large type."""

    def quiz(self) -> None:
        """Switches the quiz on or off."""

    def save_picture(self) -> None:
        """Saves a picture of the window."""

    def toggle_full_screen(self) -> None:
        """Changes between a window and the full screen."""


class Need(Enum):
    """What a view must have so that a command has a meaning."""

    WINDOW = "a window"
    NEW_GAMES = "a program that can start new games"
    PLAY_ON = "a game from whose positions a person or another agent can play on"
    ANY_SEARCH = "a search of each game"
    ONE_SEARCH = "a search of the only game"
    LECTURE = "a search of the only game, in a window"


WINDOW, NEW_GAMES, PLAY_ON, ANY_SEARCH, ONE_SEARCH, LECTURE = Need


@dataclass(frozen=True)
class Control:
    """A command: its place in the help, its name, its keys, what it does in words, and what it does.

    `shown_keys` are in the help, `other_keys` are not; both have spaces between the keys. A view has the command if it
    has what the command `needs`. A `hint` is shown with the key at the end of a game.
    """

    group: str
    name: str
    shown_keys: str
    description: str
    run: Callable[[Viewer], None]
    needs: Need | None = None
    repeats: bool = False
    """True if the command is repeated while its key is down."""
    other_keys: str = ""
    hint: str = ""

    @property
    def keys(self) -> list[str]:
        """All keys of the command."""
        return f"{self.shown_keys} {self.other_keys}".split()

    @property
    def keys_text(self) -> str:
        """The keys in the help, as they are written on a keyboard."""
        return self.shown_keys.title().replace("Escape", "Esc")


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


def _step(change: Callable[[Timeline], None]) -> Callable[[Viewer], None]:
    return lambda viewer: viewer.go_on(change)


def _jump(change: Callable[[Timeline], None]) -> Callable[[Viewer], None]:
    return lambda viewer: viewer.jump(change)


def _search(change: Callable[[ShownSearch], str]) -> Callable[[Viewer], None]:
    return lambda viewer: viewer.change_search(change)


def _choice(after: After) -> Callable[[Viewer], None]:
    return lambda viewer: viewer.choose(after)


def _play_on(after: After) -> Callable[[Viewer], None]:
    return lambda viewer: viewer.play_on(after)


CONTROLS = (
    Control(TIME, "play", "space", "pause or continue", lambda viewer: viewer.play_or_pause()),
    Control(TIME, "step", ". right", "next ply", _step(Timeline.step), repeats=True),
    Control(TIME, "back", ", left", "previous ply", _jump(Timeline.back), repeats=True, other_keys="backspace"),
    Control(TIME, "step round", "> down", "next round", _step(Timeline.step_round), repeats=True),
    Control(TIME, "back round", "< up", "previous round", _jump(Timeline.back_round), repeats=True),
    Control(TIME, "first", "home", "go to the start", _jump(Timeline.to_start)),
    Control(TIME, "last", "end", "go to the latest ply", _jump(Timeline.to_latest)),
    Control(TIME, "faster", "+", "faster", lambda viewer: viewer.change_speed(faster), repeats=True, other_keys="="),
    Control(TIME, "slower", "-", "slower", lambda viewer: viewer.change_speed(slower), repeats=True, other_keys="_"),
    Control(PLAY, "again", "r", "restart with the same seed", _choice(After.AGAIN), hint="restart"),
    Control(PLAY, "new seed", "n", "new game with the next seed", _choice(After.NEW_SEED), NEW_GAMES, hint="new game"),
    Control(PLAY, "next layout", "l", "new game on the next layout", _choice(After.NEXT_LAYOUT), NEW_GAMES),
    Control(PLAY, "take over", "i", "play on from here yourself", _play_on(After.TAKE_OVER), PLAY_ON),
    Control(
        PLAY, "agent takes over", "u", "let another agent play on from here", _play_on(After.AGENT_TAKES_OVER), PLAY_ON
    ),
    Control(SEARCH, "overlay", "o", "next search overlay", _search(lambda search: search.next_overlay()), ANY_SEARCH),
    Control(SEARCH, "mute", "m", "hide or show the overlay", _search(lambda search: search.mute()), ANY_SEARCH),
    Control(SEARCH, "tree", "t", "hide or show the search tree", lambda viewer: viewer.tree(), ANY_SEARCH),
    Control(SEARCH, "lecture", "e", "hide or show the tree in large type", lambda viewer: viewer.lecture(), LECTURE),
    Control(SEARCH, "quiz", "z", "quiz: stop before each move of Pacman", lambda viewer: viewer.quiz(), LECTURE),
    Control(PLAY, "picture", "p", "save a picture", lambda viewer: viewer.save_picture(), WINDOW),
    Control(PLAY, "full screen", "f", "full screen on or off", lambda viewer: viewer.toggle_full_screen(), WINDOW),
    Control(PLAY, "help", "h", "hide or show these keys", lambda viewer: viewer.turn_help()),
    Control(
        SEARCH,
        "why",
        "y ?",
        "why this move? hide or show the reasons",
        _search(lambda search: search.why()),
        ONE_SEARCH,
    ),
    Control(
        PLAY, "close", "escape", "close the help, the tree or the full screen", lambda viewer: viewer.close_topmost()
    ),
    Control(PLAY, "leave", "q", "quit", _choice(After.LEAVE), hint="quit"),
)
NAMED = {control.name: control for control in CONTROLS}


class Keyboard:
    """The available commands, by key. If a person `steers`, the keys in `STEERING_KEYS` steer Pacman instead.

    A command is available if nothing or one of `features` is what it needs.

    >>> keyboard = Keyboard(steers=True)
    >>> keyboard.control(".").description, keyboard.control("left")
    ('next ply', None)
    """

    def __init__(self, features: Collection[Need] = (), *, steers: bool = False) -> None:
        self.steers = steers
        self.controls = tuple(control for control in CONTROLS if control.needs is None or control.needs in features)
        self._steering_keys = STEERING_KEYS if steers else {}
        self._by_key = {
            key: control for control in self.controls for key in control.keys if key not in self._steering_keys
        }
        if "h" in self._by_key:  # without a search there is no "why", and ? is what many people try for help
            self._by_key.setdefault("?", self._by_key["h"])

    def control(self, key: str, *, repeated: bool = False) -> Control | None:
        """The command of a key, or None. `repeated` means that the key has stayed down since its last report."""
        control = self._by_key.get(key)
        return control if control and (control.repeats or not repeated) else None

    def direction(self, key: str) -> str | None:
        """The direction in which a key steers Pacman, or None if no person steers."""
        return self._steering_keys.get(key)

    @property
    def hints(self) -> str:
        """The keys for the end of a game."""
        return "     ".join(f"{control.keys_text}  {control.hint}" for control in self.controls if control.hint)

    def help(self) -> dict[str, list[tuple[str, str]]]:
        """By group, (keys, description) of every available command, as text for the viewer."""
        groups: dict[str, list[tuple[str, str]]] = {PLAY: [STEERING_HELP] if self.steers else [], TIME: [], SEARCH: []}
        for control in self.controls:
            keys = [word for word in control.keys_text.split() if word.lower() not in self._steering_keys]
            groups[control.group].append((" or ".join(keys), control.description))
        return {group: rows for group, rows in groups.items() if rows}
