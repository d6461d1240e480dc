"""What is switched on of a search, in a window and in a terminal: an overlay, the tree, why it chose its action."""

from __future__ import annotations

import threading
from collections import OrderedDict

from pacman.core.errors import InputError, error_line
from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.picture.overlays import NONE, OVERLAYS, Overlay, next_overlay
from pacman.record.report import Analyse, SearchReport
from pacman.view.view_protocol import layers_for_search

MAX_NODES = 60_000
"""Older reports are dropped when all reports together have more nodes; this many take some 70 megabytes."""


class AnalysisWorker:
    """Creates the report of the position that was requested last; an older request that has not begun is dropped.

    The thread starts at the first request, so a game without overlays pays nothing. It is a daemon: a search that
    never ends does not keep the program alive.
    """

    def __init__(self, analyse: Analyse) -> None:
        self.analyse = analyse
        self._results: OrderedDict[GameState, SearchReport | str] = OrderedDict()  # a report, or an error message
        self._request: GameState | None = None
        self._is_stopped = False
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None

    def request(self, state: GameState) -> SearchReport | None:
        """The report of `state` if it is ready; if not, None, and the thread creates it next."""
        with self._change:
            result = self._results.get(state)
            if result is None and not state.is_terminal:
                self._request = state
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="analysis", daemon=True)
                    self._thread.start()
                self._change.notify_all()
            return result if isinstance(result, SearchReport) else None

    def result_now(self, state: GameState) -> SearchReport | None:
        """The report of `state`, created in this thread; None if the search failed or the game is over."""
        if state not in self._results and not state.is_terminal:
            self._results[state] = self._result(state)
        result = self._results.get(state)
        return result if isinstance(result, SearchReport) else None

    def error(self, state: GameState) -> str:
        """The error message of the search at `state`, "" if it did not fail."""
        result = self._results.get(state)
        return result if isinstance(result, str) else ""

    def status(self, state: GameState) -> str:
        """Why there is no report of `state`, in a few words."""
        return self.error(state) or ("the game is over" if state.is_terminal else "searching ...")

    def is_busy(self, state: GameState) -> bool:
        """True if the report of `state` is not ready yet."""
        return state not in self._results and not state.is_terminal

    def stop(self) -> None:
        """Stops the thread after the report that it is creating now."""
        with self._change:
            self._is_stopped = True
            self._change.notify_all()

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._is_stopped or self._request is not None)
                if self._is_stopped:
                    return
                state, self._request = self._request, None
                if state is None or state in self._results:  # requested again while this thread created its report
                    continue
            result = self._result(state)
            with self._change:
                self._results[state] = result
                while len(self._results) > 1 and sum(map(_size, self._results.values())) > MAX_NODES:
                    self._results.popitem(last=False)
                self._change.notify_all()

    def _result(self, state: GameState) -> SearchReport | str:
        """The report of `state`, or the message of the error that stopped the search."""
        try:
            report = self.analyse(state)
            _ = report.decimals  # computed in this thread, and kept
            return report
        except InputError as error:
            return str(error)
        except BaseException as error:  # the viewer reads any error of a student's search; the thread goes on
            return error_line(error)


def _size(result: SearchReport | str) -> int:
    return len(result.nodes) if isinstance(result, SearchReport) else 1


class ShownSearch:
    """Which overlay is on, whether the tree is open, and the report of the visible position as soon as it is ready."""

    def __init__(self, analyse: Analyse, overlay: str = NONE) -> None:
        self.name = overlay
        """The name of the overlay, hidden or not."""
        self.is_hidden = self.is_open = self.is_why_open = False
        self._worker = AnalysisWorker(analyse)
        self._report: SearchReport | None = None
        self._state: GameState | None = None

    @property
    def overlay(self) -> Overlay | None:
        """The overlay that is visible; None if it is hidden."""
        return None if self.is_hidden else OVERLAYS[self.name]

    @property
    def is_on(self) -> bool:
        """True if something is visible that needs reports: an overlay, the tree or the reasons of the search."""
        return self.is_open or self.is_why_open or self.overlay is not None

    @property
    def is_busy(self) -> bool:
        """True while the report of the visible position is not ready."""
        return self.is_on and self._state is not None and self._worker.is_busy(self._state)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """By agent, its layer in the search that is shown; empty if none is shown."""
        root = self._report.root if self._report and self.is_on else None
        return layers_for_search(root, None) if isinstance(root, GameState) else ()

    def update(self, state: GameState) -> bool:
        """Changes to the position `state`, and takes its report if that is ready; False while it is not."""
        if not self.is_on:
            return True
        self._state = state
        is_busy = self.is_busy  # read before the request: a report that comes between the two is used next time
        self._report = self._worker.request(state)
        return not is_busy

    def next_overlay(self) -> str:
        """Shows the next overlay; returns the message for the viewer, as all commands do."""
        self.name, self.is_hidden = next_overlay(self.name), False
        return f"overlay: {self.name}"

    def mute(self) -> str:
        """Hides or shows the overlay."""
        self.is_hidden = not self.is_hidden
        return "overlay hidden" if self.is_hidden else f"overlay: {self.name}"

    def tree(self) -> str:
        """Opens or closes the tree."""
        self.is_open = not self.is_open
        return ""

    def why(self) -> str:
        """Shows or hides why the search chose its action."""
        self.is_why_open = not self.is_why_open
        return ""

    def stop(self) -> None:
        """Stops the thread that creates the reports."""
        self._worker.stop()
