"""The optimal ghost thinks with the compiled search where there is one: the same moves, and no wait in a timed game."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from random import Random

import pytest

from agents.ghosts import OptimalGhost
from agents.pacmen import RandomPacman
from pacman import GameState, kernel, start
from pacman.commands.game_setup import GameSetup
from pacman.play.game import Game

ROOT = Path(__file__).parents[2]


def positions(layout: str, seed: int) -> list[GameState]:
    """Every position of a random game in which an optimal ghost moves."""
    rng, state = Random(f"{layout}/{seed}"), start(layout, ["optimal"] * len(start(layout).ghosts))
    seen = []
    while not state.is_terminal and len(seen) < 60:
        if state.mover:
            seen.append(state)
        state = state.successor(rng.choice(state.actions()))
    return seen


@pytest.mark.parametrize("layout", ["nook", "smallish", "pantry", "crossroads"])
def test_it_plays_the_same_moves_without_numba(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    seen = [state for seed in range(3) for state in positions(layout, seed)]
    ghost = OptimalGhost(rounds=2)
    fast = [ghost.choose(state) for state in seen]
    monkeypatch.setattr(kernel, "is_available", lambda: False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a library says nothing on its own
        assert [ghost.choose(state) for state in seen] == fast


def test_it_asks_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    asked = []
    inside = kernel.alphabeta
    monkeypatch.setattr(kernel, "alphabeta", lambda *what: asked.append(what[1]) or inside(*what))
    OptimalGhost(rounds=3).choose(positions("smallish", 1)[0])
    assert asked == [9]


def test_a_maze_beyond_the_tables_is_searched_all_the_same() -> None:
    hall = "\n".join(["%" * 42, "%P" + " " * 37 + ".G%", *["%" + " " * 40 + "%"] * 30, "%" * 42])
    state = start(hall, ["optimal"]).successor("East")
    assert not kernel.supports(state)
    assert OptimalGhost(rounds=1).choose(state) == "West"


def test_a_timed_game_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is ready when the first clock starts, at the command line before the agents begin."""
    prepared: list[str] = []
    monkeypatch.setattr(kernel, "prepare", lambda search, tell=kernel.to_log: prepared.append(search))
    game = GameSetup("nook", "random", (), "optimal", move_timeout=5.0).game(seed=1)
    assert prepared[0] == "alphabeta"
    assert game.play().fault is None
    prepared.clear()
    GameSetup("nook", "random", (), "random").game(seed=1)
    assert prepared == []


def test_an_agent_that_begins_is_ready_too(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[str] = []
    monkeypatch.setattr(kernel, "prepare", lambda search, tell=kernel.to_log: prepared.append(search))
    Game(start("nook", ["optimal"]), [RandomPacman(), OptimalGhost()], ["", ""])
    assert prepared == ["alphabeta"]


def test_the_slow_path_is_told_once_on_stderr_at_the_command_line(tmp_path: Path) -> None:
    """numba is hidden by a module that will not import, as one is that does not know this Python."""
    (tmp_path / "numba.py").write_text("raise ImportError('no such Python')\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv[0] = 'pacman'; "
        "import pacman.__main__ as main; main.cli.run(main.app, 'pacman')"
    )
    command = [sys.executable, "-c", code, "play", "-l", "nook", "-p", "random", "-g", "optimal", "--view", "none"]
    done = subprocess.run([*command, "-n", "2", "--json"], capture_output=True, text=True, cwd=ROOT, check=True)
    line = (
        "numba cannot be imported (no such Python): "
        "the readable search answers, slowly (pip install 'pacman-search[fast]')"
    )
    assert done.stderr.splitlines() == [line]
    assert line not in done.stdout
    assert done.stdout.count('"seed"') == 2


def test_it_tells_before_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    told: list[str] = []
    monkeypatch.setattr(kernel, "must_compile", lambda function: function == "search.alphabeta")
    kernel.prepare("alphabeta", told.append)
    kernel.prepare("exhaustive", told.append)
    assert told == [kernel.COMPILING]
