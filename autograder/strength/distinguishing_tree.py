"""Finds small trees that distinguish two known mistakes: it tries random trees, then shrinks those that do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

from autograder.cases.case import Cut, Question
from autograder.judge.diagnosis.model_tree import ModelTree
from autograder.judge.diagnosis.shrinking import shrink, size_and_numbers
from autograder.judge.wrong_searches.mistake import Mistake
from autograder.judge.wrong_searches.search_model import SearchModel
from autograder.judge.wrong_searches.simulation import TooManySuccessors, simulate
from pacman.core.layers import Layer
from pacman.core.outline import Outline

TRIES = 5_000
ENOUGH_MATCHES = 12
"""How many matching trees are shrunk before the smallest is returned."""
MAX_MADE = 2_000
SCALES = (2, 2, 5, 10, 3_000_000_000)
"""Leaf values are random in [-scale, scale]: small ones find off-by-one cuts, huge ones find finite 'infinities'."""

Progress = Callable[[int, Outline | None], None]


def find_tree(
    question: Question,
    first: Mistake | None,
    second: Mistake | None,
    cut: Cut,
    rng: Random,
    on_progress: Progress,
) -> tuple[Outline, int] | None:
    """The smallest tree on which `first` and `second` differ, and the plies to search; None if there was no such tree.

    None as a mistake stands for the right search. Two searches differ if they make different claims; all right claims
    count as equal. The same `rng` gives the same tree.
    """
    layers = [Layer(name) for name in question.layers or ("max", "min", "chance")]

    def distinguishes(tree: Outline, plies: int) -> bool:
        return answer(question, first, cut, tree, plies) != answer(question, second, cut, tree, plies)

    smallest: tuple[Outline, int] | None = None
    matches = 0
    for tries in range(TRIES):
        if tries % 50 == 0:
            on_progress(tries, smallest[0] if smallest else None)
        height = 1 + min(4, 1 + tries // 250) * rng.random()
        tree = random_tree(rng, layers, round(height + 0.5), rng.choice(SCALES), Layer.MAX)
        plies = tree.height() - (rng.random() < 0.3)
        if plies < 1 or not distinguishes(tree, plies):
            continue
        smaller = shrink(tree, plies, lambda batch: [distinguishes(*each) for each in batch])
        if smallest is None or size_and_numbers(*smaller) < size_and_numbers(*smallest):
            smallest = smaller
        matches += 1
        if matches == ENOUGH_MATCHES:
            break
    return smallest


def answer(question: Question, row: Mistake | None, cut: Cut, tree: Outline, plies: int) -> object:
    """What a search with this mistake answers about a tree; "right" if that is right."""
    prunes = question.reference == "alphabeta"
    rules = ([cut] if cut != "either" else ["equal", "strict"]) if prunes else [""]
    right = [SearchModel(cuts=rule) for rule in rules]  # type: ignore[arg-type]
    searched = ModelTree(tree, plies)

    def answered(model: SearchModel) -> object:
        try:
            result = simulate(model, searched, MAX_MADE)
        except TooManySuccessors:
            return "too many successors"
        if result.error:
            return result.error
        value = result.value if "value" in question.criteria else None
        return value, result.action, len(result.generated), frozenset(result.generated)

    with_mistake = answered(replace(right[0], **(row.change if row else {})))
    return "right" if with_mistake in [answered(model) for model in right] else with_mistake


def random_tree(rng: Random, layers: list[Layer], height: int, scale: int, kind: Layer) -> Outline:
    """A random tree of at most this height; each inner node has an evaluation, each leaf a whole number."""

    def value() -> int:
        return rng.randint(-scale, scale)

    branches = []
    for name in "abc"[: rng.choice((1, 2, 2, 2, 3))]:
        inner = height > 1 and rng.random() < 0.8
        child = random_tree(rng, layers, height - 1, scale, rng.choice(layers)) if inner else Outline(None, value())
        branches.append((name, child))
    equal = (Fraction(1, len(branches)),) * len(branches)
    unequal = kind is Layer.CHANCE and len(branches) == 2 and rng.random() < 0.4
    chances = (Fraction(1, 4), Fraction(3, 4)) if unequal else equal
    return Outline(
        kind, None, tuple(branches), chances if kind is Layer.CHANCE else (), value(), has_written_probabilities=unequal
    )
