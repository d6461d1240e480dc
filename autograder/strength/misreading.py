"""Searches that take one layer for another at some nodes: the same search, on nodes that name another layer there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pacman.core.layers import Layer
from pacman.core.tree import Node, NodeWrapper


@dataclass(frozen=True)
class Misreading:
    """A search takes a node of the layer `own` for one of the layer `other`, if the node is at this place.

    The place is the layer above (`below`), or that it is at least the `row`th node in a row of its layer, or its
    `depth`. None stands for any.
    """

    own: Layer
    other: Layer
    below: Layer | None = None
    row: int | None = None
    depth: int | None = None

    def __str__(self) -> str:
        place = f" below {self.below!r}" if self.below else ""
        place += f", number {self.row} or later in a row" if self.row else ""
        place += f" at depth {self.depth}" if self.depth is not None else ""
        return f"{self.own!r}{place}"


def misreadings(layers: Sequence[Layer]) -> Iterator[Misreading]:
    """Every misreading of a question with these layers."""
    for own in layers:
        for other in layers:
            if own is not other:
                yield Misreading(own, other)
                yield from (Misreading(own, other, below=below) for below in layers)
                yield from (Misreading(own, other, row=row) for row in (2, 3))
                yield from (Misreading(own, other, depth=depth) for depth in range(5))


class MisreadNode(NodeWrapper):
    """A node that names another layer where the misreading applies. Each outcome then is equally likely."""

    __slots__ = ("_above", "_depth", "_misreading", "_row")

    def __init__(
        self, node: Node, misreading: Misreading, above: Layer | None = None, row: int = 1, depth: int = 0
    ) -> None:
        super().__init__(node)
        self._misreading = misreading
        self._above = above
        self._row = row
        self._depth = depth

    @property
    def layer(self) -> Layer:  # type: ignore[override]
        """The layer that the search takes the node for."""
        own, rule = self._node.layer, self._misreading
        applies = (
            own is rule.own
            and rule.below in (None, self._above)
            and (rule.row is None or self._row >= rule.row)
            and rule.depth in (None, self._depth)
        )
        return rule.other if applies else own

    def outcomes(self) -> Sequence[tuple[str, float]]:
        """The outcomes; equally likely where the node inside is no CHANCE node."""
        if self._node.layer is Layer.CHANCE:
            return self._node.outcomes()
        return [(action, 1 / len(self.actions())) for action in self.actions()]

    def successor(self, action: str) -> MisreadNode:
        """The successor, with the same misreading."""
        successor, own = self._node.successor(action), self._node.layer
        row = self._row + 1 if not successor.is_terminal and successor.layer is own else 1
        return MisreadNode(successor, self._misreading, own, row, self._depth + 1)
