"""Studies made beside the window, in a thread of their own: asked for by position, there when they are there."""

from __future__ import annotations

import threading
from collections import OrderedDict

from pacman.core.errors import InputError, error_line
from pacman.core.state import GameState
from pacman.view.analysis.search_report import Analyse, SearchReport

KEPT = 60_000
"""Studies of so many nodes in all are kept, for a viewer who goes back and forth; that is some 70 megabytes."""


class AnalysisWorker:
    """Makes the study of the position that was asked for last; a position that nobody waits for any more is dropped.

    Nothing is thought before somebody asks, so a game without overlays pays nothing. The thread is a daemon: a
    search that never ends does not keep the program alive, and only its own position stays without a study.
    """

    def __init__(self, think: Analyse) -> None:
        self._think = think
        self._kept: OrderedDict[GameState, SearchReport | str] = OrderedDict()
        self._wanted: GameState | None = None
        self._is_stopped = False
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None

    def ask(self, state: GameState) -> SearchReport | None:
        """The study of `state` if it is there; if not, it is begun, or put behind the one being made now."""
        with self._change:
            found = self._kept.get(state)
            if found is None and not state.is_terminal:
                self._wanted = state
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="study", daemon=True)
                    self._thread.start()
                self._change.notify_all()
            return found if isinstance(found, SearchReport) else None

    def trouble(self, state: GameState) -> str:
        """What went wrong with the study of `state`, "" if nothing has."""
        found = self._kept.get(state)
        return found if isinstance(found, str) else ""

    def status(self, state: GameState) -> str:
        """Why there is no study of `state`, in a few words."""
        return self.trouble(state) or ("the game is over" if state.is_terminal else "thinking ...")

    def is_busy(self, state: GameState) -> bool:
        """The study of `state` is still to come."""
        return state not in self._kept and not state.is_terminal

    def stop(self) -> None:
        """Makes no further study."""
        with self._change:
            self._is_stopped = True
            self._change.notify_all()

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._is_stopped or self._wanted is not None)
                if self._is_stopped:
                    return
                state, self._wanted = self._wanted, None
            assert state is not None
            made = self._made(state)
            with self._change:
                self._kept[state] = made
                while len(self._kept) > 1 and sum(map(_size, self._kept.values())) > KEPT:
                    self._kept.popitem(last=False)
                self._change.notify_all()

    def _made(self, state: GameState) -> SearchReport | str:
        try:
            return self._think(state)
        except InputError as error:
            return str(error)
        except BaseException as error:  # whatever a student's search raises is told, and ends nothing
            return error_line(error)


def _size(kept: SearchReport | str) -> int:
    return len(kept.nodes) if isinstance(kept, SearchReport) else 1
