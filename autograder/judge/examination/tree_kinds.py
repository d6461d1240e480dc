"""What kinds of trees an examination can tell apart: by layers, depth, ghosts, ends, ties and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from weakref import WeakKeyDictionary

from autograder.judge.examination.model_tree import ModelTree
from autograder.judge.examination.questions import agents_of
from pacman.core.layers import Layer
from pacman.core.outline import Outline

LARGE = 10_000
"""From this size on, a number is very large."""


class TreeFacts:
    """What is in the part of a drawn tree that a right search looks at: down to the horizon."""

    def __init__(self, tree: ModelTree) -> None:
        root = tree.root.node
        assert isinstance(root, Outline)
        self.tree, self.plies, self.other_evaluation = root, tree.plies, bool(tree.shift)
        self.rows: list[list[Outline]] = []
        """The searched nodes, by depth."""
        self.numbers: list[float] = []
        """The values of the ends and of the nodes at the horizon."""
        self.has_early_end = False
        row = [root]
        for depth in range(tree.plies + 1):
            searched = [] if depth == tree.plies else [node for node in row if not node.is_terminal]
            leaves = row if depth == tree.plies else [node for node in row if node.is_terminal]
            scores = [node.evaluation if node.utility is None else node.utility for node in leaves]
            self.numbers += [(score or 0) + tree.shift for score in scores]
            self.has_early_end |= bool(leaves) and depth < tree.plies
            if searched:
                self.rows.append(searched)
            row = [branch for node in searched for _, branch in node.branches]

    @cached_property
    def nodes(self) -> list[Outline]:
        """The searched nodes."""
        return [node for row in self.rows for node in row]

    @cached_property
    def layers(self) -> frozenset[Layer]:
        """The layers of the searched nodes."""
        return frozenset(node.layer for node in self.nodes)

    @cached_property
    def sequence(self) -> tuple[Layer, ...]:
        """The layer at each depth; empty if nodes of different layers have the same depth."""
        by_depth = [{node.layer for node in row} for row in self.rows]
        return tuple(layer for (layer,) in by_depth) if all(len(each) == 1 for each in by_depth) else ()

    @cached_property
    def separating(self) -> tuple[bool, ...]:
        """Whether the tree is of each kind in `SEPARATING`, in that order."""
        return tuple(is_of_kind(self) for is_of_kind in SEPARATING.values())

    @property
    def root(self) -> Layer | None:
        """The layer of the root; None if it is an end or at the horizon."""
        return self.rows[0][0].layer if self.rows else None

    @cached_property
    def ghosts(self) -> int:
        """The largest number of ghosts that move one after another; at least 1."""
        return agents_of(self.tree) - 1

    @property
    def has_ties(self) -> bool:
        """True if a searched node has two children with equal numbers."""
        for node in self.nodes:
            values = [branch.utility if branch.is_terminal else branch.evaluation for _, branch in node.branches]
            if len(set(values)) < len(values):
                return True
        return False

    @property
    def has_equal_subtrees(self) -> bool:
        """True if two searched nodes have equal trees below them."""
        return len(set(self.nodes)) < len(self.nodes)

    @property
    def has_max_below_max(self) -> bool:
        """True if MAX moves twice in a row."""
        pairs = ((node, branch) for node in self.nodes for _, branch in node.branches if not branch.is_terminal)
        return any(node.layer is Layer.MAX is branch.layer for node, branch in pairs)


_facts: WeakKeyDictionary[ModelTree, TreeFacts] = WeakKeyDictionary()


def facts_of(tree: ModelTree) -> TreeFacts:
    """The facts about a drawn tree; remembered as long as the tree is."""
    facts = _facts.get(tree)
    if facts is None:
        facts = _facts[tree] = TreeFacts(tree)
    return facts


Kind = Callable[[TreeFacts], bool]
SEPARATING: dict[str, Kind] = {
    "in which a value is 0": lambda facts: 0 in facts.numbers,
    "in which a value is negative": lambda facts: any(number < 0 for number in facts.numbers),
    "in which a value has a fraction": lambda facts: any(number % 1 for number in facts.numbers),
    f"with numbers of {LARGE:,} or more": lambda facts: any(abs(number) >= LARGE for number in facts.numbers),
    "in which two actions of a node are equally good": lambda facts: facts.has_ties,
    "in which the game can end before the horizon": lambda facts: facts.has_early_end,
    "in which the same position occurs twice": lambda facts: facts.has_equal_subtrees,
    "in which MAX moves twice in a row": lambda facts: facts.has_max_below_max,
    "in which a node has only one action": lambda facts: any(len(node.branches) == 1 for node in facts.nodes),
    "whose evaluation is not the score": lambda facts: facts.other_evaluation,
    "with a MIN node as the root": lambda facts: facts.root is Layer.MIN,
    "with a CHANCE node as the root": lambda facts: facts.root is Layer.CHANCE,
    "with a MAX node": lambda facts: Layer.MAX in facts.layers,
    "with a MIN node": lambda facts: Layer.MIN in facts.layers,
    "with a CHANCE node": lambda facts: Layer.CHANCE in facts.layers,
    "with two or more ghosts": lambda facts: facts.ghosts >= 2,
    "with three ghosts": lambda facts: facts.ghosts >= 3,
    "that are two or more plies deep": lambda facts: facts.plies >= 2,
    "that are three or more plies deep": lambda facts: facts.plies >= 3,
    "that are four or more plies deep": lambda facts: facts.plies >= 4,
    "that are two or more rounds deep": lambda facts: facts.plies >= 2 * (facts.ghosts + 1),
    "without any move to search": lambda facts: facts.root is None,
}
"""Kinds that may separate the wrong answers from the right ones, in words that follow "trees"."""


SOUND_LAYERS = tuple(
    frozenset(layers)
    for layers in (
        (Layer.MAX, Layer.MIN),
        (Layer.MAX, Layer.CHANCE),
        (Layer.MIN, Layer.CHANCE),
        (Layer.MAX,),
        (Layer.MIN,),
        (Layer.CHANCE,),
    )
)
"""Kinds in which a wrong search may have no mistake, the widest ones first: trees of these layers only."""
SOUND_IN_ROUNDS: dict[str, Kind] = {
    "with one or two ghosts": lambda facts: facts.ghosts <= 2,
    "with one ghost": lambda facts: facts.ghosts == 1,
    "of one round": lambda facts: facts.plies <= facts.ghosts + 1,
}
"""The same for agents that move in rounds, in words that follow "trees"."""


def sound_kinds(trees: Sequence[TreeFacts], in_rounds: bool) -> Iterator[tuple[str, list[int]]]:
    """Each kind in words that follow "trees", with the indexes of its trees."""
    if in_rounds:
        for words, is_of_kind in SOUND_IN_ROUNDS.items():
            yield words, [index for index, facts in enumerate(trees) if is_of_kind(facts)]
        return
    for layers in SOUND_LAYERS:
        inside = [index for index, facts in enumerate(trees) if facts.layers and facts.layers <= layers]
        if layers == frozenset().union(*(trees[index].layers for index in inside)):
            words = " and ".join(layer.value.upper() for layer in Layer if layer in layers)
            yield f"of {words} nodes only", inside
