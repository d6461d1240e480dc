"""The Node protocol: the members of a position that a search uses. Drawn trees, tic-tac-toe and Pacman have them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, Self


class Layer(Enum):
    """Who decides at a node."""

    MAX = "max"
    CHANCE = "chance"
    MIN = "min"

    def __repr__(self) -> str:
        return self.name


class Node(Protocol):
    """A position in a game tree."""

    @property
    def layer(self) -> Layer:
        """Who decides here: MAX, MIN or CHANCE."""

    @property
    def is_terminal(self) -> bool:
        """True at the end of the game, where nobody moves."""

    @property
    def score(self) -> float:
        """The value for MAX without a search: the utility at a terminal node, an estimate at any other node."""

    def actions(self) -> Sequence[str]:
        """The legal actions, in a fixed order in which every search tries them. Empty at a terminal node."""

    def successor(self, action: str) -> Self:
        """The position after `action`. This position does not change."""

    def outcomes(self) -> Sequence[tuple[str, float]]:
        """At a CHANCE node: every action with its probability, in the order of `actions()`. They sum to 1."""


def read_only(path: str | Sequence[str], doc: str = "") -> Any:
    """A read-only property for an attribute path. It costs 18 ns more than the slot; a `def` costs 25 ns more."""
    return property(attrgetter(path) if isinstance(path, str) else attrgetter(*path), doc=doc)


class NodeWrapper:
    """A node that contains another node, `inside`. A subclass changes one thing; everything else comes from `inside`.

    Wrappers are equal if the nodes inside them are equal. So a table of positions recognises a wrapped node.
    """

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    inside: Node = read_only("_node", "The original node, which this node wraps.")
    layer: Layer = read_only("_node.layer", "Who decides here: MAX, MIN or CHANCE.")
    is_terminal: bool = read_only("_node.is_terminal", "True at the end of the game.")
    score: float = read_only("_node.score", "The score of the wrapped node.")

    def actions(self) -> Sequence[str]:
        """The actions of the node inside."""
        return self._node.actions()

    def outcomes(self) -> Sequence[tuple[str, float]]:
        """The outcomes of the node inside."""
        return self._node.outcomes()

    def __getattr__(self, name: str) -> Any:
        """The members that only some nodes have, for example Pacman's ghosts and food, or the name in a drawn tree."""
        if name.startswith("_"):  # copying and pickling look for such names before the slots are set
            raise AttributeError(name)
        return getattr(self._node, name)

    def __eq__(self, other: object) -> bool:
        return self._node == (other._node if isinstance(other, NodeWrapper) else other)

    def __hash__(self) -> int:
        return hash(self._node)

    def __str__(self) -> str:
        return str(self._node)


class Line(NamedTuple):
    """The result of a search: the value of a node and the best action there (None if nobody chooses).

    >>> Line(3, "a1")
    Line(value=3, action='a1')
    """

    value: float
    action: str | None


Evaluation = Callable[[Any], float]
"""The value of a node for MAX. A search calls it at terminal nodes and at the horizon."""


def score(node: Node) -> float:
    """The default evaluation: `node.score`."""
    return node.score
