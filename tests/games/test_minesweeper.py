"""Minesweeper: probabilities, safe squares, ends and errors."""

from __future__ import annotations

import pytest

from pacman.core.errors import IllegalAction, InputError
from pacman.core.layers import Layer
from pacman.games.minesweeper import Minesweeper


def test_probabilities_come_from_the_layouts() -> None:
    board = Minesweeper(3, 1, 1).successor("1,0")
    assert board.layer is Layer.CHANCE
    assert board.outcomes() == (("mine", pytest.approx(1 / 3)), ("1", pytest.approx(2 / 3)))


def test_a_safe_square_is_opened_first() -> None:
    board = Minesweeper(4, 1, 1).successor("0,0").successor("1")
    assert board.actions() == ("2,0",)
    assert board.closed() == ("1,0", "2,0", "3,0")
    assert board.dangers() == {1: 1, 2: 0, 3: 0}


def test_the_scores_of_a_win_and_of_a_loss() -> None:
    board = Minesweeper(2, 1, 1).successor("0,0")
    won, lost = board.successor("1"), board.successor("mine")
    assert (won.is_terminal, won.score, won.actions()) == (True, 1, ())
    assert (lost.is_terminal, lost.score, lost.actions()) == (True, 0, ())


def test_with_a_safe_start_the_first_click_hits_no_mine() -> None:
    assert Minesweeper(2, 2, 1, safe_start=True).successor("0,0").outcomes() == (("1", 1.0),)


def test_the_order_of_clicks_does_not_matter() -> None:
    one = Minesweeper(3, 3, 1).successor("0,0").successor("0").successor("2,0").successor("0")
    two = Minesweeper(3, 3, 1).successor("2,0").successor("0").successor("0,0").successor("0")
    assert one == two
    assert hash(one) == hash(two)
    assert str(one) == "# # #\n# # #\n0 # 0"


@pytest.mark.parametrize(("width", "height", "mines"), [(2, 2, 4), (2, 2, -1), (0, 3, 0)])
def test_a_board_without_room_for_its_mines_is_refused(width: int, height: int, mines: int) -> None:
    with pytest.raises(InputError, match="no room for"):
        Minesweeper(width, height, mines)


def test_a_board_with_too_many_layouts_is_refused() -> None:
    with pytest.raises(InputError, match="has .* mine layouts; this game supports at most"):
        Minesweeper(9, 9, 10)


def test_illegal_clicks_and_outcomes_are_refused() -> None:
    board = Minesweeper(2, 1, 1)
    with pytest.raises(IllegalAction, match="illegal click '5,5'; closed: 0,0 1,0"):
        board.successor("5,5")
    with pytest.raises(IllegalAction, match="illegal outcome '3'; possible: mine, 1"):
        board.successor("0,0").successor("3")
    with pytest.raises(ValueError, match="only the result of a click has probabilities"):
        board.outcomes()
