"""Random trees on which a wrong search differs from the right one, as cases of a question."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Literal

from agents.cs188.tree import agents_of
from autograder.cases.case import Case, Cut, Question, TreeInput
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

MAX_SIZE = 120
SCALES = (2, 2, 5, 10, 1_000, 3_000_000_000)
"""Numbers are random in [-scale, scale]: small ones find wrong cuts, huge ones find numbers in place of infinity."""
OFFSETS = (0, 0, 1, -1)
"""Some trees have only positive numbers, some only negative ones."""
NAMES = (("West", "East", "North", "South"), ("West", "Stop", "East", "North"))


def layers_of(question: Question) -> list[Layer]:
    """The layers that the trees of a question may have."""
    return [Layer(name) for name in question.layers or ("max", "min", "chance")]


def random_cases(question: Question, count: int, rng: Random, is_classic: bool, cut: Cut) -> list[Case]:
    """Random trees as cases, the smallest first. The same `rng` gives the same trees.

    For Berkeley-style files (`is_classic`) the same agents move in every round, only whole rounds are searched, all
    outcomes are equally likely, no action is called Stop, and the evaluation is the score: such files may rely on that.
    """
    trees: list[tuple[int, str, int, Outline]] = []
    while len(trees) < count:
        if is_classic or rng.random() < 0.5:
            kinds = _round(rng, layers_of(question))
            tree, plies = _round_tree(rng, kinds, is_classic)
            if is_classic and agents_of(tree) != len(kinds):
                continue
        else:
            tree, plies = random_tree(rng, layers_of(question))
        if 1 < tree.size() <= MAX_SIZE:
            trees.append((tree.size(), str(tree), plies, tree))
    cases = []
    for number, (_, text, plies, tree) in enumerate(sorted(trees, key=lambda each: each[:3])):
        evaluation: Literal["score", "other"] = "other" if number % 3 == 0 and not is_classic else "score"
        tree_input = TreeInput(shows="a random tree", tree=text, plies=plies, cut=cut, evaluation=evaluation)
        cases.append(Case(f"random-{number}", question, tree_input, tree, Path("random tree"), 1))
    return cases


def _round(rng: Random, layers: list[Layer]) -> list[Layer]:
    """The layers of a round: MAX, then one to three ghosts, CHANCE before MIN."""
    ghosts = [layer for layer in layers if layer is not Layer.MAX]
    return [Layer.MAX, *sorted(rng.choices(ghosts, k=rng.choice((1, 1, 2, 2, 3))), key=list(Layer).index)]


def _round_tree(rng: Random, kinds: list[Layer], is_uniform: bool) -> tuple[Outline, int]:
    """A tree of one to three rounds, and the plies of all rounds or of all but one. Some subtrees occur twice."""
    rounds = rng.choice((1, 1, 2, 2, 3)) if len(kinds) < 4 else rng.choice((1, 2))
    rounds_seen = rounds - (rounds > 1 and rng.random() < 0.4)
    early = rng.choice((0.0, 0.1, 0.25))
    widths = rng.choice(((1, 2), (1, 2, 2, 3), (2, 3, 4))) if len(kinds) * rounds < 5 else (1, 1, 2, 2)
    values, names = _Values(rng), rng.choice(NAMES[: 1 if is_uniform else 2])
    rows = kinds * rounds
    rows_of_nodes: list[list[Outline]] = [[] for _ in rows]

    def grow(depth: int) -> Outline:
        if depth == len(rows) or (depth and rng.random() < early):
            return Outline(None, values.draw())
        if rows_of_nodes[depth] and rng.random() < 0.1:
            return rng.choice(rows_of_nodes[depth])
        children = [grow(depth + 1) for _ in range(rng.choice(widths))]
        rows_of_nodes[depth].append(_inner(rng, rows[depth], children, values.draw(), names, is_uniform))
        return rows_of_nodes[depth][-1]

    return grow(0), len(kinds) * rounds_seen


def random_tree(
    rng: Random, layers: list[Layer], most: int = 5, root: Layer | None = None, names: tuple[str, ...] = ()
) -> tuple[Outline, int]:
    """A tree with a random layer at each node, and the plies down to its leaves or to an inner row.

    It has at most `most` plies. The node at the top has the layer `root`, and the actions these `names`, if they are
    given.
    """
    height = min(most, rng.choice((1, 2, 2, 3, 3, 4, 5)))
    values, names = _Values(rng), names or rng.choice(NAMES)
    widths = rng.choice(((1, 2, 2, 3), (2, 3), (1, 1, 2))) if height < 4 else (1, 2, 2)

    def grow(left: int) -> Outline:
        if not left or (left < height and rng.random() < 0.15):
            return Outline(None, values.draw())
        children = [grow(left - 1) for _ in range(rng.choice(widths))]
        kind = root if root and left == height else rng.choice(layers)
        return _inner(rng, kind, children, values.draw(), names)

    tree = grow(height)
    return tree, max(1, tree.height() - (rng.random() < 0.3))


def _inner(
    rng: Random,
    kind: Layer,
    children: list[Outline],
    evaluation: float,
    names: tuple[str, ...],
    is_uniform: bool = False,
) -> Outline:
    """A node above these children. Unless `is_uniform`, the probabilities differ at half of the CHANCE nodes."""
    branches = tuple(zip(names, children, strict=False))
    if kind is not Layer.CHANCE:
        return Outline(kind, None, branches, (), evaluation)
    shares = [1] * len(children)
    if not is_uniform and rng.random() < 0.5:
        shares = [1, *(rng.choice((0, 1, 1, 2, 5, 17)) for _ in children[1:])]
    chances = tuple(Fraction(share, sum(shares)) for share in shares)
    return Outline(kind, None, branches, chances, evaluation, has_written_probabilities=len(set(shares)) > 1)


class _Values:
    """Random numbers of one size and sign."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.scale = rng.choice(SCALES)
        self.offset = rng.choice(OFFSETS) * (self.scale + 1)
        self.fraction = rng.choice((0, 0, 0, 0.25))

    def draw(self) -> float:
        """The next number."""
        return self.offset + self.rng.randint(-self.scale, self.scale) + self.fraction * self.rng.randint(0, 3)
