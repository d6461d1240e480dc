"""One of the games that a view shows: its plies so far, the number of plies shown, and the number to show next."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from queue import Empty, SimpleQueue

from pacman.core.layout import name_of
from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.picture.moment import Animation, Status, VisibleState, scoring_events
from pacman.play.game import Ply
from pacman.play.recording import GameLine
from pacman.view.shown_search import GOES_ON, ShownSearch, layers_for_search

STOP_SECONDS = 0.5
"""The longest time that `stop` waits for the agent that is thinking now."""
MOST_PLIES = 1_000_000
"""More plies than a game has."""
AHEAD = 2
"""The number of rounds that agents may play ahead of the picture."""
THINKING_SECONDS = 0.25
"""A view says that an agent thinks if its move takes longer than this."""
HANDOVER_SECONDS = 0.002


class Track:
    """Shows `ply` plies of a game, live or recorded, and goes on to `goal` plies; it is infinity while the game plays.

    A finite goal means a pause. A thread plays the game as far as the goal needs, and `pull` fetches its plies. It is a
    daemon: if an agent still thinks in it, the program can end, and the thread plays no further ply. The game begins at
    the ply that it showed last. With a human player (`has_player`) the thread plays no ply ahead, so that the
    latest key counts. `search` is what is visible of a search of the game, if there is one.
    """

    def __init__(self, game: GameLine, search: ShownSearch | None = None, *, has_player: bool = False) -> None:
        self.game, self.search = game, search
        self.layout, self.animation = name_of(game.start.maze), Animation(game.start)
        self.plies: list[Ply] = []
        self.marks: list[tuple[int, int]] = []
        """The notable events so far: (number of plies played by then, points)."""
        self.ply, self.goal = 0, inf
        self.is_complete = False
        """True if `plies` has the whole game."""
        self.waiting_seconds = 0.0
        """The seconds that the next round has been waiting to begin."""
        self._by_hand = has_player
        self.length = len(game.start.layers)
        """The number of agents: a round has so many plies."""
        self._add(game.plies)
        self.jump(game.ply)
        self.goal = inf
        self._allowed = len(self.plies)
        self._permits, self._new = threading.Semaphore(0), SimpleQueue[Ply | None]()
        self._error: BaseException | None = None
        self._request_time: float | None = None
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run, args=(game.rest,), name="game", daemon=True)
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

    # ---- what there is to see

    def position(self, ply: int) -> GameState:
        """The position after so many plies."""
        return self.plies[ply - 1].state if ply else self.game.start

    @property
    def state(self) -> GameState:
        """The position that is visible, or that the glide reaches."""
        return self.position(self.ply)

    @property
    def is_paused(self) -> bool:
        """True if the goal is a number of plies."""
        return self.goal < inf

    @property
    def is_at_end(self) -> bool:
        """True if no ply comes after those shown. Raises the exception that ended the game, if any."""
        if self.ply < len(self.plies) or not self.is_complete:
            return False
        if self._error is not None:
            raise self._error
        return True

    @property
    def is_over(self) -> bool:
        """True if the end of the game is shown and the last glide is finished."""
        return self.is_at_end and not self.animation.is_gliding

    @property
    def is_due(self) -> bool:
        """True if the game has not reached its goal, and does not wait at a stop of the quiz."""
        is_stopped = self.search is not None and self.search.stage(self.state) < GOES_ON
        return not is_stopped and not self.is_at_end and self.ply < self.goal

    @property
    def thinking_seconds(self) -> float:
        """The seconds that the next mover has been thinking so far; 0 if its ply is already available."""
        request_time = self._request_time if self.ply == len(self.plies) else None
        return 0.0 if request_time is None else time.monotonic() - request_time

    @property
    def rounds(self) -> int:
        """The number of rounds that have begun in the position shown."""
        return -(-self.ply // self.length)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """By agent, its layer in the search that is shown, or in Pacman's own."""
        report = self.search.report if self.search and self.search.is_on else None
        if report and isinstance(report.root, GameState):
            return layers_for_search(report.root, None)
        return layers_for_search(self.game.start, self.game.assumes)

    def think_times(self) -> tuple[float, ...]:
        """By agent, the seconds for its latest ply, up to the ply shown."""
        seconds = [0.0] * self.length
        for ply in self.plies[max(0, self.ply - self.length) : self.ply]:
            seconds[ply.agent] = ply.seconds
        return tuple(seconds)

    def visible(self, status: Status) -> VisibleState:
        """The present moment, with what the bars show of this game."""
        # Nobody is told that an agent thinks unless it takes long.
        is_quick = self.animation.is_gliding or self.waiting_seconds < THINKING_SECONDS
        own = replace(
            status,
            rounds=self.rounds,
            thinking_seconds=0.0 if is_quick else self.thinking_seconds,
            move_seconds=self.think_times(),
            move_timeout=self.game.move_timeout,
            layers=self.layers,
        )
        result, names = self.game.result if self.is_over else None, tuple(self.game.names)
        return replace(self.animation.visible(), plies=self.ply, names=names, result=result, status=own)

    # ---- the plies that come

    def pull(self, wait: float = 0.0, *, all_plies: bool = False) -> None:
        """Fetches the new plies, waiting at most so long for the first of them; the game goes on, or to its end."""
        due = len(self.plies) + 1 if self._by_hand else self.ply + AHEAD * self.length
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
            before = self.position(len(self.plies))
            self.plies.append(ply)
            self.marks += [(len(self.plies), points) for points, _ in scoring_events(before, ply.state)]

    def fetch(self, *, is_part: bool) -> bool:
        """Fetches plies; True if the next round can begin, or if so a part of it, or if no more will come."""
        while True:
            plies, before = self.next_plies(), len(self.plies)
            if plies and (is_part or self.ply + len(plies) == self._next_stop or plies[-1].state.is_terminal):
                return True
            self.pull(HANDOVER_SECONDS)
            if len(self.plies) == before:
                return self.is_complete

    def next_plies(self) -> list[Ply]:
        """The available plies after the ply shown, up to the end of the round or the goal, whichever is first."""
        return self.plies[self.ply : self._next_stop]

    @property
    def _next_stop(self) -> int:
        return int(min(self.goal, self.ply + self.length - self._place(self.ply)))

    def begin(self, most: int | None) -> None:
        """Begins the glide of the available plies of the next round, at most so many."""
        if plies := self.next_plies()[:most]:
            self.ply += len(plies)
            self.animation.begin(plies)
            self.waiting_seconds = 0.0

    # ---- the commands of a viewer

    def play_or_pause(self) -> None:
        """Continues a paused game, or pauses a playing one."""
        self.goal = inf if self.is_paused else self.ply

    def step(self, *, is_round: bool = False) -> None:
        """Pauses one ply after the present goal, or after the ply shown if the game plays.

        With `is_round` it pauses at the end of the round, or of the next one if the goal is already the end of a round.
        """
        target = int(max(self.goal, self.ply)) if self.is_paused else self.ply
        goal = target + (self.length - self._place(target) if is_round else 1)
        self.goal = min(goal, len(self.plies)) if self.is_complete else goal

    def jump(self, ply: int) -> None:
        """Shows the position after `ply` plies at once, or the latest that is available, and pauses."""
        self.ply = self.goal = max(0, min(ply, len(self.plies)))
        self.animation.jump(self.state)
        self.waiting_seconds = 0.0

    @property
    def round_begin(self) -> int:
        """The ply at which the present round began, or the round before if no agent has moved in this one."""
        return self.ply - (self._place(self.ply) or self.length)

    def _place(self, count: int) -> int:
        """The number of agents that have moved in the present round after `count` plies."""
        available = min(count, len(self.plies))
        state = self.position(available)
        return (state.round.order.index(state.mover) + count - available) % self.length

    def stop(self) -> None:
        """Stops the thread that plays the game, which remembers the plies, and the ply shown."""
        self._is_stopped = True
        self._permits.release()
        self._thread.join(STOP_SECONDS)
        self.game.plies, self.game.ply = self.plies, self.ply
