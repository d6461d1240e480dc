"""The keys of a viewer, one row each: a new key is a new row. The player of every view and the help read them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from pacman.core.rules import EAST, NORTH, SOUTH, WEST
from pacman.picture.screen_regions import LECTURE, LIST
from pacman.record.rows import TREE_COMMANDS
from pacman.view import After
from pacman.view.player import Player
from pacman.view.shown_search import GOES_ON, ShownSearch
from pacman.view.timeline import Track

WINDOW, NEW_GAMES, SEARCHES, SINGLE = "window", "new games", "searches", "single"
"""What a command can need: a window, a program that starts new games, a search of each game, and only one game."""


@dataclass(frozen=True)
class Control:
    """A command: its place in the help, its keys, what it does in words, and what it does.

    `shown_keys` are in the help, `other_keys` are not; both have spaces between the keys. A view has the command if it
    has what the command `needs`. A `hint` is shown with the key at the end of a game.
    """

    group: str
    shown_keys: str
    description: str
    run: Callable[[Player], None]
    needs: Collection[str] = ()
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


def _jump(where: Callable[[Track], int]) -> Callable[[Player], None]:
    return lambda player: player.jump(where)


def _search(change: Callable[[ShownSearch], str]) -> Callable[[Player], None]:
    return lambda player: player.change_search(change)


def _choice(after: After) -> Callable[[Player], None]:
    return lambda player: player.choose(after)


CONTROLS = (
    Control(TIME, "space", "pause or continue", Player.play_or_pause),
    Control(TIME, ". right", "next ply", Player.step, repeats=True),
    Control(TIME, ", left", "previous ply", _jump(lambda line: line.ply - 1), repeats=True, other_keys="backspace"),
    Control(TIME, "> down", "next round", partial(Player.step, is_round=True), repeats=True),
    Control(TIME, "< up", "previous round", _jump(lambda line: line.round_begin), repeats=True),
    Control(TIME, "home", "go to the start", _jump(lambda line: 0)),
    Control(TIME, "end", "go to the latest ply", _jump(lambda line: len(line.plies))),
    Control(TIME, "+", "faster", partial(Player.change_speed, is_faster=True), repeats=True, other_keys="="),
    Control(TIME, "-", "slower", partial(Player.change_speed, is_faster=False), repeats=True, other_keys="_"),
    Control(PLAY, "r", "restart with the same seed", _choice(After.AGAIN), hint="restart"),
    Control(PLAY, "n", "new game with the next seed", _choice(After.NEW_SEED), [NEW_GAMES], hint="new game"),
    Control(PLAY, "l", "new game on the next layout", _choice(After.NEXT_LAYOUT), [NEW_GAMES]),
    Control(PLAY, "i", "play on from here yourself", _choice(After.TAKE_OVER), [SINGLE]),
    Control(PLAY, "u", "let another agent play on from here", _choice(After.AGENT_TAKES_OVER), [SINGLE]),
    Control(SEARCH, "o", "next search overlay", _search(ShownSearch.next_overlay), [SEARCHES]),
    Control(SEARCH, "m", "hide or show the overlay", _search(ShownSearch.mute), [SEARCHES]),
    Control(SEARCH, "t", "hide or show the search tree", partial(Player.turn_tree, form=LIST), [SEARCHES]),
    Control(
        SEARCH,
        "e",
        "hide or show the tree in large type",
        partial(Player.turn_tree, form=LECTURE),
        [SEARCHES, SINGLE, WINDOW],
    ),
    Control(SEARCH, "z", "quiz: stop before each move of Pacman", _search(ShownSearch.turn_quiz), [SEARCHES, SINGLE]),
    Control(PLAY, "p", "save a picture", Player.save_picture, [WINDOW]),
    Control(PLAY, "f", "full screen on or off", Player.turn_full_screen, [WINDOW]),
    Control(PLAY, "h", "hide or show these keys", Player.turn_help),
    Control(
        SEARCH, "y ?", "why this move? hide or show the reasons", _search(ShownSearch.turn_why), [SEARCHES, SINGLE]
    ),
    Control(PLAY, "escape", "close the help, the tree or the full screen", Player.close_top),
    Control(PLAY, "q", "quit", _choice(After.LEAVE), hint="quit"),
)


class Keyboard:
    """The commands of the games that a player has begun, by key. If a person steers, some keys steer Pacman instead."""

    def __init__(self, player: Player) -> None:
        has = {WINDOW: not player.is_text, NEW_GAMES: player.can_start_games}
        has |= {SEARCHES: bool(player.searches), SINGLE: player.is_single}
        self.controls = [control for control in CONTROLS if all(has[need] for need in control.needs)]
        self.steering = STEERING_KEYS if player.steer is not None else {}
        self._by_key = {key: control for control in self.controls for key in control.keys if key not in self.steering}
        self.hints = "     ".join(f"{each.keys_text}  {each.hint}" for each in self.controls if each.hint)
        """The keys for the end of a game, as a text."""
        # Without a search there is no "why", and ? is what many people try for help.
        self._by_key.setdefault("?", self._by_key["h"])
        of_help = {key for key, control in self._by_key.items() if control.run in (Player.turn_help, Player.close_top)}
        others = {*self._by_key, *self.steering, *ARROWS, *TREE_COMMANDS, "return", "tab"}
        self._closes_help = others - of_help
        of_single = {key for control in CONTROLS if SINGLE in control.needs for key in control.keys}
        self._single_keys = set() if player.is_single else of_single - self._by_key.keys()

    def press(self, player: Player, key: str, *, repeated: bool = False) -> None:
        """Answers the quiz, steers Pacman, gives the key to an open tree, or runs its command.

        Each key that does something, apart from those of the help, closes the help first.
        """
        player.quiet_seconds = 0.0
        if key in self._closes_help:
            player.help_page = None
        if player.is_text:
            player.show_message("")
        has_focus = any(search.has_focus for search in player.searches)
        if not has_focus and key in ARROWS and player.quiz < GOES_ON:
            player.answer(ARROWS[key])
        elif not has_focus and key in self.steering:
            player.steer_to(self.steering[key])
        elif (key in ("space", "return") and player.skip_ending()) or player.use_tree_key(key):
            pass
        elif key == "return" and player.is_over:
            player.after = After.NEXT
        elif control := self.control(key, repeated=repeated):
            control.run(player)
        elif key in self._single_keys:
            player.show_message(f"{key.title()} works only with one game")

    def control(self, key: str, *, repeated: bool = False) -> Control | None:
        """The command of a key, or None. `repeated` means that the key has stayed down since its last report."""
        control = self._by_key.get(key)
        return control if control and (control.repeats or not repeated) else None

    def help(self, searches: Sequence[ShownSearch] = ()) -> dict[str, list[tuple[str, str]]]:
        """By group, (keys, description) of every available command, also of those of an open tree."""
        groups: dict[str, list[tuple[str, str]]] = {PLAY: [STEERING_HELP] * bool(self.steering), TIME: [], SEARCH: []}
        for control in self.controls:
            keys = [word for word in control.keys_text.split() if word.lower() not in self.steering]
            groups[control.group].append((" or ".join(keys), control.description))
        groups[SEARCH] += next((rows for search in searches if (rows := search.help())), ())
        return {group: rows for group, rows in groups.items() if rows}
