"""`python -m pacman solve` of a position: large searches are compiled, and the output stays the same."""

from __future__ import annotations

import json

import pytest

from pacman import kernel
from pacman.commands.solve import solve
from pacman.search.algorithms import ALGORITHMS


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, "auto"])
def test_a_large_search_is_compiled_and_its_output_is_the_same(
    algorithm: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("numba")
    calls: list[str] = []
    run_search = kernel.run_search
    monkeypatch.setattr(kernel, "run_search", lambda *parts: calls.append(parts[0]) or run_search(*parts))
    for ghosts in ("random,optimal", "optimal,optimal"):
        outputs = {}
        for large in (1, 10**9):
            monkeypatch.setattr("pacman.commands.solve.LARGE", large)
            solve(layout="smallish", ghosts=ghosts, rounds=2, algorithm=algorithm, as_json=True)
            outputs[large] = capsys.readouterr().out
        assert outputs[1] == outputs[10**9]
    assert len(calls) == 2


def test_a_search_with_trace_runs_in_python(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pacman.commands.solve.LARGE", 1)
    monkeypatch.setattr(kernel, "run_search", None)
    solve(layout="nook", rounds=2, trace=True, as_json=True)
    assert len(json.loads(capsys.readouterr().out)["trace"]) > 40


def test_a_search_that_the_kernel_does_not_support_runs_in_python(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Star2 with too many plies; and every search without numba, with one line on stderr."""
    monkeypatch.setattr("pacman.kernel.search_call.MOST_PLIES", 3)
    monkeypatch.setattr("pacman.commands.solve.LARGE", 1)
    solve(layout="smallish", rounds=2, algorithm="star2", as_json=True)
    fast = capsys.readouterr()
    monkeypatch.setattr(kernel, "is_available", lambda: False)
    kernel.prepare.cache_clear()
    solve(layout="smallish", rounds=2, algorithm="star2", as_json=True)
    slow = capsys.readouterr()
    assert slow.out == fast.out
    assert slow.err.startswith("numba is not installed: the readable search answers, slowly")
    kernel.prepare.cache_clear()
