"""The visits of a watched search of a tree, and what would be right at them."""

from __future__ import annotations

from autograder.judge.diagnosis.model_tree import MAX, ModelTree, TreeNode
from autograder.judge.diagnosis.rules import weighted
from autograder.judge.diagnosis.run import Run
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.record.calls import Calls, UnreadableRecord
from pacman.record.trace import Trace


class WatchedTree(Calls):
    """A tree, the record of its watched search, and the visits in it, in the order in which they ended.

    UnreadableRecord if the record is not one of this tree.
    """

    def __init__(self, tree: Outline, plies: int, run: Run, round_length: int = 0) -> None:
        self.tree, self.run = tree, run
        self.model = ModelTree(tree, plies, round_length=round_length)
        trace = run.claim.trace if run.claim else None
        nodes = self.model.nodes_of(trace) if trace else []
        if nodes is None:
            raise UnreadableRecord("a node is not in the tree")
        super().__init__(nodes, plies, trace or Trace(), run.events if trace else (), run.functions)


def right_value(node: TreeNode, left: int) -> float:
    """The value of a node of a shared tree with so many plies left, by an exhaustive search."""
    if node.is_terminal or left <= 0:
        return float(node.node.score)
    values = [right_value(node.child(index), left - 1) for index in range(len(node.actions))]
    if node.layer is MAX:
        return max(values)
    return min(values) if node.layer is Layer.MIN else weighted(node.probabilities, values)
