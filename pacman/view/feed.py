"""Plies from a thread of their own, so that a view stays alive while an agent thinks."""

from __future__ import annotations

import threading
from collections import deque

from pacman.game import Ply
from pacman.view.protocol import Showing


class Feed:
    """Plays a showing as far as it is allowed to: `allow(n)` lets it come to `n` plies in all.

    Whatever the showing raises is raised by `take` when its turn comes. The thread is a daemon: one that is
    left behind while an agent thinks does not keep the program alive, and plays no further ply.
    """

    def __init__(self, showing: Showing) -> None:
        self._showing = showing
        self._plies: deque[Ply] = deque()
        self._error: BaseException | None = None
        self._over = self._stopped = False
        self._allowed = 0
        self._change = threading.Condition()
        threading.Thread(target=self._run, name="game", daemon=True).start()

    def _run(self) -> None:
        plies, made = iter(self._showing), 0
        try:
            while self._may_make(made):
                ply = next(plies, None)
                if ply is None:
                    break
                made += 1
                with self._change:
                    self._plies.append(ply)
                    self._change.notify_all()
        except BaseException as error:  # told to whoever watches, in the watcher's thread
            self._error = error
        with self._change:
            self._over = True
            self._change.notify_all()

    def _may_make(self, made: int) -> bool:
        """Waits until ply number `made` is allowed; False when nobody watches any more."""
        with self._change:
            self._change.wait_for(lambda: self._stopped or made < self._allowed)
            return not self._stopped

    def allow(self, plies: int) -> None:
        with self._change:
            self._allowed = max(self._allowed, plies)
            self._change.notify_all()

    def take(self) -> Ply | None:
        """The next ply if it is there."""
        with self._change:
            if self._plies:
                return self._plies.popleft()
            if self._error is not None:
                raise self._error
            return None

    def wait(self, seconds: float) -> None:
        """Returns when a ply is there or the showing is over, at the latest after so many seconds."""
        with self._change:
            self._change.wait_for(lambda: bool(self._plies) or self._over, seconds)

    @property
    def is_over(self) -> bool:
        """Nothing more will come."""
        with self._change:
            return self._over and not self._plies and self._error is None

    def stop(self) -> None:
        with self._change:
            self._stopped = True
            self._change.notify_all()
