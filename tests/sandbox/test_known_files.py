"""The list of the files that students, the lab and graded code may get, and what somebody adds to our folders."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autograder import shipped
from autograder.cases import loading
from autograder.course import kit
from autograder.shipped import KNOWN_FILES, known_files
from autograder.student_process import allowed_imports
from tests.documented_commands import rewriting
from tests.paths import ROOT


def test_the_list_has_every_file_of_the_project_that_may_go_out() -> None:
    """It is made from the files under version control. To write it anew: `git add`, and UPDATE_README=1."""
    git = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if git.returncode:
        pytest.skip("this is no git checkout")
    patterns = (*shipped.KIT, *shipped.LAB, *allowed_imports.FILES)
    found = {path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern)} - {
        *shipped.NEVER
    }
    expected = "".join(f"{name}\n" for name in sorted(found & set(git.stdout.split("\0"))))
    if rewriting():
        KNOWN_FILES.write_text(expected, encoding="utf-8", newline="\n")
    assert KNOWN_FILES.read_text(encoding="utf-8") == expected
    assert {"layouts/nook.lay", "agents/base.py", "pacman/__init__.py"} <= set(expected.split())
    assert "agents/student.py" not in expected


def test_a_file_that_somebody_added_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("layouts/nook.lay", "layouts/my-maze.lay", "agents/base.py", "agents/mine.py", "pacman/core/mine.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("mine = 1", encoding="utf-8")
    monkeypatch.setattr(shipped, "ROOT", tmp_path)
    assert [*known_files(["*/*.lay", "agents/*.py", "pacman/**/*.py"])] == ["agents/base.py", "layouts/nook.lay"]


def test_a_layout_that_a_public_case_names_goes_out() -> None:
    """All layouts of the project do; one that an instructor added only if a public case names it."""
    assignment = loading.load("multiagent")
    used = kit.layout_files(assignment)
    assert set(used) == {
        f"layouts/{case.input.layout}.lay"
        for case in assignment.cases
        if hasattr(case.input, "layout") and "\n" not in case.input.layout
    }
