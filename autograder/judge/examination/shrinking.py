"""Makes a tree smaller, step by step, while something stays true of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from pacman.core.layers import Layer
from pacman.core.outline import Outline

TreeAndPlies = tuple[Outline, int]
Holds = Callable[[Sequence[TreeAndPlies]], Sequence[bool]]
"""For each tree and its plies: whether it still shows what the first tree showed."""
BATCH = 12
MAX_STEPS = 40


def shrink(tree: Outline, plies: int, holds: Holds, round_length: int = 1, most: int = 400) -> TreeAndPlies:
    """The tree and its plies, simplified until no single simplification still holds.

    Plies stay a multiple of `round_length`. At most `most` trees are tried.
    """
    for _ in range(MAX_STEPS):
        cost = size_and_numbers(tree, plies)
        simpler = (each for each in _simpler(tree, plies, round_length) if size_and_numbers(*each) < cost)
        step = None
        while step is None and most > 0 and (batch := list(islice(simpler, min(BATCH, most)))):
            most -= len(batch)
            step = next((each for each, is_held in zip(batch, holds(batch), strict=True) if is_held), None)
        if step is None:
            return tree, plies
        tree, plies = step
    return tree, plies


def _simpler(tree: Outline, plies: int, round_length: int) -> Iterator[TreeAndPlies]:
    if plies > round_length:
        yield tree, plies - round_length
    for less in simplified(tree):
        shallow = -(-min(plies, less.height()) // round_length) * round_length
        for depth in sorted({plies, shallow}):
            if depth:
                yield less, depth


def size_and_numbers(tree: Outline, plies: int) -> tuple[float, ...]:
    """The order of preference: fewer nodes first, then fewer plies, small positive numbers, and equal chances."""
    nodes = list(_nodes(tree))
    numbers = [node.utility if node.utility is not None else node.evaluation or 0 for node in nodes]
    negative = sum(number < 0 for number in numbers)
    fractions = sum(number != int(number) for number in numbers)
    size = sum(map(abs, numbers))
    return len(nodes), plies, fractions, size, negative, sum(node.has_written_probabilities for node in nodes)


def _nodes(tree: Outline) -> Iterator[Outline]:
    yield tree
    for _, branch in tree.branches:
        yield from _nodes(branch)


def simplified(tree: Outline) -> Iterator[Outline]:
    """Every tree that is one step simpler: one branch less, a leaf for a node, a smaller number, or equal chances."""
    if tree.is_terminal:
        assert tree.utility is not None
        for smaller in _smaller(tree.utility):
            yield replace(tree, utility=smaller)
        return
    yield Outline(None, tree.evaluation or 0)
    if len(tree.branches) > 1:
        for index in range(len(tree.branches)):
            yield _with_branches(tree, [branch for at, branch in enumerate(tree.branches) if at != index])
    if tree.has_written_probabilities:
        yield _with_branches(tree, tree.branches)
    for index, (action, branch) in enumerate(tree.branches):
        for less in simplified(branch):
            branches = (*tree.branches[:index], (action, less), *tree.branches[index + 1 :])
            yield replace(tree, branches=branches)
    for smaller in _smaller(tree.evaluation or 0):
        yield replace(tree, evaluation=smaller)


def _with_branches(tree: Outline, branches: Sequence[tuple[str, Outline]]) -> Outline:
    """The tree with these branches only; at a CHANCE node they are equally likely."""
    if tree.kind is not Layer.CHANCE:
        return replace(tree, branches=tuple(branches))
    equal = (Fraction(1, len(branches)),) * len(branches)
    return replace(tree, branches=tuple(branches), probabilities=equal, has_written_probabilities=False)


def _smaller(value: float) -> Iterator[float]:
    """Simpler numbers, simplest first: positive, half as far from 0, rounder, and next to `value` if it is small."""
    whole = int(value)
    sign, size = (-1 if whole < 0 else 1), abs(whole)
    power = 10 ** (len(str(size)) - 1)
    steps = [0, 1, size, sign * (size // 2), sign * (size // power * power), sign * (size * 9 // 10 // power * power)]
    if value != whole:
        yield whole
    for smaller in dict.fromkeys([*steps, sign * (size - 1)] if size <= 20 else steps):
        if abs(smaller) < size or smaller > whole:
            yield smaller
