"""A node from which one action is left out, wherever there is another: what a search sees that does not consider it."""

from __future__ import annotations

from collections.abc import Sequence

from pacman.core.layers import Layer
from pacman.core.tree import Node, StandIn


class Without(StandIn):
    """`node` and all below it without `action`. Chance nodes are as they were: nobody there could leave it out."""

    __slots__ = ("_action",)

    def __init__(self, node: Node, action: str) -> None:
        super().__init__(node)
        self._action = action

    def actions(self) -> Sequence[str]:
        every = self._node.actions()
        if self._node.layer is Layer.CHANCE:
            return every
        return tuple(action for action in every if action != self._action) or every

    def successor(self, action: str) -> Without:
        return Without(self._node.successor(action), self._action)
