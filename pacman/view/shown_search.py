"""What is switched on of a search in any view, and its report: an overlay, the tree, the reasons, a quiz."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from threading import Thread

from pacman.core.errors import InputError, error_line
from pacman.core.numbers import format_integer, format_interval
from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.picture.lecture import QUESTION
from pacman.picture.overlays import NONE, OVERLAYS, Overlay
from pacman.picture.screen_regions import LECTURE, PanelShape
from pacman.record.report import Analyse, SearchReport
from pacman.record.rows import MOVES, TREE_COMMANDS, TREE_HELP, TreeBrowser
from pacman.record.why import why

MAX_NODES = 60_000
"""Older reports are dropped when all reports together have more nodes; this many take some 70 megabytes."""
PATIENCE_SECONDS = 0.4
"""A view keeps the previous tree this long while a new report is created, so that it does not flicker."""
ASKS, SHOWS, GOES_ON = range(3)
"""How far a quiz is at a position: the values are hidden, they are visible, the game need not wait."""
_MINUS = re.compile(r"(?<![\w.])-(?=[\d.])")
FOCUS_KEY = "Tab", "the arrow keys move in the tree, or no longer"
"""(key, use), for the help."""


def search_facts(browser: TreeBrowser) -> tuple[str, list[str]]:
    """What a search knows at the visible step of its tree, and how many nodes it generated, expanded and cut."""
    report, step = browser.report, browser.step
    value = format_interval(*report.interval(0, step), report.decimals)
    result = (
        f"{report.action or 'no action'}  {value}" if step is None else f"so far {value}" if value else "no value yet"
    )
    counts = report.generated, report.expanded, sum(layer.cut for layer in report.layers)
    names = "generated", "expanded", "cut"
    return result, [f"{format_integer(count)} {name}" for count, name in zip(counts, names, strict=True)]


def layers_for_search(state: GameState, assumes: Layer | None) -> tuple[Layer, ...]:
    """By agent, its layer in a search that `assumes` this layer for every ghost; None means the layers of `state`."""
    order = state.round if assumes is None else state.round.assuming(assumes)
    return tuple(turn.layer for turn in order.turns)


class ShownSearch:
    """Which overlay is on, which form of the tree is open, and the report of the visible position when it is ready.

    `form` is `LIST`, `LECTURE`, or None for a closed tree. If it `waits`, as for a film, each report is created at
    once, in this thread.
    """

    def __init__(
        self, analyse: Analyse, overlay: str = NONE, form: PanelShape | None = None, *, waits: bool = False
    ) -> None:
        self.name, self.form = overlay, form
        """The name of the overlay, hidden or not, and the form of the open tree."""
        self.is_hidden = self.is_why_open = self.is_quiz = False
        self.has_focus = False
        """True if the arrow keys move in the tree."""
        self.report: SearchReport | None = None
        """The report of the visible position; None while it is not ready."""
        self.browser: TreeBrowser | None = None
        """The tree that is visible: for a short time that of the position before."""
        self.status = "no search yet"
        """Why there is no report, in a few words."""
        self.right: Mapping[int, str] = {}
        """By the number of each node that is known to be wrong in the end, the right value as text."""
        self.changes = 0
        """A number that changes with what is visible of the tree."""
        self._analyse, self._waits = analyse, waits
        self._results: OrderedDict[GameState, SearchReport | str] = OrderedDict()
        """By position its report, or the message of the error that stopped its search."""
        self._thread: Thread | None = None
        self._state: GameState | None = None
        self._error = ""
        self._seconds = 0.0
        self._reasons: tuple[SearchReport | None, str] = (None, "")
        self._answer = ""
        self._late_key = ""
        """A key of the tree that waits for the report of the visible position; "" for none."""
        self._asked: tuple[GameState | None, int] = None, 0
        """The latest position of the quiz, and how far it is there."""

    @property
    def overlay(self) -> Overlay | None:
        """The overlay that is visible; None if it is hidden."""
        return None if self.is_hidden else OVERLAYS[self.name]

    @property
    def is_on(self) -> bool:
        """True if something is visible that needs reports: an overlay, the tree, the reasons or the quiz."""
        return bool(self.form) or self.has_words or self.overlay is not None

    @property
    def is_busy(self) -> bool:
        """True while the report of the visible position is not ready."""
        state = self._state
        return self.is_on and state is not None and state not in self._results and not state.is_terminal

    @property
    def position(self) -> GameState | None:
        """The entered position while the viewer steps through the open tree; None for the whole search."""
        return self.browser.position if self.form and self.browser is not None else None

    @property
    def error(self) -> str:
        """The error message of the search at the visible position, "" if it did not fail or nothing needs it."""
        note = self.report.note if self.report and self.report.has_failed else ""
        return self._error or note if self.is_on else ""

    # ---- the passing of time

    def update(self, state: GameState, is_over: bool = False) -> bool:
        """Changes to the position `state`; False while its report is not ready.

        If the game `is_over`, for example because an agent exceeded its time, nobody waits for this report.
        """
        if not self.is_on:
            return True
        if state is not self._state:
            self._state, self._seconds, self._late_key = state, 0.0, ""
        if state not in self._results and not state.is_terminal:
            if self._waits:
                self._create(state)
            elif self._thread is None or not self._thread.is_alive():
                # A daemon, so that a search that never ends does not keep the program alive.
                self._thread = Thread(target=self._create, args=(state,), name="analysis", daemon=True)
                self._thread.start()
        result = self._results.get(state)
        is_ready = result is not None or state.is_terminal
        self.report, self._error = (None, result) if isinstance(result, str) else (result, "")
        self.status = self._error or ("the game is over" if is_over or state.is_terminal else "searching ...")
        if is_ready or not self._is_patient or self.position is not None:
            self.show(self.report)
        if is_ready and self._late_key:
            key, self._late_key = self._late_key, ""
            self.key(key)
        return is_ready

    def _create(self, state: GameState) -> None:
        """Creates the report of a position, and drops the oldest ones."""
        results = self._results
        try:
            result: SearchReport | str = self._analyse(state)
            _ = result.decimals if isinstance(result, SearchReport) else 0  # computed in this thread, and kept
        except InputError as error:
            result = str(error)
        except BaseException as error:  # the viewer reads any error of a student's search; the game goes on
            result = error_line(error)
        results[state] = result
        sizes = [1 if isinstance(each, str) else len(each.nodes) for each in results.values()]
        while len(sizes) > 1 and sum(sizes) > MAX_NODES:
            results.popitem(last=False)
            del sizes[0]

    def tick(self, seconds: float) -> None:
        """Lets time pass, in which a view waits for a report."""
        self._seconds += seconds

    @property
    def _is_patient(self) -> bool:
        return self._seconds <= PATIENCE_SECONDS

    def show(self, report: SearchReport | None) -> None:
        """Shows the tree of a report; the same report again changes nothing."""
        if report is not (self.browser.report if self.browser else None):
            self.browser = TreeBrowser(report) if report else None
            self.changes += 1

    def forget(self) -> None:
        """Drops all reports, because the search itself has changed."""
        self._results = OrderedDict()  # what is still searched goes into the old ones
        self.report = self._state = None
        self.show(None)

    # ---- the commands of the keys; those that return a text return the message for the viewer

    def next_overlay(self) -> str:
        """Shows the next overlay; after the last one, none."""
        names = [*OVERLAYS]
        self.name, self.is_hidden = names[(names.index(self.name) + 1) % len(names)], False
        return f"overlay: {self.name}"

    def mute(self) -> str:
        """Hides or shows the overlay."""
        self.is_hidden = not self.is_hidden
        return "overlay hidden" if self.is_hidden else f"overlay: {self.name}"

    def turn_tree(self, form: PanelShape | None) -> str:
        """Opens the tree in a form, or closes it."""
        self.form, self.has_focus, self._late_key = None if self.form == form else form, False, ""
        return ""

    def turn_why(self) -> str:
        """Shows or hides why the search chose its action."""
        self.is_why_open = not self.is_why_open
        return ""

    def turn_quiz(self) -> str:
        """Switches the quiz on or off."""
        self.is_quiz, self._asked = not self.is_quiz, (None, 0)
        return "quiz: stop before each move of Pacman" if self.is_quiz else "quiz off"

    def close(self) -> bool:
        """Closes the tree, or if it is closed the reasons of the search; False if both are closed."""
        was_open = bool(self.form) or self.is_why_open
        if self.form:
            self.turn_tree(self.form)
        else:
            self.is_why_open = False
        return was_open

    def uses(self, name: str) -> bool:
        """True if the tree is open and uses this key."""
        is_known = name == "tab" or name in TREE_COMMANDS or (self.has_focus and name in MOVES)
        return bool(self.form) and self.browser is not None and is_known

    def key(self, name: str) -> bool:
        """Gives a key to the open tree; True if the tree uses this key. It waits for the report of the position."""
        if self.browser is None or not self.uses(name):
            return False
        command = TREE_COMMANDS.get(name) or MOVES.get(name)
        if command is None:
            self.has_focus = not self.has_focus
        elif self.is_busy:
            self._late_key = name
        else:
            command(self.browser)
        self.changes += 1
        return True

    def help(self) -> tuple[tuple[str, str], ...]:
        """The keys of the open tree, each with its use; () if the tree is closed."""
        return (*TREE_HELP, FOCUS_KEY) if self.form else ()

    # ---- the sentences, and the quiz: first the values are hidden, then they are visible, then the game goes on

    @property
    def has_words(self) -> bool:
        """True if there is a place for sentences below the board. A quiz keeps it, so that the board stays in place."""
        return self.is_why_open or self.is_quiz

    @property
    def words(self) -> str:
        """The sentences below the board: the question of a quiz, or why the search chose its action; "" for none."""
        if self._state is None or not self.has_words:
            return ""
        if self.hides_values:
            return "" if self.form == LECTURE else QUESTION  # a lecture's tree asks the question
        is_waiting = self.report is None and self.is_busy and self._is_patient
        if self._reasons[0] is not self.report and not is_waiting:
            self._reasons = self.report, _MINUS.sub("−", why(self.report)) if self.report else ""
        action, verdict = self.report.action if self.report else None, ""
        if self._answer and action and self._state is self._asked[0]:
            is_right = self._answer == action
            verdict = f"{action} is right. " if is_right else f"You chose {self._answer}, the search {action}. "
        return verdict + self._reasons[1] or self.status

    @property
    def hides_values(self) -> bool:
        """True while the values of the visible position are the answer to the quiz."""
        return self._state is not None and self.stage(self._state) == ASKS

    def stage(self, state: GameState) -> int:
        """How far the quiz is at a position: it `ASKS`, it `SHOWS` the values, or it `GOES_ON` with the game."""
        if not self.is_quiz or state.mover or state.is_terminal:
            return GOES_ON
        return self._asked[1] if state is self._asked[0] else ASKS

    def go_on(self, state: GameState, answer: str = "") -> None:
        """Shows the values, or lets the game go on."""
        stage = self.stage(state)
        if stage == ASKS:
            self._answer = answer
            if self.overlay is None and not self.form:  # the values are what was asked for
                self.name, self.is_hidden = "values", False
        self._asked = state, min(stage + 1, GOES_ON)
