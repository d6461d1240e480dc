"""Which file of a submission is graded, what every submission may import, and copies of the sample answers."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from autograder.commands.grade_export import chosen_files
from autograder.course.intake.submissions import find
from autograder.course.store import Store
from autograder.sandbox.project_files import ROOT
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.course import small_class

SOLUTIONS = ROOT / "autograder/assignments/multiagent/solutions.py"


def grade_all(folder: Path, *options: str) -> tuple[int, list[str], str]:
    """The exit status of a grading, its lines without the histogram, and what it says on standard error."""
    given = ("--assignment", str(folder / "trees"), "--store", str(folder / "class.db"), "--jobs", "1")
    done = run_here("autograder", "grade-all", str(folder / "class"), *given, *options)
    return (
        done.returncode,
        done.stdout.partition("points\n")[0].splitlines() + done.stdout.splitlines()[-2:],
        done.stderr,
    )


def points(folder: Path) -> dict[str, tuple[str, str]]:
    """The points of each student, and the number of attempts."""
    done = run_here("autograder", "gradebook", "--store", str(folder / "class.db"), "--out", "-")
    return {row["id"]: (row["points"], row["attempts"]) for row in csv.DictReader(io.StringIO(done.stdout))}


@pytest.mark.slow("that grade a class")
def test_staff_names_a_file_and_helpers_and_a_copy_of_the_answers_is_graded(tmp_path: Path) -> None:
    small_class.write_assignment(tmp_path)
    (tmp_path / "class" / "two").mkdir(parents=True)
    for name, text in (("two/a", "deeper"), ("two/b", "right")):
        (tmp_path / "class" / f"{name}.py").write_text(small_class.SUBMISSIONS[text], encoding="utf-8")
    (tmp_path / "class" / "copy.py").write_bytes(SOLUTIONS.read_bytes())
    (tmp_path / "class" / "eve.py").write_text(f"import course_tools\n{small_class.RIGHT}", encoding="utf-8")
    (tmp_path / "course_tools.py").write_text("x = 1\n", encoding="utf-8")
    status, lines, _ = grade_all(tmp_path)
    assert status == 0
    assert (
        "  two: 0 points: two: several files define parts of the assignment (a.py, b.py); name the one to grade"
        in lines
    )
    assert lines[-2:] == [
        "copy: the same text as the sample answers",
        "to choose one of several files of a student: --file STUDENT=NAME",
    ]
    assert points(tmp_path) == {"copy": ("10", "1"), "eve": ("0", "1"), "two": ("0", "1")}
    helpers = "--with", str(tmp_path / "course_tools.py")
    assert grade_all(tmp_path, *helpers, "--file", "TWO=b.py")[0] == 0
    chosen = {"copy": ("10", "1"), "eve": ("10", "1"), "two": ("10", "2")}
    assert points(tmp_path) == chosen
    _, _, said = grade_all(tmp_path, *helpers)
    assert "3 with a result already" in said
    assert points(tmp_path) == chosen, "the choice is remembered"
    regrade = "regrade", "--store", str(tmp_path / "class.db"), "--assignment", str(tmp_path / "trees"), "--dry-run"
    refused = run_here("autograder", *regrade).stderr
    assert refused.endswith("'trees' was graded --with course_tools.py; grade again in this way\n")
    again = run_here("autograder", *regrade, *helpers)
    assert (again.returncode, "ran: 0 steps" in again.stdout) == (0, True)


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        ("ada", "--file ada: expected STUDENT=NAME, as in ada=final.py"),
        ("ad=x.py", "--file: no student 'ad' in the export: did you mean 'ada'?"),
    ],
)
def test_a_wrong_choice_of_a_file_is_one_line(option: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        chosen_files([option], find(tmp_path))
    assert str(raised.value) == problem


def test_a_store_of_another_assignment_needs_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "assignments", lambda self: ["wk"])
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada.py").write_text("x = 1\n", encoding="utf-8")
    done = run_here("autograder", "grade-all", str(tmp_path / "class"), "--store", str(tmp_path / "class.db"))
    assert done.returncode == 2
    assert "class.db has wk, not multiagent: choose one with --assignment" in done.stderr
