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
    """Whoever types the first free square each time is beaten."""
    utility, shown = play("tictactoe", "".join(f"{square}\n" for square in range(1, 10)) * 5)
    assert utility == -1
    assert shown.endswith("You lose.\n")


def test_a_mistyped_move_is_asked_for_again() -> None:
    utility, shown = play("pig", "hld\nquit\n", seed=3)
    assert "no move 'hld': did you mean 'hold'?" in shown
    assert utility is None


@pytest.mark.parametrize("name", GAMES)
def test_the_end_of_the_input_ends_the_game(name: str) -> None:
    assert play(name, "")[0] is None


def test_pig_to_the_end() -> None:
    utility, shown = play("pig", "hold\n" * 200, seed=1)
    assert utility in (-1, 1)
    assert ("You win." in shown) == (utility == 1)
    assert play("pig", "hold\n" * 200, seed=1) == (utility, shown)


def test_minesweeper_to_the_end() -> None:
    clicks = "".join(f"{x},{y}\n" for y in range(4) for x in range(5))
    utility, shown = play("minesweeper", clicks, seed=2)
    assert utility == 0
    assert shown.endswith("Boom.\n")


def test_an_unknown_game_names_the_nearest() -> None:
    with pytest.raises(InputError, match="no game 'pigs': did you mean 'pig'"):
        play("pigs", "")
