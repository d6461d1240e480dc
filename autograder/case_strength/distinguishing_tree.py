"""Finds small trees that distinguish two searches: it tries random trees, then shrinks those that do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from string import ascii_lowercase

from autograder.case_strength.idlers import MOST_EARNED, PROGRAMS
from autograder.case_strength.programs import Program, earned
from autograder.cases.case import Case, Cut, Question, TreeInput
from autograder.cases.right_answer import derive
from autograder.cases.truth import CaseTruth
from autograder.judge.compare import judge
from autograder.judge.diagnosis.questions import Scope, random_questions
from autograder.judge.diagnosis.shrinking import shrink, size_and_numbers
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

TRIES = 5_000
ENOUGH_MATCHES = 12
"""How many matching trees are shrunk before the smallest is returned."""

Progress = Callable[[int, Outline | None], None]


@dataclass(frozen=True)
class Search:
    """Looks for a tree on which the grader judges two searches differently, as answers to a case of the question."""

    question: Question
    first: Program
    second: Program
    cut: Cut = "equal"

    def distinguishes(self, tree: Outline, plies: int) -> bool:
        """True if the grader tells the two searches apart on this tree."""
        case, truth = self._case(tree, plies)
        verdicts = [judge(case, truth, program(case, truth)) for program in (self.first, self.second)]
        lost = [{each.criterion: each.got for each in verdict.findings if each.earned < 1} for verdict in verdicts]
        return lost[0] != lost[1] or verdicts[0].fault != verdicts[1].fault

    def idler(self, tree: Outline, plies: int) -> str:
        """The name of a program without a search that earns points on this tree; empty if none does."""
        case, truth = self._case(tree, plies)
        names = (name for name, program in PROGRAMS.items() if earned(program, case, truth) > MOST_EARNED)
        return next(names, "")

    def _case(self, tree: Outline, plies: int) -> tuple[Case, CaseTruth]:
        case_input = TreeInput(shows="a new tree", tree=str(tree), plies=plies, cut=self.cut)
        case = Case("new", self.question, case_input, tree, Path("new.yaml"), 1)
        return case, derive(case)


@dataclass(frozen=True)
class Match:
    """The smallest tree that was found, and the plies to search. With an `idler`, that program earns points there."""

    tree: Outline
    plies: int
    idler: str = ""


def find_tree(search: Search, rng: Random, on_progress: Progress) -> Match | None:
    """A tree that does what `search` asks for, as small as can be found; None if there was no such tree.

    If a program without a search earns points on all of them, one of them with the name of such a program. The same
    `rng` gives the same tree.
    """

    def is_suitable(tree: Outline, plies: int) -> bool:
        return search.distinguishes(tree, plies) and not search.idler(tree, plies)

    smallest: tuple[Outline, int] | None = None
    solved: Match | None = None
    matches = 0
    scope = Scope.of(search.question, cut=search.cut)
    for tries, asked in enumerate(random_questions(scope, str(rng.random()), TRIES)):
        if tries % 50 == 0:
            on_progress(tries, smallest[0] if smallest else None)
        tree, plies = _with_letters(asked.tree), asked.plies
        if tree.layer is not Layer.MAX or not search.distinguishes(tree, plies):
            continue
        if idler := search.idler(tree, plies):
            solved = solved or Match(tree, plies, idler)
            continue
        smaller = shrink(tree, plies, is_suitable)
        if smallest is None or size_and_numbers(*smaller) < size_and_numbers(*smallest):
            smallest = smaller
        matches += 1
        if matches == ENOUGH_MATCHES:
            break
    return Match(*smallest) if smallest else solved


def _with_letters(tree: Outline) -> Outline:
    """The tree with the actions a, b, c, ... at each node."""
    branches = [_with_letters(branch) for _, branch in tree.branches]
    return replace(tree, branches=tuple(zip(ascii_lowercase, branches, strict=False)))
