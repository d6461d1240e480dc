"""Hidden cases that a course's key draws: trees of the shape of public ones, with other numbers.

The answers of the public cases of this project are known to everybody. A question with
`hidden: {like: [01-figure, 05-ties], count: 4}` also has four trees that nobody can foretell without the key. The
actions, layers, probabilities and plies are those of the cases named, one after the other; the numbers are new. Without
a key they come from a fixed one, for practice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from autograder.cases.case import Assignment, Case, MatchInput, Question, TreeInput
from autograder.cases.game_seeds import GameKey
from pacman.core.errors import InputError, counted
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.search.exhaustive import exhaustive

PRACTICE = GameKey(bytes(32))
"""The key of who has none: everybody can draw its trees."""
TRIES = 1_000
LEAST_SPREAD = 20
"""The numbers of a tree are drawn from at least so many whole numbers."""


def with_hidden(assignment: Assignment, key: GameKey | None) -> Assignment:
    """The assignment with the hidden cases that the key draws for its questions. InputError as in `drawn_cases`."""
    cases = list[Case]()
    for question in assignment.questions:
        own = assignment.of(question)
        cases += [*own, *drawn_cases(question, own, key or PRACTICE)]
    return replace(assignment, cases=tuple(cases))


def case_count(assignment: Assignment) -> str:
    """How many cases an assignment has, public and hidden ones: the same words wherever they are counted.

    >>> from autograder.cases import loading
    >>> case_count(loading.load("multiagent").only("q2"))
    '17 public cases, 4 hidden ones that a key draws'
    """
    hidden = sum(case.input.hidden for case in assignment.cases)
    drawn = sum(question.hidden.count for question in assignment.questions if question.hidden)
    parts = [counted(len(assignment.cases) - hidden, "public case")]
    parts += [counted(hidden, "hidden case")] if hidden else []
    parts += [f"{drawn} hidden ones that a key draws"] if drawn else []
    return ", ".join(parts)


def has_matches(assignment: Assignment) -> bool:
    """True if games are played: without a key, they are practice games."""
    return any(isinstance(case.input, MatchInput) for case in assignment.cases)


def has_drawn_cases(assignment: Assignment) -> bool:
    """True if a question has hidden cases that the key draws: without a key, they are drawn for practice."""
    return any(question.hidden for question in assignment.questions)


def draws_from_key(assignment: Assignment) -> bool:
    """True if the points depend on the key: grading with another one is grading with other cases or games."""
    return has_matches(assignment) or has_drawn_cases(assignment)


def drawn_cases(question: Question, own: Sequence[Case], key: GameKey) -> Iterator[Case]:
    """The hidden cases of one question, in their order; the same key gives the same cases.

    None if `own` lacks a case that they are drawn from. Each has the weight of the question's other
    hidden cases, or 1. InputError if no numbers make a tree in which every node has one best successor.
    """
    trees = trees_of(own)
    if question.hidden is None or not trees.keys() >= set(question.hidden.like):
        return
    weight = next((case.input.weight for case in own if case.input.hidden), 1.0)
    for number in range(question.hidden.count):
        like = trees[question.hidden.like[number % len(question.hidden.like)]]
        assert isinstance(like.input, TreeInput)
        tree = _drawn(like, key.draw(f"{question.id} {number}"))
        shows = "a tree that the key of the course draws"
        case_input = replace(like.input, shows=shows, weight=weight, hidden=True, tree=str(tree))
        yield replace(like, name=f"drawn-{number + 1}", input=case_input, root=tree)


def trees_of(own: Sequence[Case]) -> dict[str, Case]:
    """The public cases with a tree, by name: those that drawn ones can be like."""
    return {case.name: case for case in own if isinstance(case.input, TreeInput) and not case.input.hidden}


def _drawn(like: Case, rng: Random) -> Outline:
    """A tree of the shape of a case with numbers that suit it. InputError if none do."""
    assert isinstance(like.root, Outline)
    assert isinstance(like.input, TreeInput)
    old = [number for node in _nodes(like.root) for number in (node.utility, node.evaluation) if number is not None]
    low = int(min(old))
    room = range(low, low + max(int(max(old)) - low, LEAST_SPREAD, 3 * len(old)) + 1)
    for _ in range(TRIES):
        tree = _with_numbers(like.root, iter(rng.sample(room, len(old))))
        if _is_suitable(tree, like.input.plies):
            return tree
    raise InputError(f"{like.source}: hidden: this tree has no other numbers with one best successor at each node")


def _nodes(tree: Outline) -> Iterator[Outline]:
    yield tree
    for _, branch in tree.branches:
        yield from _nodes(branch)


def _with_numbers(tree: Outline, numbers: Iterator[int]) -> Outline:
    """The tree with the next of the numbers in the place of each of its own."""
    utility = None if tree.utility is None else next(numbers)
    evaluation = None if tree.evaluation is None else next(numbers)
    branches = tuple((action, _with_numbers(branch, numbers)) for action, branch in tree.branches)
    return replace(tree, utility=utility, evaluation=evaluation, branches=branches)


def _is_suitable(tree: Outline, plies: int) -> bool:
    """True if no two successors of a node are worth the same, and a program that compares nothing is not right."""
    if not _has_no_ties(tree, plies):
        return False
    actions, value = tree.actions(), exhaustive(tree, plies).value
    leaves = [node.utility for node in _nodes(tree) if node.utility is not None]
    best = exhaustive(tree, plies).action
    is_between = len(actions) < 3 or best not in (actions[0], actions[-1])
    return is_between and value not in (0, tree.evaluation, leaves[0], leaves[-1])


def _has_no_ties(node: Outline, plies: int) -> bool:
    if plies == 0 or node.is_terminal:
        return True
    branches = [branch for _, branch in node.branches]
    values = {exhaustive(branch, plies - 1).value for branch in branches}
    return (len(values) == len(branches) or node.layer is Layer.CHANCE) and all(
        _has_no_ties(branch, plies - 1) for branch in branches
    )
