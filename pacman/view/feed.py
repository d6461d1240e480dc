"""Plies from a thread of their own, so that a view stays alive while an agent thinks."""

from __future__ import annotations

import threading
import time
from collections import deque

from pacman.play.game import Ply
from pacman.view.protocol import Showing

PATIENCE = 0.5
"""Seconds that `stop` waits for a ply that is just being made."""


class Feed:
    """Plays a showing as far as it is allowed to: `allow(n)` lets it come to `n` plies in all.

    `pull` hands over what has come. `error` is whatever the showing raised, once it has. The thread is a daemon: one
    that is left behind while an agent thinks does not keep the program alive, and plays no further ply.
    """

    def __init__(self, showing: Showing) -> None:
        self._showing = showing
        self._plies: deque[Ply] = deque()
        self._over = self._stopped = False
        self._allowed = 0
        self._asked: float | None = None
        self._change = threading.Condition()
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="game", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        plies, made = iter(self._showing), 0
        try:
            while self._may_make(made):
                ply = next(plies, None)
                if ply is None:
                    break
                made += 1
                with self._change:
                    self._asked = None
                    self._plies.append(ply)
                    self._change.notify_all()
        except BaseException as error:  # told to whoever watches, in the watcher's thread
            self.error = error
        with self._change:
            self._asked = None
            self._over = True
            self._change.notify_all()

    def _may_make(self, made: int) -> bool:
        """Waits until ply number `made` is allowed; False when nobody watches any more."""
        with self._change:
            self._change.wait_for(lambda: self._stopped or made < self._allowed)
            self._asked = time.monotonic()
            return not self._stopped

    def allow(self, plies: int) -> None:
        with self._change:
            if plies > self._allowed:
                self._allowed = plies
                self._change.notify_all()

    def pull(self) -> list[Ply]:
        """The plies that have come since the last call."""
        with self._change:
            found = list(self._plies)
            self._plies.clear()
            return found

    def wait(self, seconds: float) -> None:
        """Returns when a ply is there or the showing is over, at the latest after so many seconds."""
        with self._change:
            self._change.wait_for(lambda: bool(self._plies) or self._over, seconds)

    @property
    def is_over(self) -> bool:
        """Nothing more will come than `pull` has handed over."""
        with self._change:
            return self._over and not self._plies

    @property
    def thinking(self) -> float:
        """For how many seconds the ply that is being made has been asked for; 0 when none is."""
        asked = self._asked
        return 0.0 if asked is None else time.monotonic() - asked

    def stop(self) -> None:
        """Asks for no more, and lets a ply that is nearly made be finished."""
        with self._change:
            self._stopped = True
            self._change.notify_all()
        self._thread.join(PATIENCE)
