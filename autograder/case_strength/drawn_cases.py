"""Do the cases of a question find the known mistakes: the public cases, and the hidden ones that a key draws?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from autograder.case_strength.distinguishing_tree import Program, known_search
from autograder.case_strength.idlers import programs
from autograder.case_strength.match_shares import numbered_key
from autograder.case_strength.random_trees import random_cases
from autograder.cases.case import Case, Question, TreeInput
from autograder.cases.hidden import drawn_cases
from autograder.cases.right_answer import derive
from autograder.cases.truth import CaseTruth
from autograder.judge.compare import judge
from autograder.judge.diagnosis.questions import Scope
from autograder.judge.wrong_searches import Edit, possible

KEYS = 3
RANDOM_TREES = 300
Derived = Sequence[tuple[Case, CaseTruth]]


def lost_and_kept(question: Question, own: Sequence[Case], api_name: str) -> tuple[list[str], list[str]]:
    """The known mistakes that lose points on the public trees, and those that lose some only on random trees.

    `own` are the cases of the question.
    """
    public = _public(own)
    cuts = [case.input.cut for case, _ in public if isinstance(case.input, TreeInput)] or ["equal"]
    is_classic, cut = api_name != "native", max(sorted(set(cuts)), key=cuts.count)
    random = _derived(random_cases(question, RANDOM_TREES, Random(0), is_classic, cut))
    lost, kept = list[str](), list[str]()
    for name, searches in _mistakes(question).items():
        if _loses(searches, public):
            lost.append(name)
        elif _loses(searches, random):
            kept.append(name)
    return lost, kept


def strength(question: Question, own: Sequence[Case]) -> tuple[int, int]:
    """How many known mistakes lose points on the public trees, and how many of them fail a drawn one with every key.

    InputError as in `drawn_cases`.
    """
    drawn = [_derived([*drawn_cases(question, own, numbered_key(number))]) for number in range(KEYS)]
    public = _public(own)
    lost = [searches for searches in _mistakes(question).values() if _loses(searches, public)]
    return len(lost), sum(all(_loses(searches, cases) for cases in drawn) for searches in lost)


def idle_programs(question: Question, own: Sequence[Case], api_name: str) -> list[str]:
    """The programs without a search that pass a case which one of the keys draws."""
    drawn = [each for number in range(KEYS) for each in drawn_cases(question, own, numbered_key(number))]
    cases = [(case, derive(case)) for case in drawn]
    return [name for name, earned in programs(question, api_name).items() if any(earned(*each) for each in cases)]


def _derived(cases: Sequence[Case]) -> Derived:
    """The cases with their right answers; only those that score a node by its number, as the known searches do."""
    plain = (case for case in cases if isinstance(case.input, TreeInput) and case.input.evaluation == "score")
    return [(case, derive(case)) for case in plain]


def _public(own: Sequence[Case]) -> Derived:
    return _derived([case for case in own if isinstance(case.input, TreeInput) and not case.input.hidden])


def _mistakes(question: Question) -> Mapping[str, Mapping[str, Program]]:
    """The searches with the known mistakes that are possible in a question, by name."""
    scope = Scope.of(question)
    return {name: _searches(question, mistake.edits) for name, mistake in possible(scope.layers, scope.cuts).items()}


def _searches(question: Question, edits: tuple[Edit, ...]) -> Mapping[str, Program]:
    return {cut: known_search(question, edits, cut) for cut in ("equal", "strict")}


def _loses(searches: Mapping[str, Program], cases: Derived) -> bool:
    for case, truth in cases:
        assert isinstance(case.input, TreeInput)
        if judge(case, truth, searches[case.input.cut](case, truth)).earned < 1:
            return True
    return False
