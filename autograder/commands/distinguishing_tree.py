"""Small random trees that tell two known mistakes apart: found by trying, then shrunk to what is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

from autograder.cases.case import Case, Cut, Question, TreeInput
from autograder.cases.reference import nodes_digest
from autograder.cases.reference_recorder import derive
from autograder.judge.compare import is_right
from autograder.judge.mistakes.known_mistakes import KnownMistake
from autograder.judge.mistakes.recognition import to_claim
from autograder.judge.mistakes.wrong_search import Endless, right_variant, run
from pacman.core.layers import Layer
from pacman.core.outline import Outline

TRIES = 5_000
ENOUGH = 12
"""Different trees to shrink before the smallest is taken."""
MOST_MADE = 2_000
SCALES = (2, 2, 5, 10, 3_000_000_000)
"""Leaves are drawn from [-scale, scale]: close ones find off-by-one cuts, vast ones made-up infinities."""

Watch = Callable[[int, Outline | None], None]


def find_tree(
    question: Question, one: KnownMistake | None, other: KnownMistake | None, cut: Cut, rng: Random, watch: Watch
) -> tuple[Outline, int] | None:
    """The smallest tree found, and the plies to search it, on which `one` and `other` differ; None if none was.

    A row that is None stands for the right search. They differ if they claim different things, where all right answers
    are the same. The same `rng` finds the same tree.
    """
    layers = [Layer(name) for name in question.layers or ("max", "min", "chance")]

    def tells(tree: Outline, plies: int) -> bool:
        return claim(question, one, cut, tree, plies) != claim(question, other, cut, tree, plies)

    smallest: tuple[Outline, int] | None = None
    found = 0
    for tried in range(TRIES):
        if tried % 50 == 0:
            watch(tried, smallest[0] if smallest else None)
        height = 1 + min(4, 1 + tried // 250) * rng.random()
        tree = random_tree(rng, layers, round(height + 0.5), rng.choice(SCALES), Layer.MAX)
        plies = tree.height() - (rng.random() < 0.3)
        if plies < 1 or not tells(tree, plies):
            continue
        shrunk = shrink(tree, plies, tells)
        if smallest is None or _cost(*shrunk) < _cost(*smallest):
            smallest = shrunk
        found += 1
        if found == ENOUGH:
            break
    return smallest


def claim(question: Question, row: KnownMistake | None, cut: Cut, tree: Outline, plies: int) -> object:
    """What the first way to make a mistake claims of a tree; "right" where it passes the case."""
    asked = TreeInput(shows="a tree", tree=str(tree), plies=plies, cut=cut)
    case = Case("tree", question, asked, tree, "", Path("tree"), 1)
    wrong = replace(right_variant(question.reference or "", cut), **(row.habits[0] if row else {}))
    try:
        line, trace = run(wrong, tree, plies, MOST_MADE)
    except Endless:
        return "endless"
    except (ValueError, TypeError, ArithmeticError) as error:
        return type(error).__name__
    made = to_claim(line, trace)
    if is_right(case, tree, plies, derive(case).moves[0], made):
        return "right"
    return made.value if "value" in question.criteria else None, made.action, made.generated, nodes_digest(trace)


def random_tree(rng: Random, layers: list[Layer], height: int, scale: int, kind: Layer) -> Outline:
    """A tree of at most that height; every inner node has an evaluation, every leaf a whole number."""

    def value() -> int:
        return rng.randint(-scale, scale)

    branches = []
    for name in "abc"[: rng.choice((1, 2, 2, 2, 3))]:
        inner = height > 1 and rng.random() < 0.8
        child = random_tree(rng, layers, height - 1, scale, rng.choice(layers)) if inner else Outline(None, value())
        branches.append((name, child))
    equal = (Fraction(1, len(branches)),) * len(branches)
    drawn = kind is Layer.CHANCE and len(branches) == 2 and rng.random() < 0.4
    chances = (Fraction(1, 4), Fraction(3, 4)) if drawn else equal
    return Outline(
        kind, None, tuple(branches), chances if kind is Layer.CHANCE else (), value(), has_written_probabilities=drawn
    )


def shrink(tree: Outline, plies: int, tells: Callable[[Outline, int], bool]) -> tuple[Outline, int]:
    """A smallest tree to which no single simplification leads that still tells."""
    while True:
        simpler = ((less, depth) for less in simplified(tree) for depth in sorted({plies, min(plies, less.height())}))
        cost = _cost(tree, plies)
        step = next((each for each in simpler if each[1] and _cost(*each) < cost and tells(*each)), None)
        if step is None:
            return tree, plies
        tree, plies = step


def _cost(tree: Outline, plies: int) -> tuple[float, ...]:
    """Fewer nodes first, then small positive numbers, then equal chances."""
    every = list(_nodes(tree))
    numbers = [node.utility if node.utility is not None else node.evaluation or 0 for node in every]
    negative = sum(number < 0 for number in numbers)
    return len(every), plies, sum(map(abs, numbers)), negative, sum(node.has_written_probabilities for node in every)


def _nodes(tree: Outline) -> Iterator[Outline]:
    yield tree
    for _, branch in tree.branches:
        yield from _nodes(branch)


def simplified(tree: Outline) -> Iterator[Outline]:
    """Every tree that is one step simpler: a branch less, a leaf for a node, a smaller number, equal chances."""
    if tree.is_terminal:
        assert tree.utility is not None
        for smaller in _smaller(tree.utility):
            yield replace(tree, utility=smaller)
        return
    yield Outline(None, tree.evaluation or 0)
    if len(tree.branches) > 1:
        for index in range(len(tree.branches)):
            yield _with(tree, [branch for at, (_, branch) in enumerate(tree.branches) if at != index])
    if tree.has_written_probabilities:
        yield _with(tree, [branch for _, branch in tree.branches])
    for index, (_, branch) in enumerate(tree.branches):
        for less in simplified(branch):
            kept = [less if at == index else other for at, (_, other) in enumerate(tree.branches)]
            yield _with(tree, kept, keep_chances=True)
    for smaller in _smaller(tree.evaluation or 0):
        yield replace(tree, evaluation=smaller)


def _with(tree: Outline, children: list[Outline], keep_chances: bool = False) -> Outline:
    branches = tuple(zip("abc", children, strict=False))
    if keep_chances or tree.kind is not Layer.CHANCE:
        return replace(tree, branches=branches)
    return replace(
        tree,
        branches=branches,
        probabilities=(Fraction(1, len(branches)),) * len(branches),
        has_written_probabilities=False,
    )


def _smaller(value: float) -> Iterator[float]:
    """Simpler numbers, the simplest first: positive, half as far from 0, rounder, and if it is small, the next one."""
    whole = int(value)
    sign, size = (-1 if whole < 0 else 1), abs(whole)
    power = 10 ** (len(str(size)) - 1)
    steps = [0, 1, size, sign * (size // 2), sign * (size // power * power), sign * (size * 9 // 10 // power * power)]
    for smaller in dict.fromkeys([*steps, sign * (size - 1)] if size <= 20 else steps):
        if abs(smaller) < size or smaller > whole:
            yield smaller
