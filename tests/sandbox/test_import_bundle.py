"""Tests that the import bundle contains compiled files, even if this process keeps its bytecode elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from autograder.sandbox.import_bundle import _copy_and_compile


def test_the_bundle_contains_bytecode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "elsewhere"))  # as PYTHONPYCACHEPREFIX does
    _copy_and_compile(tmp_path / "bundle", ("pacman/core/errors.py",))
    compiled = tmp_path / "bundle" / "pacman" / "core" / "__pycache__" / f"errors.{sys.implementation.cache_tag}.pyc"
    assert compiled.is_file()
