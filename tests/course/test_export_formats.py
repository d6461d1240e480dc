"""Every submission of an export is found once, in each layout, from a folder and from a zip."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.course.intake import export_tree
from autograder.course.intake.roster import Student
from autograder.course.intake.submissions import Entry, find
from pacman.core.errors import InputError

CODE = "class MinimaxAgent: ...\n"
METADATA = """\
---
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: 4711
    :email: ada@example.org
  :created_at: 2026-11-01 10:00:00.250000000 Z
  :score: !ruby/object:BigDecimal 18:0.1e1
  :history: []
submission_12:
  :submitters:
  - :name: Grace Hopper
    :email: grace@example.org
  - :name: Edsger
    :email: edsger@example.org
  :created_at: 2026-11-01 11:00:00 +0100
submission_13:
  :submitters:
  - :name: Ada Lovelace
    :email: ada@example.org
  :created_at: 2026-11-02 10:00:00 Z
"""
LAYOUTS: Mapping[str, tuple[Mapping[str, str], list[str]]] = {
    "gradescope": (
        {
            "submission_metadata.yml": METADATA,
            **{f"submission_{number}/agents.py": f"{CODE}# {number}" for number in (11, 12, 13, 14)},
            "notes.txt": "x",
        },
        ["ada@example.org", "edsger@example.org", "grace@example.org", "submission_14"],
    ),
    "canvas": (
        {
            "lovelaceada_41_977_solution.py": CODE,
            "lovelaceada_41_978_tools.py": CODE,
            "hoppergrace_LATE_42_979_solution-1.py": CODE,
            "hoppergrace_LATE_42_980_solution-2.py": f"{CODE}# later",
            "turingalan_43_981_essay.pdf": "x",
            "van_der_berg小明_44_982_solution.py": CODE,
            "noether_emmy_LATE_45_text.html": "x",
            "notes.txt": "x",
        },
        ["41", "42", "43", "44", "45"],
    ),
    "moodle": (
        {
            "Ada Lovelace_1327627_assignsubmission_file_/solution.py": CODE,
            "Grace Hopper_1327628_assignsubmission_file_solution.py": CODE,
            "Zoë_1327629_assignsubmission_onlinetext_/onlinetext.html": "x",
            "notes.txt": "x",
        },
        ["1327627", "1327628", "1327629"],
    ),
    "today's moodle": (
        {
            "Ada Lovelace_1327627_assignsubmission_file/src/solution.py": CODE,
            "小明 王_1327628_assignsubmission_file/solution.py": CODE,
            "Zoë_1327629_assignsubmission_onlinetext/onlinetext.html": "x",
            "notes.txt": "x",
        },
        ["1327627", "1327628", "1327629"],
    ),
    "github": (
        {
            "search-submissions/search-ada/agents.py": CODE,
            "search-submissions/search-ada/.git/config.py": "x",
            "search-submissions/search-grace-hopper/agents.py": CODE,
            "search-submissions/notes.txt": "x",
        },
        ["ada", "grace-hopper"],
    ),
    "plain": (
        {"ada.py": CODE, "Grace Hopper/a.py": CODE, "Grace Hopper/b.py": CODE, "notes.txt": "x"},
        ["Grace Hopper", "ada"],
    ),
}


def written(files: Mapping[str, str], folder: Path) -> Path:
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


def zipped(files: Mapping[str, str], path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def entries(path: Path, name: str = "", **roster: Student) -> dict[str, Entry]:
    found = list(find(path, name).entries(roster))
    assert len({entry.student.key for entry in found}) == len(found)
    return {entry.student.key: entry for entry in found}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_each_layout_is_recognised_and_every_student_found_once(name: str, kind: str, tmp_path: Path) -> None:
    files, students = LAYOUTS[name]
    path = written(files, tmp_path / "export") if kind == "folder" else zipped(files, tmp_path / "export.zip")
    export, format_name = find(path), name.split()[-1]
    assert export.format == format_name
    assert export.strays == ("notes.txt",)
    assert sorted(entries(path)) == students
    for entry in entries(path).values():
        assert bool(entry.files) != bool(entry.problem)
    assert sorted(entries(path, format_name)) == students


def test_gradescope_names_the_students_and_the_time(tmp_path: Path) -> None:
    path = written(LAYOUTS["gradescope"][0], tmp_path)
    found = entries(path)
    ada = found["ada@example.org"]
    assert (ada.source, ada.received, ada.student.name) == ("submission_13", "2026-11-02T10:00:00Z", "Ada Lovelace")
    assert ada.earlier == ("submission_11",)
    grace, edsger = found["grace@example.org"], found["edsger@example.org"]
    assert grace.received == "2026-11-01T10:00:00Z"
    assert grace.files == edsger.files
    (path / "submission_12" / "agents.py").unlink()
    (path / "submission_12").rmdir()
    assert "no Python file" in entries(path)["grace@example.org"].problem


def test_a_roster_gives_the_key(tmp_path: Path) -> None:
    path = written(LAYOUTS["gradescope"][0], tmp_path)
    assert "4711" not in entries(path)
    (path / "submission_13" / "agents.py").unlink()
    (path / "submission_13").rmdir()
    path.joinpath("submission_metadata.yml").write_text(METADATA.partition("submission_13")[0])
    assert entries(path, **{"4711": Student("4711", "Ada L", "B")})["4711"].student.section == "B"


def test_canvas_files_of_one_student_are_one_submission_and_the_later_attempt_counts(tmp_path: Path) -> None:
    path = written(LAYOUTS["canvas"][0], tmp_path)
    found = entries(path)
    assert found["41"].files is not None
    assert sorted(found["41"].files.files) == ["solution.py", "tools.py"]
    assert found["42"].files is not None
    assert b"later" in found["42"].files.files["solution.py"]
    (note,) = find(path).notes
    assert "solution-2.py' counts, and not the earlier attempt 'hoppergrace_LATE_42_979_solution-1.py'" in note
    assert "not a Python file or an archive" in found["43"].problem


def test_an_archive_in_an_export_is_read_and_a_bad_one_is_a_problem(tmp_path: Path) -> None:
    inner = zipped({"agents.py": CODE}, tmp_path / "inner.zip").read_bytes()
    folder = tmp_path / "export"
    for place in ("A B_1_assignsubmission_file_/work.zip", "C D_2_assignsubmission_file_work.zip"):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_bytes(inner)
    (folder / "E_3_assignsubmission_file_work.zip").write_bytes(inner[:60])
    (folder / "F_4_assignsubmission_file_").mkdir()
    found = entries(folder)
    for key in ("1", "2"):
        assert found[key].files is not None, found[key].problem
    assert "not a readable archive" in found["3"].problem
    assert "no Python file in this folder" in found["4"].problem


def test_two_submissions_of_one_student_are_one_problem_that_names_both(tmp_path: Path) -> None:
    path = written({"Zoe\u0308.py": CODE, "zoë/a.py": CODE, "ada.py": CODE, "ADA .py": CODE, "作业.py": CODE}, tmp_path)
    found = entries(path)
    assert len(found) == 3
    problems = sorted(entry.problem for entry in found.values())
    assert problems[0] == ""
    assert problems[1] == "2 submissions of one student: 'ADA .py' and 'ada.py'; keep one of them"
    assert "'Zoe\u0308.py' and 'zoë'" in problems[2]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text(CODE)
    folder = written({"grace/a.py": CODE}, tmp_path / "export")
    os.symlink(secret, folder / "ada.py")
    found = entries(folder)
    assert "is a link" in found["ada"].problem
    os.symlink(folder, tmp_path / "link")
    with pytest.raises(InputError, match="this is a link"):
        find(tmp_path / "link")


@pytest.mark.parametrize(
    ("files", "name", "problem"),
    [
        ({}, "", "it is empty; expected the submissions of a class"),
        ({"notes.txt": "x"}, "", "no submission in it (format plain); expected a Python file, an archive or a folder"),
        ({"ada.py": CODE}, "canvas", "no submission in it (format canvas); expected files NAME_ID_NUMBER_FILE"),
        ({"ada.py": CODE}, "gradescope", "no file submission_metadata.yml; expected it beside the folders"),
        ({"ada.py": CODE}, "canvass", "--export-format: no format 'canvass': did you mean 'canvas'?"),
        (
            {"lovelaceada_41_977_s.py": CODE, "A_1_assignsubmission_file_/a.py": CODE},
            "",
            "2 files and folders, 1 as moodle writes them, 1 as canvas writes them; separate them, or name the format",
        ),
        (
            {"ada_2026_11_search.py": CODE, "grace_2026_12_search.py": CODE},
            "",
            "'ada' and 'grace' have the same number 2026; Canvas writes NAME_ID_NUMBER_FILE",
        ),
        ({"submission_metadata.yml": "- [", "submission_1/a.py": CODE}, "", "submission_metadata.yml: not valid YAML"),
        ({"submission_metadata.yml": "- 1", "submission_1/a.py": CODE}, "", "expected a mapping from the folders"),
    ],
)
def test_what_is_no_export_is_one_line(files: Mapping[str, str], name: str, problem: str, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    with pytest.raises(InputError) as error:
        find(written(files, folder), name)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_a_huge_zip_is_refused_by_its_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = zipped({"ada.py": CODE * 100, "grace.py": CODE * 100}, tmp_path / "class.zip")
    monkeypatch.setattr(export_tree, "MAX_UNPACKED", 1_000)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)  # nothing may be read
    with pytest.raises(InputError, match="expected at most 500,000 files and 1,000 bytes; unpack it and grade"):
        find(path)


@pytest.mark.parametrize("name", ["../ada.py", "/ada.py"])
def test_a_zip_that_leads_outside_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="leads outside"):
        find(zipped({name: CODE, "b.py": CODE}, tmp_path / "class.zip"))


@pytest.mark.parametrize("content", [b"", b"x" * 1000, b"PK\x05\x06" + b"\0" * 10])
def test_a_broken_zip_is_one_line(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a folder and not a readable zip"):
        find(path)
