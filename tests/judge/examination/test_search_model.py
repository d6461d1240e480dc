"""A simulated search with the defaults is the reference search; each change of a hypothesis makes it another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

import pytest

from autograder.judge.examination.hypotheses import Change, Hypothesis, all_names, hypotheses
from autograder.judge.examination.mistake_row import combined
from autograder.judge.examination.model_tree import ModelTree
from autograder.judge.examination.questions import Scope, random_questions, topic_questions
from autograder.judge.examination.search_model import SearchModel
from autograder.judge.examination.simulation import Result, TooManySuccessors, simulate
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.trace import CountedNode, Trace
from pacman.search import alphabeta, exhaustive

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
RIGHT = {"none": SearchModel(), "equal": SearchModel(cuts="equal"), "strict": SearchModel(cuts="strict")}
SCOPES = {
    "minimax": Scope((MAX, MIN), False, ""),
    "alphabeta": Scope((MAX, MIN), False, "equal"),
    "expectimax": Scope((MAX, CHANCE), False, ""),
    "expectiminimax": Scope((MAX, MIN, CHANCE), False, ""),
    "minimax in rounds": Scope((MAX, MIN), True, ""),
    "alphabeta in rounds": Scope((MAX, MIN), True, "equal"),
    "expectimax in rounds": Scope((MAX, CHANCE), True, ""),
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


@pytest.mark.slow("that grade or examine wrong searches", keep=1)
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
    with pytest.raises(TooManySuccessors):
        simulate(SearchModel(), tree, 2)


def test_a_search_that_overwrites_a_chance_node_raises_the_error_of_the_students_search() -> None:
    """The second outcome of the root is not an action of the chance node that replaced the root."""
    tree = ModelTree(Outline.parse("chance\n  a: chance\n    x: 1\n  b: 3"), 2)
    assert simulate(SearchModel(overwrites=True), tree, 100).error == "ValueError"


# Hypotheses


@cache
def trees(scope: Scope) -> list[tuple[ModelTree, Result]]:
    """The questions of an examination with the right results, trees of all kinds mixed."""
    asked = [*(each.question for each in topic_questions(scope)), *random_questions(scope, "hypotheses", 60)]
    Random(1).shuffle(asked)
    made = [ModelTree(each.tree, each.plies, each.evaluation_shift) for each in asked]
    right = RIGHT[scope.cuts or "none"]
    return [(tree, simulate(right, tree, 100_000)) for tree in made]


def differs(scope: Scope, change: Change) -> bool:
    """True if a search with this change gives another value, action or list of nodes on some tree."""
    right = RIGHT[scope.cuts or "none"]
    model = combined(right, change)
    for tree, expected in trees(scope):
        try:
            if simulate(model, tree, 4 * len(expected.generated) + 200) != expected:
                return True
        except TooManySuccessors:
            return True
    return False


EVERYWHERE = (
    "single (action|outcome)",  # a rule for the only child gives its value
    "with exactly one ply left, .* evaluations? of its children|with exactly one ply left, .* children's evaluations",
    "third of several",  # such a node has few children here
    "never cuts at the root",  # its window is (-inf, inf)
    "At the end of a game your search takes the node's score",
    "After a cut your search returns the bound",  # fail-hard: the same values and actions at the root
)
WITHOUT_CUTS = r"starts with a window of about \("
WITHOUT_CHANCE = "CHANCE"
IN_ROUNDS = (  # Pacman moves at the root and once in a round, and all ghosts move before he moves again
    "below another MAX|several MAX|below a MAX node, your search treats|If the root is a MIN",
    "MAX nodes with exactly one ply left|MAX nodes one ply below the root|At MAX nodes your search stops one ply",
    "stops at wrong depths",
    "changes the sign (where MAX does not move|of the evaluation at MIN nodes)",
    "At MIN nodes your search returns no action|At a MIN node your search returns the action",
)
EQUIVALENT = {
    "alphabeta": (*EVERYWHERE, WITHOUT_CHANCE),
    "expectiminimax": (*EVERYWHERE, WITHOUT_CUTS),
    "alphabeta in rounds": (*EVERYWHERE, WITHOUT_CHANCE, *IN_ROUNDS),
}
"""By scope: the rows that may change nothing there. They are never said, because a right search is recognised first."""


@pytest.mark.slow("that grade or examine wrong searches")
@pytest.mark.parametrize("name", EQUIVALENT)
def test_every_hypothesis_changes_something(name: str) -> None:
    scope = SCOPES[name]
    allowed = re.compile("|".join(EQUIVALENT[name]))
    for row in hypotheses(scope):
        if not allowed.search(row.sentence):
            assert any(differs(scope, each) for each in row.changes), row.sentence


@cache
def rows() -> list[Hypothesis]:
    return list({id(row): row for scope in SCOPES.values() for row in hypotheses(scope)}.values())


def test_sentences_and_hints_are_plain_english() -> None:
    for row in rows():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", row.name), row.name
        for text in (row.sentence, row.hint):
            assert text[0].isupper() or text[0] in "`" or text.startswith(("alpha ", "`")), text
            assert not re.search(r"\b(\w+) \1\b", text), text
            assert not re.search(r"\s\s|\n|\{|\}| ,| \.(?!\.)", text), text
            assert "your your" not in text
        assert row.sentence.endswith("."), row.sentence
        assert not re.search(r"(?<!\.)\. ", row.sentence), row.sentence
        assert row.hint[-1] in ".?", row.hint
        assert len(row.sentence) <= 240, row.sentence
        assert row.changes, row.sentence


def test_a_sentence_stands_for_one_mistake() -> None:
    """Two rows with one sentence have one name, so that a class can be counted by names."""
    for scope in SCOPES.values():
        names: dict[str, str] = {}
        for row in hypotheses(scope):
            assert names.setdefault(row.sentence, row.name) == row.name, row.sentence
    assert len(all_names()) == len(set(all_names())) > 60
