"""Star1: alpha-beta with cuts at chance nodes too, which need bounds [L, U] on every value."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, ulp

from pacman.core.tree import Evaluation, Layer, Line, Node, score
from pacman.search.alphabeta import AlphaBeta
from pacman.search.base import Hook, check_plies, check_window, checked_outcomes, leaf_value
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
    """The value of `node`, `plies` ahead inside the window (alpha, beta), and the best action.

    The search is fail-soft, like `alphabeta`. If v is the exhaustive value and r is the returned value:
        alpha < r < beta  =>  r == v        r <= alpha  =>  v <= r        r >= beta  =>  v >= r
    Take a CHANCE node with b equal outcomes, of which `left` are not yet searched, and let S be the sum of the values
    of the others. The search leaves the node as soon as
        (S + left * U) / b <= alpha    or    (S + left * L) / b >= beta.
    It searches the outcomes in their order. The first best action wins. The action is None if the bounds alone give
    the answer. The search never enters a node that `exhaustive` does not enter. ValueError if the value of a leaf is
    outside its bounds, if the bounds are not finite, if `plies` is negative, or if the window is empty.
    Ballard 1983; Hauk, Buro & Schaeffer 2004, figure 4.

    >>> from pacman.core.tree_text import Outline
    >>> from pacman.search.bounds import constant_bounds
    >>> tree = Outline.parse("max\\n  a: 4\\n  b: chance\\n    x: 2\\n    y: -1\\n    z: 9")
    >>> star1(tree, 2, constant_bounds(-10, 10))
    Line(value=4, action='a')
    """
    check_plies(plies)
    check_window(alpha, beta)
    return Star1(bounds, evaluate).visit(node, plies, alpha, beta)


class Branch(Interval):
    """One outcome of a chance node during the search, with the interval of its value."""

    __slots__ = ("action", "probability")

    def __init__(self, action: str, probability: float, lo: float, hi: float) -> None:
        super().__init__(lo, hi)
        self.action, self.probability = action, probability


def lower_bound(branches: Sequence[Branch]) -> float:
    """LO: the lower bound on the value of the chance node.

    The sum has the order of the outcomes, like the mean of an exhaustive search. Rounding is monotonic, so LO is never
    above that mean, not even by one bit. If the value of every branch is known, LO is exactly that mean.
    """
    total = 0.0
    for branch in branches:
        total += branch.probability * branch.lo
    return total


def upper_bound(branches: Sequence[Branch]) -> float:
    """HI: the upper bound on the value of the chance node, added in the same order as `lower_bound`."""
    total = 0.0
    for branch in branches:
        total += branch.probability * branch.hi
    return total


def window(branches: Sequence[Branch], branch: Branch, alpha: float, beta: float) -> tuple[float, float]:
    """The window (A, B) for `branch`, if its chance node has the window (alpha, beta).

    If the value of this branch is <= A, then HI <= alpha, even if all other branches reach their upper ends. If it is
    >= B, then LO >= beta. With the probability p of the branch:
        A = (alpha - (HI - p * hi)) / p        B = (beta - (LO - p * lo)) / p
    Both are limited to [lo, hi]. A and B move outwards by the few bits of the rounding error. So a branch that fails
    low or high always causes a cut, and the value of any other branch is exact.
    """
    lo, hi, p = branch.lo, branch.hi, branch.probability
    if p == 0:
        return lo, hi
    upper, lower = upper_bound(branches), lower_bound(branches)
    a = (alpha - (upper - p * hi)) / p
    b = (beta - (lower - p * lo)) / p
    # Each loop asks the sums that the search will ask, with this end of the window as the value: rounding may let them
    # miss the cut, so the end moves outwards by 1, 2, 4, ... units in the last place until they do not.
    if a > lo:
        step = ulp(max(abs(upper), abs(hi)))
        branch.hi = a
        while a > lo and upper_bound(branches) > alpha:
            branch.hi = a = a - step
            step *= 2
        branch.hi = hi
    if b < hi:
        step = ulp(max(abs(lower), abs(lo)))
        branch.lo = b
        while b < hi and lower_bound(branches) < beta:
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
            if not lo <= value <= hi:  # with wrong bounds, cuts can be wrong
                raise ValueError(
                    f"the evaluation {value:g} of this node lies outside its bounds [{lo:g}, {hi:g}]:\n{node}"
                )
            return Line(value, None)
        if hi <= alpha:
            return Line(hi, None)
        if lo >= beta:
            return Line(lo, None)
        # No action is better than U for MAX or than L for MIN, so the first action that reaches it ends the search.
        layer = node.layer
        if layer is MAX:
            beta = min(beta, hi)
        elif layer is MIN:
            alpha = max(alpha, lo)
        return super().visit(node, plies, alpha, beta)

    def chance_value(self, node: Node, plies: int, alpha: float, beta: float) -> float:
        return self.search_outcomes(node, self.branches(node, plies), plies, alpha, beta)

    def branches(self, node: Node, plies: int) -> list[Branch]:
        """The outcomes of a chance node. At first, the interval of each outcome is that of the node's bounds."""
        lo, hi = self.bounds(node, plies)
        branches = [Branch(action, probability, lo, hi) for action, probability in checked_outcomes(node)]
        for hook in self.hooks:
            hook.begin_chance(node, branches)
        return branches

    def search_outcomes(self, node: Node, branches: list[Branch], plies: int, alpha: float, beta: float) -> float:
        """The value of a chance node: searches its outcomes in order until the mean is known or outside the window."""
        for branch in branches:
            a, b = window(branches, branch, alpha, beta)
            branch.learn(self.follow(node, branch.action, plies - 1, a, b), a, b)
            if upper_bound(branches) <= alpha:
                return upper_bound(branches)
            if lower_bound(branches) >= beta:
                break
        return lower_bound(branches)
