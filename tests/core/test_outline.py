"""Drawn trees: reading is the inverse of writing, and each error names the line."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

PICTURE = """max
  West: min ~4 =Left
    West: 3 lost =End
    East: 12 won
  East: chance =Dice
    West @1/4: 2
    East @3/4: max
      West: 5.5"""


def test_reading_and_writing_a_drawing_gives_the_same_drawing() -> None:
    tree = Outline.parse(PICTURE)
    assert str(tree) == PICTURE
    assert Outline.parse(str(tree)) == tree
    assert (tree.size(), tree.height()) == (8, 3)
    assert tree.successor("West").score == 4
    assert tree.successor("East").outcomes() == (("West", 0.25), ("East", 0.75))


def test_comments_and_blank_lines_are_skipped() -> None:
    assert Outline.parse("# a tree\nmax  # the root\n\n  a: 1\r\n  b: 2  # best\n") == Outline.parse(
        "max\n  a: 1\n  b: 2"
    )


def test_equal_probabilities_are_the_default() -> None:
    tree = Outline.parse("chance\n  a: 1\n  b: 2\n  c: 3")
    assert tree.probabilities == (Fraction(1, 3),) * 3
    assert "@" not in str(tree)


names = st.text("abcXYZ01-_", min_size=1, max_size=4)
numbers = st.one_of(st.integers(-(10**9), 10**9), st.floats(allow_nan=False, allow_infinity=False))


def inner_nodes(children: st.SearchStrategy[Outline]) -> st.SearchStrategy[Outline]:
    def build(
        kind: Layer, below: dict[str, Outline], weights: list[int], has_written: bool, guess: float | None, name: str
    ) -> Outline:
        shares = weights[: len(below)] if has_written else [1] * len(below)
        chances = tuple(Fraction(share, sum(shares)) for share in shares) if kind is Layer.CHANCE else ()
        return Outline(
            kind,
            None,
            tuple(below.items()),
            chances,
            guess,
            name,
            has_written_probabilities=has_written and kind is Layer.CHANCE,
        )

    return st.builds(
        build,
        st.sampled_from(list(Layer)),
        st.dictionaries(names, children, min_size=1, max_size=4),
        st.lists(st.integers(1, 9), min_size=4, max_size=4),
        st.booleans(),
        st.none() | numbers,
        st.just("") | names,
    )


leaves = st.builds(Outline, st.none(), numbers, end=st.sampled_from(["", "won", "lost"]))


@given(st.recursive(leaves, inner_nodes, max_leaves=20))
def test_writing_and_reading_any_tree_gives_the_same_tree(tree: Outline) -> None:
    assert Outline.parse(str(tree)) == tree
    line = tree.to_one_line()
    assert "\n" not in line
    assert Outline.parse(line) == tree
    assert str(Outline.parse(line)) == str(tree)


def test_a_tree_in_one_line() -> None:
    line = (
        "max { West: min ~4 =Left { West: 3 lost =End; East: 12 won }; East: chance =Dice { West @1/4: 2; East @3/4: "
        "max { West: 5.5 } } }"
    )
    assert Outline.parse(PICTURE).to_one_line() == line
    assert Outline.parse(f"# a tree\n\n  {line}  # in one line\n") == Outline.parse(PICTURE)
    assert Outline.parse("max{a:3;b:min{x:1;};}") == Outline.parse("max\n  a: 3\n  b: min\n    x: 1")
    assert Outline.parse("3 ={x}").name == "{x}"  # a leaf has no braces
    for name in ("{", "a;b", "x}"):
        tree = Outline.parse(f"max\n  {name}: 1")
        assert Outline.parse(str(tree)) == tree
        with pytest.raises(ValueError, match="a tree in one line has no brace and no ';'"):
            tree.to_one_line()


def test_an_illegal_action_a_missing_score_and_missing_outcomes_are_errors() -> None:
    tree = Outline.parse("max\n  a: 1\n  b: 2")
    with pytest.raises(ValueError, match="illegal action 'c' at this node; legal: a, b"):
        tree.successor("c")
    with pytest.raises(ValueError, match="this max node has no score"):
        _ = tree.score
    with pytest.raises(ValueError, match="only a chance node"):
        tree.outcomes()


def test_assuming_a_layer_changes_min_and_chance_nodes() -> None:
    tree = Outline.parse(PICTURE).assuming(Layer.MIN)
    assert tree.successor("East").layer is Layer.MIN
    back = tree.assuming(Layer.CHANCE)
    assert back.successor("West").outcomes() == (("West", 0.5), ("East", 0.5))
