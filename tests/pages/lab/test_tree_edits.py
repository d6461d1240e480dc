"""Changes of a drawn tree: each one gives a tree that can be read, and says which node is selected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.pages.lab.tree_calls import draw
from autograder.pages.lab.tree_edits import edited
from pacman.core.errors import InputError
from pacman.core.tree_text import Outline

TREE = "max { a: 1; b: min ~4 =Bea { x: 0; y: 3 }; c: chance { u @1/4: 5; v @3/4: 6 } }"
CHANGES = [
    ("add", 0, "", "max { a: 1; b: min ~4 =Bea { x: 0; y: 3 }; c: chance { u @1/4: 5; v @3/4: 6 }; d: 0 }", 0),
    ("add", 1, "", "max { a: min { a: 1 }; b: min ~4 =Bea { x: 0; y: 3 }; c: chance { u @1/4: 5; v @3/4: 6 } }", 1),
    ("add", 5, "", "max { a: 1; b: min ~4 =Bea { x: 0; y: 3 }; c: chance { u: 5; v: 6; a: 0 } }", 5),
    ("delete", 2, "", "max { a: 1; c: chance { u @1/4: 5; v @3/4: 6 } }", 0),
    ("delete", 6, "", "max { a: 1; b: min ~4 =Bea { x: 0; y: 3 }; c: chance { v: 6 } }", 5),
    ("kind", 2, "", "max { a: 1; b: chance ~4 =Bea { x: 0; y: 3 }; c: chance { u @1/4: 5; v @3/4: 6 } }", 2),
    ("kind", 5, "", "max { a: 1; b: min ~4 =Bea { x: 0; y: 3 }; c: max { u: 5; v: 6 } }", 5),
    ("kind", 3, "", "max { a: 1; b: min ~4 =Bea { x: max { a: 0 }; y: 3 }; c: chance { u @1/4: 5; v @3/4: 6 } }", 3),
    ("value", 6, "-2.5", "max { a: 1; b: min ~4 =Bea { x: 0; y: 3 }; c: chance { u @1/4: -2.5; v @3/4: 6 } }", 6),
]


@pytest.mark.parametrize(("change", "node", "value", "after", "selected"), CHANGES)
def test_a_change(change: str, node: int, value: str, after: str, selected: int) -> None:
    assert edited(Outline.parse(TREE), change, node, value) == (Outline.parse(after), selected)


@pytest.mark.parametrize(
    ("change", "node", "value", "sentence"),
    [
        ("delete", 0, "", "the root cannot be deleted"),
        ("value", 0, "1", "only a leaf has a value: select a leaf"),
        ("value", 1, "one", "'one' is no number"),
        ("value", 1, "", "'' is no number"),
        ("add", 99, "", "the tree has no node 99"),
    ],
)
def test_what_a_node_does_not_allow(change: str, node: int, value: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        edited(Outline.parse(TREE), change, node, value)


def test_a_tree_that_is_one_leaf() -> None:
    assert edited(Outline.parse("3"), "add", 0) == (Outline.parse("max { a: 3 }"), 0)
    assert edited(Outline.parse("max { a: 3 }"), "delete", 1) == (Outline.parse("0"), 0)


@given(st.lists(st.tuples(st.sampled_from(["add", "delete", "kind"]), st.integers(0, 12)), max_size=12))
def test_any_changes_give_a_tree(changes: list[tuple[str, int]]) -> None:
    """Its text can be read again, and the page learns the parent of each node and the value of each leaf."""
    tree = Outline.parse(TREE)
    for change, number in changes:
        node = number % tree.size()
        if node or change != "delete":
            tree, selected = edited(tree, change, node)
            assert 0 <= selected < tree.size()
        assert Outline.parse(str(tree)) == tree
        drawn = draw(str(tree))
        assert len(drawn["parents"]) == tree.size()
        assert not {*drawn["leaves"]} & {*drawn["parents"]}
