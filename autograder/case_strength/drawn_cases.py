"""Do the hidden cases that a key draws find what the public cases find?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.case_strength.distinguishing_tree import Program, known_search
from autograder.case_strength.idlers import programs
from autograder.case_strength.match_shares import numbered_key
from autograder.cases.case import Case, Question, TreeInput
from autograder.cases.hidden import drawn_cases
from autograder.cases.right_answer import derive
from autograder.cases.truth import CaseTruth
from autograder.judge.compare import judge
from autograder.judge.diagnosis.questions import Scope
from autograder.judge.wrong_searches import Edit, possible

KEYS = 3
Derived = Sequence[tuple[Case, CaseTruth]]


def strength(question: Question, own: Sequence[Case]) -> tuple[int, int]:
    """How many known mistakes lose points on the public trees, and how many of them fail a drawn one with every key.

    `own` are the cases of the question. InputError as in `drawn_cases`.
    """
    public = _derived([case for case in own if isinstance(case.input, TreeInput) and not case.input.hidden])
    drawn = [_derived([*drawn_cases(question, own, numbered_key(number))]) for number in range(KEYS)]
    scope = Scope.of(question)
    found = lost = 0
    for mistake in possible(scope.layers, scope.cuts).values():
        searches = _searches(question, mistake.edits)
        if _loses(searches, public):
            lost += 1
            found += all(_loses(searches, cases) for cases in drawn)
    return lost, found


def idle_programs(question: Question, own: Sequence[Case], api_name: str) -> list[str]:
    """The programs without a search that pass a case which one of the keys draws."""
    drawn = [each for number in range(KEYS) for each in drawn_cases(question, own, numbered_key(number))]
    cases = [(case, derive(case)) for case in drawn]
    return [name for name, earned in programs(question, api_name).items() if any(earned(*each) for each in cases)]


def _derived(cases: Sequence[Case]) -> Derived:
    """The cases with their right answers; only those that score a node by its number, as the known searches do."""
    plain = (case for case in cases if isinstance(case.input, TreeInput) and case.input.evaluation == "score")
    return [(case, derive(case)) for case in plain]


def _searches(question: Question, edits: tuple[Edit, ...]) -> Mapping[str, Program]:
    return {cut: known_search(question, edits, cut) for cut in ("equal", "strict")}


def _loses(searches: Mapping[str, Program], cases: Derived) -> bool:
    for case, truth in cases:
        assert isinstance(case.input, TreeInput)
        if judge(case, truth, searches[case.input.cut](case, truth)).earned < 1:
            return True
    return False
