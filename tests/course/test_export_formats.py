"""Every submission of an export is found once, in each layout, from a folder and from a zip."""

from __future__ import annotations

import os
import shutil
import struct
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO

import pytest

from autograder.course.intake import archive
from autograder.course.intake.exports import LAYOUTS, Entry
from autograder.course.intake.roster import Student
from autograder.course.intake.submissions import find
from autograder.sandbox import submission_files
from autograder.sandbox.no_links import Folder
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError
from tests.command_line import run_here

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
EXPORTS: Mapping[str, tuple[Mapping[str, str], list[str]]] = {
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


def zipped(files: Mapping[str, str], path: Path, method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def entries(path: Path, name: str = "", /, roster: Iterable[Student] = ()) -> dict[str, Entry]:
    found = list(find(path, name, roster).entries())
    assert len({entry.student.key for entry in found}) == len(found)
    return {entry.student.key: entry for entry in found}


@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize("kind", ["folder", "zip", "around"])
def test_every_student_of_each_layout_is_found_once(name: str, kind: str, tmp_path: Path) -> None:
    """From a folder, from a zip, and from a renamed zip with a folder around the export, which is no submission."""
    (files, students), layout = EXPORTS[name], name.split()[-1]
    if kind == "around" and layout in ("github", "plain"):
        return
    inside = {f"around/{place}" if kind == "around" else place: text for place, text in files.items()}
    path = written(files, tmp_path / "export") if kind == "folder" else zipped(inside, tmp_path / "export.zip")
    assert find(path, layout).strays == ("notes.txt",)
    found = entries(path, layout)
    assert sorted(found) == students
    for entry in found.values():
        assert (bool(entry.files), bool(entry.problem), bool(entry.failure)).count(True) == 1
    if layout == "plain":
        assert find(path).format == "plain"
        return
    with pytest.raises(InputError, match="names that a platform writes: .*; say what this is with --export-format: gr"):
        find(path)


def test_gradescope_names_the_students_and_the_time(tmp_path: Path) -> None:
    path = written(EXPORTS["gradescope"][0], tmp_path)
    found = entries(path, "gradescope")
    ada = found["ada@example.org"]
    assert (ada.source, ada.received, ada.student.name) == ("submission_13", "2026-11-02T10:00:00Z", "Ada Lovelace")
    assert ada.earlier == ("submission_11",)
    roster = [Student("4711", "Ada L", "B")]
    assert entries(path, "gradescope", roster=roster)["4711"].student.section == "B", "a roster gives the key"
    grace, edsger = found["grace@example.org"], found["edsger@example.org"]
    assert grace.received == "2026-11-01T10:00:00Z"
    assert grace.files == edsger.files
    shutil.rmtree(path / "submission_12")
    for key in ("grace@example.org", "edsger@example.org"):  # the export is damaged, and no student did that
        assert entries(path, "gradescope")[key].failure == "its folder is not in the export"


def test_canvas_files_of_one_student_are_one_submission_and_the_later_attempt_counts(tmp_path: Path) -> None:
    path = written(EXPORTS["canvas"][0], tmp_path)
    found = entries(path, "canvas")
    assert found["41"].files is not None
    assert sorted(found["41"].files.files) == ["solution.py", "tools.py"]
    assert found["42"].files is not None
    assert b"later" in found["42"].files.files["solution.py"]
    (note,) = find(path, "canvas").notes
    assert "solution-2.py' counts, and not the earlier attempt 'hoppergrace_LATE_42_979_solution-1.py'" in note
    assert "not a Python file or a zip" in found["43"].problem


def broken_zip(method: int, path: Path) -> bytes:
    """A zip that made the library raise what is no error of an archive, or ask for 4 GB."""
    content = bytearray(zipped({"agent.py": CODE * 9}, path, method).read_bytes())
    content[44:49] = b"\xff" * 5
    return bytes(content)


def end_record(entries: int, size: int, offset: int) -> bytes:
    """The record that ends a zip."""
    return b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, entries, entries, size, offset, 0)


def test_an_archive_in_an_export_is_read_and_a_bad_one_is_a_problem_of_one_student(tmp_path: Path) -> None:
    """Among them a zip64, and an end record inside which a second one seems to begin, with other sizes."""
    inner = zipped({"agents.py": CODE}, tmp_path / "inner.zip").read_bytes()
    start, most = inner[:-22], submission_files.MAX_DIRECTORY
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, len(start), 1)
    large = int.from_bytes(b"PK\x05\x06", "little")
    cases = {
        "A_1_assignsubmission_file_/work.zip": (inner, ""),
        "B_2_assignsubmission_file_work.zip": (inner, ""),
        "C_3_assignsubmission_file_work.zip": (inner[:60], "not a readable archive"),
        "D_4_assignsubmission_file_/notes.txt": (b"", "no Python file in this folder"),
        "E_5_assignsubmission_file_b.zip": (broken_zip(zipfile.ZIP_BZIP2, tmp_path / "b"), "unusual method"),
        "F_6_assignsubmission_file_l.zip": (broken_zip(zipfile.ZIP_LZMA, tmp_path / "l"), "unusual method"),
        "G_7_assignsubmission_file_t.tar.gz": (b"\x1f\x8b", "t.tar.gz: a tar archive is not read; hand in a zip"),
        "H_8_assignsubmission_file_64.zip": (
            start + b"PK\x06\x06" + b"\0" * 70_000 + locator + end_record(1, 0, 0),
            "64.zip: a zip64; hand in the Python files only, as an ordinary zip",
        ),
        "I_9_assignsubmission_file_in.zip": (
            start + b"x" * most + end_record(1, most + 1, large),
            "in.zip: more than 2,000 files",
        ),
    }
    for place, (content, _) in cases.items():
        (tmp_path / "export" / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "export" / place).write_bytes(content)
    found = entries(tmp_path / "export", "moodle")
    for number, (_, problem) in enumerate(cases.values(), 1):
        entry = found[str(number)]
        assert problem in entry.problem
        assert (entry.files is None) == bool(problem)


@pytest.mark.parametrize(
    ("error", "failure", "problem"),
    [
        (PermissionError(13, "Permission denied"), "ada/: cannot be read: permission denied", ""),
        (OSError(5, "Input/output error"), "ada: cannot be read: input/output error", ""),
        (MemoryError(), "ada: cannot be read: not enough memory", ""),
        (IndexError("x\ny"), "", "ada: cannot be read: IndexError: x y"),
    ],
)
def test_whatever_reading_one_submission_raises_is_said_of_this_submission(
    error: Exception, failure: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What this machine cannot read is no attempt of a student: neither the folder nor a file in it."""
    path = written({"ada/a.py": CODE, "grace/a.py": CODE}, tmp_path / "export")
    read_members, open_in = submission_files.read_members, Folder.open

    def read(path: Path, kind: str, members: Iterator[tuple[str, IO[bytes] | None]]) -> SubmissionFiles:
        if path.name == "ada":
            raise error
        return read_members(path, kind, members)

    def refuse(folder: Folder, name: str) -> IO[bytes] | Folder:  # root may read every folder, so `chmod` is no test
        if name == "ada":
            raise error
        return open_in(folder, name)

    with monkeypatch.context() as patch:
        if isinstance(error, PermissionError):
            patch.setattr(Folder, "open", refuse)
        else:
            patch.setattr(submission_files, "read_members", read)
        found = entries(path)
    ada = found["ada"]
    assert (ada.problem, ada.failure, ada.files, ada.account) == (problem, failure, None, Student("ada"))
    assert found["grace"].files


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_a_damaged_file_of_an_export_is_no_attempt(method: int, tmp_path: Path) -> None:
    """The platform made the zip and staff downloaded it: the student did nothing wrong."""
    text = "".join(f"x{number} = {number * number}\n" for number in range(300))
    path = zipped({"ada.py": text, "grace.py": CODE}, tmp_path / "class.zip", method)
    with zipfile.ZipFile(path) as archive:
        size = archive.infolist()[0].compress_size
    content = bytearray(path.read_bytes())
    content[60 : 30 + size] = bytes(each ^ 0x5A for each in content[60 : 30 + size])
    path.write_bytes(content)
    found = entries(path)
    assert found["ada"].failure.startswith("ada.py: cannot be read: ")
    assert found["grace"].files


def test_two_submissions_of_one_student_are_one_failure_that_names_both(tmp_path: Path) -> None:
    path = written({"Zoe\u0308.py": CODE, "zoë/a.py": CODE, "ada.py": CODE, "ADA .py": CODE, "作业.py": CODE}, tmp_path)
    found = entries(path)
    assert len(found) == 3
    failures = sorted(entry.failure for entry in found.values())
    assert failures[0] == ""
    assert failures[1] == "2 submissions of one student: 'ADA .py' and 'ada.py'; keep one of them"
    assert "'Zoe\u0308.py' and 'zoë'" in failures[2]


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


METADATA_FILE = "submission_metadata.yml"


@pytest.mark.parametrize(
    ("files", "name", "problem"),
    [
        ({}, "", "it is empty; expected the submissions of a class"),
        ({"notes.txt": "x"}, "", "no submission in it (format plain); expected a Python file, a zip or a folder"),
        ({"ada.py": CODE}, "canvas", "no submission in it (format canvas); expected files NAME_ID_NUMBER_FILE"),
        ({"ada.py": CODE}, "gradescope", f"no file {METADATA_FILE}; expected it beside the folders"),
        ({"ada.py": CODE}, "canvass", "--export-format: no format 'canvass': did you mean 'canvas'?"),
        ({"Project 2_ada_attempt_2026-11-22-21-30-00_solution.py": CODE}, "", "names that a platform writes: "),
        ({"101-4242 - Ada Lovelace - Nov 22, 2026 930 PM/a.py": CODE}, "", "names that a platform writes: "),
        ({"ada_2026_11_search.py": CODE, "grace_2026_12_search.py": CODE}, "canvas",
         "'ada' and 'grace' have the same number 2026; is this an export of canvas?"),
        ({METADATA_FILE: "- [", "submission_1/a.py": CODE}, "gradescope", f"{METADATA_FILE}: not valid YAML"),
        ({METADATA_FILE: "- 1", "submission_1/a.py": CODE}, "gradescope", "expected a mapping from the folders"),
    ],
)  # fmt: skip
def test_what_is_no_export_is_one_line(files: Mapping[str, str], name: str, problem: str, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    with pytest.raises(InputError) as error:
        find(written(files, folder), name)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_a_huge_zip_is_refused_by_its_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = zipped({"ada.py": CODE * 100, "grace.py": CODE * 100}, tmp_path / "class.zip")
    monkeypatch.setattr(archive, "MAX_UNPACKED", 1_000)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)  # nothing may be read
    with pytest.raises(InputError, match="expected at most 500,000 files and 1,000 bytes; unpack it and grade"):
        find(path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        *(({name: CODE, "b.py": CODE}, "leads outside") for name in ("../ada.py", "/ada.py")),
        *((content, "not a folder and not a readable zip") for content in (b"", b"x" * 1000, end_record(0, 0, 0)[:14])),
        *((method, r"'ada\.py' is packed with an unusual method; unpack the zip and grade the") for method in (12, 14)),
    ],
)
def test_a_zip_that_is_no_export_is_one_line(
    content: Mapping[str, str] | bytes | int, problem: str, tmp_path: Path
) -> None:
    """Names that lead outside, bytes that are no zip, and the methods BZIP2 and LZMA."""
    path = tmp_path / "class.zip"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, int):
        zipped({"ada.py": CODE}, path, content)
    else:
        zipped(content, path)
    with pytest.raises(InputError, match=problem):
        find(path)


def test_a_student_cannot_hand_in_for_another_one_by_the_name_of_a_file(tmp_path: Path) -> None:
    """A student types the name before the number and that of the file: then nobody knows whose file it is."""
    hostile = "Mal_111_assignsubmission_file_Bob_222_assignsubmission_file_x.py"
    own = "Mal_111_assignsubmission_file_Mal_111_assignsubmission_file_again.py"
    files = {"Bob_222_assignsubmission_file_agent.py": CODE, "Mal_111_assignsubmission_file_agent.py": CODE}
    found = entries(written(files | {hostile: f"{CODE}#", own: CODE}, tmp_path / "flat"), "moodle")
    assert found["222"].files
    assert list(found["222"].files.files) == ["agent.py"]
    assert found["111"].source.count("assignsubmission") == 3
    assert found[hostile].failure.startswith("this name can be that of a file of student 111 or 222; unpack the export")
    around = "Bob_222_assignsubmission_file_9_111_assignsubmission_file/a.py"
    folders = written({around: CODE, "Bob_222_assignsubmission_file/a.py": CODE}, tmp_path / "folders")
    assert sorted(entries(folders, "moodle")) == ["111", "222"]
    unclear, own = "bob_42_43_979_x.py", "bob_42_978_solution.py"
    found = entries(written({own: CODE, unclear: CODE}, tmp_path / "canvas"), "canvas")
    assert {key: entry.source for key, entry in found.items()} == {"42": own, unclear: unclear}
    assert found[unclear].failure.endswith("of a file of student 42 or 43; unpack the export and rename the file")


ACCOUNT = """\
submission_{0}:
  :submitters:
  - :name: {1}
    :sid: {2}
    :email: {3}
  :created_at: 2026-11-0{0} 10:00:00 Z
"""


def accounts(folder: Path, *people: tuple[str, str, str]) -> Path:
    """An export of Gradescope with these names, numbers and addresses, the later ones handed in later."""
    text = "".join(ACCOUNT.format(number, *each) for number, each in enumerate(people, 1))
    files = {f"submission_{number}/a.py": CODE for number in range(1, len(people) + 1)}
    return written({"submission_metadata.yml": text, **files}, folder)


def test_a_student_cannot_hand_in_for_another_one_by_a_typed_name_or_number(tmp_path: Path) -> None:
    by_mail, by_number = [Student("bob@uni", "Bob")], [Student("4711", "Bob")]
    bob = "Bob", "4711", "bob@uni"
    found = entries(accounts(tmp_path / "name", bob, ("bob@uni", "bob@uni", "mal@x")), "gradescope", roster=by_mail)
    assert found["bob@uni"].source == "submission_1"
    assert found["mal@x"].files  # not in the roster
    found = entries(accounts(tmp_path / "number", bob, ("4711", "4711", "mal@x")), "gradescope", roster=by_number)
    assert sorted(found) == ["bob@uni", "mal@x"]  # both type a number: nobody knows who is right
    for each in found.values():
        assert "this account has the number of student 4711, and so has another account" in each.failure
        assert not each.files
    found = entries(
        accounts(tmp_path / "both", bob, ("Mal", "BOB", "mal@x")),
        "gradescope",
        roster=[Student("bob@uni", "Bob", also=("bob",))],
    )
    assert (found["bob@uni"].source, found["bob@uni"].failure) == ("submission_1", "")
    assert found["mal@x"].failure


@pytest.mark.parametrize("name", ["submission_metadata.yml", "ada_41_977_solution.py"])
def test_the_files_of_the_only_student_do_not_decide_the_layout(name: str, tmp_path: Path) -> None:
    """The first student of a class may hand in files as a platform writes them, with the names of others."""
    files = {f"hw-eve/{name}": "x", "hw-eve/agents.py": CODE}
    assert list(entries(written(files, tmp_path / "hw-submissions"), "github")) == ["eve"]
    plain = written(files, tmp_path / "class")
    with pytest.raises(InputError, match=f"names that a platform writes: {name}; say what"):
        find(plain)
    assert list(entries(plain, "plain")) == ["hw-eve"]


def test_the_folder_of_a_classroom_says_which_part_of_a_name_is_the_login(tmp_path: Path) -> None:
    files = {"hw-x-1/a.py": CODE, "hw-x-2/a.py": CODE, "notes/a.py": CODE}
    found = find(written(files, tmp_path / "hw-submissions"), "github")
    assert (sorted(each.student.key for each in found.entries()), found.strays) == (["x-1", "x-2"], ("notes",))
    (tmp_path / "hw-submissions").rename(tmp_path / "class")
    with pytest.raises(InputError, match="expected folders ASSIGNMENT-LOGIN in a folder ASSIGNMENT-submissions"):
        find(tmp_path / "class", "github")


def test_the_help_and_the_docs_name_every_layout() -> None:
    assert f"in this layout: {', '.join(LAYOUTS)}." in " ".join(
        run_here("autograder", "grade-all", "-h").stdout.split()
    )
    assert all(f"\n| `{name}` |" in Path("docs/course.md").read_text(encoding="utf-8") for name in LAYOUTS)
