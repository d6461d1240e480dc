"""What a search needs to know of a position: the Node protocol. A drawn tree, tic-tac-toe and Pacman all have it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, Self

from pacman.layers import Layer


class Node(Protocol):
    """A position in a game tree.

    `actions()` come in a fixed order, which is the order of every search; none at a terminal node.
    """

    @property
    def layer(self) -> Layer:
        """Who decides here: MAX, MIN or CHANCE."""

    @property
    def is_terminal(self) -> bool:
        """True at an end, where nobody moves."""

    @property
    def score(self) -> float:
        """What the position is worth as it stands, from MAX's side: the utility at an end, a guess before it."""

    def actions(self) -> Sequence[str]: ...

    def successor(self, action: str) -> Self:
        """The position after `action`. This one is unchanged."""

    def outcomes(self) -> Sequence[tuple[str, float]]:
        """At a CHANCE node: every action with its probability, in the order of `actions()`; they sum to 1."""


class Line(NamedTuple):
    """What a search says of a node: its value, and the action that earns it (None where nobody chooses).

    >>> Line(3, "a1")
    Line(value=3, action='a1')
    """

    value: float
    action: str | None


Evaluation = Callable[[Any], float]
"""The worth of a node from MAX's side, asked at terminal nodes and at the horizon."""


def score(node: Node) -> float:
    """The evaluation that believes the board: `node.score`."""
    return node.score
