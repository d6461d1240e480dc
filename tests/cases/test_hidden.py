"""Hidden cases that a key draws: shapes of public trees with other numbers, the same for the same key."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.case_strength import idlers, trials
from autograder.case_strength.programs import earned
from autograder.cases import loading
from autograder.cases.case import Assignment, Case, Drawn, TreeInput
from autograder.cases.game_seeds import GameKey
from autograder.cases.hidden import PRACTICE, _is_suitable, drawn_cases, with_hidden
from autograder.cases.right_answer import derive
from autograder.grading.grade import grade
from autograder.judge.scorecard import PRACTICE_NOTE
from pacman.core.errors import InputError
from pacman.core.tree_text import Outline
from pacman.search.exhaustive import exhaustive
from tests.paths import ROOT

KEYS = GameKey(bytes(range(32))), GameKey(bytes(range(1, 33)))
LIKE = ("01-figure", "02-several-ghosts", "03-horizon")


def drawing(count: int = 4, like: tuple[str, ...] = LIKE) -> Assignment:
    """`multiagent` with drawn cases in q2, like its first trees."""
    loaded = loading.load("multiagent")
    hidden = Drawn(like=like, count=count)
    questions = [replace(each, hidden=hidden if each.id == "q2" else None) for each in loaded.questions]
    by_id = {each.id: each for each in questions}
    cases = tuple(replace(case, question=by_id[case.question.id]) for case in loaded.cases)
    return replace(loaded, questions=tuple(questions), cases=cases)


def drawn(assignment: Assignment, key: GameKey | None) -> list[Case]:
    return [case for case in with_hidden(assignment, key).cases if case.name.startswith("drawn-")]


def shape(tree: Outline) -> tuple[object, ...]:
    """A tree without its numbers."""
    return tree.kind, tree.probabilities, tuple((action, shape(branch)) for action, branch in tree.branches)


def test_a_key_draws_the_same_trees_again_and_another_key_others() -> None:
    assignment = drawing()
    first, other = (drawn(assignment, key) for key in KEYS)
    assert [case.id for case in first] == ["q2/drawn-1", "q2/drawn-2", "q2/drawn-3", "q2/drawn-4"]
    assert first == drawn(assignment, KEYS[0])
    assert all(one.root != two.root for one, two in zip(first, other, strict=True))
    assert drawn(assignment, None) == drawn(assignment, PRACTICE) != first
    assert len(with_hidden(assignment, None).cases) == len(assignment.cases) + 4


def test_a_drawn_tree_has_the_shape_of_a_public_one_and_one_right_action() -> None:
    assignment = drawing(6)
    public = [case for case in assignment.cases if case.question.id == "q2" and case.name in LIKE]
    for number, case in enumerate(drawn(assignment, KEYS[0])):
        like = public[number % 3]
        assert isinstance(case.root, Outline)
        assert isinstance(like.root, Outline)
        assert isinstance(case.input, TreeInput)
        assert shape(case.root) == shape(like.root)
        assert case.input.hidden
        assert Outline.parse(case.input.tree) == case.root
        assert len(derive(case).moves[0].best) == 1
    for is_hidden, expected in ((False, 1.0), (True, 3.0)):
        weighty = replace(public[0], name="more", input=replace(public[0].input, weight=3.0, hidden=is_hidden))
        assert {each.input.weight for each in drawn_cases(weighty.question, [*public, weighty], KEYS[0])} == {expected}


def test_one_case_is_graded_without_the_drawn_ones() -> None:
    one = drawing().only(None, "q2/01-figure")
    assert [case.id for case in with_hidden(one, KEYS[0]).cases] == ["q2/01-figure"]
    few = replace(drawing(), cases=drawing().cases[:6])
    assert with_hidden(few, KEYS[0]) == few


def test_drawn_cases_find_known_mistakes_and_stop_idle_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    assignment, less = drawing(), drawing(1, LIKE[2:])
    question, other = (next(each for each in some.questions if each.id == "q2") for some in (assignment, less))
    lost, of_drawn = trials.strength(question, assignment.of(question))
    assert lost >= of_drawn >= lost / 2
    _, with_every_key = trials.strength(other, less.of(other))
    monkeypatch.setattr(trials, "KEYS", 1)
    assert with_every_key < trials.strength(other, less.of(other))[1]
    assert idlers.idle_programs(question, assignment.of(question)) == []
    (figure, *_), tree = assignment.of(question), "max { a: 0; b: -1 }"
    program = idlers.PROGRAMS["the first action"]
    for hidden in (False, True):  # a part of the points of an open case, and nothing of a hidden one
        case_input = replace(figure.input, tree=tree, plies=1, hidden=hidden)
        case = replace(figure, root=Outline.parse(tree), input=case_input)
        assert (0 < earned(program, case, derive(case)) < 1) is not hidden


def test_numbers_without_ties_must_exist() -> None:
    assignment = drawing()
    (figure, *_) = [case for case in assignment.cases if case.question.id == "q2"]
    flat = Outline.parse("max\n  a: 1")
    cases = tuple(
        replace(case, root=flat, input=replace(case.input, tree=str(flat), plies=1)) if case == figure else case
        for case in assignment.cases
    )
    with pytest.raises(InputError, match="01-figure.yaml: hidden: this tree has no other numbers"):
        with_hidden(replace(assignment, cases=cases), KEYS[0])


def test_drawn_cases_are_graded_last_and_the_report_says_from_which_key() -> None:
    assignment = drawing(2).only("q2", None)
    solutions = assignment.solutions
    assert solutions is not None
    right, wrong = (
        grade(solutions, assignment, 2),
        grade(ROOT / "docs" / "one_ply_short.py", assignment, 2, key=KEYS[0]),
    )
    assert right.is_full
    assert [case.id for case in right.questions[0].cases][-2:] == ["q2/drawn-1", "q2/drawn-2"]
    assert right.notes == (PRACTICE_NOTE,)
    assert wrong.notes == ()
    assert [case.earned for case in wrong.questions[0].cases if case.hidden] == [0, 0]
    assert "drawn" not in str(wrong.public())


def test_two_means_are_never_equal() -> None:
    """Different numbers can have equal means: of a hundred such trees, some would have two best actions."""
    assignment = drawing(1)
    (figure, *own) = [case for case in assignment.cases if case.question.id == "q2"]
    tree = Outline.parse("max { a: chance { x: 1; y: 2 }; b: chance { x: 3; y: 4 }; c: chance { x: 5; y: 6 } }")
    like = replace(figure, root=tree, input=replace(figure.input, tree=str(tree), plies=2))
    for number in range(100):
        (case,) = drawn_cases(figure.question, [like, *own], GameKey(bytes([number] * 32)))
        assert isinstance(case.root, Outline)
        assert len({exhaustive(branch, 1).value for _, branch in case.root.branches}) == 3


def test_the_value_of_a_drawn_tree_is_not_that_of_its_first_or_last_leaf() -> None:
    drawing = "max {{ a: min {{ x: {}; y: {} }}; b: min {{ x: {}; y: {} }} }}".format
    numbers = {(1, 3, 5, 8): True, (5, 8, 1, 3): False, (1, 3, 8, 5): False, (-2, 3, 0, 8): False}
    for leaves, is_suitable in numbers.items():
        assert _is_suitable(Outline.parse(drawing(*leaves)), 2) is is_suitable, leaves
