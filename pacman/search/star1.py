"""Star1: alpha-beta that also cuts at chance nodes, because it knows bounds [L, U] on every value."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, ulp

from pacman.core.layers import Layer
from pacman.core.tree import Evaluation, Line, Node, score
from pacman.search.alphabeta import AlphaBeta
from pacman.search.base import Hook, chances, check_plies, check_window, leaf_value
from pacman.search.bounds import Bounds, Interval

MAX, MIN = Layer.MAX, Layer.MIN


def star1(
    node: Node,
    plies: int,
    bounds: Bounds,
    evaluate: Evaluation = score,
    alpha: float = -inf,
    beta: float = inf,
) -> Line:
    """Value of `node` looking `plies` ahead inside the window (alpha, beta), and the action that earns it.

    Fail-soft, as `alphabeta` is: with v the exhaustive value and r the one returned,
        alpha < r < beta  =>  r == v        r <= alpha  =>  v <= r        r >= beta  =>  v >= r
    and below a CHANCE node of b equal outcomes, some searched (their sum S) and `left` not yet, it stops once
        (S + left * U) / b <= alpha    or    (S + left * L) / b >= beta.
    Outcomes are searched in order; the first best action wins; the action is None where the bounds alone answer.
    Never enters a node that `exhaustive` does not. ValueError if a leaf lies outside its bounds, if the bounds are
    not finite, `plies` is negative or the window is empty. Ballard 1983; Hauk, Buro & Schaeffer 2004, figure 4.

    >>> from pacman.core.outline import Outline
    >>> from pacman.search.bounds import constant_bounds
    >>> tree = Outline.parse("max\\n  a: 4\\n  b: chance\\n    x: 2\\n    y: -1\\n    z: 9")
    >>> star1(tree, 2, constant_bounds(-10, 10))
    Line(value=4, action='a')
    """
    check_plies(plies)
    check_window(alpha, beta)
    return Star1(bounds, evaluate).visit(node, plies, alpha, beta)


class Branch(Interval):
    """One outcome of a chance node while it is searched, and the interval that its value lies in."""

    __slots__ = ("action", "probability")

    def __init__(self, action: str, probability: float, lo: float, hi: float) -> None:
        super().__init__(lo, hi)
        self.action, self.probability = action, probability


def least(branches: Sequence[Branch]) -> float:
    """LO: the chance node is worth at least this.

    Added up in the order of the outcomes, as an exhaustive search adds its mean. Rounding keeps order, so this
    is never above that mean, not even by one bit; and once every branch is known, it is that mean.
    """
    total = 0.0
    for branch in branches:
        total += branch.probability * branch.lo
    return total


def most(branches: Sequence[Branch]) -> float:
    """HI: the chance node is worth at most this. Added up like `least`."""
    total = 0.0
    for branch in branches:
        total += branch.probability * branch.hi
    return total


def window(branches: Sequence[Branch], branch: Branch, alpha: float, beta: float) -> tuple[float, float]:
    """The window (A, B) for `branch`, when its chance node has (alpha, beta) and the others their intervals.

    At a value <= A of this branch, HI <= alpha even if all the others are as good as they can be; at a value >= B,
    LO >= beta. With p for its probability:
        A = (alpha - (HI - p * hi)) / p        B = (beta - (LO - p * lo)) / p
    both cut down to [lo, hi]. A and B are moved outwards by the few bits that rounding may have cost, so that
    a branch that fails low or high always cuts, and a branch that does not is exact.
    """
    lo, hi, p = branch.lo, branch.hi, branch.probability
    if p == 0:
        return lo, hi
    low, high = most(branches), least(branches)
    a = (alpha - (low - p * hi)) / p
    b = (beta - (high - p * lo)) / p
    if a > lo:
        step = ulp(max(abs(low), abs(hi)))
        branch.hi = a
        while a > lo and most(branches) > alpha:
            branch.hi = a = a - step
            step *= 2
        branch.hi = hi
    if b < hi:
        step = ulp(max(abs(high), abs(lo)))
        branch.lo = b
        while b < hi and least(branches) < beta:
            branch.lo = b = b + step
            step *= 2
        branch.lo = lo
    return max(lo, a), min(hi, b)


class Star1(AlphaBeta):
    """The recursion behind `star1`."""

    def __init__(self, bounds: Bounds, evaluate: Evaluation = score, hooks: Sequence[Hook] = ()) -> None:
        super().__init__(evaluate, hooks=hooks)
        self.bounds = bounds

    def visit(self, node: Node, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        lo, hi = self.bounds(node, plies)
        if plies == 0 or node.is_terminal:
            value = leaf_value(node, self.evaluate)
            if not lo <= value <= hi:  # with wrong bounds every cut may be wrong
                raise ValueError(
                    f"the evaluation {value:g} of this node lies outside its bounds [{lo:g}, {hi:g}]:\n{node}"
                )
            return Line(value, None)
        if hi <= alpha:
            return Line(hi, None)
        if lo >= beta:
            return Line(lo, None)
        # Nothing beats U for MAX or L for MIN: the first action that reaches it will do.
        layer = node.layer
        if layer is MAX:
            beta = min(beta, hi)
        elif layer is MIN:
            alpha = max(alpha, lo)
        return super().visit(node, plies, alpha, beta)

    def chance(self, node: Node, plies: int, alpha: float, beta: float) -> float:
        return self.settle(node, self.branches(node, plies), plies, alpha, beta)

    def branches(self, node: Node, plies: int) -> list[Branch]:
        """The outcomes of a chance node, each at first anywhere within the node's bounds."""
        lo, hi = self.bounds(node, plies)
        return [Branch(action, probability, lo, hi) for action, probability in chances(node)]

    def settle(self, node: Node, branches: list[Branch], plies: int, alpha: float, beta: float) -> float:
        """Searches the outcomes in turn, until all are known or their mean must lie outside (alpha, beta)."""
        for branch in branches:
            a, b = window(branches, branch, alpha, beta)
            branch.learn(self.follow(node, branch.action, plies - 1, a, b), a, b)
            if most(branches) <= alpha:
                return most(branches)
            if least(branches) >= beta:
                break
        return least(branches)
