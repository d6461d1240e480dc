"""What a search needs to know of a position: the Node protocol. A drawn tree, tic-tac-toe and Pacman all have it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, Self

from pacman.core.layers import Layer


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


def read_only(path: str | Sequence[str], doc: str = "") -> Any:
    """A read-only property at the price of an attribute: 18 ns over a bare slot, a `def` costs 25."""
    return property(attrgetter(path) if isinstance(path, str) else attrgetter(*path), doc=doc)


class NodeWrapper:
    """A node in the place of the one `inside` it. A subclass changes one thing; all else is passed through.

    What it stands for decides what it equals, so a table of positions knows it again.
    """

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    inside: Node = read_only("_node", "The node itself, as if nobody stood before it.")
    layer: Layer = read_only("_node.layer")
    is_terminal: bool = read_only("_node.is_terminal")
    score: float = read_only("_node.score")

    def actions(self) -> Sequence[str]:
        return self._node.actions()

    def outcomes(self) -> Sequence[tuple[str, float]]:
        return self._node.outcomes()

    def __getattr__(self, name: str) -> Any:
        """What only some nodes have: Pacman's ghosts and food, a tree's name."""
        if name.startswith("_"):  # what copying and pickling ask an object without its slots filled
            raise AttributeError(name)
        return getattr(self._node, name)

    def __eq__(self, other: object) -> bool:
        return self._node == (other._node if isinstance(other, NodeWrapper) else other)

    def __hash__(self) -> int:
        return hash(self._node)

    def __str__(self) -> str:
        return str(self._node)


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
