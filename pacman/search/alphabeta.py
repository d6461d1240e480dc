"""Alpha-beta: the value of an exhaustive search without the parts of the tree that cannot change it."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from pacman.core.tree import Evaluation, Layer, Line, Node, score
from pacman.search.base import Hook, Search, check_plies, check_window, checked_outcomes, leaf_value, raise_no_actions

MAX, CHANCE = Layer.MAX, Layer.CHANCE  # looking up a member of an enum takes 20 ns, at every node


def alphabeta(
    node: Node,
    plies: int,
    evaluate: Evaluation = score,
    alpha: float = -inf,
    beta: float = inf,
    strict: bool = False,
) -> Line:
    """The value of `node`, `plies` ahead inside the window (alpha, beta), and the best action.

    The search is fail-soft. If v is the exhaustive value and r is the returned value:
        alpha < r < beta  =>  r == v        r <= alpha  =>  v <= r        r >= beta  =>  v >= r
    The search leaves a MAX node when r >= beta and a MIN node when r <= alpha. With `strict`, it needs r > beta or
    r < alpha. Below a CHANCE node the window is (-inf, inf) again, because one outcome does not bound a mean.

    The first best action wins. In the best case, the search enters 2 b^(plies/2) nodes. ValueError if `plies` is
    negative or the window is empty. Knuth & Moore 1975, section 4; Russell & Norvig, figure 5.7.

    >>> from pacman.core.tree_text import Outline
    >>> alphabeta(Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 2\\n    y: 100"), plies=2)
    Line(value=3, action='a')
    """
    check_plies(plies)
    check_window(alpha, beta)
    return AlphaBeta(evaluate, strict).visit(node, plies, alpha, beta)


class AlphaBeta(Search):
    """The recursion of `alphabeta`. The *-minimax searches differ from it only at chance nodes."""

    def __init__(self, evaluate: Evaluation = score, strict: bool = False, hooks: Sequence[Hook] = ()) -> None:
        super().__init__(evaluate, hooks)
        self.strict = strict

    def visit(self, node: Node, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        if plies == 0 or node.is_terminal:
            return Line(leaf_value(node, self.evaluate), None)
        layer = node.layer
        if layer is CHANCE:
            return Line(self.chance_value(node, plies, alpha, beta), None)
        best: Line | None = None
        for action in node.actions():
            value = self.follow(node, action, plies - 1, alpha, beta)
            if layer is MAX:
                if best is None or value > best.value:
                    best = Line(value, action)
                    if value > alpha:
                        alpha = value
            elif best is None or value < best.value:
                best = Line(value, action)
                if value < beta:
                    beta = value
            if alpha > beta or (alpha == beta and not self.strict):
                break
        return best or raise_no_actions(node)

    def follow(self, node: Node, action: str, plies: int, alpha: float, beta: float) -> float:
        """The value of the successor after `action`, with `plies` left there."""
        return self.visit(node.successor(action), plies, alpha, beta).value

    def chance_value(self, node: Node, plies: int, alpha: float, beta: float) -> float:
        """The value of a CHANCE node. Every outcome is searched in the window (-inf, inf)."""
        mean = 0.0
        for action, probability in checked_outcomes(node):
            mean += probability * self.follow(node, action, plies - 1, -inf, inf)
        return mean
