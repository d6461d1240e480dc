"""What every search is, what may take part in it, and what it asks of its arguments and of the nodes that it meets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf, isnan
from typing import Any, NoReturn

from pacman.core.tree import Evaluation, Line, Node, score

MASS_ERROR = 1e-9
"""How far a node's probabilities may sum from 1: the rounding of thousands of outcomes, and no more."""

Step = Callable[[Any, int, float, float], Line]
"""Searches a node so many plies ahead in the window (alpha, beta)."""


class Hook:
    """Takes part in a search: sees, answers or stops its steps. A subclass overrides those that it is about.

    Traces, tables, orders that learn and time limits are hooks.
    """

    def visit(self, search: Step, node: Any, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        """What the search gets as the value of `node`: `search(node, plies, alpha, beta)`, or another answer."""
        return search(node, plies, alpha, beta)

    def begin_probe(self, node: Any, plies: int, alpha: float, beta: float) -> None:
        """Star2 may now search some moves of `node`, to bound its value from one side."""

    def end_probe(self, node: Any) -> None:
        """The probe of `node` is over."""

    def recall(self, node: Any, plies: int, alpha: float, beta: float, value: float) -> None:
        """Star2 takes the `value` of `node` from a probe instead of searching it again."""


class Search:
    """A recursion that calls itself by the name `visit`, and so through its hooks; the last one is the outermost."""

    def __init__(self, evaluate: Evaluation = score, hooks: Sequence[Hook] = ()) -> None:
        self.evaluate = evaluate
        self.hooks = hooks
        for hook in hooks:
            # Of this object alone: a search without hooks calls its class's method, and pays nothing for hooks.
            self.visit = partial(hook.visit, self.visit)  # type: ignore[method-assign]

    def visit(self, node: Node, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        """The value of `node` looking `plies` ahead in the window (alpha, beta), and the action that earns it."""
        raise NotImplementedError


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
