"""The mistakes that a search refuses, and its messages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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


PLIES, WINDOW = "^plies must be a whole number, 0 or more, not ", "alpha must be less than beta"
OUTSIDE = r"evaluation 9 of this node lies outside its bounds \[-5, 5\]:\n9"
SEARCHES: dict[str, Callable[..., object]] = {
    "exhaustive": exhaustive,
    "alphabeta": alphabeta,
    "star1": partial(star1, bounds=TEN),
    "star2": partial(star2, bounds=TEN),
}
REFUSED: list[tuple[Callable[[], object], str]] = [
    *((partial(each, TREE, plies), PLIES) for each in SEARCHES.values() for plies in (-1, 1.5, True, "2")),
    *(
        (partial(SEARCHES[name], TREE, 2, alpha=alpha, beta=beta), WINDOW)
        for name in ("alphabeta", "star1", "star2")
        for alpha, beta in ((1, 1), (2, 1), (nan, 1))
    ),
    *(
        (partial(constant_bounds, *ends), "finite bounds L <= U, not ")
        for ends in ((1, -1), (-inf, 1), (0, inf), (nan, 1))
    ),
    *((partial(each, TREE.successor("b"), 1, constant_bounds(-5, 5)), OUTSIDE) for each in (star1, star2)),
    (partial(run_search, "star2.5", TREE, 2), r"star2.5 needs bounds \[L, U\]"),
    (partial(run_search, "alphabet", TREE, 2), "no algorithm 'alphabet': did you mean 'alphabeta'"),
    (partial(star2, TREE, 2, TEN, probes=0), "probes must be 1 or more, not 0"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_a_wrong_argument_is_refused_in_words(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError if "need" in message or "no algorithm" in message else ValueError, match=message):
        call()
