"""`from pacman import ...`: the names that it offers, and the names that graded code cannot import."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pacman
from autograder.student_process.allowed_imports import FILES
from tests.paths import ROOT


def python(code: str, folder: Path = ROOT, *flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *flags, "-c", code], cwd=folder, capture_output=True, text=True, timeout=300)


def test_every_name_loads_and_is_known_to_type_checkers() -> None:
    assert [name for name in pacman.__all__ if getattr(pacman, name, None) is None] == []
    assert set(pacman.__all__) <= set(dir(pacman))
    source = ast.parse(Path(pacman.__file__).read_text(encoding="utf-8"))
    (types,) = [node for node in source.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    imported = [name.name for node in types.body if isinstance(node, ast.ImportFrom) for name in node.names]
    assert sorted(imported) == sorted(pacman.__all__)


def test_an_unknown_name_gives_the_usual_errors() -> None:
    with pytest.raises(AttributeError, match="^module 'pacman' has no attribute 'GameStat'$"):
        _ = pacman.GameStat
    with pytest.raises(ImportError, match="^cannot import name 'GameStat' from 'pacman'"):
        from pacman import GameStat  # type: ignore[attr-defined]  # noqa: F401


NAMES = ("Game", "alphabeta", "run_search", "svg")
IMPORTS = """
for name in NAMES:
    try:
        exec(f"from pacman import {name}")
    except ImportError as error:
        print(error)
"""


def test_a_name_that_graded_code_cannot_import_is_refused_in_one_line(tmp_path: Path) -> None:
    """In a folder with only the files that graded code may import."""
    for pattern in FILES:
        for file in ROOT.glob(pattern):
            (tmp_path / file.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, tmp_path / file.relative_to(ROOT))
    # Without installed packages (-S), as in the sandbox, because the project may be one of them.
    done = python(f"NAMES = {NAMES}\nfrom pacman import start, Layer\nstart('nook'){IMPORTS}", tmp_path, "-S")
    assert done.stdout.splitlines() == [f"pacman.{name} is not available to graded code" for name in NAMES]


@pytest.mark.parametrize("names", ["start", "run_search, start", "Game"])
def test_a_position_has_a_picture_after_any_import_from_pacman(names: str) -> None:
    code = f"from pacman import {names}\nfrom pacman.core.state import start\nprint(start('nook')._repr_svg_()[:4])"
    assert python(code).stdout == "<svg\n"
