"""`python -m pacman solve` of a position: compiled where that pays, and nobody can tell by the answer."""

from __future__ import annotations

import json

import pytest

from pacman import kernel
from pacman.commands.solve import solve
from pacman.search.algorithms import ALGORITHMS


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, "auto"])
def test_a_large_position_is_solved_by_the_compiled_search_with_the_same_words(
    algorithm: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("numba")
    asked: list[str] = []
    inside = kernel.run_search
    monkeypatch.setattr(kernel, "run_search", lambda *what: asked.append(what[0]) or inside(*what))
    for ghosts in ("random,optimal", "optimal,optimal"):
        words = {}
        for large in (1, 10**9):
            monkeypatch.setattr("pacman.commands.solve.LARGE", large)
            solve(layout="smallish", ghosts=ghosts, rounds=2, algorithm=algorithm, as_json=True)
            words[large] = capsys.readouterr().out
        assert words[1] == words[10**9]
    assert len(asked) == 2


def test_a_traced_position_is_searched_readably(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pacman.commands.solve.LARGE", 1)
    monkeypatch.setattr(kernel, "run_search", None)
    solve(layout="nook", rounds=2, trace=True, as_json=True)
    assert len(json.loads(capsys.readouterr().out)["trace"]) > 40


def test_what_the_kernel_does_not_take_is_searched_readably(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Star2 beyond its plies; and everything where numba is missing, which is said on stderr."""
    monkeypatch.setattr("pacman.kernel.search_call.MOST_PLIES", 3)
    monkeypatch.setattr("pacman.commands.solve.LARGE", 1)
    solve(layout="smallish", rounds=2, algorithm="star2", as_json=True)
    said = capsys.readouterr()
    monkeypatch.setattr(kernel, "is_available", lambda: False)
    kernel.prepare.cache_clear()
    solve(layout="smallish", rounds=2, algorithm="star2", as_json=True)
    slow = capsys.readouterr()
    assert slow.out == said.out
    assert slow.err.startswith("numba is not installed: the readable search answers, slowly")
    kernel.prepare.cache_clear()
