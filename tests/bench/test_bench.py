"""The benchmarks measure the right things: equal work, right counts, and a report with machine and seeds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from random import Random

import pytest

from pacman.core.state import GameState
from pacman.search import exhaustive, run_search
from tests.bench.__main__ import AREAS, run
from tests.bench.engine import StoredNode, middle, minimax, walk
from tests.bench.figures import Figure, interleaved, report, timed
from tests.bench.search import TREE_SETS, TreeSet, best_first, random_tree, ratios


def test_a_tree_in_memory_has_the_value_of_its_position() -> None:
    state = middle("smallish")
    tree = StoredNode.of(state, 4)
    assert minimax(tree, 4) == minimax(state, 4) == exhaustive(state, 4).value

    def count(node: GameState, plies: int) -> int:
        return 1 + sum(count(node.successor(action), plies - 1) for action in node.actions()) if plies else 1

    assert tree.size() == count(state, 4)
    assert walk("nook", 50) == 50


def test_a_figure_is_the_median_of_calls_that_alternate_after_one_that_is_not_measured() -> None:
    calls: list[str] = []
    rows = interleaved(2, lambda: calls.append("a"), lambda: calls.append("b"))
    assert calls == ["a", "b"] * 3
    assert [len(row) for row in rows] == [2, 2]
    figure = timed("n", [1.0, 2.0, 3.0, 4.0, 100.0], "ms", "m")
    assert (figure.value, figure.spread) == (3, 50.5)


def test_a_report_has_machine_versions_method_and_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    def fast(repeats: int) -> Iterator[Figure]:
        yield Figure("speed", 1234.5, "nodes/s", f"{repeats} times", "at least 60", 0.25)

    monkeypatch.setitem(AREAS, "fast", fast)  # type: ignore[arg-type]
    figures = run(3, ("fast",))
    text = report(figures)
    for words in ("speed: 1,234 ± 0.25 nodes/s   (goal: at least 60)", "3 times", "interleaved", "numba", "edq-pacai"):
        assert words in text
    output = json.loads(json.dumps(asdict(figures)))
    assert output["figures"][0]["value"] == 1234.5
    assert {"python", "system", "processor", "cores", "numpy"} <= output["machine"].keys()


# ---- the ratios of *-minimax


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
