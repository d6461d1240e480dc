"""Move ordering: which action a search tries first. A good first action gives earlier cuts and changes no value.

A search gets the actions of a node from `actions()`. An `OrderedNode` returns them in another order.
An order is also a hook of the search, so it can learn from the actions that cause cuts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from pacman.core.errors import InputError, nearest
from pacman.core.tree import Layer, Line, Node, NodeWrapper
from pacman.search.base import Hook, Step

KILLERS = 2
"""The number of killers per depth, newest first (two in Akl & Newborn 1977)."""


class Order(Hook):
    """The order in which a search tries the actions of a MAX or MIN node. This base class keeps the node's order."""

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        """The actions of `node`, which is `depth` plies below the root, most promising first."""
        return node.actions()

    def learn(self, node: Node, depth: int, plies: int, action: str) -> None:
        """Learns that `action` was the best at `node` or caused a cut there, with `plies` left."""

    def visit(self, search: Step, node: Any, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        """Searches an `OrderedNode`. Calls `learn` with the resulting action, unless no action improved the window."""
        line = search(node, plies, alpha, beta)
        if line.action is not None and (line.value > alpha if node.layer is Layer.MAX else line.value < beta):
            self.learn(node.inside, node.depth, plies, line.action)
        return line


class ByScore(Order):
    """By the scores of the successors, the mover's best first. It generates every successor one more time."""

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        best_first = node.layer is Layer.MAX
        return sorted(node.actions(), key=lambda action: node.successor(action).score, reverse=best_first)


class Killer(Order):
    """First the actions that last caused cuts at the same depth, because they often cut in sibling nodes too."""

    def __init__(self) -> None:
        self.killers: dict[int, list[str]] = defaultdict(list)

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        killers = self.killers[depth]
        return sorted(node.actions(), key=lambda action: killers.index(action) if action in killers else KILLERS)

    def learn(self, node: Node, depth: int, plies: int, action: str) -> None:
        killers = [action, *(killer for killer in self.killers[depth] if killer != action)]
        self.killers[depth] = killers[:KILLERS]


class PreviousBest(Killer):
    """First the action that was best in the last search of this position, then the killers."""

    def __init__(self) -> None:
        super().__init__()
        self.best: dict[Node, str] = {}

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        best = self.best.get(node)
        return sorted(super().sort(node, depth), key=lambda action: action != best)

    def learn(self, node: Node, depth: int, plies: int, action: str) -> None:
        self.best[node] = action
        super().learn(node, depth, plies, action)


class ExcludedActions(Order):
    """The node's order without one action, which a search then ignores. A node keeps it if it is the only action."""

    def __init__(self, action: str) -> None:
        self.action = action

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        actions = node.actions()
        return tuple(action for action in actions if action != self.action) or actions


GIVEN = "given"
ORDERS: dict[str, Callable[[], Order]] = {
    GIVEN: Order,
    "score": ByScore,
    "killer": Killer,
}


def make_order(name: str) -> Order:
    """A new order with this name. InputError for an unknown name."""
    if name not in ORDERS:
        raise InputError(f"no move order '{name}': {nearest(name, ORDERS)}")
    return ORDERS[name]()


class OrderedNode(NodeWrapper):
    """A wrapper around a node that lists the actions in another order."""

    __slots__ = ("_order", "depth")

    def __init__(self, node: Node, order: Order, depth: int = 0) -> None:
        super().__init__(node)
        self._order = order
        self.depth = depth

    def actions(self) -> Sequence[str]:
        """The actions in the order of `Order.sort`. A CHANCE node keeps its order."""
        if self._node.layer is Layer.CHANCE:
            return self._node.actions()
        return self._order.sort(self._node, self.depth)

    def successor(self, action: str) -> OrderedNode:
        """The successor after `action`, with the same ordering."""
        return OrderedNode(self._node.successor(action), self._order, self.depth + 1)
