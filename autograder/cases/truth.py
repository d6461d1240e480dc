"""What is right in a case: values, best actions, sets of nodes, the line of play, and how to compare with them.

`autograder.cases.right_answer` derives it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

from autograder.cases.case import TOLERANCE, Case, PositionInput, TreeInput
from pacman.core.tree import Evaluation, Layer, Node, score
from pacman.record.trace import CountedNode, Trace
from pacman.search.alphabeta import alphabeta
from pacman.search.exhaustive import exhaustive
from pacman.search.ordering import ExcludedActions, OrderedNode

WITHOUT = " without "
"""Separates the name of a cut from the name of an action that the search leaves out."""
MAX_NODES = 500_000
"""The largest search, in nodes. A student's search of this size takes longer than a case, and no case comes near."""
MAX_PLIES = 100
"""The deepest search. Students' searches recurse, and Python ends a recursion of a thousand calls."""


@dataclass(frozen=True)
class RightNodes:
    """The nodes of a right search with this `cut`: two counts, and a digest of the set of generated nodes."""

    cut: str
    expanded: int
    generated: int
    nodes: str

    @property
    def touched(self) -> int:
        """The nodes that the search touches: the root, and those that it generates."""
        return self.generated + 1


@dataclass(frozen=True)
class RightMove:
    """The right result of one search: value, best actions (none if nobody chooses), and the nodes of right searches."""

    value: float
    best: tuple[str, ...]
    touched: tuple[RightNodes, ...]


@dataclass(frozen=True)
class CaseTruth:
    """The right answer to a case. `line` is every action in a position's line of play, with those of the ghosts."""

    moves: tuple[RightMove, ...]
    line: tuple[str, ...] = ()


def is_close(value: float, expected: float, tolerance: float = TOLERANCE) -> bool:
    """True if `value` differs from `expected` by at most the tolerance plus that share of `expected`.

    The default tolerance is one millionth. NaN is close to no value. An infinity is close only to itself.

    >>> is_close(1 / 3, 0.333333), is_close(2e9 + 1, 2e9), is_close(0.1, 0.11, 0.01)
    (True, True, True)
    >>> is_close(float("nan"), float("nan"))
    False
    """
    within = tolerance + tolerance * abs(expected)
    return value == expected or (isfinite(within) and abs(value - expected) <= within)


def best_actions(root: Node, plies: int, tolerance: float = 0, evaluate: Evaluation = score) -> list[str]:
    """Every best action of MAX or MIN at `root`, in the order of the actions."""
    values = {action: exhaustive(root.successor(action), plies - 1, evaluate).value for action in root.actions()}
    best = (max if root.layer is Layer.MAX else min)(values.values())
    return [action for action, value in values.items() if is_close(value, best, tolerance)]


def searched_roots(case: Case, truth: CaseTruth) -> Iterator[tuple[Node, int]]:
    """Each node that a case searches, with the number of plies to look ahead."""
    case_input = case.input
    if isinstance(case_input, TreeInput):
        yield case.root, case_input.plies
        return
    assert isinstance(case_input, PositionInput)
    state = case.start
    for action in (*truth.line, ""):
        if state.mover == 0:
            yield state, case_input.rounds * len(state.layers)
        if action:
            state = state.successor(action)


def size_problem(root: Node, plies: int) -> str:
    """The reason why a search of all nodes below `root` is too large; "" if it is not."""
    nodes, levels = 0, [iter((root,))]
    while levels:
        node = next(levels[-1], None)
        if node is None:
            levels.pop()
            continue
        nodes += 1
        if len(levels) > MAX_PLIES + 1:
            return f"the search is too deep; expected at most {MAX_PLIES} plies"
        if nodes > MAX_NODES:
            return f"the search is too large; expected at most {MAX_NODES:,} nodes"
        if len(levels) <= plies and not node.is_terminal:
            levels.append(map(node.successor, node.actions()))
    return ""


def right_trace(root: Node, plies: int, cut: str) -> Trace:
    """The trace of the right search of one node; `cut` is none, equal or strict.

    With a cut that ends in " without Stop" the search never tries the action Stop.
    """
    trace = Trace()
    cut, _, excluded_action = cut.partition(WITHOUT)
    if excluded_action:
        root = OrderedNode(root, ExcludedActions(excluded_action))
    if cut == "none":
        exhaustive(CountedNode(root, trace), plies)
    else:
        alphabeta(CountedNode(root, trace), plies, strict=cut == "strict")
    return trace


def least_nodes(root: Node, plies: int, cut: str = "none") -> int:
    """The number of nodes that every right search of `root` generates at least, in whatever order and with any memory.

    These are all successors of each node on one principal line: without them, nobody knows the value of the root. (The
    nodes of a line have different numbers of plies left, so a memory of equal positions saves none of them.) Outcomes
    with the probability 0 do not count. Of several principal lines, the one with the fewest nodes counts; at a chance
    node the line goes on at the outcome with the most nodes. `cut` is as in `right_trace`.

    >>> from pacman.core.tree_text import Outline
    >>> least_nodes(Outline.parse("max { a: 3; b: min { x: 2; y: chance { h: 0; t: 0 } } }"), 3)
    2
    """
    _, _, excluded_action = cut.partition(WITHOUT)
    if excluded_action:
        root = OrderedNode(root, ExcludedActions(excluded_action))
    return _value_and_least(root, plies)[1]


def _value_and_least(node: Node, plies: int) -> tuple[float, int]:
    """The value of a node, and the least number of nodes below it."""
    if not plies or node.is_terminal:
        return node.score, 0
    below = {action: _value_and_least(node.successor(action), plies - 1) for action in node.actions()}
    if node.layer is Layer.CHANCE:
        possible = {action: probability for action, probability in node.outcomes() if probability}
        mean = sum(probability * below[action][0] for action, probability in possible.items())
        return mean, len(possible) + max(below[action][1] for action in possible)
    value = (max if node.layer is Layer.MAX else min)(each for each, _ in below.values())
    return value, len(below) + min(least for each, least in below.values() if is_close(each, value))


def nodes_digest(trace: Trace) -> str:
    """A digest of the set of generated nodes; it does not depend on their order or on repeated nodes."""
    lines = sorted({"/".join(path) for path in trace.paths()})
    return hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()[:16]
