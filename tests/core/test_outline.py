"""Drawn trees: reading is the inverse of writing, and each error names the line."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pacman.core.tree import Layer
from pacman.core.tree_text import Outline, OutlineError

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


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("", "line 1", "the tree is empty; expected max, min, chance or a number"),
        ("  max\n", "line 1", "blanks before the root 'max'; the first line begins at the left edge"),
        (
            "mx\n  a: 1",
            "line 1",
            "unknown kind 'mx'; expected max, min, chance or a number; did you mean 'max'?",
        ),
        ("max\n  a: 3,5", "line 2", "unknown kind '3,5'; expected max, min, chance or a number; did you mean '3.5'?"),
        ("max\n  a: leaf", "line 2", "unknown kind 'leaf'; expected max, min, chance or a number"),
        ("max", "line 1", "this max node has no branches; expected a line below it such as 'a: 5'"),
        ("max\n   a: 1", "line 2", "3 blanks before 'a: 1'; expected 2 blanks for each level"),
        ("max\n a: 1", "line 2", "1 blank before 'a: 1'; expected 2 blanks for each level"),
        ("max\n\ta: 1", "line 2", "a tab before 'a: 1'; expected 2 blanks for each level"),
        ("max\n    a: 1", "line 2", "4 blanks before 'a: 1'; expected at most 2 blanks"),
        ("max\n  a: 3\n    b: 1", "line 3", "'b: 1' is below the leaf 'a: 3'; a leaf has no branches"),
        ("max\n  a: 1\n  a: 2", "line 3", "this node already has an action 'a'"),
        ("max\n  West 5", "line 2", "'West 5' needs a colon: 'West: 5'"),
        ("max\n  West min", "line 2", "'West min' needs a colon: 'West: min'"),
        ("chance\n  West @1/2 5", "line 2", "'West @1/2 5' needs a colon: 'West @1/2: 5'"),
        ("max\n  West", "line 2", "'West' needs a kind: 'West: 5'"),
        ("max\n  5", "line 2", "'5' needs an action: 'a: 5'"),
        ("max\n  min", "line 2", "'min' needs an action: 'a: min'"),
        ("max\n  : 5", "line 2", "the action before the colon is missing in ': 5'; expected for example 'a: 5'"),
        ("max\n  go West: 5", "line 2", "an action is one word, and 'go West' has 2; expected 'go-West: 5'"),
        ("chance\n  heads 0.5: 12", "line 2", "a probability has an @ before it; expected 'heads @0.5: 12'"),
        ("chance\n  a: 5 @1/2", "line 2", "a probability stands before the colon, as in 'a @1/2: 5', not in '5 @1/2'"),
        (
            "max\n  a: 5 points",
            "line 2",
            "cannot read '5 points'; expected max, min, chance or a number, then ~EVALUATION",
        ),
        (
            "max\n  a~b: 5",
            "line 2",
            "cannot read 'a~b: 5'; expected ACTION: KIND, for example 'West: 5' or 'West: min'",
        ),
        ("max\n  a:", "line 2", "nothing after the colon of 'a:'; expected max, min, chance or a number: 'a: 5'"),
        ("max\n  a: 1\nmin", "line 3", "'min' begins a second tree; indent it by 2 blanks or more"),
        ("max\n  a @1/2: 1", "line 2", "a max node has no probabilities; only a chance node has them"),
        (
            "chance\n  a @1/2: 1\n  b: 2",
            "line 3",
            "some branches of this chance node have no @probability; give it to all, or to none",
        ),
        ("chance\n  a @1/2: 1\n  b @1/4: 2", "line 1", "sum to 0.75; expected 1"),
        ("chance\n  a @-1: 1\n  b @2: 2", "line 2", "must be from 0 to 1, not -1"),
        ("chance\n  a @x: 1", "line 2", "'x' is not a probability"),
        ("max\n  a: inf", "line 2", "expected a finite number, got 'inf'"),
        ("max\n  a: 5 win", "line 2", "a leaf is a number, then 'won' or 'lost', then =NAME, as in 'a: 5 lost'"),
        ("max\n  a: lost", "line 2", "as in 'a: 5 lost'; cannot read 'lost'"),
        ("max\n  a: min won", "line 2", "as in 'a: 5 lost'; cannot read 'min won'"),
        ("max\n  a: 3 ~4", "line 2", "a leaf has a utility, not an evaluation"),
        ("max { a: 3", "character 11", "the text ends too early; expected '}'"),
        ("\nmax { a: 3 } }", "character 14", "a '}' without its '{'"),
        ("max { a: 3 } b: 4", "character 14", "expected ';' or '}' before 'b: 4'"),
        ("max { a: 3 b: 5 }", "character 10", "'b: 5' is another node: write ';' before it, or begin a new line"),
        ("max {\n a: 3\n}", "line 1", "a tree with braces stands in one line"),
        ("max { a: 3 }; b: 4", "character 15", "'b: 4' begins a second tree; expected the end of the text"),
        ("max { a: 3; { x: 4 } }", "character 13", "a brace without a node"),
        ("max { }", "character 1", "this max node has no branches"),
        ("max { a: 1; b: foo }", "character 16", "unknown kind 'foo'"),
        ("max { a: 1; b 2 }", "character 13", "'b 2' needs a colon: 'b: 2'"),
        ("max { a: 1;  b: 3 ~4 }", "character 19", "a leaf has a utility, not an evaluation"),
        ("max { a: 3 { b: 4 } }", "character 14", "'b: 4' is below the leaf 'a: 3'; a leaf has no branches"),
        ("max { a: min { b: chance { x @1/2: 1; y @1/4: 2 } } }", "character 19", "sum to 0.75; expected 1"),
        ("max {" * 102, "character 505", "the tree is too deep; expected at most 100 levels"),
        (f"max {{{'a: 1;' * 10_000}}}", "character 50001", "the tree is too large; expected at most 10,000 nodes"),
    ],
)
def test_a_mistake_is_named_with_its_line_in_words(text: str, place: str, problem: str) -> None:
    with pytest.raises(OutlineError) as caught:
        Outline.parse(text, "tree.txt")
    assert str(caught.value).startswith(f"tree.txt, {place}: ")
    assert problem in str(caught.value)
    with pytest.raises(OutlineError, match=f"^{place}: "):
        Outline.parse(text)


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
