"""The questions of the practice page: right answers are those of the search, and wrong ones those of a wrong search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from autograder.judge.wrong_searches import WRONG_SEARCHES
from autograder.pages.practice import PracticeTree, practice_trees, shown_state
from autograder.pages.questions import MISTAKES, Answer, Kind, Question, every_question, is_same, questions
from pacman.core.numbers import format_window
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
ROWS: Mapping[str, Sequence[Sequence[Layer]]] = {
    "minimax": ((MAX, MIN), (MIN, MAX), (MAX, MIN, MAX)),
    "expectimax": ((MAX, CHANCE), (MAX, CHANCE, MAX)),
    "expectiminimax": ((MAX, CHANCE, MIN), (MAX, MIN, CHANCE), (MIN, CHANCE, MAX)),
    "alphabeta": ((MAX, MIN), (MAX, MIN, MAX), (MIN, MAX, MIN), (MAX, CHANCE), (MAX, MIN, CHANCE)),
}
"""The layers of random trees for a search, from the root down."""
CHANCES = tuple(
    tuple(map(Fraction, text.split()))
    for text in ("1/2 1/2", "3/4 1/4", "1/4 3/4", "1/2 1/4 1/4", "1/4 1/4 1/2", "1/4 1/2 1/4")
)


def asked(tree: PracticeTree) -> list[Question]:
    return questions(tree.tree, tree.recording())


TREES = practice_trees()
ASKED = [asked(tree) for tree in TREES]
QUESTIONS = [question for questions in ASKED for question in questions]


def random_trees(search: str, count: int = 40) -> Iterator[PracticeTree]:
    rng = Random(f"other trees for {search}")
    for _ in range(count):
        yield PracticeTree(search, random_tree(rng, rng.choice(ROWS[search])))


def random_tree(rng: Random, rows: Sequence[Layer], is_root: bool = True) -> Outline:
    """A tree with these layers; some of its leaves are higher up."""
    if not rows or (not is_root and rng.random() < 0.25):
        return Outline(None, rng.choice(range(-8, 9)))
    chances = rng.choice(CHANCES) if rows[0] is CHANCE else ()
    width = len(chances) or rng.choice((2, 2, 3))
    branches = tuple((name, random_tree(rng, rows[1:], False)) for name in "abc"[:width])
    guess = rng.choice(range(-8, 9)) if all(branch.is_terminal for _, branch in branches) else None
    return Outline(rows[0], None, branches, chances, guess, "", bool(chances))


def answers(search: str) -> dict[str, dict[tuple[int, int], Answer]]:
    """For each mistake that shows in the trees of a search: its wrong answers, by tree and question."""
    table: dict[str, dict[tuple[int, int], Answer]] = {}
    for number, tree in enumerate(TREES):
        for place, question in enumerate(ASKED[number] if tree.search == search else ()):
            for wrong in question.wrong:
                for name in wrong.names:
                    table.setdefault(name, {})[number, place] = wrong.answer
    return table


def test_there_are_fifteen_trees_from_easy_to_hard() -> None:
    assert len(TREES) == 15
    assert list(dict.fromkeys(tree.search for tree in TREES)) == list(ROWS)
    assert {question.kind for question in QUESTIONS} == set(Kind)


@pytest.mark.parametrize("search", ROWS)
def test_the_right_search_answers_as_the_recorded_search_does(search: str) -> None:
    """So a wrong answer comes from the edits, and from nothing else."""
    for tree in random_trees(search):
        for question in every_question(tree.tree, tree.recording()):
            answer = question.place.answer(question.kind, None)
            assert answer is not None, f"{question}\n{tree}"
            assert is_same(answer, question.right), f"{question}\n{tree}"


def test_an_open_window_has_the_values_so_far() -> None:
    for layer, window in (("max", "alpha 3 < beta ∞"), ("min", "alpha −∞ < beta 3")):
        tree = PracticeTree("alphabeta", Outline.parse(f"{layer}\n  a: 3\n  b: 5\n"))
        cuts = [each.why for each in every_question(tree.tree, tree.recording()) if each.kind is Kind.CUT]
        assert cuts == [f"{window}: the window is still open."]


def test_no_picture_shows_a_bound_that_the_next_question_asks_for() -> None:
    for tree in TREES:
        recording = tree.recording()
        visits = [(event.node, recording.report.steps[event.visit]) for event in recording.events]
        entered = {node: format_window(visit.alpha, visit.beta) for node, visit in visits}
        for question in questions(tree.tree, recording):
            windows = shown_state(recording, question.events)["windows"]
            assert windows.items() <= entered.items(), f"{question.text}\n{tree}"


def test_every_wrong_answer_is_another_one() -> None:
    for question in QUESTIONS:
        answers = [question.right, *(wrong.answer for wrong in question.wrong)]
        assert not any(is_same(one, other) for one, other in combinations(answers, 2))


def test_each_mistake_that_is_tried_shows_somewhere() -> None:
    shown = {(question.kind, name) for question in QUESTIONS for wrong in question.wrong for name in wrong.names}
    named = {(kind, name) for kind, names in MISTAKES.items() for name in names.split()}
    assert shown == named
    assert {name for _, name in named} <= {row.name for row in WRONG_SEARCHES}


@pytest.mark.parametrize("search", ROWS)
def test_the_trees_separate_every_pair_of_mistakes(search: str) -> None:
    """To some question each gives another answer; one of the two answers may be right."""
    table = answers(search)
    assert [pair for pair in combinations(sorted(table), 2) if table[pair[0]] == table[pair[1]]] == []
