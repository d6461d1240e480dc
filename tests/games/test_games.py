"""Minesweeper, pig and tic-tac-toe: probabilities, layers, values computed by hand, ends and errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from pacman.core.errors import IllegalAction, InputError
from pacman.core.tree import Layer
from pacman.games.minesweeper import Minesweeper
from pacman.games.pig import Pig
from pacman.games.tictactoe import TicTacToe
from pacman.search import alphabeta, constant_bounds, exhaustive, star1, star2
from pacman.search.algorithms import Options, make_search


def after(node: Any, moves: str) -> Any:
    """The node after these moves."""
    for move in moves.split():
        node = node.successor(move)
    return node


FACTS: list[tuple[Any, str, dict[str, object]]] = [
    (Minesweeper(3, 1, 2), "1,0", {"outcomes": (("2", 1.0),)}),  # the first click hits no mine
    (Minesweeper(4, 1, 1), "1,0 1 0,0", {"layer": Layer.CHANCE, "outcomes": (("mine", 0.5), ("0", 0.5))}),
    # A safe square is opened first.
    (
        Minesweeper(4, 1, 1),
        "0,0 1",
        {"actions": ("2,0",), "closed": ("1,0", "2,0", "3,0"), "dangers": {1: 1, 2: 0, 3: 0}},
    ),
    (Minesweeper(4, 1, 2), "1,0 1 0,0 0", {"is_terminal": True, "score": 1, "actions": ()}),
    (Minesweeper(4, 1, 2), "1,0 1 0,0 mine", {"is_terminal": True, "score": 0, "actions": ()}),
    (Pig(20), "", {"layer": Layer.CHANCE}),
    (Pig(20), "6", {"layer": Layer.MAX}),
    (Pig(20), "6 hold", {"layer": Layer.CHANCE}),
    (Pig(20), "6 hold 5", {"layer": Layer.MIN}),
    (Pig(20), "6 hold 5 hold", {"banked": (6, 5), "player": 0}),
    (Pig(20), "6 roll 1", {"banked": (0, 0), "turn": 0, "player": 1, "layer": Layer.CHANCE}),
    (Pig(6), "6 hold", {"is_terminal": True, "score": 1, "actions": (), "outcomes": ()}),
    (Pig(6, player=1), "6 hold", {"score": -1}),
    (TicTacToe.parse("XXX OO. ..."), "", {"is_terminal": True, "score": 1, "actions": ()}),
    (TicTacToe.parse("XX. OOO X.."), "", {"is_terminal": True, "score": -1, "actions": ()}),
    (TicTacToe.parse("XOX XOO OXX"), "", {"is_terminal": True, "score": 0, "actions": ()}),
]


@pytest.mark.parametrize(("start", "moves", "facts"), FACTS)
def test_layers_actions_outcomes_and_ends(start: Any, moves: str, facts: dict[str, object]) -> None:
    values = {name: getattr(after(start, moves), name) for name in facts}
    assert {name: value() if callable(value) else value for name, value in values.items()} == facts


@pytest.mark.parametrize(
    ("start", "moves", "others", "picture"),
    [
        (Minesweeper(3, 3, 1), "0,0 0 2,0 0", "2,0 0 0,0 0", "# # #\n# # #\n0 # 0"),
        (TicTacToe(), "1 5 9", "9 5 1", "X . .\n. O .\n. . X"),
    ],
)
def test_the_order_of_moves_does_not_matter(start: Any, moves: str, others: str, picture: str) -> None:
    one, two = after(start, moves), after(start, others)
    assert (one, hash(one), str(one)) == (two, hash(two), picture)


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


@pytest.mark.parametrize(
    ("text", "value"), [("XX. OO. ...", 1), ("X.. .O. ...", 0), ("XX. .O. O.X", -1), ("XOX .O. .X.", 0)]
)
def test_positions_have_their_known_values(text: str, value: int) -> None:
    node = TicTacToe.parse(text)
    assert alphabeta(node, 9).value == value


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
