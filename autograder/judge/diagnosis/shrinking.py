"""Makes a tree smaller, step by step, while something stays true of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice

from agents.cs188.tree import agents_of
from autograder.judge.diagnosis.questions import moves_in_rounds
from autograder.judge.diagnosis.run import nodes_of
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

TreeAndPlies = tuple[Outline, int]
Holds = Callable[[Outline, int], bool]
"""True if a tree with its plies still shows what the first tree showed."""
MAX_STEPS = 80


def shrink(tree: Outline, plies: int, holds: Holds, in_rounds: bool = False, most: int = 400) -> TreeAndPlies:
    """The tree and its plies, simplified until no single simplification still holds.

    With `in_rounds` the agents still move in rounds, the plies are whole rounds, and MAX has an action at the root. At
    most `most` trees are tried.
    """
    start = 0
    for _ in range(MAX_STEPS):
        cost, step = size_and_numbers(tree, plies), None
        first, second = (enumerate(_simpler(tree, plies, in_rounds)) for _ in range(2))
        # what did not hold before comes last
        for index, each in chain(islice(first, start, None), islice(second, start)):
            if most > 0 and size_and_numbers(*each) < cost:
                most -= 1
                if holds(*each):
                    start, step = index, each
                    break
        if step is None:
            return tree, plies
        tree, plies = step
    return tree, plies


def _simpler(tree: Outline, plies: int, in_rounds: bool) -> Iterator[TreeAndPlies]:
    """Simpler trees: first those that lose many nodes at once, then those that lose one, then smaller numbers."""
    length = agents_of(tree) if in_rounds else 1

    def whole(less: Outline, most: int) -> Iterator[TreeAndPlies]:
        """The tree with at most so many rounds of its own agents, if it has some; without agents a ply is a round."""
        agents = agents_of(less) if in_rounds else 1
        if not in_rounds or (less.branches and moves_in_rounds(less, agents)):
            for rounds in sorted({most, min(most, -(-less.height() // agents))}):
                if rounds > 0:
                    yield less, rounds * agents

    rounds = plies // length
    yield from whole(tree, rounds - 1)
    if (cut := _cut_off(tree, plies)) != tree:
        yield from whole(cut, rounds)
    for below in _nodes_at(tree, length):
        for most in (rounds - 1, rounds) if below.branches else ():
            yield from whole(below, most)
    for ghost in range(1, length) if length > 2 else ():
        yield from whole(_without_ply(tree, ghost, length), rounds)
    for less in (*_simpler_numbers(tree, plies), *simplified(tree, length)):
        yield from whole(less, rounds)


def _cut_off(tree: Outline, plies: int) -> Outline:
    """The tree without what is below the horizon: a node there is a leaf."""
    if plies == 0 and tree.branches:
        return Outline(None, tree.evaluation or 0)
    return replace(tree, branches=tuple((action, _cut_off(branch, plies - 1)) for action, branch in tree.branches))


def _nodes_at(tree: Outline, depth: int) -> Iterator[Outline]:
    if depth == 0:
        yield tree
        return
    for _, branch in tree.branches:
        yield from _nodes_at(branch, depth - 1)


def _without_ply(tree: Outline, ply: int, length: int, depth: int = 0) -> Outline:
    """The tree in which the first child of each node takes its place, at this ply of every round."""
    while tree.branches and depth % length == ply:
        tree, depth = tree.branches[0][1], depth + 1
    branches = tuple((action, _without_ply(branch, ply, length, depth + 1)) for action, branch in tree.branches)
    return replace(tree, branches=branches)


def _simpler_numbers(tree: Outline, plies: int) -> Iterator[Outline]:
    """The tree with all evaluations above the horizon 0, or with all its numbers smaller in the same order."""
    yield _with_numbers(tree, lambda node, depth: 0 if node.branches and depth < plies else _number(node))
    numbers = sorted({_number(node) for node in nodes_of(tree)})
    below = sum(number < 0 for number in numbers)
    ranked = {number: index for index, number in enumerate(numbers)}
    signed = {number: index - below + (number > 0 and 0 not in numbers) for number, index in ranked.items()}
    yield _with_numbers(tree, lambda node, depth: ranked[_number(node)])
    yield _with_numbers(tree, lambda node, depth: signed[_number(node)])


def _with_numbers(tree: Outline, number: Callable[[Outline, int], float], depth: int = 0) -> Outline:
    """The tree with other numbers, each of which comes from the old node and its depth."""
    new = float(number(tree, depth))
    if tree.utility is not None:
        return replace(tree, utility=new)
    branches = tuple((action, _with_numbers(each, number, depth + 1)) for action, each in tree.branches)
    return replace(tree, branches=branches, evaluation=new)


def _number(node: Outline) -> float:
    return node.utility if node.utility is not None else node.evaluation or 0


def size_and_numbers(tree: Outline, plies: int) -> tuple[float, ...]:
    """The order of preference: fewer nodes first, then fewer plies, small positive numbers, and equal chances."""
    nodes = list(nodes_of(tree))
    numbers = [_number(node) for node in nodes]
    negative = sum(number < 0 for number in numbers)
    fractions = sum(number != int(number) for number in numbers)
    size = sum(map(abs, numbers))
    return len(nodes), plies, fractions, size, negative, sum(node.has_written_probabilities for node in nodes)


def simplified(tree: Outline, length: int = 1) -> Iterator[Outline]:
    """Every tree that is one step simpler, in whole rounds of some `length`.

    A step is one branch less, a leaf for a node, a node below it for a node, a smaller number, or equal chances.
    """
    if tree.is_terminal:
        assert tree.utility is not None
        for smaller in _smaller(tree.utility):
            yield replace(tree, utility=smaller)
        return
    yield Outline(None, tree.evaluation or 0)
    if len(tree.branches) > 1:
        for index in range(len(tree.branches)):
            yield _with_branches(tree, [branch for at, branch in enumerate(tree.branches) if at != index])
    yield from _nodes_at(tree, length)
    if tree.has_written_probabilities:
        yield _with_branches(tree, tree.branches)
    for index, (action, branch) in enumerate(tree.branches):
        for less in simplified(branch, length):
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
