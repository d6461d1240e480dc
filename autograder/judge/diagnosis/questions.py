"""The trees that a diagnosis asks for: small ones, each of which shows something about a search.

Most come from patterns: every short sequence of layers with random numbers, chains for the horizon, ends at every
layer, very large numbers, ties, and trees that a right alpha-beta must or must not cut. The numbers come from a
generator with a fixed seed, so that every submission gets the same trees.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from agents.cs188.tree import agents_of
from autograder.cases.case import Question
from autograder.judge.diagnosis.run import Cuts, Search
from autograder.judge.diagnosis.steps import CHANCE, MAX, MIN
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

NAMES = ("North", "West", "East", "South", "Stop", "Up", "Left")
PROBABILITIES = {1: (1,), 2: (3, 1), 3: (2, 5, 1), 4: (1, 4, 2, 1), 5: (1, 4, 1, 8, 2)}
"""The weights of the outcomes, by their number. No two neighbours are equal."""
FIXED_SEED = "fixed questions"
RANDOM_QUESTIONS = 60
MIXED = tuple(number / 8 for number in range(-160, 160))
"""Numbers of any sign, with at most three binary places, so that sums are exact."""
SMALL = tuple(range(-4, 9))
FEW = (1, 2, 3)
"""Few numbers, so that many leaves are equal."""
ZEROS = (-2, -1, 0, 0, 1, 2)
BELOW_ZERO = (-0.125, -0.25, -0.375, -0.5, -0.625, -0.75, -0.875, -2)
"""Numbers between -1 and 0, or below -1."""
LARGE = (700, -700, 5e12, -5e12)
"""About which numbers the leaves lie in the trees for searches with an infinity of their own."""
LARGE_NUMBERS = tuple(tuple(centre + step * abs(centre) / 16 for step in range(1, 9)) for centre in LARGE)
NUMBERS: tuple[Sequence[float], ...] = (MIXED, MIXED, tuple(1_000 * number for number in MIXED), SMALL, FEW)
"""Of which numbers a random tree has its own."""
WIDTHS = {1: (3, 4, 5), 2: (2, 3), 3: (1, 2, 2, 3), 4: (1, 2, 2, 3)}
"""How many actions a node may have, by the number of layers."""
NARROW = (1, 1, 1, 2)


@dataclass(frozen=True)
class Scope:
    """What trees a part may get: its layers, and whether agents must move in rounds, as in Pacman.

    A drawn tree for our own agents may have any layer anywhere. A Berkeley-style agent counts agents, so its trees
    consist of rounds: MAX, then always the same number of ghosts.
    """

    layers: tuple[Layer, ...]
    in_rounds: bool
    cuts: Cuts

    @classmethod
    def of(cls, question: Question, in_rounds: bool = False, cut: str = "equal") -> Scope:
        """The scope of a question with a search; `cut` is the rule of its cases."""
        layers = tuple(layer for layer in Layer if question.layers is None or layer.value in question.layers)
        cuts: Cuts = "equal" if cut == "equal" else "strict"
        return cls(layers, in_rounds, cuts if question.reference == "alphabeta" else "")

    @property
    def ghosts(self) -> tuple[Layer, ...]:
        """The layers of ghosts."""
        return tuple(layer for layer in self.layers if layer is not MAX)

    def ghosts_of_rounds(self, most: int = 3) -> Iterator[tuple[Layer, ...]]:
        """The ghosts of every round with at most so many of them."""
        for count in range(1, most + 1):
            yield from product(self.ghosts, repeat=count)

    def search(self, tree: Outline, plies: int, shift: float = 0, seed: int = 0, rounds: int = 1) -> Search:
        """The search of a tree; where agents move in rounds, of whole rounds."""
        if self.in_rounds:
            agents = agents_of(tree)
            plies = -(-plies // agents) * agents
        return Search(tree, plies, shift, seed, rounds=rounds)


class _Drawer:
    """Draws trees of a scope. Where agents move in rounds, all outcomes are equally likely."""

    def __init__(self, scope: Scope, seed: str, names: Sequence[str] = NAMES) -> None:
        self.rng, self.is_uniform, self.names = Random(seed), scope.in_rounds, names

    def leaf(self, numbers: Sequence[float] = MIXED) -> Outline:
        """The end of a game, with one of the numbers."""
        return Outline(None, float(self.rng.choice(numbers)))

    def inner(self, layer: Layer, branches: Sequence[Outline], numbers: Sequence[float] = MIXED) -> Outline:
        """A node with one of the numbers as evaluation. Its actions have names that do not sort like their places."""
        weights = (1,) * len(branches) if self.is_uniform else PROBABILITIES[len(branches)]
        chances = tuple(Fraction(weight, sum(weights)) for weight in weights) if layer is CHANCE else ()
        pairs = tuple(zip(self.rng.sample(self.names, len(branches)), branches, strict=True))
        is_written = layer is CHANCE and not self.is_uniform
        return Outline(layer, None, pairs, chances, float(self.rng.choice(numbers)), "", is_written)

    def tree(
        self,
        layers: Sequence[Layer],
        widths: Sequence[int] = (),
        numbers: Sequence[float] = MIXED,
        ends: float = 0,
        tail: bool = True,
    ) -> Outline:
        """A tree whose ply i belongs to `layers[i]`. Below the last layer are nodes of the first one with leaves.

        `ends` is the probability that a node below the root is the end of the game. Without a `tail`, leaves are below
        the last layer.
        """
        widths = widths or WIDTHS.get(len(layers), (1, 2, 2))

        def node(depth: int) -> Outline:
            if (depth and self.rng.random() < ends) or (depth == len(layers) and not tail):
                return self.leaf(numbers)
            if depth == len(layers):
                return self.inner(layers[0], [self.leaf(numbers), self.leaf(numbers)], numbers)
            return self.inner(layers[depth], [node(depth + 1) for _ in range(self.rng.choice(widths))], numbers)

        return node(0)

    def narrow(self, layers: Sequence[Layer], most: int = 30) -> Outline:
        """A tree with these layers, with few branches and few nodes."""
        while (tree := self.tree(layers, NARROW)).size() > most:
            pass
        return tree

    def chain(self, layers: Sequence[Layer], end: float) -> Outline:
        """A MAX node over a chain of single successors that leads to `end`, and two ends that are worse."""
        below = Outline(None, end)
        for layer in reversed(layers[1:]):
            below = self.inner(layer, [below])
        return self.inner(MAX, [below, Outline(None, end - 1), Outline(None, end - 2)])


def fixed_questions(scope: Scope) -> tuple[Search, ...]:
    """The searches that every part of a scope is asked for, the simplest first."""
    drawer = _Drawer(scope, FIXED_SEED)
    parts = (_of_sequences, _of_ends_and_numbers, _of_windows, _of_shared_trees)
    return tuple(question for part in parts for question in part(scope, drawer))


def random_questions(
    scope: Scope,
    seed: str,
    count: int = RANDOM_QUESTIONS,
    kinds: Sequence[Sequence[float]] = NUMBERS,
    names: Sequence[str] = NAMES,
) -> Iterator[Search]:
    """Random trees of every kind: some with rounds, some with ends inside, few or many numbers, and stubs.

    The numbers of each are of one of the `kinds`, and its actions have some of the `names`, at least four.
    """
    drawer = _Drawer(scope, seed, names)
    rng = drawer.rng
    for index in range(count):
        if scope.in_rounds or index % 2:
            ghosts = rng.choices(scope.ghosts, k=rng.choice((1, 1, 2, 2, 3)))
            layers = (MAX, *ghosts) * (rng.choice((1, 1, 2)) if len(ghosts) < 3 else 1)
        else:
            layers = tuple(rng.choices(scope.layers, k=rng.randrange(1, 5)))
        numbers = rng.choice(kinds)
        widths = (1, 2, 3, 4) if len(layers) <= 2 else (1, 2, 3) if len(layers) == 3 else (1, 1, 2, 2)
        tree = drawer.tree(layers, widths, numbers, rng.choice((0, 0, 0.15, 0.3)))
        yield scope.search(tree, len(layers), seed=index)


def moves_in_rounds(tree: Outline, length: int, depth: int = 0) -> bool:
    """True if MAX moves at the first ply of every round of two plies or more, and only there."""
    is_turn = tree.is_terminal or (tree.layer is MAX) == (depth % length == 0)
    return length > 1 and is_turn and all(moves_in_rounds(branch, length, depth + 1) for _, branch in tree.branches)


def _of_sequences(scope: Scope, drawer: _Drawer) -> Iterator[Search]:
    """Searches about each order of the layers, and about the horizon."""
    sequences: list[tuple[Layer, ...]] = []
    if scope.in_rounds:
        for ghosts in scope.ghosts_of_rounds():
            sequences += [(MAX, *ghosts) * rounds for rounds in (1, 2) if len(ghosts) * rounds < 6]
    else:
        for length in (1, 2, 3):
            sequences += product(scope.layers, repeat=length)
        sequences += [(MAX, *ghosts, MAX, *ghosts)[:6] for ghosts in scope.ghosts_of_rounds() if len(set(ghosts)) < 3]
    for layers in sequences:
        for _ in range(2):
            yield scope.search(drawer.tree(layers), len(layers))
    for count in (1, 2, 3):
        length = count + 1
        layers = (MAX, *(scope.ghosts[index % len(scope.ghosts)] for index in range(count))) * 4
        whole = [(0, plies) for plies in (length, 2 * length)]
        other = [(0, plies) for plies in (0, 1, 2, 3, 4, length + 1)]
        other += [(start, plies) for start in range(1, length) for plies in (1, 2, length)]
        for start, plies in whole if scope.in_rounds else (*whole, *other):
            below = layers[start : start + plies + length + 1]
            yield scope.search(drawer.tree(below, (1,)), plies)
            yield scope.search(drawer.narrow(below), plies, rounds=1 if scope.in_rounds else 3)


def _of_ends_and_numbers(scope: Scope, drawer: _Drawer) -> Iterator[Search]:
    """Searches about ends inside of a tree, another evaluation, equal numbers, zeros and very large numbers."""
    sequences: list[tuple[Layer, ...]] = [] if scope.in_rounds else [(layer,) for layer in scope.layers]
    sequences += [(MAX, *ghosts) for ghosts in scope.ghosts_of_rounds(2)] + [(MAX, ghost) * 2 for ghost in scope.ghosts]
    for layers in sequences:
        plies = len(layers)
        for end in (7, -7):
            yield scope.search(drawer.chain(layers, end), plies + 3)
        yield scope.search(drawer.tree(layers * 2, (2, 3), ends=0.45), 2 * plies)
        yield scope.search(drawer.tree(layers, (2, 3)), plies, 1000)
        for numbers in (FEW, FEW, ZEROS, BELOW_ZERO, *LARGE_NUMBERS):
            yield scope.search(drawer.tree(layers, (2, 3) if len(numbers) < 8 else (2,), numbers, tail=False), plies)


def _of_windows(scope: Scope, drawer: _Drawer) -> Iterator[Search]:
    """Searches about cuts, where a right search cuts."""
    if not scope.cuts:
        return
    for text in WINDOWS:
        tree = _tree(text)
        if not scope.in_rounds or moves_in_rounds(tree, 2):
            yield scope.search(tree, tree.height())
    for text in CUT_LAYERS.split():
        layers = tuple({"X": MAX, "N": MIN}[each] for each in text)
        if not scope.in_rounds or (layers[0] is MAX and layers[-1] is not MAX and layers[1] is not MAX):
            widths = (2, 3) if len(layers) < 5 else (2,)
            for _ in range(4):
                yield scope.search(drawer.tree(layers, widths, SMALL, tail=False), len(layers))


def _of_shared_trees(scope: Scope, drawer: _Drawer) -> Iterator[Search]:
    """Searches of trees with the same subtree at two depths or below two windows; then some about chance and rounds."""
    for ghost in scope.ghosts:
        trees = []
        for _ in range(3):
            deep, other = (drawer.tree((ghost, MAX, ghost), (2,), tail=False) for _ in range(2))
            again = drawer.inner(ghost, [drawer.inner(MAX, [deep, drawer.leaf()]), drawer.leaf()])
            trees += [drawer.inner(MAX, [deep, again, other]), drawer.inner(MAX, [again, deep, other])]
        small = drawer.tree((ghost,), (2,), tail=False)
        for tree in (*trees, drawer.inner(MAX, [small, small, drawer.leaf()])):
            for less in (0,) if scope.in_rounds else (0, 1, 2):
                yield scope.search(tree, tree.height() - less)
    if scope.in_rounds:
        for ghosts in product(scope.ghosts, repeat=3):
            for _ in range(3):
                yield scope.search(drawer.tree((MAX, *ghosts) * 2, NARROW), 8)
    elif CHANCE in scope.layers and MIN in scope.layers:
        for text in CHANCES:
            yield scope.search(_tree(text), 3)


def _tree(text: str) -> Outline:
    """A tree in brackets: `X[3 N[5 9]]`, where X, N and C are max, min and chance."""

    def read(node: Any, guess: float) -> Outline:
        if isinstance(node, int):
            return Outline(None, float(node))
        branches = [read(each, guess + 1) for each in node[1:]]
        weights = PROBABILITIES[len(branches)]
        chances = tuple(Fraction(weight, sum(weights)) for weight in weights) if node[0] == "C" else ()
        pairs = tuple((NAMES[(3 * index + 1) % len(NAMES)], branch) for index, branch in enumerate(branches))
        layer = {"X": MAX, "N": MIN, "C": CHANCE}[node[0]]
        return Outline(layer, None, pairs, chances, guess, "", layer is CHANCE)

    return read(json.loads(re.sub(r"([XNC])\[", r'["\1" ', text).replace(" ", ",")), 17)


WINDOWS = (
    "X[N[5] N[3 9]]", "X[N[5] N[5 9]]", "X[N[X[5] X[8 1]]]", "X[N[X[5] X[5 1]]]", "X[N[N[5]] N[N[3 9]]]",
    "X[N[X[N[5]] X[N[3 9]]]]", "X[N[X[N[5] N[3 9]]]]", "X[N[N[X[5]] N[X[8 1]]]]", "X[N[X[N[X[5]]] X[N[X[8 1]]]]]",
    "X[N[9 7 3 2]]", "X[N[1 2 3 4]]", "X[1 2 3 4]", "X[4 3 2 1]", "X[N[1] N[9 7 3 2]]", "X[N[X[9] X[1 3 7 2]]]",
    "X[N[5] N[3 9] N[8]]", "X[N[5 9] N[6 7] N[3 1]]", "X[N[X[3 4] X[9 1]] N[X[2 1] X[8 6]]]",
    "X[N[5 6] N[7 4 9] N[4 8]]", "X[N[X[N[4 6] N[5 3]] X[N[2 9] N[8 7]]] N[X[N[3 1] N[6 2]] X[N[5 9] N[4 4]]]]",
    "N[X[5] X[8 1]]", "N[X[5 1] X[5 9]]", "N[9 7 3]", "X[X[N[5]] X[N[3 9]]]", "N[N[X[5]] N[X[8 1]]]",
    "X[N[0 1] N[0 2]]", "X[N[-5] N[-3 -9] N[-8 -1]]", "X[N[X[-5 -6] X[-8 -1]] N[X[-2 -7] X[-9 -3]]]",
)  # fmt: skip
"""Trees in which a right alpha-beta must cut, and trees in which a wrong cut changes the value or the nodes."""
CHANCES = ("X[3 C[N[2 -50] N[20 30]]]", "X[1 C[N[0 -9] N[8 9]] C[N[-3 -30] 20]]", "N[3 C[X[4 50] X[-20 -30]]]")
"""Trees in which a search must not cut at a CHANCE node."""
CUT_LAYERS = "XN XNX XNN XNXN XNNX NX NXN NNX XXN NXNX XNNXNN XNNN"
"""The layers of more trees with cuts."""
