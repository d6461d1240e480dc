"""The mistakes that a search refuses, and its messages."""

from __future__ import annotations

from math import inf, nan

import pytest

from pacman.core.errors import InputError
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.search import Options, alphabeta, constant_bounds, exhaustive, run_search, star1, star2

TREE = Outline.parse("max =Root\n  a: 4\n  b: chance =Dice\n    x: 2\n    y: 9")
TEN = constant_bounds(-10, 10)


class Broken:
    """A node with one mistake."""

    def __init__(
        self, layer: Layer, probabilities: tuple[float, ...] = (), score: float = 0, end: bool = False
    ) -> None:
        self.layer, self.probabilities, self.score, self.is_terminal = layer, probabilities, score, end

    def actions(self) -> tuple[str, ...]:
        return tuple("abc"[: len(self.probabilities)])

    def successor(self, action: str) -> Broken:
        return Broken(Layer.MAX, score=1, end=True)

    def outcomes(self) -> tuple[tuple[str, float], ...]:
        return tuple(zip("abc", self.probabilities, strict=False))

    def __str__(self) -> str:
        return "the broken node"


@pytest.mark.parametrize("name", ["exhaustive", "alphabeta", "star1", "star2", "star2.5"])
@pytest.mark.parametrize(
    ("node", "message"),
    [
        (Broken(Layer.CHANCE, (0.5, 0.25)), r"must sum to 1, not to 0.75, at this chance node:\nthe broken node"),
        (
            Broken(Layer.CHANCE, (1.5, -0.5)),
            r"the probability of 'b' must be 0 or more, not -0.5, at this chance node:\nthe broken",
        ),
        (Broken(Layer.CHANCE, (nan, 0.5)), r"the probability of 'a' must be 0 or more, not nan"),
        (Broken(Layer.MAX), r"this max node is not terminal and has no actions:\nthe broken node"),
        (Broken(Layer.MIN), r"this min node is not terminal and has no actions"),
        (Broken(Layer.MAX, score=nan, end=True), r"evaluation of this node is nan, not a number:\nthe broken node"),
    ],
)
def test_a_broken_node_is_named(name: str, node: Broken, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run_search(name, node, 2, Options(bounds=TEN))  # type: ignore[arg-type]


@pytest.mark.parametrize("plies", [-1, 1.5, True, "2"])
def test_wrong_plies_are_refused(plies: int) -> None:
    for call in (
        lambda: exhaustive(TREE, plies),
        lambda: alphabeta(TREE, plies),
        lambda: star1(TREE, plies, TEN),
        lambda: star2(TREE, plies, TEN),
    ):
        with pytest.raises(ValueError, match="^plies must be a whole number, 0 or more, not "):
            call()


@pytest.mark.parametrize(("alpha", "beta"), [(1, 1), (2, 1), (nan, 1)])
def test_an_empty_window_is_refused(alpha: float, beta: float) -> None:
    for call in (
        lambda: alphabeta(TREE, 2, alpha=alpha, beta=beta),
        lambda: star1(TREE, 2, TEN, alpha=alpha, beta=beta),
        lambda: star2(TREE, 2, TEN, alpha=alpha, beta=beta),
    ):
        with pytest.raises(ValueError, match="alpha must be less than beta"):
            call()


@pytest.mark.parametrize(("low", "high"), [(1, -1), (-inf, 1), (0, inf), (nan, 1)])
def test_wrong_bounds_are_refused(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="finite bounds L <= U, not "):
        constant_bounds(low, high)


@pytest.mark.parametrize("search", [star1, star2])
def test_a_leaf_outside_its_bounds_is_named(search: object) -> None:
    with pytest.raises(ValueError, match=r"evaluation 9 of this node lies outside its bounds \[-5, 5\]:\n9"):
        search(TREE.successor("b"), 1, constant_bounds(-5, 5))  # type: ignore[operator]


def test_a_star_search_without_bounds_is_refused() -> None:
    with pytest.raises(InputError, match=r"star2.5 needs bounds \[L, U\]"):
        run_search("star2.5", TREE, 2)


def test_an_unknown_algorithm_is_refused() -> None:
    with pytest.raises(InputError, match="no algorithm 'alphabet': did you mean 'alphabeta'"):
        run_search("alphabet", TREE, 2)


def test_a_wrong_number_of_probes_is_refused() -> None:
    with pytest.raises(ValueError, match="probes must be 1 or more, not 0"):
        star2(TREE, 2, TEN, probes=0)
