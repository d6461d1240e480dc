"""Move ordering: which action to search first. A good first move makes every cut come sooner, and changes no value.

A search sees a node's actions only through `actions()`, so a node that lists them in another order is enough.
An order that learns is a hook of the search too, and so is told of the actions that cut.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from pacman.core.errors import InputError, nearest
from pacman.core.layers import Layer
from pacman.core.tree import Line, Node, NodeWrapper
from pacman.search.base import Hook, Step

KILLERS = 2
"""How many killers are kept for each depth, the newest first (Akl & Newborn 1977 keep two)."""


class Order(Hook):
    """In which order to search the actions of a MAX or MIN node: as they are given."""

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        """The actions of `node`, which is `depth` plies below the root, most promising first."""
        return node.actions()

    def learn(self, node: Node, depth: int, plies: int, action: str) -> None:
        """`action` was the best at `node`, or enough to leave it, with `plies` left there."""

    def visit(self, search: Step, node: Any, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        """Tells `learn` of the action that an `OrderedNode` node is left with, unless every action failed."""
        line = search(node, plies, alpha, beta)
        if line.action is not None and (line.value > alpha if node.layer is Layer.MAX else line.value < beta):
            self.learn(node.inside, node.depth, plies, line.action)
        return line


class Reverse(Order):
    """The node's own order, from its end."""

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        return node.actions()[::-1]


class ByScore(Order):
    """By the successors' scores, the mover's best first. Makes every successor once more to look at it."""

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        best_first = node.layer is Layer.MAX
        return sorted(node.actions(), key=lambda action: node.successor(action).score, reverse=best_first)


class Killer(Order):
    """The actions that last cut at the same depth first: a threat is mostly a threat in the sister nodes too."""

    def __init__(self) -> None:
        self.killers: dict[int, list[str]] = defaultdict(list)

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        killers = self.killers[depth]
        return sorted(node.actions(), key=lambda action: killers.index(action) if action in killers else KILLERS)

    def learn(self, node: Node, depth: int, plies: int, action: str) -> None:
        killers = [action, *(killer for killer in self.killers[depth] if killer != action)]
        self.killers[depth] = killers[:KILLERS]


class History(Order):
    """The actions that cut most often first, anywhere in the tree; cuts high above count more (Schaeffer 1983)."""

    def __init__(self) -> None:
        self.weights: dict[tuple[Layer, str], int] = defaultdict(int)

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        return sorted(node.actions(), key=lambda action: -self.weights[node.layer, action])

    def learn(self, node: Node, depth: int, plies: int, action: str) -> None:
        self.weights[node.layer, action] += 1 << min(plies, 60)


class Previous(Order):
    """The action that was best at this position when it was last searched, then the order of `rest`."""

    def __init__(self, rest: Order) -> None:
        self.best: dict[Node, str] = {}
        self.rest = rest

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        best = self.best.get(node)
        return sorted(self.rest.sort(node, depth), key=lambda action: action != best)

    def learn(self, node: Node, depth: int, plies: int, action: str) -> None:
        self.best[node] = action
        self.rest.learn(node, depth, plies, action)


class ExcludedActions(Order):
    """The node's own order without one action, wherever there is another: a search that does not consider it."""

    def __init__(self, action: str) -> None:
        self.action = action

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        every = node.actions()
        return tuple(action for action in every if action != self.action) or every


GIVEN = "given"
ORDERS: dict[str, Callable[[], Order]] = {
    GIVEN: Order,
    "reverse": Reverse,
    "score": ByScore,
    "killer": Killer,
    "history": History,
}


def order_named(name: str) -> Order:
    """A fresh order of that name; InputError for an unknown one."""
    if name not in ORDERS:
        raise InputError(f"no order '{name}': {nearest(name, ORDERS)}")
    return ORDERS[name]()


class OrderedNode(NodeWrapper):
    """A node like the one it holds, that lists its actions in another order."""

    __slots__ = ("_order", "depth")

    def __init__(self, node: Node, order: Order, depth: int = 0) -> None:
        super().__init__(node)
        self._order = order
        self.depth = depth

    def actions(self) -> Sequence[str]:
        if self._node.layer is Layer.CHANCE:
            return self._node.actions()
        return self._order.sort(self._node, self.depth)

    def successor(self, action: str) -> OrderedNode:
        return OrderedNode(self._node.successor(action), self._order, self.depth + 1)
