"""The plies of a game so far, the number of plies shown, and the number to show next: live or recorded."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import inf
from queue import Empty, SimpleQueue

from pacman.core.state import GameState
from pacman.picture.moment import scoring_events
from pacman.play.game import Ply
from pacman.play.recording import GameLine
from pacman.view.view_protocol import ViewedGame

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


NO_LIMIT = 1_000_000
"""More plies than a game has."""
AHEAD = 2
"""The number of rounds that agents may play ahead of the picture."""


def is_round_over(ply: Ply) -> bool:
    """True if the next mover is the first of a round, or the game is over."""
    state = ply.state
    return state.is_terminal or state.mover == state.round.order[0]


class Timeline:
    """Shows `ply` plies of a game, and goes on to `goal` plies; the goal is infinity while the game plays.

    A finite goal means a pause. The plies come from a thread, which plays as far as the goal needs; `pull` fetches
    them. A line of play begins at the ply that it showed last. With a human player (`has_player`) the thread plays no
    ply ahead, so that the latest key counts.
    """

    def __init__(self, game: ViewedGame, *, has_player: bool = False) -> None:
        self.start = game.start
        self._line = game if isinstance(game, GameLine) else None
        self.plies: list[Ply] = []
        self.marks: list[tuple[int, int]] = []
        """The notable events so far: (number of plies played by then, points)."""
        self.ply = 0
        self.goal = inf
        self._by_hand = has_player
        self._length = len(game.start.layers)
        if self._line is not None:
            self._add(self._line.plies)
            self.ply = self._line.ply
        self._known = len(self.plies)
        self._feed = PlyFeed(self._line.rest if self._line is not None else game)

    def state(self, ply: int | None = None) -> GameState:
        """The position after `ply` plies; the position shown by default."""
        ply = self.ply if ply is None else ply
        return self.plies[ply - 1].state if ply else self.start

    @property
    def is_paused(self) -> bool:
        """True if the goal is a number of plies."""
        return self.goal < inf

    @property
    def is_complete(self) -> bool:
        """True if `plies` has the whole game."""
        return self._feed.is_over

    @property
    def is_over(self) -> bool:
        """True if the end of the game is shown. Raises the exception that ended the game, if any."""
        if self.ply < len(self.plies) or not self._feed.is_over:
            return False
        if self._feed.error is not None:
            raise self._feed.error
        return True

    @property
    def thinking_seconds(self) -> float:
        """The seconds that the next mover has been thinking so far; 0 if its ply is already available."""
        return self._feed.thinking_seconds if self.ply == len(self.plies) else 0.0

    @property
    def rounds(self) -> int:
        """The number of rounds that have begun in the position shown."""
        return -(-self.ply // self._length)

    def think_times(self) -> tuple[float, ...]:
        """By agent, the seconds for its latest ply, up to the ply shown."""
        seconds = [0.0] * self._length
        for ply in self.plies[max(0, self.ply - self._length) : self.ply]:
            seconds[ply.agent] = ply.seconds
        return tuple(seconds)

    def pull(self, wait: float = 0.0) -> None:
        """Fetches the new plies; waits at most `wait` seconds for the first of them."""
        due = len(self.plies) + 1 if self._by_hand else self.ply + AHEAD * self._length
        self._add(self._feed.pull((int(self.goal) if self.is_paused else due) - self._known, wait))

    def play_out(self) -> None:
        """Fetches the whole game. Raises the exception that ended the game, if any."""
        while not self.is_complete:
            self._add(self._feed.pull(NO_LIMIT, 1.0))
        if self._feed.error is not None:
            raise self._feed.error

    def _add(self, plies: Sequence[Ply]) -> None:
        for ply in plies:
            before = self.state(len(self.plies))
            self.plies.append(ply)
            self.marks += [(len(self.plies), points) for points, _ in scoring_events(before, ply.state)]

    def next_plies(self) -> list[Ply]:
        """The available plies after the ply shown, up to the end of the round or the goal, whichever is first."""
        plies: list[Ply] = []
        for number in range(self.ply, int(min(self.goal, len(self.plies)))):
            plies.append(self.plies[number])
            if is_round_over(plies[-1]):
                break
        return plies

    def is_ready(self, plies: list[Ply]) -> bool:
        """True if these next plies reach the end of the round or the goal."""
        return bool(plies) and (self.ply + len(plies) >= self.goal or is_round_over(plies[-1]))

    def advance(self, plies: int) -> None:
        """Shows that many more plies."""
        self.ply += plies

    def play_or_pause(self) -> None:
        """Continues a paused game, or pauses a playing one."""
        self.goal = inf if self.is_paused else self.ply

    def step(self) -> None:
        """Pauses one ply after the present goal, or after the ply shown if the game plays."""
        self._go(self._target + 1)

    def step_round(self) -> None:
        """Pauses at the end of the round, or of the next round if the goal is already the end of a round."""
        target = self._target
        self._go(target + self._length - self._place(target))

    def back(self) -> None:
        """Shows the previous ply, and pauses."""
        self.seek(self.ply - 1)

    def back_round(self) -> None:
        """Shows the beginning of the round, or of the round before, and pauses."""
        self.seek(self.ply - (self._place(self.ply) or self._length))

    def seek(self, ply: int) -> None:
        """Shows the position after `ply` plies at once, and pauses."""
        self.ply = max(0, min(ply, len(self.plies)))
        self.goal = self.ply

    def to_start(self) -> None:
        """Shows the first position, and pauses."""
        self.seek(0)

    def to_latest(self) -> None:
        """Shows the latest position that is available, and pauses."""
        self.seek(len(self.plies))

    @property
    def _target(self) -> int:
        return int(max(self.goal, self.ply)) if self.is_paused else self.ply

    def _go(self, goal: int) -> None:
        self.goal = min(goal, len(self.plies)) if self.is_complete else goal

    def _place(self, count: int) -> int:
        """The number of agents that have moved in the present round after `count` plies."""
        available = min(count, len(self.plies))
        state = self.state(available)
        return (state.round.order.index(state.mover) + count - available) % self._length

    def stop(self) -> None:
        """Stops the thread that plays the game. A line of play remembers the plies, and the ply shown."""
        self._feed.stop()
        if self._line is not None:
            self._line.plies, self._line.ply = self.plies, self.ply
