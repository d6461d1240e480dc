"""An evaluation that is not the score: the score of each node is negated, and the evaluation negates it again."""

from __future__ import annotations

from typing import Any

from pacman.core.tree import NodeWrapper


class NegatedScore(NodeWrapper):
    """A node whose score is the negative of the score of the node inside."""

    __slots__ = ()

    @property
    def score(self) -> float:  # type: ignore[override]
        """The negative of the score inside."""
        return -self._node.score

    def successor(self, action: str) -> NegatedScore:
        """The wrapped successor."""
        return NegatedScore(self._node.successor(action))


def negated_score(node: Any) -> float:
    """The score before it was negated: of a node, or of a Berkeley-style state."""
    score: float = node.getScore() if hasattr(node, "getScore") else node.score
    return -score
