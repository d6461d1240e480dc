"""Move ordering: which action to search first. A good first move makes every cut come sooner, and changes no value.

A search sees a node's actions only through `actions()`, so a node that lists them in another order is enough.
Orders that learn are told of the actions that cut.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from pacman.core.errors import InputError, nearest
from pacman.core.layers import Layer
from pacman.core.tree import Line, Node, StandIn

KILLERS = 2
"""How many killers are kept for each depth, the newest first (Akl & Newborn 1977 keep two)."""


class Order(Protocol):
    """In which order to search the actions of a MAX or MIN node."""

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        """The actions of `node`, which is `depth` plies below the root, most promising first."""

    def learn(self, node: Node, depth: int, plies: int, action: str) -> None:
        """`action` was the best at `node`, or enough to leave it, with `plies` left there."""


class Given:
    """The node's own order."""

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        return node.actions()

    def learn(self, node: Node, depth: int, plies: int, action: str) -> None:
        pass


class Reverse(Given):
    """The node's own order, from its end."""

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        return node.actions()[::-1]


class ByScore(Given):
    """By the successors' scores, the mover's best first. Makes every successor once more to look at it."""

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        best_first = node.layer is Layer.MAX
        return sorted(node.actions(), key=lambda action: node.successor(action).score, reverse=best_first)


class Killer:
    """The actions that last cut at the same depth first: a threat is mostly a threat in the sister nodes too."""

    def __init__(self) -> None:
        self.killers: dict[int, list[str]] = defaultdict(list)

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        killers = self.killers[depth]
        return sorted(node.actions(), key=lambda action: killers.index(action) if action in killers else KILLERS)

    def learn(self, node: Node, depth: int, plies: int, action: str) -> None:
        killers = [action, *(killer for killer in self.killers[depth] if killer != action)]
        self.killers[depth] = killers[:KILLERS]


class History:
    """The actions that cut most often first, anywhere in the tree; cuts high above count more (Schaeffer 1983)."""

    def __init__(self) -> None:
        self.weights: dict[tuple[Layer, str], int] = defaultdict(int)

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        return sorted(node.actions(), key=lambda action: -self.weights[node.layer, action])

    def learn(self, node: Node, depth: int, plies: int, action: str) -> None:
        self.weights[node.layer, action] += 1 << min(plies, 60)


class Previous:
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


GIVEN = "given"
_ORDERS: dict[str, Callable[[], Order]] = {
    GIVEN: Given,
    "reverse": Reverse,
    "score": ByScore,
    "killer": Killer,
    "history": History,
}
ORDERS = tuple(_ORDERS)


def order_named(name: str) -> Order:
    """A fresh order of that name; InputError for an unknown one."""
    if name not in _ORDERS:
        raise InputError(f"no order '{name}': {nearest(name, ORDERS)}")
    return _ORDERS[name]()


class Ordered(StandIn):
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

    def successor(self, action: str) -> Ordered:
        return Ordered(self._node.successor(action), self._order, self.depth + 1)


def teach(search: Any, order: Order) -> None:
    """From now on `search`, given an `Ordered` node, tells `order` of the action that each node is left with."""
    inside = search.visit

    def visit(node: Ordered, plies: int, *window: float) -> Line:
        line: Line = inside(node, plies, *window)
        if line.action is not None and (not window or _decided(node.layer, line.value, *window)):
            order.learn(node.inside, node.depth, plies, line.action)
        return line

    search.visit = visit


def _decided(layer: Layer, value: float, alpha: float, beta: float) -> bool:
    """True unless every action failed: then none of them is known to be better than the others."""
    return value > alpha if layer is Layer.MAX else value < beta
