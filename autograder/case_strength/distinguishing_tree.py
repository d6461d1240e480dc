"""Finds small trees that distinguish two searches: it tries random trees, then shrinks those that do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from random import Random

from autograder.case_strength.idlers import MOST_EARNED, Idler
from autograder.case_strength.random_trees import layers_of, random_tree
from autograder.cases.case import Case, Cut, Question, TreeInput
from autograder.cases.right_answer import derive
from autograder.cases.truth import CaseTruth
from autograder.judge.compare import judge
from autograder.judge.diagnosis.shrinking import shrink, size_and_numbers
from autograder.judge.submission_answer import Answer, Claim, Fault
from autograder.judge.wrong_searches import Edit, TooManyNodes, run, text_of
from autograder.student_process.fault_kind import FaultKind
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline

TRIES = 5_000
ENOUGH_MATCHES = 12
"""How many matching trees are shrunk before the smallest is returned."""
MAX_MADE = 2_000

Progress = Callable[[int, Outline | None], None]
Program = Callable[[Case, CaseTruth], Answer]
"""A search: its answer to a case with a tree."""


@dataclass(frozen=True)
class Search:
    """Looks for a tree on which the grader judges two searches differently, as answers to a case of the question.

    `idlers` are programs without a search: none may earn points there.
    """

    question: Question
    first: Program
    second: Program
    cut: Cut = "equal"
    idlers: Mapping[str, Idler] = field(default_factory=dict)

    def distinguishes(self, tree: Outline, plies: int) -> bool:
        """True if the grader tells the two searches apart on this tree."""
        case, truth = self._case(tree, plies)
        verdicts = [judge(case, truth, program(case, truth)) for program in (self.first, self.second)]
        lost = [{each.criterion: each.got for each in verdict.findings if each.earned < 1} for verdict in verdicts]
        return lost[0] != lost[1] or verdicts[0].fault != verdicts[1].fault

    def idler(self, tree: Outline, plies: int) -> str:
        """The name of a program without a search that earns points on this tree; empty if none does."""
        case, truth = self._case(tree, plies)
        earned = ((name, program(case, truth)) for name, program in self.idlers.items())
        return next((name for name, share in earned if share > MOST_EARNED), "")

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
    layers = layers_of(search.question)

    def is_suitable(tree: Outline, plies: int) -> bool:
        return search.distinguishes(tree, plies) and not search.idler(tree, plies)

    smallest: tuple[Outline, int] | None = None
    solved: Match | None = None
    matches = 0
    for tries in range(TRIES):
        if tries % 50 == 0:
            on_progress(tries, smallest[0] if smallest else None)
        tree, plies = random_tree(rng, layers, min(5, 2 + tries // 250), Layer.MAX, ("a", "b", "c"))
        if not search.distinguishes(tree, plies):
            continue
        if idler := search.idler(tree, plies):
            solved = solved or Match(tree, plies, idler)
            continue
        smaller = shrink(tree, plies, lambda batch: [is_suitable(*each) for each in batch])
        if smallest is None or size_and_numbers(*smaller) < size_and_numbers(*smallest):
            smallest = smaller
        matches += 1
        if matches == ENOUGH_MATCHES:
            break
    return Match(*smallest) if smallest else solved


def known_search(question: Question, edits: tuple[Edit, ...], cut: str = "equal") -> Program:
    """The right search of a question with these edits. Alpha-beta cuts if alpha and beta are `cut`: equal or strict."""
    cuts = ("strict" if cut == "strict" else "equal") if question.reference == "alphabeta" else ""
    text = text_of(edits, cuts)

    def answer(case: Case, truth: CaseTruth) -> Answer:
        assert isinstance(case.input, TreeInput)
        return answer_of(text, case.root, case.input.plies, MAX_MADE)

    return answer


def answer_of(text: str, root: Node, plies: int, most: int) -> Answer:
    """The answer of the search that a text defines; a fault if it fails, or above `most` generated successors."""
    try:
        result = run(text, root, plies, most=most)
    except TooManyNodes:
        return Answer(fault=Fault(FaultKind.TIME, "too many successors"))
    if result.error:
        return Answer(fault=Fault(FaultKind.RAISED, result.error))
    value, trace = result.value if isfinite(result.value) else None, result.trace
    return Answer((Claim(value, str(result.value), result.action, str(result.action), trace.generated, trace, ()),))
