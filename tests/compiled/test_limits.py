"""The compiled code refuses unsupported input, and then the Python code runs instead; no result is wrong."""

from __future__ import annotations

import pytest

from pacman import GameState, GhostModel, Layer, compiled, start
from pacman.search import constant_bounds, star1
from pacman.search.algorithms import Options
from pacman.search.bounds import natural

pytest.importorskip("numba")

NOOK, CROWD = start("nook"), start("%%%%%%%%%%%%%\n%P.GGGGGGGGG%\n%%%%%%%%%%%%%", ["optimal"] * 9)
HALL = start("\n".join(["%" * 42, "%P" + " " * 37 + ".G%", *["%" + " " * 40 + "%"] * 30, "%" * 42]), ["optimal"])
"""1240 cells."""
HIGH = GameState.parse(str(start("nook", ["optimal"])).replace("score=0", "score=3000000000"))
"""A position with a score that does not fit into 32 bits."""
SHY = GhostModel("shy", Layer.CHANCE, lambda pacman, ghost: ())


@pytest.mark.parametrize(
    ("name", "state", "options"),
    [
        ("exhaustive", NOOK, Options(lambda node: 0.0)),
        ("exhaustive", HALL, Options()),
        ("exhaustive", CROWD, Options()),
        ("exhaustive", HIGH, Options()),
        ("star1", NOOK, Options(bounds=lambda node, plies: (-1e9, 1e9))),
        ("star1", NOOK, Options(bounds=natural)),
        ("exhaustive", start("nook", [SHY]), Options()),
        ("alphabeta", NOOK, Options(order="score")),
    ],
)
def test_it_is_refused(name: str, state: GameState, options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(compiled.NotSupported):
        compiled.run(name, state, 2, options)
    monkeypatch.setattr(compiled, "_loaded", {name, "star2"})
    assert compiled.quick_search(name, state, 2, options) is None
    assert compiled.quick_search("star2", state, 2, options) is None
    with pytest.raises(ValueError, match="plies must be a whole number, 0 or more, not -1"):
        compiled.run("exhaustive", NOOK, -1)


def test_a_leaf_outside_its_bounds_is_the_same_error_as_in_the_python_search() -> None:
    state, bounds = start("nook", ["random"]), constant_bounds(-3, 3)
    with pytest.raises(ValueError, match="lies outside its bounds") as fast:
        compiled.run("star1", state, 4, Options(bounds=bounds))
    with pytest.raises(ValueError, match="lies outside its bounds") as readable:
        star1(state, 4, bounds)
    assert str(fast.value) == str(readable.value)
