from __future__ import annotations

from io import StringIO
from random import Random

import pytest

from pacman.commands.game import GAMES, advice, run
from pacman.games.minesweeper import Minesweeper
from pacman.games.pig import Pig
from pacman.games.tictactoe import TicTacToe
from pacman.search import exhaustive


def play(name: str, typed: str, seed: int = 0) -> tuple[float | None, str]:
    writer = StringIO()
    return run(name, StringIO(typed), writer, Random(seed)), writer.getvalue()


def test_tictactoe_is_never_lost_by_the_search() -> None:
    """A player who always types the first free square loses."""
    utility, output = play("tictactoe", "".join(f"{square}\n" for square in range(1, 10)) * 5)
    assert utility == -1
    assert output.endswith("You lose.\n")


def test_after_a_mistyped_move_the_game_asks_again() -> None:
    utility, output = play("pig", "hld\nquit\n", seed=3)
    assert "no move 'hld': did you mean 'hold'?" in output
    assert utility is None


@pytest.mark.parametrize("name", GAMES)
def test_the_end_of_the_input_ends_the_game(name: str) -> None:
    assert play(name, "")[0] is None


def test_pig_to_the_end() -> None:
    utility, output = play("pig", "hold\n" * 200, seed=1)
    assert utility in (-1, 1)
    assert ("You win." in output) == (utility == 1)
    assert play("pig", "hold\n" * 200, seed=1) == (utility, output)


def test_minesweeper_to_the_end() -> None:
    clicks = "".join(f"{x},{y}\n" for y in range(4) for x in range(5))
    utility, output = play("minesweeper", clicks, seed=2)
    assert utility == 0
    assert output.endswith("You lose: a mine.\n")


def test_short_answers_and_help_where_no_action_begins_with_it() -> None:
    output = play("pig", "r\nh\nhelp\nq\n", seed=3)[1]
    assert "Your move (roll hold; help, ? advice): chance: 4" in output  # r rolls
    assert output.count("MIN: ") > 0  # h holds
    assert output.count("An answer can be short") == 1
    output = play("tictactoe", "h\n5\nr\nq\n")[1]
    assert output.count("An answer can be short") == 1
    assert output.count("1 2 3\n4 5 6\n7 8 9") == 2  # r begins a new game
    assert "O 2 3\n4 X 6\n7 8 9" in output


def test_minesweeper_has_axes_and_a_short_prompt() -> None:
    output = play("minesweeper", "0 0\n23\n9,9\nq\n", seed=3)[1]
    board = "3 | # # 1 # #\n2 | # # # # #\n1 | # # # # #\n0 | 0 # # # #\ny +----------\n  x 0 1 2 3 4\n"
    assert board in output
    assert "Your move (x,y, for example 2,3; h help, ? advice): chance: 1 mine around it" in output
    assert "no move '9,9': expected x,y, for example 2,3" in output


def test_advice_gives_the_value_of_each_action_and_the_reason() -> None:
    node = TicTacToe().successor("5").successor("2")
    values, reason = advice(GAMES["tictactoe"], node)
    for action in node.actions():
        value = exhaustive(node.successor(action), 9).value
        assert f"{action} {'win' if value == 1 else 'draw' if value == 0 else 'loss'}" in values
    assert reason.startswith("The search would choose 1. ")
    pig = Pig(50).successor("4")
    values, reason = advice(GAMES["pig"], pig)
    assert values == "values for you, 5 plies ahead: roll 0.14  hold -0.00"
    assert "roll is 0.1453 better" in reason
    board = Minesweeper(5, 4, 4)
    assert advice(GAMES["minesweeper"], board) == ["The first square is always safe."]
    (line,) = advice(GAMES["minesweeper"], board.successor("0,0").successor("0"))
    assert line.startswith("safest squares: 1,0  0,1  1,1 (certainly without a mine)")


def test_the_program_does_not_print_control_characters_of_an_answer() -> None:
    assert "\x1b" not in play("pig", "\x1b[2J\nq\n")[1]
