"""A simulated search with the defaults is the reference search; each row of the table makes it another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

from autograder.judge.diagnosis.model_tree import ModelTree
from autograder.judge.diagnosis.questions import Scope, fixed_questions, random_questions
from autograder.judge.wrong_searches.mistakes import MISTAKES, mistakes_by_name
from autograder.judge.wrong_searches.search_model import Mistake, SearchModel
from autograder.judge.wrong_searches.simulation import SimulatedResult, TooManySimulated, simulate
from pacman.core.layers import Layer
from pacman.core.tree_text import Outline
from pacman.record.trace import CountedNode, Trace
from pacman.search import alphabeta, exhaustive

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
RIGHT = {"none": SearchModel(), "equal": SearchModel(cuts="equal"), "strict": SearchModel(cuts="strict")}
SCOPES = {
    "minimax": Scope((MAX, MIN), False, ""),
    "alphabeta": Scope((MAX, MIN), False, "equal"),
    "strict alphabeta": Scope((MAX, MIN), False, "strict"),
    "expectimax": Scope((MAX, CHANCE), False, ""),
    "expectiminimax": Scope((MAX, MIN, CHANCE), False, ""),
}


def small_trees() -> Iterator[Outline]:
    """All binary trees with two layers and the leaves 0, 1 and 2, and those with an end of the game below the root."""

    def leaf(value: int) -> str:
        return f"{value}\n"

    for top, low in product(("max", "min", "chance"), repeat=2):
        for a, b, c, d in product(range(3), repeat=4):
            halves = (f"{low} ~7\n    x: {leaf(a)}    y: {leaf(b)}", f"{low} ~8\n    x: {leaf(c)}    y: {leaf(d)}")
            yield Outline.parse(f"{top} ~9\n  a: {halves[0]}  b: {halves[1]}")
            if a == b:
                yield Outline.parse(f"{top} ~9\n  a: {leaf(a)}  b: {halves[1]}")


def reference(tree: Outline, plies: int, cut: str) -> tuple[float, str | None, list[tuple[str, ...]]]:
    """The value, the action and the paths of the generated nodes of the reference search."""
    trace = Trace()
    root = CountedNode(tree, trace)
    line = exhaustive(root, plies) if cut == "none" else alphabeta(root, plies, strict=cut == "strict")
    return line.value, line.action, [trace.path(number) for number in trace.successors]


def simulated(tree: Outline, plies: int, cut: str) -> tuple[float, str | None, list[tuple[str, ...]]]:
    model_tree = ModelTree(tree, plies)
    result = simulate(RIGHT[cut], model_tree, 100_000)
    assert not result.error
    return result.value, result.action, [model_tree.paths[number] for number in result.generated]


@pytest.mark.slow("that grade or diagnose wrong searches", keep=1)
@pytest.mark.parametrize("cut", RIGHT)
def test_the_defaults_are_the_reference_search_on_every_small_tree(cut: str) -> None:
    for tree in small_trees():
        if cut == "none" or (tree.kind is not CHANCE and all(b.kind is not CHANCE for _, b in tree.branches)):
            for plies in range(4):
                assert simulated(tree, plies, cut) == reference(tree, plies, cut), (str(tree), plies)


@pytest.mark.parametrize("cut", RIGHT)
def test_the_defaults_are_the_reference_search_on_random_trees(cut: str) -> None:
    scope = SCOPES["expectiminimax" if cut == "none" else "alphabeta"]
    rng = Random(3)
    for each in random_questions(scope, "model against reference"):
        plies = max(0, each.plies + rng.choice((-1, 0, 0, 1)))
        assert simulated(each.tree, plies, cut) == reference(each.tree, plies, cut), (str(each.tree), plies)


def test_a_simulated_search_ends_after_too_many_successors() -> None:
    tree = ModelTree(Outline.parse("max\n  a: 1\n  b: 2\n  c: 3"), 1)
    assert len(simulate(SearchModel(), tree, 3).generated) == 3
    with pytest.raises(TooManySimulated):
        simulate(SearchModel(), tree, 2)


def test_a_search_that_overwrites_a_chance_node_raises_the_error_of_the_students_search() -> None:
    """The second outcome of the root is not an action of the chance node that replaced the root."""
    tree = ModelTree(Outline.parse("chance\n  a: chance\n    x: 1\n  b: 3"), 2)
    assert simulate(SearchModel(overwrites=True), tree, 100).error == "ValueError"


# The table of mistakes


@cache
def trees(scope: Scope) -> list[tuple[ModelTree, SimulatedResult]]:
    """Small trees of all kinds, mixed, with the right results."""
    asked = [*fixed_questions(scope), *random_questions(scope, "mistakes", 60)]
    Random(1).shuffle(asked)
    right = RIGHT[scope.cuts or "none"]
    return [(tree, simulate(right, tree, 100_000)) for tree in (ModelTree(each.tree, each.plies) for each in asked)]


def differs(scope: Scope, mistake: Mistake) -> bool:
    """True if a search with this mistake gives another value, action or list of nodes on some tree."""
    model = replace(RIGHT[scope.cuts or "none"], **mistake.change)
    for tree, expected in trees(scope):
        try:
            if simulate(model, tree, 4 * len(expected.generated) + 200) != expected:
                return True
        except TooManySimulated:
            return True
    return False


@pytest.mark.slow("that grade or diagnose wrong searches")
@pytest.mark.parametrize("scope", SCOPES.values(), ids=SCOPES)
def test_every_mistake_changes_something_where_it_can_happen(scope: Scope) -> None:
    same_at_the_root = {"fail-hard"}  # its values differ below the root only
    for mistake in MISTAKES:
        if mistake.can_happen(scope) and mistake.name not in same_at_the_root:
            assert differs(scope, mistake), (mistake.name, mistake.sentence)


def test_each_row_of_the_table_is_another_search_and_another_sentence() -> None:
    assert len({row.sentence for row in MISTAKES}) == len(MISTAKES) - 1  # one sentence has a row with cuts, one without
    assert len({(tuple(sorted(row.change.items())), row.cuts) for row in MISTAKES}) == len(MISTAKES)
    assert set(mistakes_by_name(SCOPES["minimax"])) < set(mistakes_by_name())
    assert "no-cut" not in mistakes_by_name(SCOPES["minimax"])
    assert "chance-as-min" not in mistakes_by_name(SCOPES["alphabeta"])


def test_sentences_and_hints_are_plain_english() -> None:
    for row in MISTAKES:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", row.name), row.name
        for text in (row.sentence, row.hint):
            assert text[0].isupper() or text.startswith(("alpha ", "`")), text
            assert not re.search(r"\b(\w+) \1\b|\s\s|\n|\{|\}| ,| \.(?!\.)", text), text
        assert row.sentence.find(".") == len(row.sentence) - 1 <= 240, row.sentence
        assert row.hint[-1] in ".?", row.hint
