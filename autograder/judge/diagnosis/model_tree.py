"""Trees whose nodes have numbers, and the places in them that a search may tell apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from autograder.judge.wrong_searches import plies_of_round
from pacman.core.tree import Layer, Node
from pacman.record.trace import Trace

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE


class TreeNode:
    """A node of such a tree. Its children are made when somebody first needs them."""

    __slots__ = ("node", "number", "layer", "is_terminal", "actions", "probabilities", "children", "tree", "parent")

    def __init__(self, node: Node, tree: ModelTree, parent: TreeNode | None, path: tuple[str, ...]) -> None:
        self.node = node
        self.tree = tree
        self.parent = parent
        self.number = len(tree.paths)
        tree.paths.append(path)
        self.layer = node.layer
        self.is_terminal = node.is_terminal
        self.actions: tuple[str, ...] = tuple(node.actions())
        self.probabilities: tuple[float, ...] = ()
        if self.layer is CHANCE and not self.is_terminal:
            self.probabilities = tuple(probability for _, probability in node.outcomes())
        self.children: list[TreeNode | None] = [None] * len(self.actions)

    @property
    def score(self) -> float:
        """The evaluation of the node; ValueError if the tree gives it none."""
        return self.node.score

    @property
    def spot(self) -> Spot:
        """Where the node stands."""
        if self.parent is None:
            return self.tree.spot
        above = self.parent.spot
        return above.below(self, above.left - 1)

    def child(self, index: int) -> TreeNode:
        """The successor by the action with this index."""
        child = self.children[index]
        if child is None:
            action = self.actions[index]
            path = (*self.tree.paths[self.number], action)
            child = self.children[index] = TreeNode(self.node.successor(action), self.tree, self, path)
        return child


class ModelTree:
    """What a search is asked: a root, the plies to look ahead, and the length of a round.

    The evaluation is a node's score plus `shift`. `own_rounds` is the number of rounds that the agent was created with.
    `round_length` is the number of plies in a round; 0 to find it from the layers.
    """

    def __init__(self, root: Node, plies: int, shift: float = 0.0, own_rounds: int = 1, round_length: int = 0) -> None:
        self.paths: list[tuple[str, ...]] = []
        """The path of each node, by its number."""
        self.plies = plies
        self.shift = shift
        self.own_rounds = own_rounds
        self.root = TreeNode(root, self, None, ())
        self.round_length = round_length or plies_of_round(root)

    def nodes_of(self, trace: Trace) -> list[TreeNode] | None:
        """The nodes of a trace by their numbers there; None if it names an illegal action."""
        nodes = [self.root]
        for parent, action in trace.edges():
            above = nodes[parent]
            if action not in above.actions:  # a terminal node has none
                return None
            nodes.append(above.child(above.actions.index(action)))
        return nodes

    @property
    def spot(self) -> Spot:
        """Where the root stands."""
        root = self.root
        turn = int(root.layer is not MAX)
        return Spot(root.layer, 0, self.plies, None, 1, turn, self.round_length, root.layer, len(root.actions))


class Spot(NamedTuple):
    """Where a node stands: what a search may go by instead of the layer."""

    layer: Layer
    depth: int
    """The number of plies from the root."""
    left: float
    """The number of plies that are left."""
    parent: Layer | None
    run: int
    """How many nodes of this layer are in a row on the path that ends here, at least 1."""
    turn: int
    """The number of plies since MAX moved; 0 at a MAX node. The first ghost has the turn 1."""
    round_length: int
    root: Layer
    """The layer of the root."""
    width: int
    """The number of actions."""

    def below(self, child: TreeNode, left: float) -> Spot:
        """Where a child of this node stands, with `left` plies left there."""
        layer = child.layer
        return Spot(
            layer,
            self.depth + 1,
            left,
            self.layer,
            self.run + 1 if layer is self.layer else 1,
            0 if layer is MAX else self.turn + 1,
            self.round_length,
            self.root,
            len(child.actions),
        )

    @property
    def ends_round(self) -> bool:
        """True if the last agent of a round moves here."""
        return self.turn + 1 >= self.round_length


class Place(NamedTuple):
    """A kind of spot, with words about it: what follows "MIN nodes", or a whole phrase, where `{L}` is the layer."""

    has: Callable[[Spot], bool]
    nodes: str | None = None
    phrase: str = ""

    def at(self, layer: Layer | None) -> str:
        """The beginning of a sentence, for nodes of a layer or of all layers."""
        name = f"{layer.name} " if layer else ""
        return self.phrase.format(L=name) if self.nodes is None else f"At {name}nodes{self.nodes}"


PLACES: dict[str, Place] = {
    "everywhere": Place(lambda spot: True, nodes=""),
    "at the root": Place(lambda spot: spot.depth == 0, phrase="If the root is a {L}node, then at the root"),
    "below the root": Place(lambda spot: spot.depth > 0, nodes=" below the root"),
    "below another of its layer": Place(
        lambda spot: spot.run >= 2, phrase="At a {L}node directly below another {L}node"
    ),
    "first of its layer": Place(
        lambda spot: spot.run == 1, phrase="At a {L}node that is not directly below another {L}node"
    ),
    "below a max node": Place(lambda spot: spot.parent is MAX, phrase="At a {L}node directly below a MAX node"),
    "below a min node": Place(lambda spot: spot.parent is MIN, phrase="At a {L}node directly below a MIN node"),
    "below a chance node": Place(
        lambda spot: spot.parent is CHANCE, phrase="At a {L}node directly below a CHANCE node"
    ),
    "first ghost": Place(lambda spot: spot.turn == 1, phrase="At the {L}nodes of the first ghost after MAX"),
    "later ghost": Place(lambda spot: spot.turn >= 2, phrase="At the {L}nodes of the second ghost and of later ghosts"),
    "last ghost": Place(
        lambda spot: spot.turn > 0 and spot.ends_round, phrase="At the {L}nodes of the last ghost in a round"
    ),
    "with one ply left": Place(lambda spot: spot.left == 1, nodes=" with exactly one ply left"),
    "third of its layer": Place(lambda spot: spot.run >= 3, phrase="At the third of several {L}nodes in a row"),
    "at even depth": Place(
        lambda spot: spot.depth % 2 == 0, nodes=" at an even depth (0, 2, 4, ... plies below the root)"
    ),
    "at odd depth": Place(
        lambda spot: spot.depth % 2 == 1, nodes=" at an odd depth (1, 3, 5, ... plies below the root)"
    ),
    "with an even number of plies left": Place(
        lambda spot: spot.left % 2 == 0, nodes=" with an even number of plies left"
    ),
    "with an odd number of plies left": Place(
        lambda spot: spot.left % 2 == 1, nodes=" with an odd number of plies left"
    ),
    "with a single action": Place(lambda spot: spot.width == 1, nodes=" with a single action"),
}
"""By name; the first one that fits counts."""
