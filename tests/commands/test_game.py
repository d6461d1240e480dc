from __future__ import annotations

from io import StringIO
from random import Random

import pytest

from pacman.commands.game import GAMES, run
from pacman.core.errors import InputError


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


def test_the_error_for_an_unknown_game_names_a_similar_one() -> None:
    with pytest.raises(InputError, match="no game 'pigs': did you mean 'pig'"):
        play("pigs", "")
