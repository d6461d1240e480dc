"""Known mistakes, without a sandbox: each row names itself, two at once name both, what is unknown stays unnamed."""

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
from autograder.judge.mistakes.wrong_search import Endless, dialects, right_variant, run
from autograder.judge.scorecard import Mistake
from autograder.judge.submission_answer import Answer, Claim, Fault
from pacman.core.layers import Layer
from pacman.core.tree import Node

MULTIAGENT = loading.load("multiagent")
SEARCHES = [question for question in MULTIAGENT.questions if question.role == "search"]
DERIVED: dict[tuple[str, str], Reference] = {}
Answers = Callable[[Case, Node, int], Claim | Fault]


def asked(question: Question) -> list[Case]:
    return [case for case in MULTIAGENT.of(question) if case.has_reference]


def derived(case: Case) -> Reference:
    key = case.id, case.digest
    if key not in DERIVED:
        DERIVED[key] = reference_recorder.derive(case)
    return DERIVED[key]


def attempts(some: list[Case], answers: Answers) -> list[CaseAttempt]:
    """What the grader would hold if a submission answered so."""
    found = []
    for case in some:
        right = derived(case)
        claims, fault = [], None
        for root, plies in reference.searched_roots(case, right):
            said = answers(case, root, plies)
            if isinstance(said, Fault):
                fault = said
                break
            claims.append(said)
        answer = Answer(tuple(claims), fault=fault)
        found.append(collect_attempt(case, right, answer))
    return found


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
def test_each_row_names_itself_alone_wherever_it_loses_anything(question: Question) -> None:
    named_here = set()
    for _, row, habits in (way for way in ways() if way[0] == question):
        did = attempts(asked(question), wrong(question, habits))
        failed = sum(each.is_failed for each in did)
        if failed:
            assert [(each.name, each.explains, each.of) for each in recognise(did, question)] == [
                (row.name, failed, failed)
            ]
            named_here.add(row.name)
    never = {"equal-cut"} if question.reference == "alphabeta" else {"last-of-ties"}  # here they are right, see below
    assert named_here == {row.name for row in possible_mistakes(question)} - never


def test_a_right_search_is_never_accused() -> None:
    for question in SEARCHES:
        for dialect in dialects(question.reference or ""):
            did = attempts(asked(question), wrong(question, dict(dialect)))
            if question.reference == "exhaustive" or not dialect:
                assert not any(each.is_failed for each in did)
            assert recognise(did, question) == ()


PAIRS = [
    ("q4", "ply-short", "sum-for-mean"),
    ("q4", "equal-chances", "integer-division"),
    ("q2", "exchanged", "made-twice"),
    ("q3", "no-cut", "made-twice"),
    ("q3", "strict-cut", "made-before-cut"),
    ("q5", "chance-as-max", "action-from-below"),
]


@pytest.mark.parametrize(("name", "one", "other"), PAIRS)
def test_two_mistakes_at_once_are_both_named(name: str, one: str, other: str) -> None:
    question = next(question for question in SEARCHES if question.id == name)
    rows = {row.name: dict(row.habits[0]) for row in ROWS}
    did = attempts(asked(question), wrong(question, rows[one] | rows[other]))
    failed = sum(each.is_failed for each in did)
    found = recognise(did, question)
    assert sorted(names(found)) == sorted([one, other])
    assert {(each.explains, each.of) for each in found} == {(failed, failed)}


def test_what_no_row_does_is_not_named() -> None:
    question = SEARCHES[0]

    def strange(case: Case, root: Node, plies: int) -> Claim | Fault:
        claim = wrong(question, {})(case, root, plies)
        assert isinstance(claim, Claim)
        assert claim.value is not None
        return replace(claim, value=claim.value * 2 + 1)

    assert recognise(attempts(asked(question), strange), question) == ()


def test_most_of_the_failed_cases_are_explained_and_one_is_not() -> None:
    question = SEARCHES[2]

    def mostly(case: Case, root: Node, plies: int) -> Claim | Fault:
        claim = wrong(question, {"weights": "one"})(case, root, plies)
        return Fault("time", "no answer within 10 s") if case.name == "06-several-ghosts" else claim

    did = attempts(asked(question), mostly)
    failed = sum(each.is_failed for each in did)
    (found,) = recognise(did, question)
    assert (found.name, found.explains, found.of) == ("sum-for-mean", failed - 1, failed)


def test_the_same_value_by_other_nodes_is_not_explained() -> None:
    question = SEARCHES[2]

    def elsewhere(case: Case, root: Node, plies: int) -> Claim | Fault:
        claim = wrong(question, {"weights": "one"})(case, root, plies)
        assert isinstance(claim, Claim)
        assert claim.trace is not None
        claim.trace.actions[-1] = "elsewhere"
        return claim

    assert recognise(attempts(asked(question), elsewhere), question) == ()


def test_an_error_is_explained_by_the_same_error_alone() -> None:
    """A search that raises something of its own everywhere is no overwritten node, which raises too."""
    question = SEARCHES[0]
    did = attempts(
        asked(question), lambda case, root, plies: Fault("raised", "ValueError: max() arg is an empty sequence")
    )
    assert recognise(did, question) == ()


def test_a_passed_case_speaks_against_a_mistake_that_loses_there() -> None:
    """All cases but one as if chance were an opponent; the one that is right rules that out."""
    question = SEARCHES[2]

    def but_one(case: Case, root: Node, plies: int) -> Claim | Fault:
        return wrong(question, {} if case.name == "01-mean" else {"chance_is": Layer.MIN})(case, root, plies)

    assert "chance-as-min" not in names(recognise(attempts(asked(question), but_one), question))


def test_values_count_only_where_they_are_asked_for() -> None:
    """A question without the criterion `value`: agents that return an action alone."""
    whole = SEARCHES[2]
    question = replace(whole, criteria={"action": 1, "expanded": 1, "generated": 1})
    some = [replace(case, question=question) for case in asked(whole)]

    def silent(case: Case, root: Node, plies: int) -> Claim | Fault:
        claim = wrong(question, {"weights": "one"})(case, root, plies)
        assert isinstance(claim, Claim)
        return replace(claim, value=None)

    assert names(recognise(attempts(some, silent), question)) == ["sum-for-mean"]


STRICT = """kind: tree
shows: a cut at equality where only the strict one is asked for
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


def test_a_cut_at_equality_is_named_where_the_strict_one_is_asked_for() -> None:
    question = next(question for question in SEARCHES if question.id == "q3")
    did = attempts([small(question, STRICT)], wrong(question, {"cut": "equal"}))
    assert names(recognise(did, question)) == ["equal-cut"]
    either = [small(question, STRICT.replace("cut: strict", "cut: either"))]
    for cut in ("equal", "strict"):
        assert not any(each.is_failed for each in attempts(either, wrong(question, {"cut": cut})))


def test_the_last_best_action_is_named_where_the_first_is_asked_for() -> None:
    question = SEARCHES[0]
    text = STRICT.replace("cut: strict", "ties: first").replace("a: 2\n", "a: 3\n")
    did = attempts([small(question, text)], wrong(question, {"ties": "last"}))
    assert names(recognise(did, question)) == ["last-of-ties"]
    any_tie = text.replace("ties: first\n", "")
    assert not any(each.is_failed for each in attempts([small(question, any_tie)], wrong(question, {"ties": "last"})))


def test_every_row_says_what_it_does_and_hints() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS) >= 24
    for row in ROWS:
        assert row.sentence.endswith("."), row.name
        assert "\n" not in row.sentence + row.hint
        assert row.hint[-1] in ".?", row.name
        assert not any(code in row.hint for code in ("= ", "def ", "return ", "min(", "max("))
    for one, other in itertools.combinations(ROWS, 2):
        assert one.hint != other.hint
