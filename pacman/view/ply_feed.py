"""The plies of a game, from a separate thread, so that a view stays responsive while an agent thinks."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from queue import Empty, SimpleQueue

from pacman.play.game import Ply

STOP_SECONDS = 0.5
"""The longest time that `stop` waits for the agent that is thinking now."""


class PlyFeed:
    """Plays a game in a thread, up to the number of plies that `pull` allows.

    `is_over` is True when no more plies will come. `error` is then the exception that ended the game, or None. The
    thread is a daemon: if an agent still thinks in it, the program can end, and the thread plays no further ply.
    """

    def __init__(self, game: Iterable[Ply]) -> None:
        self.is_over = False
        self.error: BaseException | None = None
        self._game = game
        self._plies: SimpleQueue[Ply | None] = SimpleQueue()
        self._permits = threading.Semaphore(0)
        self._plies_allowed = 0
        self._request_time: float | None = None
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run, name="game", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        plies = iter(self._game)
        try:
            while self._permits.acquire() and not self._is_stopped:
                self._request_time = time.monotonic()
                ply = next(plies, None)
                if ply is None:
                    break
                self._request_time = None
                self._plies.put(ply)
        except BaseException as error:  # the view raises it again, in its own thread
            self.error = error
        self._request_time = None
        self._plies.put(None)

    def pull(self, plies_allowed: int, seconds: float) -> list[Ply]:
        """The plies played since the last call. Waits at most `seconds` for the first of them.

        The game may go on until it has played `plies_allowed` plies in all.
        """
        if plies_allowed > self._plies_allowed:
            self._permits.release(plies_allowed - self._plies_allowed)
            self._plies_allowed = plies_allowed
        plies: list[Ply] = []
        with suppress(Empty):
            while not self.is_over:
                ply = self._plies.get(timeout=0.0 if plies else seconds)
                if ply is None:
                    self.is_over = True
                else:
                    plies.append(ply)
        return plies

    @property
    def thinking_seconds(self) -> float:
        """The seconds since the game requested the next move from an agent; 0 if no agent is thinking."""
        request_time = self._request_time
        return 0.0 if request_time is None else time.monotonic() - request_time

    def stop(self) -> None:
        """Ends the thread: requests no further ply, and waits `STOP_SECONDS` for the present one."""
        self._is_stopped = True
        self._permits.release()
        self._thread.join(STOP_SECONDS)
