"""Tries wrong searches, changed and known ones, against the cases of a question, and against trees that are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from autograder.case_strength import programs
from autograder.case_strength.match_shares import numbered_key
from autograder.case_strength.mutants import Mutant
from autograder.cases.case import AnyInput, Case, Question, SearchInput, TreeInput
from autograder.cases.hidden import drawn_cases
from autograder.cases.right_answer import derive
from autograder.cases.truth import CaseTruth
from autograder.judge.compare import judge
from autograder.judge.diagnosis.questions import BELOW_ZERO, LARGE_NUMBERS, NAMES, NUMBERS, Scope, random_questions

NOTHING, SOMETHING, CHOICE = range(3)
"""What a search loses: nothing, something beside the value (or the action, where no value is compared), or this too."""
RANDOM_TREES = 400
NUMBERS_OF_CHECK = (*NUMBERS, BELOW_ZERO, *LARGE_NUMBERS)
"""Of which numbers the random trees have theirs: very large ones find a number in place of infinity."""
KEYS = 3
"""Hidden cases are drawn with so many keys."""
Searches = Sequence[tuple[Case, CaseTruth]]
"""Cases with a search, each with its right answer."""


@dataclass(frozen=True)
class Trial:
    """A wrong search: what it loses in the cases, and on any tree. `tree` is one that shows more than the cases.

    `choice` is the value, or the action where no value is compared.
    """

    file: str
    mutant: Mutant
    choice: str
    lost: int
    wrong: int
    tree: str = ""

    @property
    def survives(self) -> bool:
        """True if the search is wrong, and the cases do not show it."""
        return self.wrong > self.lost


def run_trials(file: str, mutants: Sequence[Mutant], own: Searches, randoms: Searches, api: str) -> list[Trial]:
    """The trials of mutants of a file on its `own` cases and, as far as these leave something open, on random trees."""
    trials = []
    # The value of the root is compared; or the action, since Berkeley-style searches return no value.
    choice = "value" if randoms[0][0].question.compares_value and api == "native" else "action"
    for mutant in mutants:
        lost, _ = _loss(mutant, choice, own, api, NOTHING)
        wrong, shown = _loss(mutant, choice, randoms, api, lost)
        tree = ""
        if shown is not None:
            assert isinstance(shown, TreeInput)
            tree = f"{shown.tree}\nplies: {shown.plies}, evaluation: {shown.evaluation}"
        trials.append(Trial(file, mutant, choice, lost, wrong, tree))
    return trials


def _loss(mutant: Mutant, choice: str, searches: Searches, api: str, loss: int) -> tuple[int, AnyInput | None]:
    """What a search loses that has lost so much already, and the last case that shows more of it."""
    shown = None
    for case, truth in searches if loss < CHOICE else ():
        earned = earned_criteria(mutant.source, case, truth, api)
        here = CHOICE if earned[choice] < 1 else SOMETHING if min(earned.values()) < 1 else NOTHING
        if here > loss:
            loss, shown = here, case.input
        if loss == CHOICE:
            break
    return loss, shown


def earned_criteria(source: str, case: Case, truth: CaseTruth, api: str) -> dict[str, float]:
    """The share of each criterion that the text of a file earns on a case."""
    try:
        program = _program(source, api, case.question.part)
    except Exception:  # a mutant that cannot even be loaded
        return dict.fromkeys(case.question.criteria, 0.0)
    return {finding.criterion: finding.earned for finding in judge(case, truth, program(case, truth)).findings}


_program = lru_cache(2)(programs.of_text)


def searches_of(cases: Sequence[Case]) -> Searches:
    """The cases with a search, those that take least time first."""
    searches = [(case, derive(case)) for case in cases if case.has_truth]
    return sorted(searches, key=lambda each: sum(move.touched[0].generated for move in each[1].moves))


def random_trees(question: Question, own: Sequence[Case], api: str) -> Searches:
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


def lost_and_kept(question: Question, own: Searches, randoms: Searches) -> tuple[list[str], list[str]]:
    """The known mistakes that lose points on the trees of the question's `own` cases, and those only on random ones."""
    lost, survivors = list[str](), list[str]()
    for name, search in programs.known_mistakes(question).items():
        if _loses(search, own):
            lost.append(name)
        elif _loses(search, randoms):
            survivors.append(name)
    return lost, survivors


def strength(question: Question, own: Sequence[Case]) -> tuple[int, int]:
    """How many known mistakes lose points on the public trees, and how many of them fail a drawn one with every key.

    InputError as in `drawn_cases`.
    """
    hidden = [searches_of([*drawn_cases(question, own, numbered_key(number))]) for number in range(KEYS)]
    public = searches_of([case for case in own if not case.input.hidden])
    lost = [search for search in programs.known_mistakes(question).values() if _loses(search, public)]
    return len(lost), sum(all(_loses(search, cases) for cases in hidden) for search in lost)


def _loses(search: programs.Program, searches: Searches) -> bool:
    """True if a search loses points on a tree that scores a node by its number, as the known searches do."""
    return any(
        programs.earned(search, case, truth) < 1
        for case, truth in searches
        if isinstance(case.input, TreeInput) and case.input.evaluation == "score"
    )
