"""Minesweeper, pig and tic-tac-toe: probabilities, layers, values computed by hand, ends and errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from pacman.core.errors import IllegalAction, InputError
from pacman.core.tree import Layer
from pacman.games.minesweeper import Minesweeper
from pacman.games.pig import Pig
from pacman.games.tictactoe import TicTacToe
from pacman.search import alphabeta, constant_bounds, exhaustive, star1, star2
from pacman.search.algorithms import Options, make_search

# ---- Minesweeper


def test_probabilities_come_from_the_layouts() -> None:
    board = Minesweeper(3, 1, 2).successor("1,0")
    assert board.outcomes() == (("2", 1.0),), "the first click hits no mine"
    board = Minesweeper(4, 1, 1).successor("1,0").successor("1").successor("0,0")
    assert board.layer is Layer.CHANCE
    assert board.outcomes() == (("mine", pytest.approx(1 / 2)), ("0", pytest.approx(1 / 2)))


def test_a_safe_square_is_opened_first() -> None:
    board = Minesweeper(4, 1, 1).successor("0,0").successor("1")
    assert board.actions() == ("2,0",)
    assert board.closed() == ("1,0", "2,0", "3,0")
    assert board.dangers() == {1: 1, 2: 0, 3: 0}


def test_the_scores_of_a_win_and_of_a_loss() -> None:
    board = Minesweeper(4, 1, 2).successor("1,0").successor("1").successor("0,0")
    won, lost = board.successor("0"), board.successor("mine")
    assert (won.is_terminal, won.score, won.actions()) == (True, 1, ())
    assert (lost.is_terminal, lost.score, lost.actions()) == (True, 0, ())


def test_the_order_of_clicks_does_not_matter() -> None:
    one = Minesweeper(3, 3, 1).successor("0,0").successor("0").successor("2,0").successor("0")
    two = Minesweeper(3, 3, 1).successor("2,0").successor("0").successor("0,0").successor("0")
    assert one == two
    assert hash(one) == hash(two)
    assert str(one) == "# # #\n# # #\n0 # 0"


# ---- pig


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


# ---- tic-tac-toe


@pytest.mark.parametrize(
    ("text", "value"), [("XX. OO. ...", 1), ("X.. .O. ...", 0), ("XX. .O. O.X", -1), ("XOX .O. .X.", 0)]
)
def test_positions_have_their_known_values(text: str, value: int) -> None:
    node = TicTacToe.parse(text)
    assert alphabeta(node, 9).value == value


@pytest.mark.parametrize(("text", "utility"), [("XXX OO. ...", 1), ("XX. OOO X..", -1), ("XOX XOO OXX", 0)])
def test_the_ends_of_the_game_have_no_actions(text: str, utility: int) -> None:
    node = TicTacToe.parse(text)
    assert (node.is_terminal, node.score, node.actions()) == (True, utility, ())


def test_positions_are_equal_after_the_same_moves_in_another_order() -> None:
    one = TicTacToe().successor("1").successor("5").successor("9")
    two = TicTacToe().successor("9").successor("5").successor("1")
    assert one == two
    assert hash(one) == hash(two)
    assert str(one) == "X . .\n. O .\n. . X"


# ---- what is refused


REFUSED: list[tuple[type[ValueError], Callable[[], object], str]] = [
    *((InputError, partial(Minesweeper, *board), "no room for") for board in ((2, 2, 4), (2, 2, -1), (0, 3, 0))),
    (InputError, lambda: Minesweeper(9, 9, 10), "has .* mine layouts; this game supports at most"),
    (IllegalAction, lambda: Minesweeper(2, 1, 1).successor("5,5"), "illegal click '5,5'; closed: 0,0 1,0"),
    (
        IllegalAction,
        lambda: Minesweeper(2, 1, 1).successor("0,0").successor("3"),
        "illegal outcome '3'; possible: 1",
    ),
    (ValueError, lambda: Minesweeper(2, 1, 1).outcomes(), "only the result of a click has probabilities"),
    (InputError, lambda: Pig(0), "must be 1 point or more, not 0"),
    (IllegalAction, lambda: Pig().successor("7"), "illegal action '7'; legal: 1, 2, 3, 4, 5, 6"),
    (ValueError, lambda: Pig().successor("6").outcomes(), "only a roll has probabilities"),
    (InputError, lambda: TicTacToe.parse("XX"), "nine characters"),
    (InputError, lambda: TicTacToe.parse("ABC"), "nine characters"),
    (InputError, lambda: TicTacToe.parse("XX. ... ..."), "2 X and 0 O"),
    (InputError, lambda: TicTacToe.parse("XXX OOO ..."), "after the other had won"),
    (
        IllegalAction,
        lambda: TicTacToe().successor("5").successor("5"),
        "illegal action '5'; legal: 1, 2, 3, 4, 6, 7, 8, 9",
    ),
    (IllegalAction, lambda: TicTacToe.parse("XXX OO. ...").successor("1"), "legal: none"),
]


@pytest.mark.parametrize(("error", "call", "message"), REFUSED)
def test_a_mistake_is_refused_in_words(error: type[ValueError], call: Callable[[], object], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
