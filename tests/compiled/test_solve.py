"""`python -m pacman solve` of a position: compiled where that pays, with the same output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pacman import compiled
from pacman.commands.options import PositionOptions
from pacman.commands.solve import solve
from pacman.search.algorithms import ALGORITHMS, SearchResult


@pytest.fixture(autouse=True)
def _compiling_always_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "COMPILE_FROM", 0)
    monkeypatch.setattr(compiled, "LOAD_FROM", 1)


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, "auto"])
def test_the_compiled_search_of_a_large_position_gives_the_same_output(
    algorithm: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Star1, which "auto" takes where ghosts move by chance, has natural bounds here: it enters few nodes in Python."""
    pytest.importorskip("numba")
    calls: list[SearchResult | None] = []
    original = compiled.quick_search
    monkeypatch.setattr(compiled, "quick_search", lambda *what: calls.append(original(*what)) or calls[-1])
    for ghosts in ("random,optimal", "optimal,optimal"):
        outputs = {}
        for large in (1, 10**9):
            monkeypatch.setattr(compiled, "LOAD_FROM", large)
            monkeypatch.setattr(compiled, "_loaded", set())
            solve(["smallish"], position=PositionOptions(ghosts, 2), algorithm=algorithm, json_file=Path("-"))
            outputs[large] = capsys.readouterr().out
        assert outputs[1] == outputs[10**9]
    assert sum(each is not None for each in calls) == {"exhaustive": 2, "alphabeta": 2, "auto": 1}.get(algorithm, 0)


def test_a_traced_position_is_searched_in_python(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiled, "run_search", None)
    solve(["nook"], position=PositionOptions(rounds=2), trace=True, json_file=Path("-"))
    assert len(json.loads(capsys.readouterr().out)["trace"]) > 40


def test_a_large_position_is_announced_and_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    monkeypatch.setattr(compiled, "_log_once", lines.append)
    monkeypatch.setattr(compiled, "_loaded", set())
    monkeypatch.setattr(compiled, "run", lambda name, *rest: compiled._loaded.add(name))
    monkeypatch.setattr(compiled, "_missing", lambda: "")
    monkeypatch.setattr(compiled, "_is_on_disk", lambda search: search == "exhaustive")
    monkeypatch.setattr(compiled, "COMPILE_FROM", 1000)
    assert [compiled.load("exhaustive", nodes) for nodes in (0, 1, 0)] == [False, True, True]
    assert (compiled.load("alphabeta", 999), lines) == (False, [])
    assert [compiled.load("alphabeta", 1000) for _ in range(2)] == [True, True]
    assert lines == [compiled.COMPILING]


def test_the_machine_code_of_every_search_is_recognised_on_disk() -> None:
    """The function that is looked up on disk exists, under the name that numba gives its file."""
    pytest.importorskip("numba")
    from pacman.compiled import searches

    for name in compiled.COMPILED:
        assert getattr(searches, name).py_func.__qualname__.split(".")[-1] == name
