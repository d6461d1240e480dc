"""Alpha-beta: the value of an exhaustive search, without the parts of the tree that cannot change it."""

from __future__ import annotations

from math import inf

from pacman.layers import Layer
from pacman.search.contract import check_plies
from pacman.tree import Evaluation, Line, Node, score


def alphabeta(
    node: Node,
    plies: int,
    evaluate: Evaluation = score,
    alpha: float = -inf,
    beta: float = inf,
    strict: bool = False,
) -> Line:
    """Value of `node` looking `plies` ahead inside the window (alpha, beta), and the action that earns it.

    Fail-soft. With v the exhaustive value and r the one returned:
        alpha < r < beta  =>  r == v        r <= alpha  =>  v <= r        r >= beta  =>  v >= r
    A MAX node is left at r >= beta and a MIN node at r <= alpha, once alpha >= beta (with `strict`: alpha > beta).
    Below a CHANCE node the window is opened again, since one outcome does not bound a mean.
    The first best action wins. At best 2 b^(plies/2) nodes. ValueError if `plies` is negative or the window is
    empty. Knuth & Moore 1975, section 4; Russell & Norvig, figure 5.7.

    >>> from pacman.outline import Outline
    >>> alphabeta(Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 2\\n    y: 100"), plies=2)
    Line(value=3, action='a')
    """
    check_plies(plies)
    if not alpha < beta:
        raise ValueError(f"a window needs alpha < beta, not ({alpha}, {beta})")
    return _search(node, plies, evaluate, alpha, beta, strict)


def _search(node: Node, plies: int, evaluate: Evaluation, alpha: float, beta: float, strict: bool) -> Line:
    if plies == 0 or node.is_terminal:
        return Line(evaluate(node), None)
    layer = node.layer
    if layer is Layer.CHANCE:
        mean = 0.0
        for action, probability in node.outcomes():
            mean += probability * _search(node.successor(action), plies - 1, evaluate, -inf, inf, strict).value
        return Line(mean, None)
    best: Line | None = None
    for action in node.actions():
        value = _search(node.successor(action), plies - 1, evaluate, alpha, beta, strict).value
        if layer is Layer.MAX:
            if best is None or value > best.value:
                best = Line(value, action)
            alpha = max(alpha, value)
        else:
            if best is None or value < best.value:
                best = Line(value, action)
            beta = min(beta, value)
        if alpha > beta or (alpha == beta and not strict):
            break
    if best is None:
        raise ValueError(f"this {layer.value} node is not terminal and has no actions:\n{node}")
    return best
