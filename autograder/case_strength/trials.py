"""Tries wrong searches, changed and known ones, against the cases of a question, and against trees that are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil
from pathlib import Path
from typing import Literal

from autograder.case_strength import programs
from autograder.case_strength.match_shares import numbered_key
from autograder.case_strength.mutants import Mutant, mutants
from autograder.cases import loading
from autograder.cases.case import Assignment, Case, Question, SearchInput, TreeInput
from autograder.cases.hidden import drawn_cases
from autograder.cases.right_answer import derive
from autograder.cases.truth import CaseTruth
from autograder.judge.compare import judge
from autograder.judge.diagnosis.questions import BELOW_ZERO, LARGE_NUMBERS, NAMES, NUMBERS, Scope, random_questions

ANY = "any"
RANDOM_TREES = 400
NUMBERS_OF_CHECK = (*NUMBERS, BELOW_ZERO, *LARGE_NUMBERS)
"""Of which numbers the random trees have theirs: very large ones find a number in place of infinity."""
KEYS = 3
"""Hidden cases are drawn with so many keys."""


@dataclass(frozen=True)
class Trial:
    """A wrong search: what it loses in the cases, and what is wrong on any tree. Both have ANY, and perhaps `choice`.

    `choice` is the value, or the action where no value is compared. `tree` is one on which a survivor is wrong.
    """

    file: str
    mutant: Mutant
    choice: str
    lost: frozenset[str]
    wrong: frozenset[str]
    tree: str = ""

    @property
    def survives(self) -> bool:
        """True if the search is wrong, and the cases do not show it."""
        return not self.wrong <= self.lost


@dataclass(frozen=True)
class Task:
    """A part of the wrong searches of one file for one question: every `parts`th of at most `most`, from `part` on."""

    assignment: str
    api: str
    question: str
    file: Path
    part: int = 0
    parts: int = 1
    most: int | None = None


def run_trials(task: Task) -> list[Trial]:
    """The trials of a task, in the order of the file."""
    every = _mutants(task.file, _question(task.assignment, task.question).part)
    thinned = every[:: ceil(len(every) / task.most) if task.most else 1]
    return [_try(task, mutant) for mutant in thinned[task.part :: task.parts]]


@lru_cache(2)
def _mutants(file: Path, part: str) -> Sequence[Mutant]:
    return tuple(mutants(file.read_text(encoding="utf-8"), part))


def _try(task: Task, mutant: Mutant) -> Trial:
    """A wrong search on all cases and, as far as they leave something open, on the random trees."""
    choice = _choice(_question(task.assignment, task.question), task.api)
    lost, _ = _losses(task, mutant, search_cases(task.assignment, task.question))
    wrong, tree = lost, ""
    if choice not in lost:
        randoms = _random_cases(task.assignment, task.question, task.api)
        others, index = _losses(task, mutant, randoms)
        wrong = lost | others
        if others - lost:
            case_input = randoms[index][0].input
            assert isinstance(case_input, TreeInput)
            tree = f"{case_input.tree}\nplies: {case_input.plies}, evaluation: {case_input.evaluation}"
    return Trial(task.file.stem, mutant, choice, lost, wrong, tree)


def _losses(task: Task, mutant: Mutant, cases: Sequence[tuple[Case, CaseTruth]]) -> tuple[frozenset[str], int]:
    """What a search loses, ANY and the value (or action), and the number of the last case that shows more of it."""
    losses, last = frozenset[str](), 0
    for number, (case, truth) in enumerate(cases):
        earned, choice = earned_criteria(mutant.source, case, truth, task.api), _choice(case.question, task.api)
        here = {ANY} if min(earned.values()) < 1 else set()
        here |= {choice} if earned[choice] < 1 else set()
        if here - losses:
            losses, last = losses | here, number
        if choice in losses:
            break
    return losses, last


def earned_criteria(source: str, case: Case, truth: CaseTruth, api: str) -> dict[str, float]:
    """The share of each criterion that the text of a file earns on a case."""
    try:
        module = _module(source, api)
    except Exception:  # a mutant that cannot even be loaded
        return dict.fromkeys(case.question.criteria, 0.0)
    verdict = judge(case, truth, programs.answer(module, case, truth, api))
    return {finding.criterion: finding.earned for finding in verdict.findings}


def _choice(question: Question, api: str) -> str:
    """What of the root is compared: the value; or the action, since Berkeley-style searches return no value."""
    return "value" if "value" in question.criteria and api == "native" else "action"


_module = lru_cache(2)(programs.load)


@cache
def _assignment(name: str) -> Assignment:
    return loading.load(name)


def _question(assignment: str, question: str) -> Question:
    return next(each for each in _assignment(assignment).questions if each.id == question)


@cache
def search_cases(assignment: str, question: str) -> Sequence[tuple[Case, CaseTruth]]:
    """The cases of a question with a search, those that take least time first."""
    content = _assignment(assignment)
    own = content.of(_question(assignment, question))
    cases = [(case, derive(case)) for case in own if case.has_truth]
    return sorted(cases, key=lambda each: sum(move.touched[0].generated for move in each[1].moves))


@cache
def _random_cases(assignment: str, question: str, api: str) -> Sequence[tuple[Case, CaseTruth]]:
    own = [case for case, _ in search_cases(assignment, question)]
    return _random_trees(_question(assignment, question), own, api)


def _random_trees(question: Question, own: Sequence[Case], api: str) -> list[tuple[Case, CaseTruth]]:
    """Random trees as cases with their right answers, the smallest first; they cut as most `own` cases do.

    For Berkeley-style files the same agents move in every round, only whole rounds are searched, all outcomes are
    equally likely, no action is called Stop, and the evaluation is the score: such files may rely on that.
    """
    cuts = [case.input.cut for case in own if isinstance(case.input, SearchInput)] or ["equal"]
    cut, is_native = max(sorted(set(cuts)), key=cuts.count), api == "native"
    names = [name for name in NAMES if is_native or name != "Stop"]
    searches = random_questions(Scope.of(question, not is_native, cut), "check", RANDOM_TREES, NUMBERS_OF_CHECK, names)
    cases = []
    for number, each in enumerate(sorted(searches, key=lambda each: each.tree.size())):
        evaluation: Literal["score", "other"] = "other" if number % 3 == 0 and is_native else "score"
        tree = TreeInput(shows="a random tree", tree=str(each.tree), plies=each.plies, cut=cut, evaluation=evaluation)
        cases.append(Case(f"random-{number}", question, tree, each.tree, Path("random tree"), 1))
    return [(case, derive(case)) for case in cases]


# Known mistakes.


def lost_and_kept(question: Question, own: Sequence[Case], api: str) -> tuple[list[str], list[str]]:
    """The known mistakes that lose points on the trees of cases, and those that lose some only on random trees.

    `own` are the cases of the question, also those that are hidden.
    """
    trees, random = _plain(own, False), _plain([case for case, _ in _random_trees(question, own, api)])
    lost, survivors = list[str](), list[str]()
    for name, search in programs.known_mistakes(question).items():
        if _loses(search, trees):
            lost.append(name)
        elif _loses(search, random):
            survivors.append(name)
    return lost, survivors


def strength(question: Question, own: Sequence[Case]) -> tuple[int, int]:
    """How many known mistakes lose points on the public trees, and how many of them fail a drawn one with every key.

    InputError as in `drawn_cases`.
    """
    hidden = [_plain([*drawn_cases(question, own, numbered_key(number))], is_public=False) for number in range(KEYS)]
    public = _plain(own)
    lost = [search for search in programs.known_mistakes(question).values() if _loses(search, public)]
    return len(lost), sum(all(_loses(search, cases) for cases in hidden) for search in lost)


def _plain(cases: Sequence[Case], is_public: bool = True) -> list[tuple[Case, CaseTruth]]:
    """The trees with their right answers, if they score a node by its number, as the known searches do."""
    return [
        (case, derive(case))
        for case in cases
        if isinstance(case.input, TreeInput)
        and case.input.evaluation == "score"
        and not (is_public and case.input.hidden)
    ]


def _loses(search: programs.Program, cases: Sequence[tuple[Case, CaseTruth]]) -> bool:
    return any(judge(case, truth, search(case, truth)).earned < 1 for case, truth in cases)
