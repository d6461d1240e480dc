"""Move ordering, the transposition table and iterative deepening. None of them may change a value."""

from __future__ import annotations

from itertools import count

import pytest

from pacman.core.state import start
from pacman.core.tree import Layer, Line
from pacman.core.tree_text import Outline
from pacman.games.tictactoe import TicTacToe
from pacman.record.trace import CountedNode, Trace
from pacman.search import constant_bounds, deepening, exhaustive, run_search
from pacman.search.algorithms import ALGORITHMS, Options, recommended_algorithm
from pacman.search.alphabeta import AlphaBeta
from pacman.search.bounds import natural
from pacman.search.ordering import ORDERS
from pacman.search.table import Table

BAD_ORDER = Outline.parse("max { a: min ~1 { x: 1; y: 2 }; b: min ~3 { x: 3; y: 4 }; c: min ~5 { x: 5; y: 6 } }")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_order_changes_no_value(name: str, order: str) -> None:
    state, plies = start("gamble", ["random", "optimal"]), 6
    for bounds in (constant_bounds(-2000, 2000), natural):
        result = run_search(name, state, plies, Options(bounds=bounds, order=order))
        assert result.value == pytest.approx(exhaustive(state, plies).value)
        assert result.action is not None
        assert exhaustive(state.successor(result.action), plies - 1).value == pytest.approx(result.value)


def test_a_good_order_cuts_sooner() -> None:
    unchanged = run_search("alphabeta", BAD_ORDER, 2).statistics.leaves
    sorted_by_score = run_search("alphabeta", BAD_ORDER, 2, Options(order="score")).statistics.leaves
    assert (unchanged, sorted_by_score) == (6, 4)


def test_an_order_that_learns_saves_nodes() -> None:
    plain = run_search("alphabeta", TicTacToe().successor("1"), 8).statistics.nodes
    learning = run_search("alphabeta", TicTacToe().successor("1"), 8, Options(order="killer")).statistics.nodes
    assert learning < plain * 0.9


def test_a_table_entry_belongs_to_plies_and_layer() -> None:
    table = Table()
    state = start("gamble", ["random", "optimal"])
    table.entry(state.successor("Stop"), 3).learn(1, -9, 9)
    assert table.entry(state.successor("Stop"), 3).answer(-9, 9) == 1
    assert table.entry(state.successor("Stop"), 2).answer(-9, 9) is None
    assert table.entry(state.assuming(Layer.MIN).successor("Stop"), 3).answer(-9, 9) is None


def test_the_table_saves_nodes_by_transpositions() -> None:
    trace, table = Trace(), Table()
    search = AlphaBeta(hooks=[table])
    assert search.visit(CountedNode(TicTacToe(), trace), 9).value == 0
    assert trace.generated < 18_296 / 3
    assert table.hits > 1000


def test_a_full_table_forgets_its_oldest_entry() -> None:
    table = Table(size=2)
    for action in "123":
        table.entry(TicTacToe().successor(action), 1).learn(0, -1, 1)
    assert len(table) == 2
    assert table.entry(TicTacToe().successor("3"), 1).answer(-1, 1) == 0
    assert table.entry(TicTacToe().successor("1"), 1).answer(-1, 1) is None
    with pytest.raises(ValueError, match="must be at least 1, not 0"):
        Table(0)


def test_deepening_answers_in_its_time_and_says_whether_it_is_complete() -> None:
    result = deepening(TicTacToe(), seconds=0)
    assert result.plies == 1
    assert result.line.action in TicTacToe().actions()
    ticks = count()
    result = deepening(TicTacToe(), seconds=2000, clock=lambda: float(next(ticks)))
    assert 1 < result.plies < 9
    assert not result.complete
    result = deepening(TicTacToe.parse("XX. OO. ..."), seconds=1e9)
    assert (result.line, result.complete) == (Line(1, "3"), True)
    state = start("gamble", ["random", "optimal"])
    result = deepening(state, seconds=1e9, deepest=6)
    assert (result.plies, result.line.value) == (6, pytest.approx(exhaustive(state, 6).value))
    twice = "max ~0 { x: min ~5 { y: 1; z: 2 } }"  # once with more plies left
    result = deepening(Outline.parse(f"max {{ a: {twice}; b: max ~0 {{ c: {twice} }} }}"), seconds=1e9)
    assert (result.plies, result.line.value, result.complete) == (4, 1, True)
    for seconds in (-1, float("nan")):
        with pytest.raises(ValueError, match="the time budget must be 0 seconds or more"):
            deepening(TicTacToe(), seconds)


def test_auto_selects_the_algorithm_by_layers_and_bounds() -> None:
    bounds = constant_bounds(-1, 1)
    for ghosts, used_bounds, name in (
        (["optimal"], bounds, "alphabeta"),
        (["random"], None, "alphabeta"),
        (["random"], bounds, "star1"),
        (["random", "optimal"], bounds, "star2"),
        (["random", "random"], bounds, "star1"),
    ):
        assert recommended_algorithm(start("gamble", ghosts), 6, used_bounds) == name
    assert recommended_algorithm(start("gamble", ["random", "optimal"]), 1, bounds) == "alphabeta"
