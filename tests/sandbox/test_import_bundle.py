"""What graded code may import is compiled beside its source, wherever this process keeps its own bytecode."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from autograder.sandbox.import_bundle import _copy_and_compile


def test_bytecode_lies_in_the_kit_though_ours_lies_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "elsewhere"))  # as PYTHONPYCACHEPREFIX does
    _copy_and_compile(tmp_path / "kit", ("pacman/core/errors.py",))
    compiled = tmp_path / "kit" / "pacman" / "core" / "__pycache__" / f"errors.{sys.implementation.cache_tag}.pyc"
    assert compiled.is_file()
