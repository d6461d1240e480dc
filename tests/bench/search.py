"""What *-minimax saves on random trees, beside the published figures: node ratios to a search without a cut.

The tree sets are written down here: so many trees of each kind, tree number i from `Random(f"{seed}/{name}/{i}")`.
Every edge carries a label drawn uniformly from 0 to 1, and a leaf is worth the mean of the labels on its path, so
that sisters resemble each other as positions of a game do; [L, U] = [0, 1]; all outcomes are equally likely.
`nodes` counts as the published figures do: every entry, a probed outcome's second one and a table's answer too;
`distinct` counts each node once. In the best order every MAX and MIN node lists its successors by their true values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from statistics import fmean
from typing import Any

from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.games.tictactoe import TicTacToe
from pacman.search.algorithms import Options, Statistics, find
from pacman.search.alphabeta import alphabeta
from pacman.search.bounds import everywhere
from pacman.search.exhaustive import exhaustive
from tests.bench.figures import Figure, interleaved, timed

SEED = "star"


@dataclass(frozen=True)
class TreeSet:
    """Uniform trees: a node at depth d belongs to layers[d % len(layers)]; published ratios of nodes or of leaves."""

    name: str
    layers: tuple[Layer, ...]
    branching: int
    depth: int
    best_order: bool
    published: tuple[tuple[str, float], ...]
    measure: str = "nodes"
    trees: int = 20


_REGULAR = (Layer.MAX, Layer.CHANCE, Layer.MIN, Layer.CHANCE)
_ONE_CHANCE = (Layer.MAX, Layer.CHANCE, Layer.MIN)
TREE_SETS = (
    TreeSet("max/chance/min/chance, random order", _REGULAR, 4, 6, False, (("star1", 0.81), ("star2", 0.57))),
    TreeSet("max/chance/min/chance, best order", _REGULAR, 4, 6, True, (("star1", 0.69), ("star2", 0.28))),
    TreeSet("max/chance/min, random order", _ONE_CHANCE, 4, 6, False, (("star1", 0.62), ("star2", 0.50))),
    TreeSet("max/chance/min, best order", _ONE_CHANCE, 4, 6, True, (("star1", 0.35), ("star2", 0.18))),
    TreeSet(
        "regular trees, branching 20",
        _ONE_CHANCE,
        20,
        3,
        False,
        (("star1", 0.80), ("star2", 0.42), ("star2.5", 0.30)),
        "leaves",
        trees=60,
    ),
)
CYCLIC_PROBES = 5
"""What Star2.5 probes of each outcome."""


def grown(tree_set: TreeSet, rng: Random) -> Outline:
    """One tree of the set."""

    def grow(depth: int, labels: float) -> Outline:
        if depth == tree_set.depth:
            return Outline(None, labels / depth)
        layer = tree_set.layers[depth % len(tree_set.layers)]
        children = [grow(depth + 1, labels + rng.random()) for _ in range(tree_set.branching)]
        branches = tuple((f"a{number}", child) for number, child in enumerate(children, 1))
        if layer is not Layer.CHANCE:
            return Outline(layer, None, branches)
        return Outline(layer, None, branches, (Fraction(1, len(branches)),) * len(branches))

    tree = grow(0, 0.0)
    return best_first(tree) if tree_set.best_order else tree


def best_first(tree: Outline) -> Outline:
    """The same tree, every MAX and MIN node's branches sorted by their values, the best for its mover first."""
    if tree.is_terminal:
        return tree
    branches = [(action, best_first(child)) for action, child in tree.branches]
    if tree.kind is not Layer.CHANCE:
        height = tree.height() - 1
        worth = {action: exhaustive(child, height).value for action, child in branches}
        branches.sort(key=lambda branch: worth[branch[0]], reverse=tree.kind is Layer.MAX)
    return replace(tree, branches=tuple(branches))


def ratios(seed: str = SEED, sets: tuple[TreeSet, ...] = TREE_SETS) -> Iterator[dict[str, Any]]:
    """A row for each set and algorithm: the mean ratio of nodes, and of leaves, to those of the exhaustive search."""
    options = Options(bounds=everywhere(0, 1))
    cyclic = replace(options, probes=CYCLIC_PROBES, cyclic=True)
    for tree_set in sets:
        found: dict[str, list[tuple[float, float, float]]] = {name: [] for name, _ in tree_set.published}
        for index in range(tree_set.trees):
            tree = grown(tree_set, Random(f"{seed}/{tree_set.name}/{index}"))
            full = find("exhaustive", tree, tree_set.depth).statistics
            for name, shares in found.items():
                shares.append(
                    _shares(find(name, tree, tree_set.depth, cyclic if name == "star2.5" else options).statistics, full)
                )
        for name, published in tree_set.published:
            nodes, distinct, leaves = (fmean(share) for share in zip(*found[name], strict=True))
            yield {
                "trees": tree_set.name,
                "algorithm": name,
                "count": tree_set.trees,
                "nodes": round(nodes, 4),
                "distinct": round(distinct, 4),
                "leaves": round(leaves, 4),
                "measure": tree_set.measure,
                "ratio": round(leaves if tree_set.measure == "leaves" else nodes, 4),
                "published": published,
            }


def _shares(part: Statistics, full: Statistics) -> tuple[float, float, float]:
    return part.entries / full.nodes, part.nodes / full.nodes, part.leaves / full.leaves


def search(repeats: int) -> Iterator[Figure]:
    """The ratios beside the published ones, and a race against a peer's searches where he is installed."""
    for row in ratios():
        yield Figure(
            f"{row['algorithm']}, {row['trees']}",
            row["ratio"],
            f"of the full search's {row['measure']}",
            f"mean of {row['count']} trees from Random('{SEED}/...'), entries counted as the published figures do",
            f"published {row['published']:.2f}",
        )
    yield from race(repeats)


def race(repeats: int) -> Iterator[Figure]:
    """Our Python searches beside OpenSpiel's (extra `peers`), both on the whole of tic-tac-toe in one process.

    Both enter the same nodes, each over its own states. Nothing where the peer is not installed.
    """
    try:
        import pyspiel
        from open_spiel.python.algorithms import minimax
    except ImportError:
        return
    game = pyspiel.load_game("tic_tac_toe")
    opening = game.new_initial_state().child(0)
    pairs: tuple[tuple[str, Callable[[], object], Callable[[], object]], ...] = (
        ("alpha-beta", lambda: alphabeta(TicTacToe(), 9), lambda: minimax.alpha_beta_search(game)),
        (
            "expectiminimax",
            lambda: exhaustive(TicTacToe().successor("1"), 8),
            lambda: minimax.expectiminimax(opening, 8, None, 0),
        ),
    )
    for name, ours, theirs in pairs:
        mine, others = interleaved(repeats, ours, theirs)
        yield timed(
            f"{name} beside OpenSpiel's",
            [other / one for one, other in zip(mine, others, strict=True)],
            "times its nodes/s",
            "tic-tac-toe from empty (alpha-beta) or after the first square, both in Python, in one process",
            "at least 1",
        )
