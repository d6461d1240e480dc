"""Traces of searches that may be too large to keep, or too slow to wait for: the whole tree, or only its top."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from pacman.core.trace import Counted, Trace
from pacman.core.tree import Evaluation, Node


class Enough(BaseException):
    """A search has made so many nodes, or has taken so long, that it is stopped. No `except Exception` holds it up."""


class TooMany(Enough):
    """It has made too many nodes."""


class TooLate(Enough):
    """It has taken too long."""


class Capped(Trace):
    """A trace that stops its search: `TooMany` after `most` successors, `TooLate` after `seconds` by `clock`."""

    def __init__(self, most: float, seconds: float, clock: Callable[[], float]) -> None:
        super().__init__()
        self._most, self._seconds, self._clock = most, seconds, clock
        self._began = clock()

    def generate(self, parent: int, action: str) -> int:
        if len(self.made) >= self._most:
            raise TooMany(f"stopped after {self._most:,} nodes".replace(",", " "))
        self.look_at_clock()
        return super().generate(parent, action)

    def evaluation(self, evaluate: Evaluation) -> Evaluation:
        counted = super().evaluation(evaluate)

        def timed(node: Any) -> float:
            self.look_at_clock()
            return counted(node)

        return timed

    def look_at_clock(self) -> None:
        if self._clock() - self._began > self._seconds:
            raise TooLate(f"stopped after {self._seconds:g} s")


class Top(Counted):
    """A counted node whose successors are counted for `left` plies more, and plain nodes below that."""

    __slots__ = ("_left",)

    def __init__(self, node: Node, trace: Trace, number: int = 0, left: int = 0) -> None:
        super().__init__(node, trace, number)
        self._left = left

    def successor(self, action: str) -> Any:
        successor = self.inside.successor(action)
        if not self._left:
            return successor
        return Top(successor, self._trace, self._trace.generate(self.number, action), self._left - 1)


def traced(
    search: Callable[[Counted, Capped], object],
    root: Node,
    top: int,
    most: int,
    seconds: float,
    clock: Callable[[], float],
) -> tuple[Trace, str]:
    """The trace of `search(root, trace)`, and what is missing in it ("" if nothing is).

    A search of more than `most` nodes is run again with only the first `top` plies on record, so that at least the
    values there are known. After `seconds`, each time, it is stopped.
    """
    whole = Capped(most, seconds, clock)
    try:
        search(Counted(root, whole), whole)
        return whole, ""
    except TooLate as late:
        return whole, str(late)
    except TooMany:
        pass
    above = Capped(inf, seconds, clock)
    try:
        search(Top(root, above, left=top), above)
        return above, f"only the first {top} plies: more than {most:,} nodes".replace(",", " ")
    except TooLate as late:
        return above, str(late)
