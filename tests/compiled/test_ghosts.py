"""The optimal ghost uses the compiled search if that is quicker: with the same moves, and no wait in a timed game."""

from __future__ import annotations

from functools import cache

import pytest

from agents.ghosts import GAME_MOVES, OptimalGhost
from agents.pacmen import RandomPacman
from pacman import compiled, start
from pacman.commands.games import GameSetup
from pacman.commands.options import BoardOptions
from pacman.play.game import Game
from tests.command_line import run_here


def test_it_plays_the_move_of_the_compiled_search_if_its_machine_code_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    state, calls, original = start("smallish", ["optimal"] * 2).successor("Stop"), list[int](), compiled.run
    monkeypatch.setattr(compiled, "_loaded", set())
    slow = OptimalGhost(rounds=3).choose(state)
    monkeypatch.setattr(compiled, "_loaded", {"alphabeta"})
    monkeypatch.setattr(compiled, "run", lambda *call: calls.append(call[2]) or original(*call))
    assert (OptimalGhost(rounds=3).choose(state), calls) == (slow, [9])


def test_a_timed_game_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is ready before the first clock starts: the command prepares it before the agents begin."""
    calls: list[tuple[str, float]] = []
    monkeypatch.setattr(compiled, "load", lambda search, nodes: calls.append((search, nodes)))
    game = GameSetup(BoardOptions("nook", "optimal"), "random", move_timeout=5.0).game(seed=1)
    search, nodes = calls[0]
    assert (search, nodes > GAME_MOVES) == ("alphabeta", True)
    GameSetup(BoardOptions("nook", "optimal"), "random", games=10).game(seed=1)
    assert max(nodes for _, nodes in calls) == pytest.approx(10 * nodes)
    assert game.play().fault is None
    calls.clear()
    GameSetup(BoardOptions("nook", "random"), "random").game(seed=1)
    assert calls == []


def test_a_quick_ghost_does_not_load_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_loaded", set())
    monkeypatch.setattr(compiled, "_missing", None)
    board, ghost = start("nook", ["optimal"]), OptimalGhost()
    ghost.prepare(board)
    result = Game(board, [RandomPacman(), ghost], ["", ""]).play()
    assert (result.fault, result.plies > 1) == (None, True)


@pytest.fixture
def no_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process that cannot import numba."""
    monkeypatch.setattr(compiled, "_missing", lambda: "numba cannot be imported (no such Python)")
    monkeypatch.setattr(compiled, "_loaded", set())
    monkeypatch.setattr(compiled, "_log_once", cache(compiled._log_once.__wrapped__))


LINE = (
    "numba cannot be imported (no such Python); "
    "using the slower Python search (for more speed: python -m pip install numba)"
)


@pytest.mark.parametrize("agents", [["random", "-n", "2"], ["random", "greedy"]])
@pytest.mark.usefixtures("no_numba")
def test_slow_ghosts_are_announced_once_on_stderr(agents: list[str]) -> None:
    options = ["--rounds", "6", "--max-plies", "1", "--view", "none", "--json", "-"]
    result = run_here("pacman", "watch", "-l", "crossroads", "-g", "optimal,optimal", *agents, *options)
    assert result.returncode == 0, result.stderr
    assert result.stderr.splitlines() == [LINE]
    assert LINE not in result.stdout
    assert result.stdout.count('"seed"') == 2
    quick = run_here("pacman", "watch", "-l", "nook", "-g", "optimal", "--view", "none")
    assert (quick.returncode, quick.stderr) == (0, "")
