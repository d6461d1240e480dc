"""Which file of a submission is graded, what every submission may import, and copies of the sample answers."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.commands.grade_all import chosen_files, new_roster
from autograder.course.grade import take_in
from autograder.course.intake.roster import Roster, Student
from autograder.course.intake.submissions import find
from autograder.course.store import Store
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.course import small_class
from tests.paths import SOLUTIONS


def grade_all(folder: Path, *options: str) -> tuple[int, list[str], str]:
    """The exit status of a grading, its lines without the histogram, and what it says on standard error."""
    given = ("--assignment", str(folder / "trees"), "--store", str(folder / "class.db"), "--jobs", "1")
    done = run_here("autograder", "grade-all", str(folder / "class"), *given, *options)
    lines = done.stdout.partition("points\n")[0].splitlines() + done.stdout.splitlines()[-2:]
    return done.returncode, lines, done.stderr


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
    several = "several files define parts of the assignment (a.py, b.py); name the one to grade"
    assert f"  two: 0 points: two: {several}" in lines
    assert lines[-2:] == [
        "copy: the same text as the sample answers",
        "to choose one of several files of a student: --file STUDENT=NAME",
    ]
    assert points(tmp_path) == {"copy": ("10", "1"), "eve": ("0", "1"), "two": ("0", "1")}
    helpers = "--with", str(tmp_path / "course_tools.py")
    assert grade_all(tmp_path, *helpers, "--file", "TWO=b.py")[0] == 0
    chosen = {"copy": ("10", "1"), "eve": ("10", "1"), "two": ("10", "1")}
    assert points(tmp_path) == chosen
    _, _, said = grade_all(tmp_path, *helpers)
    assert "3 with a result already" in said
    assert points(tmp_path) == chosen, "the choice is remembered"
    regrade = "regrade", "--store", str(tmp_path / "class.db"), "--assignment", str(tmp_path / "trees"), "--dry-run"
    refused = run_here("autograder", *regrade).stderr
    assert refused.endswith("'trees' was graded --with course_tools.py; grade again in this way\n")
    again = run_here("autograder", *regrade, *helpers)
    assert (again.returncode, "ran: 0 steps" in again.stdout) == (0, True)


def taken_in(store: Store, export: Path, roster: Sequence[Student] = (), file: str = "", layout: str = "") -> str:
    """Adds the submissions of an export to a store as `grade-all` does. Returns what it says about the roster."""
    told = "".join(new_roster(store, Roster(tuple(roster))))
    take_in(store, loading.load("multiagent"), find(export, layout, roster), {"two": file} if file else {})
    return told


def test_the_choice_of_a_file_is_no_attempt(store: Store, tmp_path: Path) -> None:
    """Each choice has its own results; the last one is kept for the same files."""
    folder = tmp_path / "class"
    for name in ("a.py", "b.py"):
        (folder / "two").mkdir(parents=True, exist_ok=True)
        (folder / "two" / name).write_text(f"x = '{name}'\n", encoding="utf-8")
    kept, works = "", dict[str, int]()
    for file in ("", "b.py", "", "b.py", "a.py", "b.py"):
        taken_in(store, folder, file=file)
        (attempt,) = store.attempts("multiagent")
        kept = file or kept
        assert store.files(attempt.work).requested_file == kept
        assert works.setdefault(kept, attempt.work) == attempt.work
    assert len({*works.values()}) == 3
    with pytest.raises(InputError, match="--file two=zzzz: no such file: known: a.py, b.py"):
        taken_in(store, folder, file="zzzz")
    (folder / "two" / "c.py").write_text("x = 3\n", encoding="utf-8")
    taken_in(store, folder)
    assert [store.files(each.work).requested_file for each in store.attempts("multiagent")] == ["b.py", ""]


def test_a_copy_of_the_solutions_of_an_own_assignment_is_named(store: Store, tmp_path: Path) -> None:
    for name, text in (("ada", "x = 1\n" * 3), ("copy", "  x   = 1\r\n" * 2)):
        (tmp_path / "class").mkdir(exist_ok=True)
        (tmp_path / "class" / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "solutions.py").write_text("x = 1\nx = 1\n", encoding="utf-8")
    loaded = replace(loading.load("multiagent"), folder=tmp_path, solutions=tmp_path / "solutions.py")
    assert take_in(store, loaded, find(tmp_path / "class"), {}).copies == (Student("copy"),)


METADATA = """\
submission_1:
  :created_at: 2026-11-22 10:00:00 Z
  :submitters:
  - :name: Ada
    :sid: s1
    :email: ada@x.org
"""


def gradescope(folder: Path, more: str = "") -> Path:
    """An export with a submission of Ada, and of others."""
    (folder / "submission_1").mkdir(parents=True, exist_ok=True)
    (folder / "submission_1" / "x.py").write_text(f"x = {more!r}\n", encoding="utf-8")
    (folder / "submission_metadata.yml").write_text(METADATA + more, encoding="utf-8")
    return folder


def test_a_roster_replaces_the_one_before(store: Store, tmp_path: Path) -> None:
    """Of a wrong one nothing stays: no student, no name, no section, and no second name of an account."""
    folder = gradescope(tmp_path / "class")
    wrong = [Student("s1", "Bob", "B"), *(Student(f"w{number}", "W") for number in range(3))]
    right = [Student("ada@x.org", "Ada L", "A", due=(("", "2026-11-23T12:00:00Z"),)), Student("zoe@x.org", "Zoë")]
    assert "replaces" not in taken_in(store, folder, wrong, layout="gradescope")
    number = store.attempts("multiagent")[0].id
    store.add_adjustment("s1", "multiagent", "q2", 4.0, "an appeal")
    told = "this roster replaces the one before: 2 students, 2 new, 4 not in it any more, 0 with another"
    assert told in taken_in(store, folder, right, layout="gradescope")
    assert store.students() == right
    assert [(each.id, each.student) for each in store.attempts("multiagent")] == [(number, right[0])]
    assert list(store.adjustments("multiagent")) == ["ada@x.org"]
    assert "replaces" not in taken_in(store, folder, right, layout="gradescope")
    store.add_attempt(Student("dropped", "X"), "multiagent", None, problem="no file")
    assert "2 new, 0 not in it" in taken_in(store, folder, [*wrong[1:3], *right], layout="gradescope")
    dropped = Student("dropped", "X", is_listed=False)
    assert dropped in store.students(), "who handed in stays, as the export names him"
    assert "no due time of their own any more: ada@x.org" in taken_in(store, folder, wrong, layout="gradescope")
    assert next((each.id, each.student) for each in store.attempts("multiagent")) == (number, wrong[0])


@pytest.mark.parametrize("known", [True, False])
def test_a_member_of_a_group_who_types_the_number_of_another_one_gets_nothing_of_theirs(
    store: Store, tmp_path: Path, known: bool
) -> None:
    eve = "  - :name: Eve\n    :sid: {}\n    :email: eve@x.org\n"
    roster = [Student("s1", "Ada"), Student("e9", "Eve")] if known else []
    taken_in(store, gradescope(tmp_path / "class", eve.format("e9")), roster, layout="gradescope")
    store.add_adjustment("s1", "multiagent", "q2", 4.0, "an appeal")
    taken_in(store, gradescope(tmp_path / "class", eve.format("s1")), layout="gradescope")
    assert list(store.adjustments("multiagent")) == ["s1" if known else "ada@x.org"]


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
