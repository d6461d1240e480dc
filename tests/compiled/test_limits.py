"""The compiled code refuses unsupported input in one line, or the Python code runs instead; no result is wrong."""

from __future__ import annotations

import json
from math import inf, nan
from pathlib import Path

import pytest

from agents.ghosts import OptimalGhost
from pacman import GameState, GhostModel, InputError, Layer, compiled, start
from pacman.commands.solve import solve
from pacman.compiled import Linear
from pacman.search import alphabeta, constant_bounds, star1
from pacman.search.algorithms import Options
from pacman.search.bounds import natural

HALL = "\n".join(["%" * 42, "%P" + " " * 37 + ".G%", *["%" + " " * 40 + "%"] * 30, "%" * 42])
"""1240 cells."""
CROWD = "%%%%%%%%%%%%%\n%P.GGGGGGGGG%\n%%%%%%%%%%%%%"
"""Nine ghosts."""
SHY = GhostModel("shy", Layer.CHANCE, lambda pacman, ghost: ())

LINES = {
    "evaluation": (
        lambda: compiled.run("exhaustive", start("nook"), 2, Options(lambda node: 0.0)),
        "the compiled kernel does not support the evaluation '<lambda>'; supported: score, compiled.Linear",
    ),
    "weights": (
        lambda: compiled.run("alphabeta", start("nook"), 2, Options(Linear(hunted=nan))),
        "supports only finite weights, not ",
    ),
    "more weights": (
        lambda: compiled.run("star1", start("nook"), 2, Options(Linear(feared=-inf), natural)),
        "only finite weights",
    ),
    "maze": (lambda: compiled.run("exhaustive", start(HALL), 2), "supports at most 1024 cells; this maze has 1240"),
    "ghosts": (lambda: compiled.run("exhaustive", start(CROWD), 2), "supports at most 8 ghosts; this position has 9"),
    "score": (
        lambda: compiled.run("exhaustive", high_score(), 2),
        "supports numbers up to 1,073,741,824; this position has 3,000,000,000",
    ),
    "bounds": (lambda: compiled.run("star1", start("nook"), 2, Options()), "star1 needs bounds"),
    "other bounds": (
        lambda: compiled.run("star1", start("nook"), 2, Options(bounds=lambda node, plies: (-1e9, 1e9))),
        "does not support the bounds '<lambda>'; supported: constant_bounds(L, U), natural",
    ),
    "natural bounds": (
        lambda: compiled.run("star1", start("nook"), 2, Options(Linear(feared=1), natural)),
        "the natural bounds are bounds of the score; use constant_bounds(L, U) for compiled.Linear",
    ),
    "model": (
        lambda: compiled.run("exhaustive", start("nook", [SHY]), 2),
        "does not support the ghost 'shy'; supported: random, directional, optimal",
    ),
    "search": (
        lambda: compiled.run("star2", start("nook"), 2, Options(bounds=natural)),
        "does not support 'star2'; it supports exhaustive, alphabeta, star1",
    ),
    "order": (
        lambda: compiled.run("alphabeta", start("nook"), 2, Options(order="best")),
        "does not support the order 'best'; it supports only 'given'",
    ),
}


def high_score() -> GameState:
    """A position with a score that does not fit into 32 bits."""
    return GameState.parse(str(start("nook", ["optimal"])).replace("score=0", "score=3000000000"))


@pytest.mark.parametrize("what", LINES)
@pytest.mark.parametrize("has_numba", [True, False], ids=["with", "without"])
def test_it_is_refused_in_one_line_with_numba_and_without(
    what: str, has_numba: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if has_numba and not compiled.is_available():
        pytest.skip("numba is not installed")
    if not has_numba:
        monkeypatch.setattr(compiled, "is_available", lambda: False)
    call, line = LINES[what]
    with pytest.raises(InputError) as error:
        call()
    assert line in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "state", [start(HALL, ["optimal"]), start(CROWD, ["optimal"] * 9), high_score()], ids=["hall", "crowd", "score"]
)
def test_an_optimal_ghost_uses_the_python_search_for_them(state: GameState) -> None:
    while not state.mover:
        state = state.successor("Stop")
    assert OptimalGhost(rounds=1).choose(state) in state.actions()


def test_solve_uses_the_python_search_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hall.lay").write_text(HALL)
    monkeypatch.setattr("pacman.commands.solve.LARGE", 1)
    solve(layout=str(tmp_path / "hall.lay"), ghosts="optimal", rounds=1, algorithm="alphabeta", json_file=Path("-"))
    said = json.loads(capsys.readouterr().out)
    assert (said["value"], said["action"]) == alphabeta(start(HALL, ["optimal"]), 2)


def test_wrong_plies_are_refused() -> None:
    with pytest.raises(ValueError, match="plies must be a whole number, 0 or more, not -1"):
        compiled.run("exhaustive", start("nook"), -1)


def test_a_leaf_outside_its_bounds_is_the_same_error_as_in_the_python_search() -> None:
    state = start("nook", ["random"])
    with pytest.raises(ValueError, match="lies outside its bounds") as fast:
        compiled.run("star1", state, 4, Options(bounds=constant_bounds(-3, 3)))
    with pytest.raises(ValueError, match="lies outside its bounds") as readable:
        star1(state, 4, constant_bounds(-3, 3))
    assert str(fast.value) == str(readable.value)
