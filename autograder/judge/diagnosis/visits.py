"""The visits of a watched search of a tree: where their nodes stand, and what would be right at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agents.cs188.tree import agents_of
from autograder.judge.diagnosis.run import Run, Search
from autograder.judge.diagnosis.steps import CHANCE, MAX
from pacman.core.tree import Layer, Node
from pacman.record.calls import Calls, UnreadableRecord
from pacman.record.trace import Trace


def weighted(weights: Sequence[float], values: Sequence[float]) -> float:
    """The sum of the products, added in order."""
    total = 0.0
    for weight, value in zip(weights, values, strict=True):
        total += weight * value
    return total


class Spot(NamedTuple):
    """Where a node stands: what a search may go by instead of the layer."""

    layer: Layer
    depth: int
    """The number of plies from the root."""
    left: int
    """The number of plies that are left."""
    parent: Layer | None
    run: int
    """How many nodes of this layer are in a row on the path that ends here, at least 1."""
    turn: int
    """The number of plies since MAX moved; 0 at a MAX node. The first ghost has the turn 1."""
    ends_round: bool
    """True if the last agent of a round moves here."""
    width: int
    """The number of actions."""


class TreeNode:
    """A node of a watched tree. Its children are made when somebody first needs them."""

    def __init__(self, node: Node, parent: TreeNode | None, plies: int, agents: int) -> None:
        self.node, self.parent, self.agents = node, parent, agents
        self.root: TreeNode = parent.root if parent else self
        self.layer, self.is_terminal = node.layer, node.is_terminal
        self.actions: tuple[str, ...] = tuple(node.actions())
        self.probabilities: tuple[float, ...] = ()
        if self.layer is CHANCE and not self.is_terminal:
            self.probabilities = tuple(probability for _, probability in node.outcomes())
        self.children: list[TreeNode | None] = [None] * len(self.actions)
        above: Spot | None = parent.spot if parent else None
        is_max, layer = self.layer is MAX, self.layer
        depth = above.depth + 1 if above else 0
        turn = 0 if is_max else above.turn + 1 if above else 1
        run = above.run + 1 if above and above.layer is layer else 1
        width = len(self.actions)
        self.spot: Spot = Spot(layer, depth, plies, above and above.layer, run, turn, turn + 1 >= agents, width)

    @property
    def score(self) -> float:
        """The evaluation of the node; ValueError if the tree gives it none."""
        return self.node.score

    def child(self, index: int) -> TreeNode:
        """The successor by the action with this index."""
        child = self.children[index]
        if child is None:
            successor = self.node.successor(self.actions[index])
            child = self.children[index] = TreeNode(successor, self, self.spot.left - 1, self.agents)
        return child


class WatchedTree(Calls):
    """A tree, the record of its watched search, and the visits in it, in the order in which they ended.

    UnreadableRecord if the record is not one of this tree.
    """

    def __init__(self, search: Search, run: Run) -> None:
        self.search, self.run, tree, plies = search, run, search.tree, search.plies
        trace = run.claim.trace if run.claim else None
        nodes = [TreeNode(tree, None, plies, agents_of(tree))]
        for parent, action in trace.edges() if trace else ():
            above = nodes[parent]
            if action not in above.actions:  # a terminal node has none
                raise UnreadableRecord("a node is not in the tree")
            nodes.append(above.child(above.actions.index(action)))
        super().__init__(nodes, plies, trace or Trace(), run.events if trace else (), run.functions)


def read_tree(search: Search, run: Run) -> WatchedTree | None:
    """The watched tree of a record; None for a record that no search of this tree gives."""
    try:
        return WatchedTree(search, run)
    except UnreadableRecord:
        return None


def right_value(node: TreeNode, left: int) -> float:
    """The value of a node with so many plies left, by an exhaustive search."""
    if node.is_terminal or left <= 0:
        return float(node.node.score)
    values = [right_value(node.child(index), left - 1) for index in range(len(node.actions))]
    if node.layer is MAX:
        return max(values)
    return min(values) if node.layer is Layer.MIN else weighted(node.probabilities, values)
