"""What every search asks of its arguments and of the nodes that it meets, and the errors that say what was wrong.

A search is an object with one method, `visit(node, plies, ...)`, and it always calls itself through that name.
So whoever replaces `search.visit` sees, answers or stops every step: tracing, the transposition table, move
ordering and the clock all work from outside, and a search without them pays nothing for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import NoReturn

from pacman.core.tree import Evaluation, Node

MASS_ERROR = 1e-9
"""How far a node's probabilities may sum from 1: the rounding of thousands of outcomes, and no more."""


def check_plies(plies: int) -> None:
    """ValueError unless `plies` is a whole number from 0."""
    if isinstance(plies, bool) or not isinstance(plies, int) or plies < 0:
        raise ValueError(f"a search looks 0 or more plies ahead, not {plies!r}")


def check_window(alpha: float, beta: float) -> None:
    """ValueError unless alpha < beta."""
    if not alpha < beta:
        raise ValueError(f"a window needs alpha < beta, not ({alpha}, {beta})")


def leaf_value(node: Node, evaluate: Evaluation) -> float:
    """`evaluate(node)`; ValueError names the node if that is not a number."""
    value = evaluate(node)
    if value != value:
        raise ValueError(f"the evaluation of this node is {value}, not a number:\n{node}")
    return value


def chances(node: Node) -> Sequence[tuple[str, float]]:
    """`node.outcomes()`; ValueError names the node unless they are probabilities that sum to 1."""
    outcomes = node.outcomes()
    mass = 0.0
    for action, probability in outcomes:
        if probability < 0 or isnan(probability):
            raise ValueError(f"the probability of '{action}' is {probability:g}, below 0, at this chance node:\n{node}")
        mass += probability
    if abs(mass - 1) > MASS_ERROR:
        raise ValueError(f"the probabilities sum to {mass:g}, not to 1, at this chance node:\n{node}")
    return outcomes


def no_actions(node: Node) -> NoReturn:
    """ValueError for a node that is not at an end, and yet has no actions."""
    raise ValueError(f"this {node.layer.value} node is not terminal and has no actions:\n{node}")
