"""The folder for machine code: next to the sources, else in the user's cache, else none; old code is removed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

from pacman import compiled
from pacman.compiled import jit


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "moves.py").write_text("one")
    monkeypatch.setattr(jit, "HERE", folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def test_the_folder_depends_on_the_sources_and_is_where_one_may_write(sources: Path, tmp_path: Path) -> None:
    folder = jit.cache_folder.__wrapped__
    first = folder()
    assert first is not None
    assert (first.parent, folder()) == (sources / "__pycache__", first)
    (sources / "moves.py").write_text("two")
    second = folder()
    assert second != first
    assert second is not None
    assert not first.exists()
    second.rmdir()
    (sources / "__pycache__").rmdir()
    (sources / "__pycache__").write_text("a file with this name prevents the folder, even for root")
    in_cache = folder()
    assert in_cache is not None
    assert in_cache.is_relative_to(tmp_path / "cache")
    assert in_cache.is_dir()
    (tmp_path / "cache").rename(tmp_path / "old")
    (tmp_path / "cache").write_text("in the way")
    assert folder() is None


def test_without_a_folder_it_still_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "cache_folder", lambda: None)

    def twice(number: int) -> int:
        return 2 * number

    assert jit.compiled(twice)(21) == 42
    assert not jit.is_on_disk("nodes.window")


def test_numba_reads_no_settings_in_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / ".numba_config.yaml").write_text("cpu_name: nonsense\nchrome_trace: class.db\n")
    program = (
        "import yaml, sys; from pacman.compiled.jit import numba; config = numba.core.config; config.reload_config(); "
        "print(config.CPU_NAME, repr(config.CHROME_TRACE), sys.modules['yaml'] is yaml)"
    )
    command = [sys.executable, "-P", "-c", program]
    environment = {**os.environ, "PYTHONPATH": str(Path(jit.__file__).parents[2])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("None '' True\n", "")


class _NoNumba:
    """An importer that fails as numba does with wrong settings."""

    def find_spec(self, name: str, *rest: object) -> None:
        if name == "pacman.compiled.jit":
            raise AttributeError("'list' object has no attribute 'items'")


def test_any_failure_of_numba_leaves_the_slower_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pacman.compiled.jit")
    monkeypatch.setattr(sys, "meta_path", [_NoNumba(), *sys.meta_path])
    message = "numba cannot be imported (AttributeError: 'list' object has no attribute 'items')"
    assert compiled._missing.__wrapped__() == message
