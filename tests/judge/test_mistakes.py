"""Known mistakes without a sandbox: each row is recognised, two at once are recognised, unknown ones are not named."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.cases import loading, reference, reference_recorder
from autograder.cases.case import Case, Limits, Question
from autograder.cases.reference import Reference
from autograder.cases.yaml_file import parse
from autograder.judge.mistakes.known_mistakes import ROWS, KnownMistake, possible_mistakes
from autograder.judge.mistakes.recognition import CaseAttempt, collect_attempt, recognise, to_claim
from autograder.judge.mistakes.wrong_search import Endless, SearchVariant, dialects, right_variant, run
from autograder.judge.scorecard import Mistake
from autograder.judge.submission_answer import Answer, Claim, Fault
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.tree import Node

MULTIAGENT = loading.load("multiagent")
SEARCHES = [question for question in MULTIAGENT.questions if question.role == "search"]
DERIVED: dict[tuple[str, str], Reference] = {}
Answers = Callable[[Case, Node, int], Claim | Fault]


def search_cases(question: Question) -> list[Case]:
    return [case for case in MULTIAGENT.of(question) if case.has_reference]


def derived(case: Case) -> Reference:
    key = case.id, case.digest
    if key not in DERIVED:
        DERIVED[key] = reference_recorder.derive(case)
    return DERIVED[key]


def collect_attempts(some: list[Case], answers: Answers) -> list[CaseAttempt]:
    """The attempts of a submission that gives these answers."""
    attempts = []
    for case in some:
        right = derived(case)
        claims, fault = [], None
        for root, plies in reference.searched_roots(case, right):
            result = answers(case, root, plies)
            if isinstance(result, Fault):
                fault = result
                break
            claims.append(result)
        answer = Answer(tuple(claims), fault=fault)
        attempts.append(collect_attempt(case, right, answer))
    return attempts


def wrong(question: Question, habits: dict[str, Any]) -> Answers:
    def answers(case: Case, root: Node, plies: int) -> Claim | Fault:
        kind = replace(right_variant(question.reference or "", getattr(case.input, "cut", "equal")), **habits)
        try:
            return to_claim(*run(kind, root, plies, 20_000))
        except Endless:
            return Fault("time", "no answer within 10 s")
        except (ValueError, ArithmeticError) as error:
            return Fault("raised", f"{type(error).__name__}: {error}")

    return answers


def names(mistakes: tuple[Mistake, ...]) -> list[str]:
    return [mistake.name for mistake in mistakes]


def ways() -> list[tuple[Question, KnownMistake, dict[str, Any]]]:
    return [
        (question, row, {**dialect, **habits})
        for question in SEARCHES
        for row in possible_mistakes(question)
        for habits in row.habits[:3]
        for dialect in dialects(question.reference or "")
        if not dialect.keys() & habits.keys()
    ]


@pytest.mark.parametrize("question", SEARCHES, ids=lambda question: question.id)
def test_each_known_mistake_is_recognised_alone(question: Question) -> None:
    recognised = set()
    for _, row, habits in (way for way in ways() if way[0] == question):
        attempts = collect_attempts(search_cases(question), wrong(question, habits))
        failed = sum(each.is_failed for each in attempts)
        if failed:
            assert [(each.name, each.explains, each.of) for each in recognise(attempts, question)] == [
                (row.name, failed, failed)
            ]
            recognised.add(row.name)
    never = {"equal-cut"} if question.reference == "alphabeta" else {"last-of-ties"}  # here they are right, see below
    never |= {"cuts-unasked"} if question.order == "any" and question.id != "q4" else set()
    assert recognised == {row.name for row in possible_mistakes(question)} - never


def test_a_right_search_has_no_known_mistake() -> None:
    for question in SEARCHES:
        for dialect in dialects(question.reference or ""):
            attempts = collect_attempts(search_cases(question), wrong(question, dict(dialect)))
            if question.reference == "exhaustive" or not dialect:
                assert not any(each.is_failed for each in attempts)
            assert recognise(attempts, question) == ()


PAIRS = [
    ("q4", "ply-short", "sum-for-mean"),
    ("q4", "equal-chances", "integer-division"),
    ("q2", "exchanged", "made-twice"),
    ("q3", "no-cut", "made-twice"),
    ("q3", "strict-cut", "made-before-cut"),
    ("q5", "chance-as-max", "action-from-below"),
]


@pytest.mark.parametrize(("name", "one", "other"), PAIRS)
def test_two_mistakes_at_once_are_both_recognised(name: str, one: str, other: str) -> None:
    question = next(question for question in SEARCHES if question.id == name)
    rows = {row.name: dict(row.habits[0]) for row in ROWS}
    attempts = collect_attempts(search_cases(question), wrong(question, rows[one] | rows[other]))
    failed = sum(each.is_failed for each in attempts)
    mistakes = recognise(attempts, question)
    assert sorted(names(mistakes)) == sorted([one, other])
    assert {(each.explains, each.of) for each in mistakes} == {(failed, failed)}


def test_an_unknown_mistake_is_not_named() -> None:
    question = SEARCHES[0]

    def strange(case: Case, root: Node, plies: int) -> Claim | Fault:
        claim = wrong(question, {})(case, root, plies)
        assert isinstance(claim, Claim)
        assert claim.value is not None
        return replace(claim, value=claim.value * 2 + 1)

    assert recognise(collect_attempts(search_cases(question), strange), question) == ()


def test_a_mistake_may_leave_one_failed_case_unexplained() -> None:
    question = SEARCHES[2]

    def mostly(case: Case, root: Node, plies: int) -> Claim | Fault:
        claim = wrong(question, {"weights": "one"})(case, root, plies)
        return Fault("time", "no answer within 10 s") if case.name == "06-several-ghosts" else claim

    attempts = collect_attempts(search_cases(question), mostly)
    failed = sum(each.is_failed for each in attempts)
    (mistake,) = recognise(attempts, question)
    assert (mistake.name, mistake.explains, mistake.of) == ("sum-for-mean", failed - 1, failed)


def test_the_same_value_with_other_nodes_is_not_explained() -> None:
    question = SEARCHES[2]

    def elsewhere(case: Case, root: Node, plies: int) -> Claim | Fault:
        claim = wrong(question, {"weights": "one"})(case, root, plies)
        assert isinstance(claim, Claim)
        assert claim.trace is not None
        claim.trace.actions[-1] = "elsewhere"
        return claim

    assert recognise(collect_attempts(search_cases(question), elsewhere), question) == ()


def test_only_the_same_error_explains_an_error() -> None:
    """A search with an overwritten node raises an error too, but a different one."""
    question = SEARCHES[0]
    attempts = collect_attempts(
        search_cases(question), lambda case, root, plies: Fault("raised", "ValueError: max() arg is an empty sequence")
    )
    assert recognise(attempts, question) == ()


def test_a_passed_case_contradicts_a_mistake_that_loses_there() -> None:
    """All cases except one treat chance as an opponent; the one right case excludes this mistake."""
    question = SEARCHES[2]

    def but_one(case: Case, root: Node, plies: int) -> Claim | Fault:
        return wrong(question, {} if case.name == "01-mean" else {"chance_is": Layer.MIN})(case, root, plies)

    assert "chance-as-min" not in names(recognise(collect_attempts(search_cases(question), but_one), question))


def test_values_count_only_if_they_are_a_criterion() -> None:
    """A question without the criterion `value`, for agents that return only an action."""
    whole = SEARCHES[2]
    question = replace(whole, criteria={"action": 1, "expanded": 1, "generated": 1})
    some = [replace(case, question=question) for case in search_cases(whole)]

    def silent(case: Case, root: Node, plies: int) -> Claim | Fault:
        claim = wrong(question, {"weights": "one"})(case, root, plies)
        assert isinstance(claim, Claim)
        return replace(claim, value=None)

    assert names(recognise(collect_attempts(some, silent), question)) == ["sum-for-mean"]


STRICT = """kind: tree
shows: a cut at equality where only the strict cut is right
plies: 2
cut: strict
tree: |
  max
    a: min
      a: 3
      b: 5
    b: min
      a: 3
      b: 4
    c: min
      a: 2
      b: 9
"""


def small(question: Question, text: str) -> Case:
    return loading.case_of(parse(text, Path("small.yaml")), question, Limits())


def test_a_cut_at_equality_is_recognised_where_the_strict_cut_is_right() -> None:
    question = next(question for question in SEARCHES if question.id == "q3")
    attempts = collect_attempts([small(question, STRICT)], wrong(question, {"cut": "equal"}))
    assert names(recognise(attempts, question)) == ["equal-cut"]
    either = [small(question, STRICT.replace("cut: strict", "cut: either"))]
    for cut in ("equal", "strict"):
        assert not any(each.is_failed for each in collect_attempts(either, wrong(question, {"cut": cut})))


def test_the_last_best_action_is_recognised_where_only_the_first_is_right() -> None:
    question = SEARCHES[0]
    text = STRICT.replace("cut: strict", "ties: first").replace("a: 2\n", "a: 3\n")
    attempts = collect_attempts([small(question, text)], wrong(question, {"ties": "last"}))
    assert names(recognise(attempts, question)) == ["last-of-ties"]
    any_tie = text.replace("ties: first\n", "")
    assert not any(
        each.is_failed for each in collect_attempts([small(question, any_tie)], wrong(question, {"ties": "last"}))
    )


def test_every_row_has_a_sentence_and_a_hint() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS) >= 24
    for row in ROWS:
        assert row.sentence.endswith("."), row.name
        assert "\n" not in row.sentence + row.hint
        assert row.hint[-1] in ".?", row.name
        assert not any(code in row.hint for code in ("= ", "def ", "return ", "min(", "max("))
    for one, other in itertools.combinations(ROWS, 2):
        assert one.hint != other.hint


def test_a_search_that_overwrites_a_chance_node_fails_as_the_students_does() -> None:
    """The second outcome of the root is not an action of the chance node that replaced the root."""
    tree = Outline.parse("chance\n  a: chance\n    x: 1\n  b: 3")
    with pytest.raises(ValueError, match="illegal action 'b'"):
        run(SearchVariant(overwrites=True), tree, 2, 100)
