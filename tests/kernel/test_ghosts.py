"""The optimal ghost uses the compiled search if possible: the same moves, and no compiling in a timed game."""

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
    states = []
    while not state.is_terminal and len(states) < 60:
        if state.mover:
            states.append(state)
        state = state.successor(rng.choice(state.actions()))
    return states


@pytest.mark.parametrize("layout", ["nook", "smallish", "pantry", "crossroads"])
def test_it_plays_the_same_moves_without_numba(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    states = [state for seed in range(3) for state in positions(layout, seed)]
    ghost = OptimalGhost(rounds=2)
    fast = [ghost.choose(state) for state in states]
    monkeypatch.setattr(kernel, "is_available", lambda: False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an agent must not warn
        assert [ghost.choose(state) for state in states] == fast


def test_it_calls_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    depths = []
    alphabeta = kernel.alphabeta
    monkeypatch.setattr(kernel, "alphabeta", lambda *parts: depths.append(parts[1]) or alphabeta(*parts))
    OptimalGhost(rounds=3).choose(positions("smallish", 1)[0])
    assert depths == [9]


def test_a_maze_too_large_for_the_kernel_is_searched_in_python() -> None:
    hall = "\n".join(["%" * 42, "%P" + " " * 37 + ".G%", *["%" + " " * 40 + "%"] * 30, "%" * 42])
    state = start(hall, ["optimal"]).successor("East")
    assert not kernel.supports(state)
    assert OptimalGhost(rounds=1).choose(state) == "West"


def test_a_timed_game_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command compiles the search before any agent's `begin`, so before the first clock starts."""
    prepared: list[str] = []
    monkeypatch.setattr(kernel, "prepare", lambda search, tell=kernel.to_log: prepared.append(search))
    game = GameSetup("nook", "random", (), "optimal", move_timeout=5.0).game(seed=1)
    assert prepared[0] == "alphabeta"
    assert game.play().fault is None
    prepared.clear()
    GameSetup("nook", "random", (), "random").game(seed=1)
    assert prepared == []


def test_begin_prepares_the_search_too(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[str] = []
    monkeypatch.setattr(kernel, "prepare", lambda search, tell=kernel.to_log: prepared.append(search))
    Game(start("nook", ["optimal"]), [RandomPacman(), OptimalGhost()], ["", ""])
    assert prepared == ["alphabeta"]


def test_the_command_line_reports_a_missing_numba_once_on_stderr(tmp_path: Path) -> None:
    """A module with the name numba raises ImportError, as numba does with an unsupported Python."""
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


def test_prepare_reports_before_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    lines: list[str] = []
    monkeypatch.setattr(kernel, "must_compile", lambda function: function == "search.alphabeta")
    kernel.prepare("alphabeta", lines.append)
    kernel.prepare("exhaustive", lines.append)
    assert lines == [kernel.COMPILING]
