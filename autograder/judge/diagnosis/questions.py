"""The questions of a diagnosis: small trees, each of which shows something about a search.

Most come from patterns: every short sequence of layers with random numbers, chains for the horizon, ends at every
layer, very large numbers, ties, and trees that a right alpha-beta must or must not cut. The numbers come from a
generator with a fixed seed, so that every submission gets the same questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Literal

from autograder.cases.case import Question
from autograder.judge.diagnosis.model_tree import CHANCE, MAX, MIN
from autograder.judge.diagnosis.run import Search
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

NAMES = ("North", "West", "East", "South", "Stop", "Up", "Left")
PROBABILITIES = {1: (1,), 2: (3, 1), 3: (2, 5, 1), 4: (1, 4, 2, 1), 5: (1, 4, 1, 8, 2)}
"""The weights of the outcomes, by their number. No two neighbours are equal."""
RANDOM_QUESTIONS = 60
LARGE = (700, 5e12)
"""About which numbers the leaves lie in the questions for searches with an infinity of their own."""


@dataclass(frozen=True)
class Scope:
    """What trees a part may get: its layers, and whether agents must move in rounds, as in Pacman.

    A drawn tree for our own agents may have any layer anywhere. A Berkeley-style agent counts agents, so its trees
    consist of rounds: MAX, then always the same number of ghosts.
    """

    layers: tuple[Layer, ...]
    in_rounds: bool
    cuts: Literal["", "equal", "strict"]
    """When a right search of this question cuts; empty for never."""

    @classmethod
    def of(cls, question: Question, in_rounds: bool = False, cut: str = "equal") -> Scope:
        """The scope of a question with a search; `cut` is the rule of its cases."""
        layers = tuple(layer for layer in Layer if question.layers is None or layer.value in question.layers)
        cuts: Literal["equal", "strict"] = "equal" if cut == "equal" else "strict"
        return cls(layers, in_rounds, cuts if question.reference == "alphabeta" else "")

    @property
    def ghosts(self) -> tuple[Layer, ...]:
        """The layers of ghosts."""
        return tuple(layer for layer in self.layers if layer is not MAX)


def leaf(utility: float) -> Outline:
    """The end of a game."""
    return Outline(None, float(utility))


def inner(
    layer: Layer, branches: Sequence[Outline], guess: float, rng: Random | None = None, uniform: bool = False
) -> Outline:
    """A node with the evaluation `guess`. Its actions have names that do not sort like their places."""
    count = len(branches)
    names = [NAMES[(3 * index + 1) % len(NAMES)] for index in range(count)] if rng is None else rng.sample(NAMES, count)
    probabilities: tuple[Fraction, ...] = ()
    if layer is CHANCE:
        weights = (1,) * count if uniform else PROBABILITIES[count]
        probabilities = tuple(Fraction(weight, sum(weights)) for weight in weights)
    pairs = tuple(zip(names, branches, strict=True))
    return Outline(layer, None, pairs, probabilities, float(guess), "", layer is CHANCE and not uniform)


Draw = Callable[[Random], float]
"""Draws one number for a leaf or an evaluation."""


def _mixed(rng: Random) -> float:
    """A number of any sign, with at most three binary places, so that sums are exact."""
    return rng.randrange(-160, 160) / 8


def _few(rng: Random) -> float:
    """One of few numbers, so that many are equal."""
    return float(rng.randrange(1, 4))


def _zeros(rng: Random) -> float:
    return rng.choice((-2.0, -1.0, 0.0, 0.0, 1.0, 2.0))


def _below_zero(rng: Random) -> float:
    """A number between -1 and 0, or below -1."""
    return rng.choice((-0.125, -0.25, -0.375, -0.5, -0.625, -0.75, -0.875, -2.0))


def _small(rng: Random) -> float:
    """A small whole number, so that some are equal."""
    return float(rng.randrange(-4, 9))


def _around(centre: float) -> Draw:
    """Numbers close to a large one."""
    return lambda rng: centre + rng.randrange(1, 9) * abs(centre) / 16


class Numbers:
    """Draws numbers for leaves and evaluations. `uniform` is true for trees whose outcomes are all equally likely."""

    def __init__(self, rng: Random, draw: Draw = _mixed, uniform: bool = False, scale: float = 1) -> None:
        self.rng, self.draw, self.uniform, self.scale = rng, draw, uniform, scale

    def next(self) -> float:
        """The next number."""
        return self.scale * self.draw(self.rng)


def layered(
    rng: Random, layers: Sequence[Layer], numbers: Numbers, branching: Sequence[int], ends: float = 0, tail: bool = True
) -> Outline:
    """A tree whose ply i belongs to `layers[i]`. Below the last layer are stubs: nodes of the first layer with tails.

    `ends` is the probability that a node below the root is the end of the game.
    """

    def node(depth: int) -> Outline:
        if depth and rng.random() < ends:
            return leaf(numbers.next())
        if depth == len(layers):
            if not tail:
                return leaf(numbers.next())
            return inner(layers[0], [leaf(numbers.next()), leaf(numbers.next())], numbers.next(), rng, numbers.uniform)
        width = rng.choice(branching)
        return inner(layers[depth], [node(depth + 1) for _ in range(width)], numbers.next(), rng, numbers.uniform)

    return node(0)


def _narrow(rng: Random, layers: Sequence[Layer], numbers: Numbers, most: int) -> Outline:
    """A tree with these layers, with few branches and at most `most` nodes."""
    while True:
        tree = layered(rng, layers, numbers, (1, 1, 1, 2))
        if tree.size() <= most:
            return tree


def rounds_of(ghosts: Sequence[Layer], rounds: int) -> tuple[Layer, ...]:
    """The layers of some rounds."""
    return (MAX, *ghosts) * rounds


def sequences(scope: Scope, longest: int) -> Iterator[tuple[Layer, ...]]:
    """Every sequence of layers that a tree of this scope may have, up to a length in plies."""
    if not scope.in_rounds:
        for length in range(1, longest + 1):
            yield from product(scope.layers, repeat=length)
        return
    for ghosts in range(1, 4):
        for rest in product(scope.ghosts, repeat=ghosts):
            for rounds in (1, 2) if ghosts < 3 else (1,):
                yield rounds_of(rest, rounds)


def fixed_questions(scope: Scope) -> tuple[Search, ...]:
    """The questions that every search of a scope is asked, the simplest first."""
    rng = Random("fixed questions")
    numbers = Numbers(rng, uniform=scope.in_rounds)
    parts = (_of_sequences, _of_ends_and_numbers, _of_windows, _of_shared_trees)
    return tuple(question for part in parts for question in part(scope, rng, numbers))


def _of_sequences(scope: Scope, rng: Random, numbers: Numbers) -> Iterator[Search]:
    """Questions about each order of the layers, and about the horizon."""
    for layers in sequences(scope, 3):
        plies = len(layers)
        for _ in range(2):
            widths = (3, 4, 5) if plies == 1 else (2, 3) if plies == 2 else (1, 2, 2, 3) if plies <= 4 else (1, 2, 2)
            yield Search(layered(rng, layers, numbers, widths), plies)
    for layers in _long_sequences(scope):
        for _ in range(2):
            yield Search(layered(rng, layers, numbers, (1, 2, 2)), len(layers))
    for layers, plies in _horizons(scope):
        yield Search(layered(rng, layers, numbers, (1,)), plies)
        yield Search(_narrow(rng, layers, numbers, 30), plies, rounds=1 if scope.in_rounds else 3)


def _of_ends_and_numbers(scope: Scope, rng: Random, numbers: Numbers) -> Iterator[Search]:
    """Questions about ends inside of a tree, another evaluation, equal numbers, zeros and very large numbers."""
    draws = [_few, _few, _zeros, _below_zero]
    for layers in _ended(scope):
        plies = len(layers)
        for value in (7, -7):
            tree = inner(MAX, [_chain(layers, leaf(value), numbers), leaf(value - 1), leaf(value - 2)], numbers.next())
            yield Search(tree, _whole(scope, tree, plies + 3))
        tree = layered(rng, layers * 2, numbers, (2, 3), ends=0.45)
        yield Search(tree, _whole(scope, tree, 2 * plies))
        yield Search(layered(rng, layers, numbers, (2, 3)), plies, 1000)
        for draw in draws:
            yield Search(layered(rng, layers, Numbers(rng, draw, scope.in_rounds), (2, 3), tail=False), plies)
        for centre in (sign * size for size in LARGE for sign in (1, -1)):
            large = Numbers(rng, _around(centre), scope.in_rounds)
            yield Search(layered(rng, layers, large, (2,), tail=False), plies)


def _of_windows(scope: Scope, rng: Random, _numbers: Numbers) -> Iterator[Search]:
    """Questions about cuts, where a right search cuts."""
    if not scope.cuts:
        return
    for text in WINDOWS:
        tree = _tree(text)
        if not scope.in_rounds or moves_in_rounds(tree, 2):
            yield Search(tree, _whole(scope, tree, tree.height()))
    for layers in _cut_sequences(scope):
        for _ in range(4):
            yield Search(layered(rng, layers, Numbers(rng, _small), (2, 3), tail=False), len(layers))


def _of_shared_trees(scope: Scope, rng: Random, numbers: Numbers) -> Iterator[Search]:
    """Questions for searches that remember values; then some about chance, and about several ghosts."""
    for tree in _shared(scope, rng):
        for less in (0,) if scope.in_rounds else (0, 1, 2):
            yield Search(tree, _whole(scope, tree, tree.height() - less))
    if CHANCE in scope.layers and MIN in scope.layers and not scope.in_rounds:
        for text in CHANCES:
            yield Search(_tree(text), 3)
    for rest in product(scope.ghosts, repeat=3) if scope.in_rounds else ():
        for _ in range(3):
            layers = rounds_of(rest, 2)
            yield Search(layered(rng, layers, numbers, (1, 1, 1, 2)), len(layers))


def random_questions(scope: Scope, seed: str, count: int = RANDOM_QUESTIONS) -> tuple[Search, ...]:
    """Random trees of every kind: some with rounds, some with ends inside, few or many numbers, and stubs."""
    rng = Random(seed)
    made = []
    for index in range(count):
        if scope.in_rounds or index % 2:
            ghosts = [rng.choice(scope.ghosts) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
            layers = rounds_of(ghosts, rng.choice((1, 1, 2)) if len(ghosts) < 3 else 1)
        else:
            layers = tuple(rng.choice(scope.layers) for _ in range(rng.randrange(1, 5)))
        draw = rng.choice((_mixed, _mixed, _small, _few))
        scale = rng.choice((1, 1, 1, 1000)) if draw is _mixed else 1
        branching = (1, 2, 3, 4) if len(layers) <= 2 else (1, 2, 3) if len(layers) <= 3 else (1, 2, 2)
        if len(layers) > 4:
            branching = (1, 1, 2)
        ends = rng.choice((0, 0, 0.15, 0.3))
        tree = layered(rng, layers, Numbers(rng, draw, scope.in_rounds, scale), branching, ends)
        made.append(Search(tree, _whole(scope, tree, len(layers)), seed=index))
    return tuple(made)


def _whole(scope: Scope, tree: Outline, plies: int) -> int:
    """The plies, in whole rounds where agents move in rounds."""
    if not scope.in_rounds:
        return plies
    agents = agents_of(tree)
    return -(-plies // agents) * agents


def agents_of(node: Outline) -> int:
    """The number of agents in a tree of rounds: the longest run from one MAX node to the next; at least 2."""

    def longest(node: Outline, run: int) -> int:
        if node.is_terminal:
            return run
        run = 1 if node.layer is MAX else run + 1
        return max(run, *(longest(child, run) for _, child in node.branches))

    return max(2, longest(node, 0)) if not node.is_terminal else 2


def moves_in_rounds(tree: Outline, length: int, depth: int = 0) -> bool:
    """True if MAX moves at the first ply of every round, and only there."""
    is_turn = tree.is_terminal or (tree.layer is MAX) == (depth % length == 0)
    return is_turn and all(moves_in_rounds(branch, length, depth + 1) for _, branch in tree.branches)


def _chain(layers: Sequence[Layer], end: Outline, numbers: Numbers) -> Outline:
    """A chain of single children that leads to `end`."""
    for layer in reversed(layers[1:]):
        end = inner(layer, [end], numbers.next(), uniform=numbers.uniform)
    return end


def _long_sequences(scope: Scope) -> Iterator[tuple[Layer, ...]]:
    if scope.in_rounds:
        return
    for ghosts in range(1, 4):
        for rest in product(scope.ghosts, repeat=ghosts):
            if ghosts < 3 or len(set(rest)) < 3:
                yield (MAX, *rest, MAX, *rest)[: 6 if ghosts < 3 else 5]


def _horizons(scope: Scope) -> Iterator[tuple[tuple[Layer, ...], int]]:
    """Deep sequences of layers, and how many plies to look ahead in them."""
    for ghosts in range(1, 4):
        rest = tuple(scope.ghosts[index % len(scope.ghosts)] for index in range(ghosts))
        layers = rounds_of(rest, 4)
        length = ghosts + 1
        for plies in (length, 2 * length) if scope.in_rounds else (0, 1, 2, 3, 4, length, length + 1, 2 * length):
            yield layers[: plies + length + 1], plies
        if not scope.in_rounds:
            for start in range(1, length):
                for plies in (1, 2, length):
                    yield layers[start : start + plies + length + 1], plies


def _ended(scope: Scope) -> Iterator[tuple[Layer, ...]]:
    """Short sequences of layers for questions about ends and numbers."""
    if not scope.in_rounds:
        for layer in scope.layers:
            yield (layer,)
    for ghost in scope.ghosts:
        yield (MAX, ghost)
    for pair in product(scope.ghosts, repeat=2):
        yield (MAX, *pair)
    for ghost in scope.ghosts:
        yield (MAX, ghost) * 2


def _cut_sequences(scope: Scope) -> Iterator[tuple[Layer, ...]]:
    for layers in ((MAX, MIN), (MAX, MIN, MAX), (MAX, MIN, MIN), (MAX, MIN, MAX, MIN), (MAX, MIN, MIN, MAX)):
        if not scope.in_rounds or layers[-1] is not MAX:
            yield layers
    if not scope.in_rounds:
        yield from ((MIN, MAX), (MIN, MAX, MIN), (MIN, MIN, MAX), (MAX, MAX, MIN), (MIN, MAX, MIN, MAX))
    yield (MAX, MIN, MIN) * 2
    yield (MAX, MIN, MIN, MIN)


def _tree(text: str) -> Outline:
    """A tree in brackets: `X[3 N[5 9]]`, where X, N and C are max, min and chance."""
    tokens = text.replace("[", " [ ").replace("]", " ] ").split()

    def read(at: int, guess: float) -> tuple[Outline, int]:
        token = tokens[at]
        if token not in "XNC":
            return leaf(float(token)), at + 1
        branches, at = [], at + 2
        while tokens[at] != "]":
            branch, at = read(at, guess + 1)
            branches.append(branch)
        return inner({"X": MAX, "N": MIN, "C": CHANCE}[token], branches, guess), at + 1

    return read(0, 17)[0]


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


def _shared(scope: Scope, rng: Random) -> Iterator[Outline]:
    """Trees with the same subtree at two depths or below two windows, for searches that remember values."""
    numbers = Numbers(rng, uniform=scope.in_rounds)
    for ghost in scope.ghosts:
        for _ in range(3):
            deep = layered(rng, (ghost, MAX, ghost), numbers, (2,), tail=False)
            other = layered(rng, (ghost, MAX, ghost), numbers, (2,), tail=False)
            above = inner(MAX, [deep, leaf(numbers.next())], numbers.next())
            again = inner(ghost, [above, leaf(numbers.next())], 3, uniform=numbers.uniform)
            yield inner(MAX, [deep, again, other], numbers.next())
            yield inner(MAX, [again, deep, other], numbers.next())
        small = layered(rng, (ghost,), numbers, (2,), tail=False)
        yield inner(MAX, [small, small, leaf(numbers.next())], 5)
