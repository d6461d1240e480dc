"""The compiled code refuses unsupported input in one line, or the Python code runs instead; no result is wrong."""

from __future__ import annotations

import pytest

from agents.ghosts import HUNTED, OptimalGhost
from pacman import GameState, GhostModel, Layer, compiled, start
from pacman.search import constant_bounds, star1
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
        "the compiled searches do not support the evaluation '<lambda>' (only score and compiled.Nearness)",
    ),
    "maze": (lambda: compiled.run("exhaustive", start(HALL), 2), "support a maze of 1240 cells (at most 1024)"),
    "ghosts": (lambda: compiled.run("exhaustive", start(CROWD), 2), "support 9 ghosts (at most 8)"),
    "score": (
        lambda: compiled.run("exhaustive", high_score(), 2),
        "support the number 3,000,000,000 in a position (at most 1,073,741,824)",
    ),
    "bounds": (lambda: compiled.run("star1", start("nook"), 2, Options()), "star1 needs bounds"),
    "other bounds": (
        lambda: compiled.run("star1", start("nook"), 2, Options(bounds=lambda node, plies: (-1e9, 1e9))),
        "support these bounds (only constant_bounds(L, U), and natural for the score)",
    ),
    "natural bounds": (
        lambda: compiled.run("star1", start("nook"), 2, Options(HUNTED, natural)),
        "support these bounds (only constant_bounds(L, U), and natural for the score)",
    ),
    "model": (
        lambda: compiled.run("exhaustive", start("nook", [SHY]), 2),
        "support the ghost 'shy' (only random, directional and optimal)",
    ),
    "search": (
        lambda: compiled.run("star2", start("nook"), 2, Options(bounds=natural)),
        "support 'star2' (only exhaustive, alphabeta, star1)",
    ),
    "plies": (
        lambda: compiled.run("exhaustive", start("nook"), -1),
        "plies must be a whole number, 0 or more, not -1",
    ),
    "order": (
        lambda: compiled.run("alphabeta", start("nook"), 2, Options(order="best")),
        "support the order 'best' (only 'given')",
    ),
}


def high_score() -> GameState:
    """A position with a score that does not fit into 32 bits."""
    return GameState.parse(str(start("nook", ["optimal"])).replace("score=0", "score=3000000000"))


@pytest.mark.parametrize("what", LINES)
def test_it_is_refused_in_one_line(what: str) -> None:
    pytest.importorskip("numba")
    call, line = LINES[what]
    with pytest.raises(ValueError) as error:  # noqa: PT011  # the message is compared below
        call()
    assert line in str(error.value)
    assert "\n" not in str(error.value)


def test_without_numba_everything_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_missing", lambda: "numba is not installed")
    with pytest.raises(compiled.NotSupported, match="do not support this Python: numba is not installed"):
        compiled.run("exhaustive", start("nook"), 2)


@pytest.mark.parametrize(
    "state", [start(HALL, ["optimal"]), start(CROWD, ["optimal"] * 9), high_score()], ids=["hall", "crowd", "score"]
)
def test_an_optimal_ghost_uses_the_python_search_for_them(state: GameState) -> None:
    while not state.mover:
        state = state.successor("Stop")
    assert OptimalGhost(rounds=1).choose(state) in state.actions()


def test_a_leaf_outside_its_bounds_is_the_same_error_as_in_the_python_search() -> None:
    pytest.importorskip("numba")
    state = start("nook", ["random"])
    with pytest.raises(ValueError, match="lies outside its bounds") as fast:
        compiled.run("star1", state, 4, Options(bounds=constant_bounds(-3, 3)))
    with pytest.raises(ValueError, match="lies outside its bounds") as readable:
        star1(state, 4, constant_bounds(-3, 3))
    assert str(fast.value) == str(readable.value)
