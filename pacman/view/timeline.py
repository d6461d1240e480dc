"""A game as a list of plies that grows, a place in it, and where that place is going: the same live and recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf

from pacman.core.state import GameState
from pacman.play.game import Ply
from pacman.view.events import winnings
from pacman.view.ply_feed import PlyFeed
from pacman.view.protocol import ViewedGame

AHEAD = 2
"""Rounds that agents play ahead of what is shown."""


def is_round_over(ply: Ply) -> bool:
    """True when the next to move is the first of the round again, or nobody is."""
    state = ply.state
    return state.is_terminal or state.mover == state.round.order[0]


class Timeline:
    """`at` plies are shown; it goes on to `goal`, a number of plies, or infinity while the game plays.

    At its goal it is paused. The plies come from a thread, as far as the goal needs them: `pull` fetches them. A
    person's turns (`by_hand`) are asked for only when they are due, so that his latest key counts.
    """

    def __init__(self, showing: ViewedGame, *, by_hand: bool = False) -> None:
        self.start = showing.start
        self.plies: list[Ply] = []
        self.marks: list[tuple[int, int]] = []
        """Where points were won or lost that are worth a word: (plies made by then, points)."""
        self.at = 0
        self.goal = inf
        self._by_hand = by_hand
        self._length = len(showing.start.layers)
        self._feed = PlyFeed(showing)

    def state(self, at: int | None = None) -> GameState:
        """The position after `at` plies, by default as many as are shown."""
        at = self.at if at is None else at
        return self.plies[at - 1].state if at else self.start

    @property
    def is_paused(self) -> bool:
        return self.goal < inf

    @property
    def is_known(self) -> bool:
        """The whole game is in the list."""
        return self._feed.is_over

    @property
    def is_over(self) -> bool:
        """The end is shown. Raises what the showing raised, if that is how it ended."""
        if self.at < len(self.plies) or not self._feed.is_over:
            return False
        if self._feed.error is not None:
            raise self._feed.error
        return True

    @property
    def thinking(self) -> float:
        """For how many seconds the ply after the shown one has been thought about; 0 when it is there."""
        return self._feed.thinking if self.at == len(self.plies) else 0.0

    @property
    def rounds(self) -> int:
        """How many rounds have begun at the place that is shown."""
        return -(-self.at // self._length)

    def think_times(self) -> tuple[float, ...]:
        """By agent, the seconds that he thought about the last ply shown that he made."""
        found = [0.0] * self._length
        for ply in self.plies[max(0, self.at - len(found)) : self.at]:
            found[ply.agent] = ply.seconds
        return tuple(found)

    def pull(self, wait: float = 0.0) -> None:
        """Fetches what has come; waits at most so many seconds if nothing has."""
        due = len(self.plies) + 1 if self._by_hand else self.at + AHEAD * self._length
        for ply in self._feed.pull(int(self.goal) if self.is_paused else due, wait):
            before = self.state(len(self.plies))
            self.plies.append(ply)
            self.marks += [(len(self.plies), points) for points, _ in winnings(before, ply.state)]

    def beat(self) -> list[Ply]:
        """The plies that are there up to the end of the round or the goal, whichever comes first."""
        found: list[Ply] = []
        for count in range(self.at, int(min(self.goal, len(self.plies)))):
            found.append(self.plies[count])
            if is_round_over(found[-1]):
                break
        return found

    def is_whole(self, beat: list[Ply]) -> bool:
        """The beat needs no further ply."""
        return bool(beat) and (self.at + len(beat) >= self.goal or is_round_over(beat[-1]))

    def advance(self, plies: int) -> None:
        """So many more are shown."""
        self.at += plies

    def play_or_pause(self) -> None:
        self.goal = inf if self.is_paused else self.at

    def step(self) -> None:
        """One ply further than it was going."""
        self._go(self._target + 1)

    def step_round(self) -> None:
        """To the end of the round, or of the next one."""
        target = self._target
        self._go(target + self._length - self._place(target))

    def back(self) -> None:
        """One ply before the one shown."""
        self.seek(self.at - 1)

    def back_round(self) -> None:
        """To the beginning of the round, or of the one before."""
        self.seek(self.at - (self._place(self.at) or self._length))

    def seek(self, at: int) -> None:
        """Shows that place at once, and stays there."""
        self.at = max(0, min(at, len(self.plies)))
        self.goal = self.at

    @property
    def _target(self) -> int:
        return int(max(self.goal, self.at)) if self.is_paused else self.at

    def _go(self, goal: int) -> None:
        self.goal = min(goal, len(self.plies)) if self.is_known else goal

    def _place(self, count: int) -> int:
        """How many agents have moved in the round when `count` plies were made."""
        there = min(count, len(self.plies))
        state = self.state(there)
        return (state.round.order.index(state.mover) + count - there) % self._length

    def stop(self) -> None:
        self._feed.stop()


JUMPS: Mapping[str, Callable[[Timeline], None]] = {
    "back": Timeline.back,
    "back round": Timeline.back_round,
    "first": lambda timeline: timeline.seek(0),
    "last": lambda timeline: timeline.seek(len(timeline.plies)),
}
"""What a key does to a time line, by its command, where the place that is shown changes at once."""
MOVES: Mapping[str, Callable[[Timeline], None]] = {
    "play": Timeline.play_or_pause,
    "step": Timeline.step,
    "step round": Timeline.step_round,
    **JUMPS,
}
"""All that a key does to one."""
