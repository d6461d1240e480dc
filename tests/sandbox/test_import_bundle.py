"""Tests that the import bundle contains compiled files, even if this process keeps its bytecode elsewhere."""

from __future__ import annotations

import os
import py_compile
import sys
from pathlib import Path

import pytest

from autograder.sandbox import import_bundle
from autograder.sandbox.import_bundle import _copy_and_compile


def test_the_bundle_contains_bytecode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "elsewhere"))  # as PYTHONPYCACHEPREFIX does
    _copy_and_compile(tmp_path / "bundle", ("pacman/core/errors.py",))
    compiled = tmp_path / "bundle" / "pacman" / "core" / "__pycache__" / f"errors.{sys.implementation.cache_tag}.pyc"
    assert compiled.is_file()


def test_stale_bytecode_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "project"
    root.mkdir()
    source = root / "rules.py"
    source.write_text("PLIES = 2\n")
    py_compile.compile(str(source))
    os.utime(source, (1, 1))  # as after a checkout that nobody ran yet
    monkeypatch.setattr(import_bundle, "ROOT", root)
    _copy_and_compile(tmp_path / "bundle", ("rules.py",))
    (compiled,) = (tmp_path / "bundle" / "__pycache__").iterdir()
    assert int.from_bytes(compiled.read_bytes()[8:12], "little") == 1
