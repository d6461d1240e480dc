"""Where compiled code is kept: beside the sources, else with the user, else nowhere; never that of older sources."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numba")

from pacman.kernel import jit  # needs numba


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "moves.py").write_text("one")
    monkeypatch.setattr(jit, "HERE", folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def test_beside_the_sources_by_their_digest(sources: Path) -> None:
    first = jit.store.__wrapped__()
    assert first is not None
    assert first.parent == sources / "__pycache__"
    assert jit.store.__wrapped__() == first
    (sources / "moves.py").write_text("two")
    second = jit.store.__wrapped__()
    assert second != first
    assert not first.exists()


def test_with_the_user_where_the_sources_cannot_be_written_to(sources: Path, tmp_path: Path) -> None:
    (sources / "__pycache__").write_text("a file in the way: no folder can be made here, not even by root")
    found = jit.store.__wrapped__()
    assert found is not None
    assert found.is_relative_to(tmp_path / "cache")
    assert found.is_dir()


def test_nowhere_where_nothing_can_be_written(sources: Path, tmp_path: Path) -> None:
    (sources / "__pycache__").write_text("in the way")
    (tmp_path / "cache").write_text("in the way")
    assert jit.store.__wrapped__() is None


def test_without_a_folder_it_still_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "store", lambda: None)

    def twice(number: int) -> int:
        return 2 * number

    assert jit.compiled(twice)(21) == 42
    assert not jit.is_warm("moves.linear")
