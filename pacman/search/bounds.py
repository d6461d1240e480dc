"""Bounds [L, U] on the values below a node. *-minimax needs them to cut at a chance node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from pacman.core.tree import Evaluation

Bounds = Callable[[Any, int], tuple[float, float]]
"""`bounds(node, plies)` is (L, U): all values of the evaluation, at most `plies` below `node`, lie in [L, U]."""


@dataclass(frozen=True)
class ConstantBounds:
    """The same bounds for every node and every horizon. ValueError unless they are finite and low <= high.

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
    """`evaluate` with its values limited to [low, high]. The result declares [low, high] as its bounds.

    ValueError unless both bounds are finite and low <= high.

    >>> clipped(lambda node: 99, -10, 10)(None)
    10
    """

    def clipped_value(node: Any) -> float:
        return min(max(evaluate(node), low), high)

    clipped_value.bounds = ConstantBounds(low, high)  # type: ignore[attr-defined]
    return clipped_value


def declared_bounds(evaluate: Evaluation) -> Bounds | None:
    """The bounds that an evaluation declares in its attribute `bounds`, or None without this attribute."""
    bounds: Bounds | None = getattr(evaluate, "bounds", None)
    return bounds


class Interval:
    """What a search knows of a value: it lies in [lo, hi]. The value is exact if lo == hi."""

    __slots__ = ("hi", "lo")

    def __init__(self, lo: float = -inf, hi: float = inf) -> None:
        self.lo, self.hi = lo, hi

    def learn(self, value: float, alpha: float, beta: float) -> None:
        """Narrows [lo, hi] with the value that a fail-soft search returned for the window (alpha, beta).

        A value at or below alpha is an upper bound. It is exact if alpha <= lo, because no value is below lo.
        """
        exact_below, exact_above = alpha <= self.lo, beta >= self.hi
        if value > alpha or exact_below:
            self.lo = value
        if value < beta or exact_above:
            self.hi = value

    def answer(self, alpha: float, beta: float) -> float | None:
        """The fail-soft answer to a search in the window (alpha, beta), or None if [lo, hi] is not narrow enough."""
        if self.lo == self.hi or self.hi <= alpha:
            return self.hi
        return self.lo if self.lo >= beta else None
