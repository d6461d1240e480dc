"""A tree that becomes smaller keeps what it shows, and ends."""

from __future__ import annotations

from random import Random

import pytest

from agents.cs188.tree import agents_of
from autograder.cases import loading
from autograder.judge.diagnosis.questions import Scope, random_questions
from autograder.judge.diagnosis.shrinking import MAX_STEPS, TreeAndPlies, shrink, simplified, size_and_numbers
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.search import exhaustive
from tests.simulated_search import simulated_claim

Q2 = next(question for question in loading.load("multiagent").questions if question.id == "q2")


def shrunk(tree: Outline, plies: int, is_kept: object, in_rounds: bool, most: int = 400) -> tuple[TreeAndPlies, int]:
    """The small tree, and how many trees were tried."""
    tried = 0

    def holds(tree: Outline, plies: int) -> bool:
        nonlocal tried
        tried += 1
        return bool(is_kept(tree, plies))  # type: ignore[operator]

    return shrink(tree, plies, holds, in_rounds, most), tried


CONDITIONS = {
    "minimax differs from maximax": lambda tree, plies: (
        simulated_claim(Q2, "", tree, plies).value != simulated_claim(Q2, "ply-short", tree, plies).value
    ),
    "a value above 5": lambda tree, plies: exhaustive(tree, plies).value > 5,
    "always": lambda tree, plies: True,
    "three nodes": lambda tree, plies: tree.size() >= 3,
}


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("in_rounds", [False, True])
def test_shrinking_keeps_what_fails_and_ends(condition: str, in_rounds: bool) -> None:
    holds = CONDITIONS[condition]
    for each in random_questions(Scope((Layer.MAX, Layer.MIN), in_rounds, ""), "shrinking", 25):
        if not holds(each.tree, each.plies):
            continue
        (tree, plies), tried = shrunk(each.tree, each.plies, holds, in_rounds)
        assert holds(tree, plies)
        assert tried <= 400
        if in_rounds:
            assert plies % agents_of(tree) == 0
            assert tree.branches
            assert tree.layer is Layer.MAX
        assert size_and_numbers(tree, plies) <= size_and_numbers(each.tree, each.plies)
        assert Outline.parse(str(tree)) == tree


def test_what_cannot_be_simplified_stays() -> None:
    tree = Outline.parse("max ~4\n  a: 3\n  b: min ~2\n    c: 7")
    assert shrunk(tree, 2, lambda *_: False, False)[0] == (tree, 2)
    (least, _), tried = shrunk(tree, 2, lambda *_: True, False)
    assert least.size() == 1
    assert tried <= MAX_STEPS * 12
    assert shrunk(tree, 2, lambda *_: True, False, most=0) == ((tree, 2), 0)


def test_every_simplification_is_a_tree() -> None:
    rng = Random(2)
    some = [*random_questions(Scope(tuple(Layer), False, ""), "simplified", 40)]
    for each in rng.sample(some, 15):
        for less in simplified(each.tree):
            assert Outline.parse(str(less)) == less


def test_in_rounds_the_smallest_tree_has_an_action_at_the_root() -> None:
    tree = Outline.parse("max ~3\n  a: min ~2\n    b: min ~1\n      c: max ~7\n        d: 5\n  e: 4")
    small, plies = shrink(tree, 6, lambda *_: True, in_rounds=True)
    assert (small.to_one_line(), plies) == ("max ~0 { e: 0 }", 2)


def test_a_tree_in_rounds_loses_a_ghost_and_a_round() -> None:
    text = "max\n  a: min\n    b: min\n      c: max\n        d: min\n          e: min\n            f: 5\n  g: 4"
    tree = Outline.parse(text)
    small, plies = shrink(tree, 6, lambda each, _: each.height() >= 2, in_rounds=True)
    assert (small.size(), small.height(), plies) == (3, 2, 2)
    tree = Outline.parse("max { a: min { b: chance { c: max { d: 5 } } } }")  # needs no chance between min and max
    small, _ = shrink(tree, 6, lambda each, _: str(each).count("max") == 2 and "min" in str(each), in_rounds=True)
    assert agents_of(small) == 2


def test_numbers_become_small_also_those_above_the_horizon() -> None:
    tree = Outline.parse("max ~-328\n  a: min ~-14375\n    c: -149218\n  b: 3000.5")
    small, _ = shrink(tree, 2, lambda tree, plies: exhaustive(tree, plies).action == "b" and len(tree.branches) == 2)
    assert small.to_one_line() == "max ~0 { a: 0; b: 1 }"
