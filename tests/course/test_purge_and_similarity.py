"""What `purge` erases and keeps, and what `export-similarity` lays out."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from autograder.course.intake.roster import Student
from autograder.course.marks.similarity import folder_names
from autograder.course.store import Store, single_grading
from autograder.sandbox.submission_files import SubmissionFiles
from tests.command_line import run_here
from tests.course.filled_store import FULL, T, add, as_version_1, card, small_class


def test_a_purge_says_what_it_erases_and_erases_with_yes_only(tmp_path: Path) -> None:
    store = small_class(tmp_path / "class.db")
    arguments = ("purge", "--store", str(store), "--before", "2026-11-03")
    with Store.open(str(store)) as opened:
        assert len(opened.submissions("multiagent")) == 7
    assert b"# fay" not in store.read_bytes()  # files are packed; a name is not
    assert b"Fay" in store.read_bytes()
    told = run_here("autograder", *arguments).stdout
    assert run_here("autograder", *arguments, "--yes").stdout == told.rpartition("nothing is erased yet")[0]
    with Store.open(str(store)) as opened:
        assert [each.student.key for each in opened.submissions("multiagent")] == ["ada", "bob"]
        assert [each.key for each in opened.students()] == ["ada", "bob", "zoë"]
        assert len(opened.results("multiagent")) == 2
        (event,) = opened.events()
        assert (event.kind, event.text) == ("purge", "before 2026-11-03: erased 5 submissions and 3 students")
    for file in tmp_path.iterdir():
        assert b"Fay" not in file.read_bytes(), file


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps this lock apart from those of SQLite")
def test_a_purge_waits_for_the_end_of_a_grading(tmp_path: Path) -> None:
    store = small_class(tmp_path / "class.db")
    arguments = ("purge", "--store", str(store), "--before", "2026-11-03")
    with single_grading(str(store)):
        assert run_here("autograder", *arguments).returncode == 0
        done = run_here("autograder", *arguments, "--yes")
    assert done.returncode == 2
    assert "another grade-all, regrade or purge is using it; wait until that ends, and start again" in done.stderr
    with Store.open(str(store)) as opened:
        assert len(opened.submissions("multiagent")) == 7


def test_a_purge_gives_the_space_back(tmp_path: Path) -> None:
    path = tmp_path / "class.db"
    with Store.open(str(path), create=True) as store:
        large = SubmissionFiles({"ada.py": os.urandom(300_000)})
        store.add_submission(Student("ada"), "multiagent", large, T(1))
    assert path.stat().st_size > 300_000
    run_here("autograder", "purge", "--store", str(path), "--before", "2026-11-03", "--yes")
    assert path.stat().st_size < 200_000


def test_a_submission_without_a_time_of_receipt_is_as_old_as_its_last_attempt_or_its_grading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "class.db"
    with Store.open(str(path), create=True) as store:
        for day in (1, 5):  # cyn hands in the same files twice
            monkeypatch.setattr("autograder.course.store.store.now", lambda day=day: T(day))
            for text in ("one", "two") if day == 1 else ("one",):
                add(store, "cyn", None, text=text)
    before = run_here("autograder", "purge", "--store", str(path), "--before", "2026-11-03").stdout
    assert "erase: 1 submission with" in before
    path.unlink()
    with Store.open(str(path), create=True) as store:
        add(store, "ada", card(FULL))
        add(store, "bob", None)
    as_version_1(path)
    tomorrow = run_here("autograder", "purge", "--store", str(path), "--before", "2999-01-01", "--yes").stdout
    assert "erase: 1 submission with" in tomorrow
    assert "keep: 1 submission without any time" in tomorrow


def test_the_last_files_of_each_student_and_the_stub_are_laid_out(tmp_path: Path) -> None:
    store, folder = small_class(tmp_path / "class.db"), tmp_path / "similar"
    done = run_here("autograder", "export-similarity", str(folder), "--store", str(store))
    assert done.returncode == 0
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    students = {f"submissions/{name}/{name}.py" for name in ("ada", "bob", "eve", "fay")}
    assert files == {*students, "stub/student.py"}
    assert T(3).encode() in (folder / "submissions" / "ada" / "ada.py").read_bytes()
    assert done.stdout == (
        f"{folder}: 4 submissions for multiagent\n"
        "left out: 1 student whose submission has no readable files\n"
        "compare them with one of:\n"
        f'  compare50 {folder}/submissions/* -d {folder}/stub/student.py -x "*" -i "*.py"\n'
        f"  moss -l python -d -b {folder}/stub/student.py {folder}/submissions/*/*.py\n"
    )
    again = run_here("autograder", "export-similarity", str(folder), "--store", str(store))
    assert (again.returncode, again.stderr) == (
        2, f"python -m autograder: {folder}: this folder exists already; choose another name\n"
    )  # fmt: skip


def test_with_pseudonyms_no_path_names_a_student(tmp_path: Path) -> None:
    path, folder = tmp_path / "class.db", tmp_path / "similar"
    with Store.open(str(path), create=True) as store:
        files = SubmissionFiles({"ada.py": b"1", "parts/ada2.py": b"2"})
        store.add_submission(Student("ada"), "multiagent", files)
    run_here("autograder", "export-similarity", str(folder), "--store", str(path), "--pseudonyms")
    names = [path.relative_to(folder / "submissions").as_posix() for path in folder.rglob("submissions/*/*")]
    assert sorted(name.rpartition("/")[2] for name in names) == ["1.py", "2.py"]
    assert not [name for name in names if "ada" in name]


def test_every_key_gives_a_safe_folder_of_its_own() -> None:
    keys = ["Ada", "ada", "../x", "..", "a/b", "a\\b", "con", "-rf", "ada-2", "x" * 300, "Zoë", "a b"]
    names = folder_names([Student(key) for key in keys])
    assert len({name.casefold() for name in names.values()}) == len(keys)
    assert all("/" not in name and "\\" not in name and not name.startswith((".", "-")) for name in names.values())
    assert max(map(len, names.values())) < 100
    assert names["Zoë"] == "Zoë"
