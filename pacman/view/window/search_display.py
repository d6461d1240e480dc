"""What a window shows of a search: an overlay, the tree panel, sentences and a quiz."""

from __future__ import annotations

import time
from collections.abc import Callable

from pacman.core.state import GameState
from pacman.picture.canvas import Canvas
from pacman.picture.colours import Theme
from pacman.picture.lecture import QUESTION
from pacman.picture.moment import VisibleState
from pacman.picture.overlays import NONE, draw_paths, drawings, table_size
from pacman.picture.paint import Drawing
from pacman.picture.screen_regions import Regions
from pacman.record.report import Analyse, SearchReport
from pacman.record.rows import TREE_HELP
from pacman.record.why import why
from pacman.view.panel import FOCUS_KEY, Panel
from pacman.view.shown_search import AnalysisWorker, ShownSearch

PATIENCE_SECONDS = 0.4
"""The panel keeps the previous tree this long while a new report is created, so that it does not flicker."""


class Quiz:
    """A pause before each move of Pacman: first the values are hidden, then they are visible, then the game goes on."""

    def __init__(self) -> None:
        self.is_on = False
        self.answer = ""
        """The move that the viewer chose at the latest stop, "" for none."""
        self._answered: GameState | None = None
        self._passed: GameState | None = None

    def toggle(self) -> None:
        """Switches the quiz on or off."""
        self.is_on, self._answered, self._passed = not self.is_on, None, None

    def is_stopping(self, state: GameState) -> bool:
        """True if the game must wait at this position."""
        return self.is_on and state.mover == 0 and not state.is_terminal and state is not self._passed

    def is_asking(self, state: GameState) -> bool:
        """True if the values of this position are hidden."""
        return self.is_stopping(state) and state is not self._answered

    def go_on(self, state: GameState, answer: str = "") -> bool:
        """Shows the values, or lets the game go on. False if the game need not wait at this position."""
        if not self.is_stopping(state):
            return False
        if self.is_asking(state):
            self._answered, self.answer = state, answer
        else:
            self._passed = state
        return True

    def verdict(self, state: GameState, report: SearchReport | None) -> str:
        """Whether the viewer's answer is the action of the search; "" if there is no answer at this position."""
        if not self.answer or report is None or report.action is None or state is not self._answered:
            return ""
        is_right = self.answer == report.action
        return f"{report.action} is right. " if is_right else f"You chose {self.answer}, the search {report.action}. "


class SearchDisplay(ShownSearch):
    """The search that a window shows with a game: an overlay (which can be hidden), the tree panel, and a quiz."""

    def __init__(
        self,
        analyse: Analyse,
        theme: Theme,
        overlay: str = NONE,
        clock: Callable[[], float] = time.monotonic,
        *,
        lecture: bool = False,
    ) -> None:
        super().__init__(analyse, overlay)
        self.theme, self._clock = theme, clock
        self.is_open = lecture
        self.quiz = Quiz()
        self.panel = Panel(theme)
        self.panel.is_lecture = lecture
        self._status = ""
        """Why there is no report, in a few words."""
        self._request_time = 0.0
        self._words: tuple[SearchReport | None, str] = (None, "")

    @property
    def is_on(self) -> bool:
        """True if something is visible that needs reports."""
        return super().is_on or self.quiz.is_on

    @property
    def is_lecture(self) -> bool:
        """True if the tree is open, and drawn in large type."""
        return self.is_open and self.panel.is_lecture

    @property
    def has_focus(self) -> bool:
        """True if the arrow keys move in the tree."""
        return self.is_open and self.panel.has_focus

    @property
    def has_words(self) -> bool:
        """True if there is a strip for sentences below the board. A quiz keeps it, so that the board stays in place."""
        return self.is_why_open or self.quiz.is_on

    def table_size(self, agents: int) -> tuple[float, float] | None:
        """The size of the table of the overlay, also while its numbers are not ready; None without a table."""
        return None if self.is_hidden else table_size(self.name, agents)

    @property
    def words(self) -> str:
        """The sentences below the board: the question of a quiz, or why the search chose its action; "" for none."""
        if self._state is None or not self.has_words:
            return ""
        if self.quiz.is_asking(self._state):
            return "" if self.is_lecture else QUESTION  # a lecture's tree asks the question
        is_waiting = self._report is None and self.is_busy
        if self._words[0] is not self._report and not (is_waiting and self._is_patient):
            self._words = self._report, why(self._report).words if self._report else ""
        return self.quiz.verdict(self._state, self._report) + self._words[1] or self._status

    @property
    def _is_patient(self) -> bool:
        return self._clock() - self._request_time <= PATIENCE_SECONDS

    @property
    def error(self) -> str:
        """The error message of the search at the visible position, "" if it did not fail or nothing needs it."""
        if not self.is_on or self._state is None:
            return ""
        return self._worker.error(self._state) or (
            self._report.note if self._report and self._report.has_failed else ""
        )

    def update(self, state: GameState, is_over: bool = False) -> bool:
        """Changes to the position `state`; False while its report is not ready.

        If the game `is_over`, for example because an agent exceeded its time, nobody waits for this report.
        """
        if not self.is_on:
            return True
        if state is not self._state:
            self._request_time = self._clock()
        is_ready = super().update(state)
        self._status = self._worker.error(state) or ("the game is over" if is_over else self._worker.status(state))
        if is_ready or not self._is_patient or self.panel.position is not None:
            self.panel.show(self._report, self._status)
        self.panel.hide_values(self.quiz.is_asking(state))
        return is_ready

    def tree(self) -> str:
        """Opens the tree as a list, or closes it."""
        return self._toggle_panel(is_lecture=False)

    def lecture(self) -> str:
        """Opens the tree in large type, or closes it."""
        return self._toggle_panel(is_lecture=True)

    def _toggle_panel(self, is_lecture: bool) -> str:
        self.is_open = not self.is_open or self.panel.is_lecture != is_lecture
        self.panel.is_lecture, self.panel.has_focus = is_lecture, False
        return ""

    def ask(self) -> str:
        """Switches the quiz on or off."""
        self.quiz.toggle()
        return "quiz: stop before each move of Pacman" if self.quiz.is_on else "quiz off"

    def forget(self) -> None:
        """Drops all reports, because the search itself has changed."""
        self._worker.stop()
        self._worker, self._report, self._state = AnalysisWorker(self._worker.analyse), None, None
        self.panel.show(None)

    def close(self) -> bool:
        """Closes the tree, or if it is closed the reasons of the search; False if both are closed."""
        if self.is_open:
            self.is_open = self.panel.has_focus = False
            return True
        was_open, self.is_why_open = self.is_why_open, False
        return was_open

    def drawings(self, moment: VisibleState) -> tuple[Drawing, Drawing]:
        """What to draw below the agents on the board, and what to draw above them."""
        is_asking = self._state is not None and self.quiz.is_asking(self._state)
        return drawings(None if self.is_hidden or is_asking else self._report, self.name, self.theme, moment)

    def draw_paths(self, canvas: Canvas, frame: Regions) -> None:
        """Draws the path of every agent from the root to the current node of the panel."""
        browser = self.panel.browser
        if browser is not None:
            draw_paths(canvas, browser.report, browser.current, self.theme, frame)

    def key(self, name: str) -> bool:
        """Passes a key to the panel; True if the panel is open and uses this key."""
        return self.is_open and self.panel.key(name)

    def help(self) -> tuple[tuple[str, str], ...]:
        """The keys of the open panel, each with its use; () if the panel is closed."""
        return (*TREE_HELP, FOCUS_KEY) if self.is_open else ()
