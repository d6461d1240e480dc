"""The text of the right search is the reference search; each row of the known mistakes makes it another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import product
from random import Random

import pytest

from autograder.judge.diagnosis.questions import Scope, fixed_questions, random_questions
from autograder.judge.wrong_searches import WRONG_SEARCHES, Edit, WrongSearch, by_name, possible, run, text_of
from autograder.student_process.plain_values import TooManySuccessors
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.record.trace import CountedNode, Trace
from pacman.search import alphabeta, exhaustive

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
CUTS = ("", "equal", "strict")
SCOPES = {
    "minimax": Scope((MAX, MIN), False, ""),
    "alphabeta": Scope((MAX, MIN), False, "equal"),
    "strict alphabeta": Scope((MAX, MIN), False, "strict"),
    "expectimax": Scope((MAX, CHANCE), False, ""),
    "expectiminimax": Scope((MAX, MIN, CHANCE), False, ""),
    "alphabeta with chance": Scope((MAX, MIN, CHANCE), False, "equal"),
}
RESULTS = "dcaba83f223e0b70"
"""The digest of what the rows return and generate on some trees. It is another one if a search does something else."""
Seen = tuple[object, str | None, list[tuple[str, ...]]]
"""A value, an action and the paths of the generated nodes."""


def small_trees() -> Iterator[Outline]:
    """All binary trees with two layers and the leaves 0, 1 and 2, and those with an end of the game below the root."""
    for top, low in product(("max", "min", "chance"), repeat=2):
        for a, b, c, d in product(range(3), repeat=4):
            first, second = f"{low} ~7 {{ x: {a}; y: {b} }}", f"{low} ~8 {{ x: {c}; y: {d} }}"
            yield Outline.parse(f"{top} ~9 {{ a: {first}; b: {second} }}")
            if a == b:
                yield Outline.parse(f"{top} ~9 {{ a: {a}; b: {second} }}")


def reference(tree: Outline, plies: int, cuts: str) -> Seen:
    """What the reference search returns and generates."""
    trace = Trace()
    root = CountedNode(tree, trace)
    line = alphabeta(root, plies, strict=cuts == "strict") if cuts else exhaustive(root, plies)
    return line.value, line.action, [trace.path(number) for number in trace.successors]


def seen(edits: tuple[Edit, ...], tree: Outline, plies: int, cuts: str) -> Seen:
    """What the search with these edits returns and generates; the name of an exception in place of the value."""
    try:
        result = run(text_of(edits, cuts), tree, plies, most=800)
    except TooManySuccessors:
        return "too many", None, []
    paths = [result.trace.path(number) for number in result.trace.successors]
    return result.error or float(result.value), result.action, paths


@pytest.mark.parametrize("cuts", CUTS)
def test_the_text_is_the_reference_search(cuts: str) -> None:
    scope, rng = SCOPES["alphabeta" if cuts else "expectiminimax"], Random(3)
    asked = [(each.tree, each.plies) for each in random_questions(scope, "model against reference")]
    small = [tree for tree in small_trees() if not cuts or "chance" not in str(tree)]
    asked += [(tree, plies) for tree in rng.sample(small, 60) for plies in range(4)]
    for tree, depth in asked:
        plies = max(0, depth + rng.choice((-1, 0, 0, 1)))
        assert seen((), tree, plies, cuts) == reference(tree, plies, cuts), (str(tree), plies)


def test_a_run_has_windows_values_and_errors_and_ends_after_too_many_successors() -> None:
    tree = Outline.parse("max { a: 1; b: 5; c: 2 }")
    result = run(text_of((), "equal"), tree, 1, (0, 4))
    assert (result.value, result.action, result.error) == (5, "b", "")
    assert result.windows == {0: (0, 4), 1: (0, 4), 2: (1, 4)}
    assert result.values == {0: 5, 1: 1, 2: 5}
    assert run(text_of((), ""), tree, 1, most=3).trace.generated == 3
    with pytest.raises(TooManySuccessors):
        run(text_of((), ""), tree, 1, most=2)
    assert run(text_of(by_name()["ends-raised"].edits, ""), tree, 2).error == "ValueError"
    with pytest.raises(ValueError, match="evaluate does not contain 'nodes'"):
        text_of((("evaluate", "nodes", ""),), "")


# The known mistakes


@cache
def trees(scope: Scope) -> list[tuple[Outline, int, Seen]]:
    """Small trees of all kinds, mixed, with what the right search does."""
    asked = [*fixed_questions(scope), *random_questions(scope, "mistakes", 60)]
    Random(1).shuffle(asked)
    small = [each for each in asked if each.tree.size() <= 40]
    return [(each.tree, each.plies, seen((), each.tree, each.plies, scope.cuts)) for each in small]


@pytest.mark.parametrize("row", WRONG_SEARCHES, ids=lambda row: row.name)
def test_every_mistake_changes_something_where_it_can_happen(row: WrongSearch) -> None:
    for name, scope in SCOPES.items():
        if (
            row.can_happen(scope.layers, scope.cuts) and row.name != "fail-hard"
        ):  # its values differ below the root only
            assert any(seen(row.edits, tree, plies, scope.cuts) != right for tree, plies, right in trees(scope)), name


def test_all_rows_do_what_they_did() -> None:
    digest = sha256()
    for row in WRONG_SEARCHES:
        for name in ("alphabeta with chance", "expectiminimax"):
            for tree, plies, _ in (
                trees(SCOPES[name])[:12] if row.can_happen(SCOPES[name].layers, SCOPES[name].cuts) else ()
            ):
                value, action, paths = seen(row.edits, tree, plies, SCOPES[name].cuts)
                number = f"{value:.6g}" if isinstance(value, float) else value
                digest.update(f"{row.name} {number} {action} {paths}\n".encode())
    assert digest.hexdigest()[:16] == RESULTS


def test_each_row_is_another_search_and_another_sentence() -> None:
    assert len({row.sentence for row in WRONG_SEARCHES}) == len(WRONG_SEARCHES)
    assert len({(row.edits, row.cuts) for row in WRONG_SEARCHES}) == len(WRONG_SEARCHES)
    assert set(possible((MAX, MIN), "")) < set(by_name())
    assert "no-cut" not in possible((MAX, MIN), "")
    assert "chance-as-min" not in possible((MAX, MIN), "equal")


def test_sentences_and_hints_are_plain_english() -> None:
    for row in WRONG_SEARCHES:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", row.name), row.name
        for text in (row.sentence, row.hint):
            assert text[0].isupper() or text.startswith(("alpha ", "`")), text
            assert not re.search(r"\b(\w+) \1\b|\s\s|\n|\{|\}| ,| \.(?!\.)", text), text
        assert row.sentence.find(".") == len(row.sentence) - 1 <= 240, row.sentence
        assert row.hint[-1] in ".?", row.hint
