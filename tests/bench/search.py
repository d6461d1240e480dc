"""How many nodes *-minimax enters on random trees, relative to an exhaustive search, and the published ratios.

`TREE_SETS` defines the trees; tree number i of a set comes from `Random(f"{seed}/{name}/{i}")`. Every edge has a random
label, uniform from 0 to 1. The value of a leaf is the mean of the labels on its path, so siblings have similar values,
as positions of a game do. The bounds are [L, U] = [0, 1], and all outcomes are equally likely.
`nodes` counts every entry, as the published figures do, with the second entry of a probed outcome and with table hits.
`distinct` counts each node once. In the best order every MAX and MIN node has its successors sorted by their values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from random import Random
from statistics import fmean
from typing import Any

from pacman import compiled
from pacman.core.rounds import round_of
from pacman.core.tree import Layer
from pacman.search.algorithms import Options, make_search, run_search
from pacman.search.bounds import constant_bounds
from tests.bench.engine import StoredNode, middle
from tests.bench.figures import Figure, interleaved, timed

SEED = "star"


@dataclass(frozen=True)
class TreeSet:
    """A set of uniform trees, with the published ratios of nodes or of leaves.

    A node at depth d has the layer layers[d % len(layers)].
    """

    name: str
    layers: tuple[Layer, ...]
    branching: int
    depth: int
    best_order: bool
    published: tuple[tuple[str, float], ...]
    measure: str = "nodes"
    trees: int = 20

    @property
    def nodes(self) -> int:
        """The number of nodes in each tree."""
        return sum(self.branching**depth for depth in range(self.depth + 1))


_REGULAR = (Layer.MAX, Layer.CHANCE, Layer.MIN, Layer.CHANCE)
_ONE_CHANCE = (Layer.MAX, Layer.CHANCE, Layer.MIN)
TREE_SETS = (
    TreeSet("max/chance/min/chance, random order", _REGULAR, 4, 6, False, (("star1", 0.81), ("star2", 0.57))),
    TreeSet("max/chance/min/chance, best order", _REGULAR, 4, 6, True, (("star1", 0.69), ("star2", 0.28))),
    TreeSet("max/chance/min, random order", _ONE_CHANCE, 4, 6, False, (("star1", 0.62), ("star2", 0.50))),
    TreeSet("max/chance/min, best order", _ONE_CHANCE, 4, 6, True, (("star1", 0.35), ("star2", 0.18))),
    TreeSet("regular trees, branching 20", _ONE_CHANCE, 20, 3, False, (("star1", 0.80), ("star2", 0.42)), "leaves", 60),
)


def random_tree(tree_set: TreeSet, rng: Random) -> StoredNode:
    """A random tree of the set."""

    def grow(depth: int, labels: float) -> StoredNode:
        if depth == tree_set.depth:
            return StoredNode(Layer.MAX, labels / depth)
        layer = tree_set.layers[depth % len(tree_set.layers)]
        return StoredNode.inner(layer, [grow(depth + 1, labels + rng.random()) for _ in range(tree_set.branching)])

    tree = grow(0, 0.0)
    return best_first(tree)[0] if tree_set.best_order else tree


def best_first(tree: StoredNode) -> tuple[StoredNode, float]:
    """The same tree with the successors of every MAX and MIN node sorted, the best for its mover first; and its value.

    The mean of a CHANCE node is added up in the order of an exhaustive search.
    """
    if tree.is_terminal:
        return tree, tree.score
    below = {action: best_first(tree.successor(action)) for action in tree.actions()}
    if tree.layer is Layer.CHANCE:
        value = sum(p * below[action][1] for action, p in tree.outcomes())
    else:
        below = dict(sorted(below.items(), key=lambda each: each[1][1], reverse=tree.layer is Layer.MAX))
        value = next(iter(below.values()))[1]
    successors = {action: child for action, (child, _) in below.items()}
    return StoredNode(tree.layer, 0, successors, tree.outcomes()), value


def ratios(sets: tuple[TreeSet, ...] = TREE_SETS) -> Iterator[dict[str, Any]]:
    """One row per set and algorithm: the mean ratios of nodes and of leaves to those of the exhaustive search."""
    options = Options(bounds=constant_bounds(0, 1))
    for each in sets:
        trees = [random_tree(each, Random(f"{SEED}/{each.name}/{index}")) for index in range(each.trees)]
        for name, published in each.published:
            counts = [run_search(name, tree, each.depth, options).statistics for tree in trees]
            row = {
                "nodes": fmean(count.entries for count in counts) / each.nodes,
                "distinct": fmean(count.nodes for count in counts) / each.nodes,
                "leaves": fmean(count.leaves for count in counts) / each.branching**each.depth,
            }
            about = {"trees": each.name, "algorithm": name, "count": each.trees, "measure": each.measure}
            yield {**about, **row, "ratio": row[each.measure], "published": published}


def search(repeats: int) -> Iterator[Figure]:
    """The ratios with the published ones, and the speed of the compiled searches."""
    for row in ratios():
        yield Figure(
            f"{row['algorithm']}, {row['trees']}",
            row["ratio"],
            f"of the {row['measure']} of an exhaustive search",
            f"mean of {row['count']} trees from Random('{SEED}/...'), with entries counted as in the published figures",
            f"published {row['published']:.2f}",
        )
    yield from kernel(repeats)


KERNEL = (
    ("exhaustive", "meadow", ("optimal", "optimal"), 12, 6),
    ("exhaustive", "smallish", ("random", "optimal"), 21, 9),
    ("alphabeta", "meadow", ("optimal", "optimal"), 18, 8),
    ("star1", "meadow", ("random", "optimal"), 13, 6),
)
"""A search, layout, ghosts, and plies of the compiled and of the Python search, which is slower."""


def kernel(repeats: int) -> Iterator[Figure]:
    """The nodes per second of the compiled searches, and the ratios to the Python searches; nothing without numba."""
    if not find_spec("numba"):
        return
    options = Options(bounds=constant_bounds(-1500, 1500))
    for name, layout, ghosts, plies, short in KERNEL:
        state = middle(layout).with_round(round_of(ghosts))
        nodes, few = (compiled.run(name, state, each, options).statistics.nodes for each in (plies, short))
        fast, slow = interleaved(
            repeats,
            partial(compiled.run, name, state, plies, options),
            partial(make_search(name, options).visit, state, short),
        )
        about = f"{plies} plies, {' and '.join(ghosts)} ghosts, from ply 30 of a random game: {nodes} nodes"
        title = f"kernel, {name} on {layout}"
        yield timed(title, [nodes / each for each in fast], "nodes/s", about)
        ratios = [nodes / one / (few / other) for one, other in zip(fast, slow, strict=True)]
        yield timed(f"{title}, relative to Python", ratios, "times", f"Python with {short} plies", "at least 60")
