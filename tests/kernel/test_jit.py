"""The folder for machine code: next to the sources, else in the user's cache, else none; old code is removed."""

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


def test_the_folder_is_next_to_the_sources_and_depends_on_their_digest(sources: Path) -> None:
    first = jit.cache_folder.__wrapped__()
    assert first is not None
    assert first.parent == sources / "__pycache__"
    assert jit.cache_folder.__wrapped__() == first
    (sources / "moves.py").write_text("two")
    second = jit.cache_folder.__wrapped__()
    assert second != first
    assert not first.exists()


def test_the_folder_is_in_the_users_cache_if_the_sources_are_not_writable(sources: Path, tmp_path: Path) -> None:
    (sources / "__pycache__").write_text("a file with this name prevents the folder, even for root")
    folder = jit.cache_folder.__wrapped__()
    assert folder is not None
    assert folder.is_relative_to(tmp_path / "cache")
    assert folder.is_dir()


def test_there_is_no_folder_if_nothing_is_writable(sources: Path, tmp_path: Path) -> None:
    (sources / "__pycache__").write_text("in the way")
    (tmp_path / "cache").write_text("in the way")
    assert jit.cache_folder.__wrapped__() is None


def test_without_a_folder_it_still_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "cache_folder", lambda: None)

    def twice(number: int) -> int:
        return 2 * number

    assert jit.compiled(twice)(21) == 42
    assert not jit.is_warm("moves.linear")
