"""What *-minimax saves on the standard random trees, against the published ratios."""

from __future__ import annotations

from random import Random

import pytest

from pacman.search import exhaustive
from tests.bench.search import TREE_SETS, best_first, grown, ratios

POINTS = 0.03


@pytest.mark.slow
@pytest.mark.parametrize("tree_set", TREE_SETS, ids=lambda tree_set: tree_set.name)
def test_published_ratios(tree_set: object) -> None:
    rows = {row["algorithm"]: row for row in ratios(sets=(tree_set,))}  # type: ignore[arg-type]
    for row in rows.values():
        assert abs(row["ratio"] - row["published"]) <= POINTS, row
    assert rows["star2"]["distinct"] <= rows["star2"]["nodes"] < rows["star1"]["nodes"] < 1


def test_the_best_order_changes_no_value() -> None:
    tree = grown(TREE_SETS[0], Random(1))
    sorted_tree = best_first(tree)
    assert exhaustive(sorted_tree, 6).value == pytest.approx(exhaustive(tree, 6).value)
    assert exhaustive(sorted_tree, 6).action == sorted_tree.actions()[0]
