"""The base class of the searches, their hooks, and the checks of arguments and nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf, isnan
from typing import Any, NoReturn

from pacman.core.tree import Evaluation, Line, Node, score

MASS_ERROR = 1e-9
"""The largest allowed difference between the sum of a node's probabilities and 1, from rounding."""

Step = Callable[[Any, int, float, float], Line]
"""A function of a node, the plies left, alpha and beta, that searches the node in the window (alpha, beta)."""


class Hook:
    """A part that can be added to a search. It can observe, answer or stop each step. A subclass overrides methods.

    Traces, tables, orders that learn and time limits are hooks.
    """

    def visit(self, search: Step, node: Any, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        """The value and action of `node` for the search: `search(node, plies, alpha, beta)`, or another answer."""
        return search(node, plies, alpha, beta)

    def begin_probe(self, node: Any, plies: int, alpha: float, beta: float) -> None:
        """Star2 calls this before a probe: it may now search some moves of `node`, to get a bound on its value."""

    def end_probe(self, node: Any) -> None:
        """Star2 calls this after a probe of `node`."""

    def begin_chance(self, node: Any, branches: Sequence[Any]) -> None:
        """Star1 and Star2 call this with the outcomes of a CHANCE node, whose intervals they then narrow."""

    def recall(self, node: Any, plies: int, alpha: float, beta: float, value: float) -> None:
        """Star2 calls this when it uses the `value` of `node` from a probe and does not search it again."""


class Search:
    """A recursive search. It calls itself through `visit`, and so through its hooks. The last hook is the outermost."""

    def __init__(self, evaluate: Evaluation = score, hooks: Sequence[Hook] = ()) -> None:
        self.evaluate = evaluate
        self.hooks = hooks
        for hook in hooks:
            # Set on the object: a search without hooks calls the method of its class and loses no time.
            self.visit = partial(hook.visit, self.visit)  # type: ignore[method-assign]

    def visit(self, node: Node, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        """The value of `node`, `plies` ahead in the window (alpha, beta), and the best action."""
        raise NotImplementedError


def check_plies(plies: int) -> None:
    """Raises ValueError unless `plies` is a whole number, 0 or more."""
    if isinstance(plies, bool) or not isinstance(plies, int) or plies < 0:
        raise ValueError(f"plies must be a whole number, 0 or more, not {plies!r}")


def check_window(alpha: float, beta: float) -> None:
    """Raises ValueError unless alpha < beta."""
    if not alpha < beta:
        raise ValueError(f"alpha must be less than beta, but the window is ({alpha}, {beta})")


def leaf_value(node: Node, evaluate: Evaluation) -> float:
    """`evaluate(node)`. ValueError names the node if the value is not a number."""
    value = evaluate(node)
    if value != value:
        raise ValueError(f"the evaluation of this node is {value}, not a number:\n{node}")
    return value


def checked_outcomes(node: Node) -> Sequence[tuple[str, float]]:
    """`node.outcomes()`. ValueError names the node unless the probabilities are 0 or more and sum to 1."""
    outcomes = node.outcomes()
    mass = 0.0
    for action, probability in outcomes:
        if probability < 0 or isnan(probability):
            problem = f"the probability of '{action}' must be 0 or more, not {probability:g}"
            raise ValueError(f"{problem}, at this chance node:\n{node}")
        mass += probability
    if abs(mass - 1) > MASS_ERROR:
        raise ValueError(f"the probabilities must sum to 1, not to {mass:g}, at this chance node:\n{node}")
    return outcomes


def raise_no_actions(node: Node) -> NoReturn:
    """Raises ValueError for a node that is not terminal but has no actions."""
    raise ValueError(f"this {node.layer.value} node is not terminal and has no actions:\n{node}")
