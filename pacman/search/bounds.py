"""Bounds [L, U] on the values below a node: what *-minimax must know before it can cut at a chance node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from pacman.core.tree import Evaluation

Bounds = Callable[[Any, int], tuple[float, float]]
"""`bounds(node, plies)`: an interval that holds every value an evaluation can have `plies` below `node` and before."""


@dataclass(frozen=True)
class ConstantBounds:
    """The same bounds for every node, at every horizon; ValueError unless they are finite and low <= high.

    >>> constant_bounds(-10, 10)(None, 3)
    (-10, 10)
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (isfinite(self.low) and isfinite(self.high) and self.low <= self.high):
            raise ValueError(f"*-minimax needs finite bounds L <= U, not [{self.low:g}, {self.high:g}]")

    def __call__(self, node: Any, plies: int) -> tuple[float, float]:
        return self.low, self.high


constant_bounds = ConstantBounds


def clipped(evaluate: Evaluation, low: float, high: float) -> Evaluation:
    """`evaluate`, its values outside [low, high] moved to the nearer end; it declares them as its bounds.

    ValueError for bounds that are none.

    >>> clipped(lambda node: 99, -10, 10)(None)
    10
    """

    def within(node: Any) -> float:
        return min(max(evaluate(node), low), high)

    within.bounds = ConstantBounds(low, high)  # type: ignore[attr-defined]
    return within


def declared_bounds(evaluate: Evaluation) -> Bounds | None:
    """The bounds that an evaluation declares in its attribute `bounds`, None if it does not."""
    bounds: Bounds | None = getattr(evaluate, "bounds", None)
    return bounds


class Interval:
    """A value lies in [lo, hi]: exact when they are equal, a bound of one kind while the other end is infinite."""

    __slots__ = ("hi", "lo")

    def __init__(self, lo: float = -inf, hi: float = inf) -> None:
        self.lo, self.hi = lo, hi

    def learn(self, value: float, alpha: float, beta: float) -> None:
        """Tightens [lo, hi] by the value that a fail-soft search in the window (alpha, beta) returned.

        A value at or below alpha is an upper bound, unless alpha was `lo`: nothing lies below, so it is exact.
        """
        exact_below, exact_above = alpha <= self.lo, beta >= self.hi
        if value > alpha or exact_below:
            self.lo = value
        if value < beta or exact_above:
            self.hi = value

    def answer(self, alpha: float, beta: float) -> float | None:
        """The fail-soft answer to a search in the window (alpha, beta), if what is known is enough for one."""
        if self.lo == self.hi or self.hi <= alpha:
            return self.hi
        return self.lo if self.lo >= beta else None
