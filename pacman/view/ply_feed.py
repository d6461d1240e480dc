"""Plies from a thread of their own, so that a view stays alive while an agent thinks."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue

from pacman.play.game import Ply
from pacman.view.protocol import ViewedGame

PATIENCE = 0.5
"""Seconds that `stop` waits for a ply that is just being made."""


class PlyFeed:
    """Plays a showing as far as it is allowed to: `pull` says how many plies in all, and hands over what has come.

    `is_over` when nothing more will come; `error` is whatever the showing raised by then. The thread is a daemon: one
    that is left behind while an agent thinks does not keep the program alive, and plays no further ply.
    """

    def __init__(self, showing: ViewedGame) -> None:
        self.is_over = False
        self.error: BaseException | None = None
        self._showing = showing
        self._plies: SimpleQueue[Ply | None] = SimpleQueue()
        self._permits = threading.Semaphore(0)
        self._allowed = 0
        self._asked: float | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="game", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        plies = iter(self._showing)
        try:
            while self._permits.acquire() and not self._stopped:
                self._asked = time.monotonic()
                ply = next(plies, None)
                if ply is None:
                    break
                self._asked = None
                self._plies.put(ply)
        except BaseException as error:  # told to whoever watches, in the watcher's thread
            self.error = error
        self._asked = None
        self._plies.put(None)

    def pull(self, allowed: int, seconds: float) -> list[Ply]:
        """The plies that have come since the last call; waits for one at most so long."""
        if allowed > self._allowed:
            self._permits.release(allowed - self._allowed)
            self._allowed = allowed
        found: list[Ply] = []
        with suppress(Empty):
            while not self.is_over:
                ply = self._plies.get(timeout=0.0 if found else seconds)
                if ply is None:
                    self.is_over = True
                else:
                    found.append(ply)
        return found

    @property
    def thinking(self) -> float:
        """For how many seconds the ply that is being made has been asked for; 0 when none is."""
        asked = self._asked
        return 0.0 if asked is None else time.monotonic() - asked

    def stop(self) -> None:
        """Asks for no more, and lets a ply that is nearly made be finished."""
        self._stopped = True
        self._permits.release()
        self._thread.join(PATIENCE)
