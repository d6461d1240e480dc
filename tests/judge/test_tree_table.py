"""A large tree is folded to the path to the marked node, with the nodes next to the path."""

from __future__ import annotations

from autograder.judge.scorecard import NodeRow
from autograder.judge.tree_table import FOLDED_LINES, folded, folded_table, table
from pacman.core.tree_text import Outline

LEAVES = "{ a: 1; b: 2; c: 3 }"
TREE = Outline.parse(f"max {{ a: min {LEAVES}; b: min {LEAVES}; c: min {LEAVES}; d: min {LEAVES} }}")


def rows(tree: Outline, path: tuple[str, ...] = ()) -> list[NodeRow]:
    below = [row for action, branch in tree.branches for row in rows(branch, (*path, action))]
    return [NodeRow(path, "1", "2"), *below]


def test_a_small_tree_is_not_folded() -> None:
    small = Outline.parse(f"max {{ a: min {LEAVES} }}")
    assert folded_table(small, rows(small), ("a",), has_windows=False) == ()


def test_the_path_its_neighbours_and_the_successors_of_its_end_stay() -> None:
    lines = folded_table(TREE, rows(TREE), ("c",), has_windows=False)
    assert [line.split("  1")[0].rstrip() for line in lines[1:]] == [
        "max", "  a: min ...", "  b: min ...", "  c: min", "    a: leaf", "    b: leaf", "    c: leaf", "  d: min ...",
    ]  # fmt: skip
    (marked,) = [line for line in lines if line.endswith("<-- here")]
    assert marked.startswith("  c: min ")


def test_without_a_mark_the_root_and_its_successors_stay() -> None:
    assert [row.path for row in folded(rows(TREE), ())] == [(), ("a",), ("b",), ("c",), ("d",)]


def test_a_wide_tree_keeps_the_whole_path() -> None:
    wide = Outline.parse("max { " + "; ".join(f"n{number}: min {LEAVES}" for number in range(40)) + " }")
    kept = [row.path for row in folded(rows(wide), ("n39", "c"))]
    assert len(kept) == FOLDED_LINES
    assert {(), ("n39",), ("n39", "c"), ("n39", "a")} <= set(kept)


def test_the_whole_table_has_every_node() -> None:
    assert len(table(TREE, rows(TREE), ("c",), has_windows=True)) == 1 + len(rows(TREE))
