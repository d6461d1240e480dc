"""The list of the files that students, the lab and graded code may get, and what somebody adds to our folders."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autograder import shipped
from autograder.cases import loading
from autograder.course.kit import layout_files
from autograder.shipped import KNOWN_FILES, known_files
from autograder.student_process import allowed_imports
from tests.documented_commands import rewriting
from tests.paths import ROOT
from tests.written_files import write_files


def test_the_list_has_every_file_of_the_project_that_may_go_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made from the files under version control. To write it anew: `git add`, and UPDATE_README=1.

    What somebody added is not in it, but for a layout that a public case names.
    """
    git = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if git.returncode:
        pytest.skip("this is no git checkout")
    patterns = (*shipped.KIT, *shipped.LAB, *allowed_imports.FILES)
    found = {path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern)}
    names = sorted((found - {*shipped.NEVER}) & set(git.stdout.split("\0")))
    expected = "".join(f"{name}\n" for name in names)
    if rewriting():
        KNOWN_FILES.write_text(expected, encoding="utf-8", newline="\n")
    assert KNOWN_FILES.read_text(encoding="utf-8") == expected
    assert {"layouts/nook.lay", "agents/base.py", "pacman/__init__.py"} <= set(names)
    assert "agents/student.py" not in names
    cases = [case.input for case in loading.load("multiagent").cases if hasattr(case.input, "layout")]
    used = {f"layouts/{case.layout}.lay" for case in cases if "\n" not in case.layout}
    assert set(layout_files(loading.load("multiagent"))) == used
    added = ("layouts/my-maze.lay", "agents/mine.py", "pacman/core/mine.py")
    write_files(tmp_path, dict.fromkeys((*added, "layouts/nook.lay", "agents/base.py"), "mine = 1"))
    monkeypatch.setattr(shipped, "ROOT", tmp_path)
    assert [*known_files(["*/*.lay", "agents/*.py", "pacman/**/*.py"])] == ["agents/base.py", "layouts/nook.lay"]
