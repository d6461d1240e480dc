"""The keys of a viewer, one row each: a new key is a new row. The player of every view and the help read them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from pacman.core.rules import EAST, NORTH, SOUTH, WEST
from pacman.play.recording import GameLine
from pacman.view.player import Player
from pacman.view.shown_search import LECTURE, LIST, ShownSearch
from pacman.view.timeline import Timeline
from pacman.view.view_protocol import After, faster, slower


class Need(Enum):
    """What a view must have so that a command has a meaning."""

    WINDOW = "a window"
    NEW_GAMES = "a program that can start new games"
    PLAY_ON = "a game from whose positions a person or another agent can play on"
    ANY_SEARCH = "a search of each game"
    ONE_SEARCH = "a search of the only game"
    LARGE_TYPE = "a search of the only game, in a window"


WINDOW, NEW_GAMES, PLAY_ON, ANY_SEARCH, ONE_SEARCH, LARGE_TYPE = Need


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
    run: Callable[[Player], None]
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


ARROWS = {"left": WEST, "right": EAST, "up": NORTH, "down": SOUTH}
STEERING_KEYS = ARROWS | {"a": WEST, "d": EAST, "w": NORTH, "s": SOUTH}
STEERING_HELP = "Arrows or W A S D", "steer Pacman"
"""The row for `STEERING_KEYS` in the help panel: (keys, description)."""

PLAY, TIME, SEARCH = "PLAY", "TIME", "SEARCH"
"""The groups of the help."""


def _step(change: Callable[[Timeline], None]) -> Callable[[Player], None]:
    return lambda player: player.go_on(change)


def _jump(change: Callable[[Timeline], None]) -> Callable[[Player], None]:
    return lambda player: player.jump(change)


def _search(change: Callable[[ShownSearch], str]) -> Callable[[Player], None]:
    return lambda player: player.change_search(change)


def _choice(after: After) -> Callable[[Player], None]:
    return lambda player: player.choose(after)


CONTROLS = (
    Control(TIME, "play", "space", "pause or continue", lambda player: player.play_or_pause()),
    Control(TIME, "step", ". right", "next ply", _step(Timeline.step), repeats=True),
    Control(TIME, "back", ", left", "previous ply", _jump(Timeline.back), repeats=True, other_keys="backspace"),
    Control(TIME, "step round", "> down", "next round", _step(Timeline.step_round), repeats=True),
    Control(TIME, "back round", "< up", "previous round", _jump(Timeline.back_round), repeats=True),
    Control(TIME, "first", "home", "go to the start", _jump(Timeline.to_start)),
    Control(TIME, "last", "end", "go to the latest ply", _jump(Timeline.to_latest)),
    Control(TIME, "faster", "+", "faster", lambda player: player.change_speed(faster), repeats=True, other_keys="="),
    Control(TIME, "slower", "-", "slower", lambda player: player.change_speed(slower), repeats=True, other_keys="_"),
    Control(PLAY, "again", "r", "restart with the same seed", _choice(After.AGAIN), hint="restart"),
    Control(PLAY, "new seed", "n", "new game with the next seed", _choice(After.NEW_SEED), NEW_GAMES, hint="new game"),
    Control(PLAY, "next layout", "l", "new game on the next layout", _choice(After.NEXT_LAYOUT), NEW_GAMES),
    Control(PLAY, "take over", "i", "play on from here yourself", _choice(After.TAKE_OVER), PLAY_ON),
    Control(
        PLAY, "agent takes over", "u", "let another agent play on from here", _choice(After.AGENT_TAKES_OVER), PLAY_ON
    ),
    Control(SEARCH, "overlay", "o", "next search overlay", _search(ShownSearch.next_overlay), ANY_SEARCH),
    Control(SEARCH, "mute", "m", "hide or show the overlay", _search(ShownSearch.mute), ANY_SEARCH),
    Control(SEARCH, "tree", "t", "hide or show the search tree", lambda player: player.turn_tree(LIST), ANY_SEARCH),
    Control(
        SEARCH,
        "lecture",
        "e",
        "hide or show the tree in large type",
        lambda player: player.turn_tree(LECTURE),
        LARGE_TYPE,
    ),
    Control(SEARCH, "quiz", "z", "quiz: stop before each move of Pacman", _search(ShownSearch.turn_quiz), ONE_SEARCH),
    Control(PLAY, "picture", "p", "save a picture", lambda player: player.save_picture(), WINDOW),
    Control(PLAY, "full screen", "f", "full screen on or off", lambda player: player.turn_full_screen(), WINDOW),
    Control(PLAY, "help", "h", "hide or show these keys", lambda player: player.turn_help()),
    Control(SEARCH, "why", "y ?", "why this move? hide or show the reasons", _search(ShownSearch.turn_why), ONE_SEARCH),
    Control(PLAY, "close", "escape", "close the help, the tree or the full screen", lambda player: player.close_top()),
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

    @classmethod
    def of(cls, player: Player) -> Keyboard:
        """The keys of the games that a player has begun."""
        features = set() if player.is_text else {Need.WINDOW}
        features |= {Need.NEW_GAMES} if player.can_start_games else set()
        features |= {Need.ANY_SEARCH} if player.searches else set()
        if player.is_single:
            features |= {Need.ONE_SEARCH} if player.searches else set()
            features |= {Need.LARGE_TYPE} if player.searches and not player.is_text else set()
            features |= {Need.PLAY_ON} if isinstance(player.tracks[0].game, GameLine) else set()
        return cls(features, steers=player.steer is not None)

    def press(self, player: Player, key: str, *, repeated: bool = False) -> None:
        """Answers the quiz, steers Pacman, gives the key to an open tree, or runs its command."""
        player.quiet_seconds = 0.0
        if player.is_text:
            player.show_message("")
        has_focus = any(search.has_focus for search in player.searches)
        direction = None if has_focus else self.direction(key)
        if not has_focus and key in ARROWS and player.is_asking:
            player.answer(ARROWS[key])
        elif direction is not None:
            player.steer_to(direction)
        elif (key in ("space", "return") and player.skip_ending()) or player.use_tree_key(key):
            pass
        elif key == "return" and player.is_over:
            player.after = After.NEXT
        elif control := self.control(key, repeated=repeated):
            control.run(player)

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

    def help(self, searches: Sequence[ShownSearch] = ()) -> dict[str, list[tuple[str, str]]]:
        """By group, (keys, description) of every available command, also of those of an open tree."""
        groups: dict[str, list[tuple[str, str]]] = {PLAY: [STEERING_HELP] if self.steers else [], TIME: [], SEARCH: []}
        for control in self.controls:
            keys = [word for word in control.keys_text.split() if word.lower() not in self._steering_keys]
            groups[control.group].append((" or ".join(keys), control.description))
        groups[SEARCH] += next((rows for search in searches if (rows := search.help())), ())
        return {group: rows for group, rows in groups.items() if rows}
