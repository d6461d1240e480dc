"""The compiled code refuses unsupported input in one line, or the Python code runs instead; no result is wrong."""

from __future__ import annotations

import pytest

from agents.ghosts import HUNTED, OptimalGhost
from pacman import GameState, GhostModel, Layer, compiled, start
from pacman.search import constant_bounds, star1
from pacman.search.algorithms import Options
from pacman.search.bounds import natural

NOOK, CROWD = start("nook"), start("%%%%%%%%%%%%%\n%P.GGGGGGGGG%\n%%%%%%%%%%%%%", ["optimal"] * 9)
HALL = start("\n".join(["%" * 42, "%P" + " " * 37 + ".G%", *["%" + " " * 40 + "%"] * 30, "%" * 42]), ["optimal"])
"""1240 cells."""
HIGH = GameState.parse(str(start("nook", ["optimal"])).replace("score=0", "score=3000000000"))
"""A position with a score that does not fit into 32 bits."""
SHY = GhostModel("shy", Layer.CHANCE, lambda pacman, ghost: ())
BOUNDS = "support these bounds (only constant_bounds(L, U), and natural for the score)"


@pytest.mark.parametrize(
    ("name", "state", "options", "line"),
    [
        ("exhaustive", NOOK, Options(lambda node: 0.0),
         "the compiled searches do not support the evaluation '<lambda>' (only score and compiled.Nearness)"),
        ("exhaustive", HALL, Options(), "support a maze of 1240 cells (at most 1024)"),
        ("exhaustive", CROWD, Options(), "support 9 ghosts (at most 8)"),
        ("exhaustive", HIGH, Options(), "support the number 3,000,000,000 in a position (at most 1,073,741,824)"),
        ("star1", NOOK, Options(), "star1 needs bounds"),
        ("star1", NOOK, Options(bounds=lambda node, plies: (-1e9, 1e9)), BOUNDS),
        ("star1", NOOK, Options(HUNTED, natural), BOUNDS),
        ("exhaustive", start("nook", [SHY]), Options(),
         "support the ghost 'shy' (only random, directional and optimal)"),
        ("star2", NOOK, Options(bounds=natural), "support 'star2' (only exhaustive, alphabeta, star1)"),
        ("alphabeta", NOOK, Options(order="best"), "support the order 'best' (only 'given')"),
    ],
)  # fmt: skip
def test_it_is_refused_in_one_line(name: str, state: GameState, options: Options, line: str) -> None:
    pytest.importorskip("numba")
    with pytest.raises(ValueError) as error:  # noqa: PT011  # the message is compared below
        compiled.run(name, state, 2, options)
    assert line in str(error.value)
    assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match="plies must be a whole number, 0 or more, not -1"):
        compiled.run("exhaustive", NOOK, -1)


@pytest.mark.parametrize("state", [HALL, CROWD, HIGH], ids=["hall", "crowd", "score"])
def test_an_optimal_ghost_uses_the_python_search_for_them(state: GameState) -> None:
    while not state.mover:
        state = state.successor("Stop")
    assert OptimalGhost(rounds=1).choose(state) in state.actions()


def test_a_leaf_outside_its_bounds_is_the_same_error_as_in_the_python_search() -> None:
    pytest.importorskip("numba")
    state, bounds = start("nook", ["random"]), constant_bounds(-3, 3)
    with pytest.raises(ValueError, match="lies outside its bounds") as fast:
        compiled.run("star1", state, 4, Options(bounds=bounds))
    with pytest.raises(ValueError, match="lies outside its bounds") as readable:
        star1(state, 4, bounds)
    assert str(fast.value) == str(readable.value)
