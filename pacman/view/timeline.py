"""The plies of a game so far, the number of plies shown, and the number to show next: live or recorded."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import inf
from queue import Empty, SimpleQueue

from pacman.core.state import GameState
from pacman.picture.moment import scoring_events
from pacman.play.game import Ply
from pacman.play.recording import GameLine
from pacman.view import ViewedGame

STOP_SECONDS = 0.5
"""The longest time that `stop` waits for the agent that is thinking now."""
MOST_PLIES = 1_000_000
"""More plies than a game has."""
AHEAD = 2
"""The number of rounds that agents may play ahead of the picture."""


def is_round_over(ply: Ply) -> bool:
    """True if the next mover is the first of a round, or the game is over."""
    state = ply.state
    return state.is_terminal or state.mover == state.round.order[0]


class Timeline:
    """Shows `ply` plies of a game, and goes on to `goal` plies; the goal is infinity while the game plays.

    A finite goal means a pause. A thread plays the game as far as the goal needs, and `pull` fetches its plies. It is a
    daemon: if an agent still thinks in it, the program can end, and the thread plays no further ply. A line of play
    begins at the ply that it showed last. With a human player (`has_player`) the thread plays no ply ahead, so that the
    latest key counts.
    """

    def __init__(self, game: ViewedGame, *, has_player: bool = False) -> None:
        self.start = game.start
        self._line = game if isinstance(game, GameLine) else None
        self.plies: list[Ply] = []
        self.marks: list[tuple[int, int]] = []
        """The notable events so far: (number of plies played by then, points)."""
        self.ply = 0
        self.goal = inf
        self.is_complete = False
        """True if `plies` has the whole game."""
        self._by_hand = has_player
        self._length = len(game.start.layers)
        if self._line is not None:
            self._add(self._line.plies)
            self.ply = self._line.ply
        self._allowed = len(self.plies)
        self._permits, self._new = threading.Semaphore(0), SimpleQueue[Ply | None]()
        self._error: BaseException | None = None
        self._request_time: float | None = None
        self._is_stopped = False
        rest = iter(self._line.rest if self._line is not None else game)
        self._thread = threading.Thread(target=self._run, args=(rest,), name="game", daemon=True)
        self._thread.start()

    def _run(self, plies: Iterator[Ply]) -> None:
        """Plays the game in the thread: a ply for each permit."""
        try:
            while self._permits.acquire() and not self._is_stopped:
                self._request_time = time.monotonic()
                ply = next(plies, None)
                if ply is None:
                    break
                self._request_time = None
                self._new.put(ply)
        except BaseException as error:  # the view raises it again, in its own thread
            self._error = error
        self._request_time = None
        self._new.put(None)

    def state(self, ply: int | None = None) -> GameState:
        """The position after `ply` plies; the position shown by default."""
        ply = self.ply if ply is None else ply
        return self.plies[ply - 1].state if ply else self.start

    @property
    def is_paused(self) -> bool:
        """True if the goal is a number of plies."""
        return self.goal < inf

    @property
    def is_over(self) -> bool:
        """True if the end of the game is shown. Raises the exception that ended the game, if any."""
        if self.ply < len(self.plies) or not self.is_complete:
            return False
        if self._error is not None:
            raise self._error
        return True

    @property
    def thinking_seconds(self) -> float:
        """The seconds that the next mover has been thinking so far; 0 if its ply is already available."""
        request_time = self._request_time if self.ply == len(self.plies) else None
        return 0.0 if request_time is None else time.monotonic() - request_time

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

    def pull(self, wait: float = 0.0, *, all_plies: bool = False) -> None:
        """Fetches the new plies, waiting at most so long for the first of them; the game goes on, or to its end."""
        due = len(self.plies) + 1 if self._by_hand else self.ply + AHEAD * self._length
        allowed = MOST_PLIES if all_plies else int(self.goal) if self.is_paused else due
        if allowed > self._allowed:
            self._permits.release(allowed - self._allowed)
            self._allowed = allowed
        with suppress(Empty):
            while not self.is_complete:
                ply = self._new.get(timeout=wait)
                wait = 0.0
                self.is_complete = ply is None
                self._add([ply] if ply else [])

    def play_out(self) -> None:
        """Fetches the whole game. Raises the exception that ended the game, if any."""
        while not self.is_complete:
            self.pull(1.0, all_plies=True)
        if self._error is not None:
            raise self._error

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

    def play_or_pause(self) -> None:
        """Continues a paused game, or pauses a playing one."""
        self.goal = inf if self.is_paused else self.ply

    def step(self) -> None:
        """Pauses one ply after the present goal, or after the ply shown if the game plays."""
        self._go_on(1)

    def step_round(self) -> None:
        """Pauses at the end of the round, or of the next round if the goal is already the end of a round."""
        self._go_on(self._length)

    def _go_on(self, plies: int) -> None:
        """Pauses so many plies later; as many as a round has lead to its end."""
        target = int(max(self.goal, self.ply)) if self.is_paused else self.ply
        goal = target + plies - (self._place(target) if plies > 1 else 0)
        self.goal = min(goal, len(self.plies)) if self.is_complete else goal

    def seek(self, ply: int) -> None:
        """Shows the position after `ply` plies at once, or the latest that is available, and pauses."""
        self.ply = self.goal = max(0, min(ply, len(self.plies)))

    @property
    def round_begin(self) -> int:
        """The ply at which the present round began, or the round before if no agent has moved in this one."""
        return self.ply - (self._place(self.ply) or self._length)

    def _place(self, count: int) -> int:
        """The number of agents that have moved in the present round after `count` plies."""
        available = min(count, len(self.plies))
        state = self.state(available)
        return (state.round.order.index(state.mover) + count - available) % self._length

    def stop(self) -> None:
        """Stops the thread that plays the game. A line of play remembers the plies, and the ply shown."""
        self._is_stopped = True
        self._permits.release()
        self._thread.join(STOP_SECONDS)
        if self._line is not None:
            self._line.plies, self._line.ply = self.plies, self.ply
