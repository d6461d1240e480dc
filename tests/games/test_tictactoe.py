"""Tic-tac-toe: values, ends, impossible positions and errors."""

from __future__ import annotations

import pytest

from pacman.core.errors import IllegalAction, InputError
from pacman.core.layers import Layer
from pacman.games.tictactoe import TicTacToe
from pacman.search import alphabeta


def test_max_and_min_take_turns() -> None:
    assert TicTacToe().layer is Layer.MAX
    assert TicTacToe().successor("1").layer is Layer.MIN


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
    with pytest.raises(IllegalAction, match="legal: none"):
        node.successor("1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XX", "nine characters"),
        ("XX. ... ...", "2 X and 0 O"),
        ("XXX OOO ...", "after the other had won"),
        ("ABC", "nine characters"),
    ],
)
def test_impossible_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        TicTacToe.parse(text)


def test_an_illegal_square_names_the_legal_ones() -> None:
    with pytest.raises(IllegalAction, match="illegal action '5'; legal: 1, 2, 3, 4, 6, 7, 8, 9"):
        TicTacToe().successor("5").successor("5")


def test_positions_are_equal_after_the_same_moves_in_another_order() -> None:
    one = TicTacToe().successor("1").successor("5").successor("9")
    two = TicTacToe().successor("9").successor("5").successor("1")
    assert one == two
    assert hash(one) == hash(two)
    assert str(one) == "X . .\n. O .\n. . X"
