"""The nodes that *-minimax saves on the standard random trees, compared with the published ratios."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pacman.search import constant_bounds, exhaustive, run_search
from pacman.search.algorithms import STARS, Options
from tests.bench.search import TREE_SETS, TreeSet, best_first, random_tree, ratios, tally

POINTS = 0.03


@pytest.mark.slow("that compare searches", keep=1)
@pytest.mark.parametrize("tree_set", TREE_SETS, ids=lambda tree_set: tree_set.name)
def test_the_ratios_are_close_to_the_published_ones(tree_set: TreeSet) -> None:
    """Half of the trees are enough; `make bench` searches all of them."""
    rows = {row["algorithm"]: row for row in ratios(sets=(replace(tree_set, trees=tree_set.trees // 2),))}
    for row in rows.values():
        assert abs(row["ratio"] - row["published"]) <= POINTS, row
    assert rows["star2"]["distinct"] <= rows["star2"]["nodes"] < rows["star1"]["nodes"] < 1


def test_the_best_order_changes_no_value() -> None:
    tree = random_tree(TREE_SETS[0], Random(1))
    sorted_tree, value = best_first(tree)
    result = run_search("exhaustive", sorted_tree, 6)
    assert result.value == value == pytest.approx(exhaustive(tree, 6).value)
    assert result.statistics.nodes == TREE_SETS[0].nodes == tree.size()
    assert exhaustive(sorted_tree, 6).action == sorted_tree.actions()[0]


@pytest.mark.slow("that compare searches", keep=2)
@pytest.mark.parametrize("tree_set", TREE_SETS, ids=lambda tree_set: tree_set.name)
def test_the_counts_of_the_benchmark_are_those_of_the_statistics(tree_set: TreeSet) -> None:
    tree = random_tree(tree_set, Random(2))
    options = Options(bounds=constant_bounds(0, 1))
    for name in STARS:
        counts = tally(name, tree, tree_set.depth, options)
        expected = run_search(name, tree, tree_set.depth, options).statistics
        assert (counts.entries, len(counts.nodes), counts.leaves) == (expected.entries, expected.nodes, expected.leaves)
