"""Pig: layers, values computed by hand, and errors."""

from __future__ import annotations

import pytest

from pacman.core.errors import IllegalAction, InputError
from pacman.core.layers import Layer
from pacman.games.pig import Pig
from pacman.search import constant_bounds, exhaustive, star1, star2
from pacman.search.algorithms import Options, make_search


def test_layers_are_chance_max_chance_min() -> None:
    node = Pig(20)
    layers = []
    for action in ("6", "hold", "5", "hold"):
        layers.append(node.layer)
        node = node.successor(action)
    assert layers == [Layer.CHANCE, Layer.MAX, Layer.CHANCE, Layer.MIN]
    assert (node.banked, node.player) == ((6, 5), 0)


def test_a_one_loses_the_turn() -> None:
    node = Pig(20).successor("6").successor("roll").successor("1")
    assert (node.banked, node.turn, node.player, node.layer) == ((0, 0), 0, 1, Layer.CHANCE)


def test_the_first_at_the_goal_wins() -> None:
    won = Pig(6).successor("6").successor("hold")
    assert (won.is_terminal, won.score, won.actions(), won.outcomes()) == (True, 1, (), ())
    lost = Pig(6, player=1).successor("6").successor("hold")
    assert lost.score == -1


def test_values_computed_by_hand() -> None:
    """With a goal of 2 points, any roll except a 1 wins. At the horizon, the points of the turn count."""
    assert exhaustive(Pig(2), 2).value == pytest.approx(5 / 6 - 1 / 6 * 5 / 6)
    assert exhaustive(Pig(2), 3).value == pytest.approx(5 / 6 * 1 + 1 / 6 * exhaustive(Pig(2, player=1), 2).value)
    assert exhaustive(Pig(2, player=1), 2).value == pytest.approx(-25 / 36)


def test_it_is_best_to_hold_with_enough_points() -> None:
    assert exhaustive(Pig(10, (7, 9), 4, 0, rolling=False), 4).action == "hold"
    assert exhaustive(Pig(100, (0, 97), 4, 0, rolling=False), 4).action == "roll"


@pytest.mark.parametrize("plies", range(6))
def test_the_star_searches_agree_with_the_exhaustive_search(plies: int) -> None:
    node = Pig(12, (5, 4))
    expected = exhaustive(node, plies)
    assert star1(node, plies, constant_bounds(-1, 1)) == expected
    assert star2(node, plies, constant_bounds(-1, 1)) == expected
    assert make_search("star2.5", Options(bounds=constant_bounds(-1, 1))).visit(node, plies) == expected


def test_mistakes_are_refused() -> None:
    with pytest.raises(InputError, match="must be 1 point or more, not 0"):
        Pig(0)
    with pytest.raises(IllegalAction, match="illegal action '7'; legal: 1, 2, 3, 4, 5, 6"):
        Pig().successor("7")
    with pytest.raises(ValueError, match="only a roll has probabilities"):
        Pig().successor("6").outcomes()
