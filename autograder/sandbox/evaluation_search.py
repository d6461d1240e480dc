"""The grader's search in a case about an evaluation. The student's process only returns the values of the leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from autograder.sandbox.runner import Session, ends_if_unreadable
from autograder.student_process.messages import BadFrame
from pacman.core.state import GameState
from pacman.core.tree import Layer, Node


def choose_by_evaluation(session: Session, state: GameState, message: dict[str, Any], rounds: int) -> str:
    """The action that a search of `state`, `rounds` rounds deep, chooses with the submission's values of its leaves.

    `message` says the position to the process.
    SessionBroken if the submission does not return exactly one finite number for each leaf.
    """
    plies = rounds * len(state.layers)
    reply = session.ask("evaluate", plies=plies, **message)
    with ends_if_unreadable():
        return best_action(state, plies, read_values(reply))


def read_values(reply: dict[str, Any]) -> list[float]:
    """The values of the leaves in a reply; BadFrame unless they are a list of numbers.

    All numbers of a reply are finite: `messages.decode` refuses others.
    """
    values = reply.get("values")
    if type(values) is not list or any(type(value) not in (int, float) for value in values):
        raise BadFrame("the values of the leaves are not a list of numbers")
    return values


def best_action(root: Node, plies: int, values: Sequence[float]) -> str:
    """The best action at a MAX node, from the values of the leaves from left to right. On a tie the first action wins.

    BadFrame unless there is one value for each leaf. The time is proportional to the number of values, even if there
    are too few.

    >>> from pacman.core.tree_text import Outline
    >>> tree = Outline.parse("max\\n  a: min\\n    x: 0\\n    y: 0\\n  b: 0")
    >>> best_action(tree, 2, [5, 3, 4])
    'b'
    """
    left_to_right = iter(values)
    try:
        best = _children(root, plies, left_to_right)
    except StopIteration:
        raise BadFrame(f"expected one value for each leaf of the search, got only {len(values):,}") from None
    if surplus := len(list(left_to_right)):
        expected = f"{len(values) - surplus:,} values, one for each leaf of the search"
        raise BadFrame(f"expected {expected}, got {len(values):,}")
    return root.actions()[best.index(max(best))]


def action_values(root: Node, plies: int, values: Sequence[float]) -> list[float]:
    """The value of each action at `root`, from the values of the leaves from left to right; BadFrame if some miss.

    >>> from pacman.core.tree_text import Outline
    >>> tree = Outline.parse("max\\n  a: min\\n    x: 0\\n    y: 0\\n  b: 0")
    >>> action_values(tree, 2, [5, 3, 4])
    [3, 4]
    """
    try:
        return _children(root, plies, iter(values))
    except StopIteration:
        raise BadFrame("expected one value for each leaf of the search") from None


def _children(node: Node, plies: int, values: Iterator[float]) -> list[float]:
    """The value of each action, as `pacman.search.exhaustive` computes it; takes the next values for the leaves.

    Every action of the last ply leads to one leaf, which nobody needs to see.
    """
    if plies == 1:
        return [next(values) for _ in node.actions()]
    return [_value(node.successor(action), plies - 1, values) for action in node.actions()]


def _value(node: Node, plies: int, values: Iterator[float]) -> float:
    """The value of a node."""
    if plies == 0 or node.is_terminal:
        return next(values)
    children = _children(node, plies, values)
    if node.layer is Layer.CHANCE:
        mean = 0.0
        for (_, probability), value in zip(node.outcomes(), children, strict=True):
            mean += probability * value
        return mean
    return max(children) if node.layer is Layer.MAX else min(children)
