"""Tests that the import bundle contains the bytecode of its files, compiled once per process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.sandbox import import_bundle
from autograder.sandbox.import_bundle import fill_import_bundle


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The only file of a small project."""
    source = tmp_path / "project" / "rules.py"
    source.parent.mkdir()
    source.write_text("PLIES = 2\n")
    os.utime(source, (1, 1))
    monkeypatch.setattr(import_bundle, "ROOT", source.parent)
    monkeypatch.setattr(import_bundle, "FILES", ("*.py",))
    import_bundle._contents.cache_clear()
    yield source
    import_bundle._contents.cache_clear()


def bytecode(folder: Path) -> Path:
    return folder / "__pycache__" / f"rules.{sys.implementation.cache_tag}.pyc"


def test_the_bundle_contains_current_bytecode(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "elsewhere"))  # as PYTHONPYCACHEPREFIX does
    fill_import_bundle(tmp_path)
    facts = (tmp_path / "rules.py").stat()
    assert (int(facts.st_mtime), facts.st_size) == (1, len("PLIES = 2\n"))
    header = bytecode(tmp_path).read_bytes()[8:16]
    assert [int.from_bytes(header[:4], "little"), int.from_bytes(header[4:], "little")] == [1, facts.st_size]


def test_python_uses_the_bytecode(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_import_bundle(tmp_path)
    (tmp_path / "rules.py").write_text("PLIES = 9\n")  # as long, and with the same date: only the bytecode knows 2
    os.utime(tmp_path / "rules.py", (1, 1))
    monkeypatch.syspath_prepend(str(tmp_path))
    import rules  # type: ignore[import-not-found]

    assert rules.PLIES == 2
    del sys.modules["rules"]


def test_a_second_bundle_compiles_nothing(source: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    fill_import_bundle(tmp_path / "first")
    source.unlink()
    fill_import_bundle(tmp_path / "second")
    assert bytecode(tmp_path / "second").read_bytes() == bytecode(tmp_path / "first").read_bytes()
