"""A submission is what was named: no neighbour's answers, no file of the project, no link, and helpers by name only."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.command_line import run_here
from tests.paths import ROOT, SOLUTIONS

TEXT = SOLUTIONS.read_text(encoding="utf-8")
COPIES_ADA = "import ada\n\nclass MinimaxAgent(ada.MinimaxAgent):\n    pass\n"
COPIES_ANYBODY = """\
import glob, importlib, os, sys
HERE = os.path.dirname(__file__)
for path in sorted(glob.glob(os.path.join(HERE, "*.py"))):
    if os.path.basename(path) not in (os.path.basename(__file__), "base.py"):
        try:
            found = vars(importlib.import_module(os.path.basename(path)[:-3]))
        except BaseException:
            continue
        if "ExpectimaxAgent" in found:
            globals().update({k: v for k, v in found.items() if not k.startswith("__")})
            break
Found = globals().get("MinimaxAgent", object)
class MinimaxAgent(Found): pass
"""


def grade(path: Path, *options: object) -> tuple[float | None, str]:
    """The points of a submission (None if it cannot be graded), and the printed report or error on one line."""
    report = path.parent.parent / "result.json"
    report.unlink(missing_ok=True)
    words = [str(path), "--case", "q2/01-figure", "--json", str(report), "--jobs", "1", *map(str, options)]
    done = run_here("autograder", "grade", *words)
    points = json.loads(report.read_text(encoding="utf-8"))["earned"] if report.exists() else None
    assert done.returncode == (2 if points is None else int(points < 5))
    return points, " ".join((done.stdout + done.stderr).split())


@pytest.fixture
def downloads(tmp_path: Path) -> Path:
    """A flat folder of downloads, as in docs/gradescope.md, with one right submission and one that imports it."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    (folder / "ada.py").write_text(TEXT, encoding="utf-8")
    (folder / "bob.py").write_text(COPIES_ADA, encoding="utf-8")
    return folder


def test_nobody_gets_the_answers_of_a_neighbour_unless_they_are_named(downloads: Path, tmp_path: Path) -> None:
    assert grade(downloads / "ada.py")[0] == 5
    points, text = grade(downloads / "bob.py")
    assert points is None
    assert text.endswith(
        "bob.py: imports 'ada', which is not available in the sandbox (line 1: import ada); "
        "if this is a file of the submission, grade its folder or add the file with --with"
    )
    helpers = [tmp_path / "ada.py", tmp_path / "more.py"]
    helpers[0].write_text(TEXT + "\nimport more\n", encoding="utf-8")
    helpers[1].write_text("x = 1\n", encoding="utf-8")
    options = [word for helper in helpers for word in ("--with", helper)]
    assert grade(downloads / "bob.py", *options)[0] == 5
    (downloads / "ada.py").unlink()
    assert grade(downloads, *options, "--allow-unsafe")[0] == 5  # a helper is never the file to grade


def test_a_kit_is_graded_by_its_students_file_and_a_note_says_so(downloads: Path) -> None:
    kit = downloads / "kit"
    for name in ("agents/base.py", "agents/student.py", "pacman/__init__.py", "pacman/search/exhaustive.py"):
        (kit / name).parent.mkdir(parents=True, exist_ok=True)
        (kit / name).write_bytes((ROOT / name).read_bytes())
    (kit / "agents/solutions.py").write_text(TEXT, encoding="utf-8")
    (kit / "agents/student.py").write_text(COPIES_ANYBODY, encoding="utf-8")
    points, text = grade(kit, "--allow-unsafe")
    assert points == 0
    note = "ignored 4 files of the project: agents/base.py, agents/solutions.py, pacman/__init__.py and 1 more"
    assert text.count(note) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="links need special rights on Windows")
def test_a_folder_whose_only_answer_is_a_link_names_it(downloads: Path) -> None:
    (downloads / "eve").mkdir()
    (downloads / "eve/tools.py").write_text("x = 1\n", encoding="utf-8")
    (downloads / "eve/answer.py").symlink_to(downloads / "ada.py")
    points, text = grade(downloads / "eve", "--allow-unsafe")
    assert points is None
    assert text.endswith("expected MinimaxAgent; 'answer.py' is a link: hand in the file itself")
