"""Every submission of an export is found once, in each layout, from a folder and from a zip."""

from __future__ import annotations

import os
import shutil
import struct
import sys
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import pytest

from autograder.course.intake import archive
from autograder.course.intake.exports import LAYOUTS, Entry
from autograder.course.intake.roster import Student, compared
from autograder.course.intake.submissions import find
from autograder.sandbox import submission_files
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.written_files import make_zip, write_files

CODE = "class MinimaxAgent: ...\n"
ACCOUNT = """\
submission_{0}:
  :submitters:
  - :name: {1}
    :sid: {2}
    :email: {3}
  :created_at: 2026-11-0{0} 10:00:00 Z
"""


def accounts(*people: tuple[str, str, str]) -> dict[str, str]:
    """An export of Gradescope with these names, numbers and addresses, the later ones handed in later."""
    text = "".join(ACCOUNT.format(number, *each) for number, each in enumerate(people, 1))
    return {"submission_metadata.yml": text} | {f"submission_{n}/a.py": CODE for n in range(1, len(people) + 1)}


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


def code(*names: str) -> dict[str, str]:
    """Files with these names."""
    return dict.fromkeys(names, CODE)


NO_CODE, NO_PYTHON = "not a Python file or a zip", "no Python file in this folder"
METADATA_FILE, FILE = "submission_metadata.yml", "_assignsubmission_file"
# fmt: off
EXPORTS: dict[str, tuple[Mapping[str, str], dict[str, str]]] = {
    "gradescope": (
        {METADATA_FILE: METADATA} | {f"submission_{n}/agents.py": f"{CODE}# {n}" for n in (11, 12, 13, 14)},
        {"ada@example.org": "", "edsger@example.org": "", "grace@example.org": "", "submission_14": ""},
    ),
    "canvas": (
        {
            **code("lovelaceada_41_977_solution.py", "lovelaceada_41_978_tools.py"),
            "hoppergrace_LATE_42_979_solution-1.py": CODE, "hoppergrace_LATE_42_980_solution-2.py": f"{CODE}# later",
            "turingalan_43_981_essay.pdf": "x", "van_der_berg小明_44_982_solution.py": CODE,
            "noether_emmy_LATE_45_text.html": "x", **code("ann_46_983_x.py", "bea_46_984_x-1.py"),
        },
        {"41": "", "42": "", "43": NO_CODE, "44": "", "45": NO_CODE, "46": "the same number 46"},
    ),
    "moodle": (
        code(f"Ada Lovelace_1327627{FILE}_/solution.py", f"Grace Hopper_1327628{FILE}_solution.py")
        | {"Zoë_1327629_assignsubmission_onlinetext_/onlinetext.html": "x"},
        {"1327627": "", "1327628": "", "1327629": NO_PYTHON},
    ),
    "today's moodle": (
        code(f"Ada Lovelace_1327627{FILE}/src/solution.py", f"小明 王_1327628{FILE}/solution.py")
        | {"Zoë_1327629_assignsubmission_onlinetext/onlinetext.html": "x"},
        {"1327627": "", "1327628": "", "1327629": NO_PYTHON},
    ),
    "github": (
        {
            **code("search-submissions/search-ada/agents.py", "search-submissions/search-grace-hopper/agents.py"),
            "search-submissions/search-ada/.git/config.py": "x", "search-submissions/notes.txt": "x",
        },
        {"ada": "", "grace-hopper": ""},
    ),
    "plain": (code("ada.py", "Grace Hopper/a.py", "Grace Hopper/b.py"), {"Grace Hopper": "", "ada": ""}),
}
"""Files -> the key of each student, and why there is nothing to grade; without notes.txt, which belongs to nobody."""
BOB, NUMBER = ("Bob", "4711", "bob@uni"), "this account has the number of student 4711, and so has another account"
FLAT = f"Mal_111{FILE}_Bob_222{FILE}_x.py"
CLAIMS: dict[str, tuple[str, Mapping[str, str], list[Student], dict[str, str]]] = {
    "the name of a file": (
        "moodle",
        code(f"Bob_222{FILE}_agent.py", f"Mal_111{FILE}_agent.py", f"Mal_111{FILE}_Mal_111{FILE}_x.py")
        | {FLAT: f"{CODE}#"}, [],
        {"222": "", "111": "", FLAT: "this name can be that of a file of student 111 or 222; unpack the export"},
    ),
    "the name of a folder": (
        "moodle", code(f"Bob_222{FILE}_9_111{FILE}/a.py", f"Bob_222{FILE}/a.py"), [], {"111": "", "222": ""},
    ),
    "two folders": (  # the others of the class are graded
        "moodle", code(*(f"{name}{FILE}/a.py" for name in ("Müller Jü_501", "Mueller Jue_501", "A_1"))), [],
        {"501": "'Mueller Jue' and 'Müller Jü' have the same number 501; keep one of them", "1": ""},
    ),
    "a number in a name": (
        "canvas", code("bob_42_43_979_x.py", "bob_42_978_solution.py"), [],
        {"42": "", "bob_42_43_979_x.py": "of a file of student 42 or 43; unpack the export and rename the file"},
    ),
    "a typed name": (
        "gradescope", accounts(BOB, ("bob@uni", "bob@uni", "mal@x")), [Student("bob@uni", "Bob")],
        {"bob@uni": "", "mal@x": ""},  # the second one is not in the roster
    ),
    "a typed number": (  # both type it: nobody knows who is right
        "gradescope", accounts(BOB, ("4711", "4711", "mal@x")), [Student("4711", "Bob")],
        {"bob@uni": NUMBER, "mal@x": NUMBER},
    ),
    "a second name": (
        "gradescope", accounts(BOB, ("Mal", "BOB", "mal@x")), [Student("bob@uni", "Bob", also=("bob",))],
        {"bob@uni": "", "mal@x": "has the number of student bob@uni"},
    ),
    "at the same time": (
        "gradescope", {name: text.replace("11-03", "11-02") for name, text in accounts(BOB, BOB, BOB).items()}, [],
        {"bob@uni": "2 submissions of one student: 'submission_2' and 'submission_3'; keep one of them"},
    ),
    "files as a platform writes them": (  # with the names of others
        "github", code(f"hw-submissions/hw-eve/{METADATA_FILE}", "hw-submissions/hw-eve/ada_41_977_solution.py"), [],
        {"eve": ""},
    ),
    "a login": (  # the folder says which part of a name it is
        "github", code("hw-submissions/hw-x-1/a.py", "hw-submissions/hw-x-2/a.py", "hw-submissions/notes/a.py"), [],
        {"x-1": "", "x-2": ""},
    ),
    "names of a platform in plain folders": (
        "plain", code("hw-eve/submission_metadata.yml", "hw-eve/agents.py"), [], {"hw-eve": ""},
    ),
    "two submissions": (
        "plain", code("Zoe\u0308.py", "zoë/a.py", "ada.py", "ADA .py", "作业.py"), [],
        {
            "ada": "2 submissions of one student: 'ADA .py' and 'ada.py'; keep one of them",
            "zoë": "'Zoe\u0308.py' and 'zoë'", "作业": "",
        },
    ),
}
"""What students type, so that a submission could be that of another one; and whose each submission is."""
# fmt: on


def entries(path: Path, name: str = "", /, roster: Iterable[Student] = ()) -> dict[str, Entry]:
    found = list(find(path, name, roster).entries())
    assert len({entry.student.key for entry in found}) == len(found)
    return {entry.student.key: entry for entry in found}


def assert_outcomes(found: Mapping[str, Entry], expected: Mapping[str, str]) -> None:
    """Fails unless each student has files where no text is expected, and else a problem or a failure with it."""
    texts = {compared(key): text for key, text in expected.items()}
    assert {*map(compared, found)} == {*texts}
    for key, entry in found.items():
        text = texts[compared(key)]
        assert (entry.files is not None, text in entry.problem + entry.failure) == (not text, True), entry


@pytest.mark.parametrize("name", EXPORTS)
def test_every_student_of_each_layout_is_found_once(name: str, tmp_path: Path) -> None:
    """From a folder, from a zip, and from a renamed zip with a folder around the export, which is no submission."""
    (files, expected), layout = EXPORTS[name], name.split()[-1]
    files = files if layout == "github" else {**files, "notes.txt": "x"}
    around = {f"around/{place}": text for place, text in files.items()}
    places = [write_files(tmp_path / "export", files), make_zip(tmp_path / "export.zip", files)]
    places += [] if layout in ("github", "plain") else [make_zip(tmp_path / "around.zip", around)]
    for path in places:
        assert find(path, layout).strays == ("notes.txt",)
        assert_outcomes(entries(path, layout), expected)
        if layout == "plain":
            assert find(path).format == "plain"
            continue
        with pytest.raises(InputError, match="names that a platform writes: .*; say what this is with --export-format"):
            find(path)


@pytest.mark.parametrize("name", CLAIMS)
def test_a_student_cannot_hand_in_for_another_one(name: str, tmp_path: Path) -> None:
    layout, files, roster, expected = CLAIMS[name]
    found = entries(write_files(tmp_path, files), layout, roster=roster)
    assert_outcomes(found, expected)
    if "222" in found and "111" in found and FLAT in found:
        assert [*(found["222"].files or SubmissionFiles({})).files] == ["agent.py"]
    if name == "a second name":
        assert found["bob@uni"].source == "submission_1"


def test_staff_says_when_the_folders_of_github_came_in(tmp_path: Path) -> None:
    """In a table beside them, which the docs make from the last commit of each."""
    folder = write_files(tmp_path / "hw-submissions", code("hw-ada/a.py", "hw-bob/a.py", "hw-eve/a.py"))
    (folder / "received.csv").write_text("name,received\nhw-ada,2026-11-22T23:59:00+01:00\nhw-bob,\n")
    with pytest.raises(InputError, match="names that a platform writes: hw-submissions; say what this is with"):
        find(folder)
    found = find(folder, "github")
    assert [each.received for each in found.found] == ["2026-11-22T22:59:00Z", "", ""]
    assert found.strays == ()
    (folder / "received.csv").write_text("name,received\nada,2026-11-22T23:59:00+01:00\n")
    assert find(folder, "github").notes == ("1 line of received.csv with no such submission: ada",)
    for text, problem in (
        (
            "name,received\nhw-ada,2026-11-22T23:59Z\nhw-ada,2026-11-20T23:59Z\n",
            "received.csv:3: the name 'hw-ada' is ",
        ),
        ("name,received\nhw-ada,today\n", "received.csv:2: received today: expected a time with its zone"),
        ("hw-ada,2026-11-22T23:59Z\n", "received.csv:1: expected the columns name and received"),
    ):
        (folder / "received.csv").write_text(text)
        with pytest.raises(InputError, match=problem):
            find(folder, "github")


def test_gradescope_names_the_students_and_the_time(tmp_path: Path) -> None:
    path = write_files(tmp_path, EXPORTS["gradescope"][0])
    found = entries(path, "gradescope")
    ada = found["ada@example.org"]
    assert (ada.source, ada.received, ada.student.name) == ("submission_13", "2026-11-02T10:00:00Z", "Ada Lovelace")
    assert ada.earlier == ("submission_11",)
    roster = [Student("4711", "Ada L", "B")]
    assert entries(path, "gradescope", roster=roster)["4711"].student.section == "B", "a roster gives the key"
    grace, edsger = found["grace@example.org"], found["edsger@example.org"]
    assert (grace.received, grace.files) == ("2026-11-01T10:00:00Z", edsger.files)
    shutil.rmtree(path / "submission_12")
    for key in ("grace@example.org", "edsger@example.org"):  # the export is damaged, and no student did that
        assert entries(path, "gradescope")[key].failure == "its folder is not in the export"


def test_canvas_files_of_one_student_are_one_submission_and_the_later_attempt_counts(tmp_path: Path) -> None:
    path = write_files(tmp_path, EXPORTS["canvas"][0])
    files = {key: each.files.files for key, each in entries(path, "canvas").items() if each.files}
    assert sorted(files["41"]) == ["solution.py", "tools.py"]
    assert b"later" in files["42"]["solution.py"]
    late, note = find(path, "canvas").notes
    assert late == "2 submissions marked LATE, but not by how much: 42, 45"
    assert "solution-2.py' counts, and not the earlier attempt 'hoppergrace_LATE_42_979_solution-1.py'" in note


def test_an_archive_in_an_export_is_read_and_a_bad_one_is_a_problem_of_one_student(tmp_path: Path) -> None:
    inner = make_zip(tmp_path / "inner.zip", {"agents.py": CODE}).read_bytes()
    cases = {
        "A_1_assignsubmission_file_/work.zip": (inner, ""),
        "B_2_assignsubmission_file_work.zip": (inner, ""),
        "C_3_assignsubmission_file_work.zip": (inner[:60], "not a readable archive"),
        "D_4_assignsubmission_file_t.tar.gz": (b"\x1f\x8b", "t.tar.gz: a tar archive is not read; hand in a zip"),
        "E_5_assignsubmission_file/1.zip": (inner, ""),
        "F_6_assignsubmission_file/my.PY.txt": (b"x", "no Python file in this folder; save 'my.PY.txt' as 'my.py'"),
        "G_7_assignsubmission_file_MY.PY": (b"x", "not a Python file or a zip; save 'MY.PY' as 'MY.py'"),
        "H_8_assignsubmission_file/my.ipynb": (b"x", "this folder; save the notebook 'my.ipynb' as a Python file"),
    }
    big = make_zip(tmp_path / "big.zip", {"a.py": " " * submission_files.MAX_BYTES}).read_bytes()
    files = {place: content for place, (content, _) in cases.items()}
    files |= {f"E_5{FILE}/2.zip": inner, f"E_5{FILE}/0.zip": b"x"}
    files |= {f"{name}{FILE}/{each}.zip": big for name, number in (("I_9", 3), ("J_10", 21)) for each in range(number)}
    write_files(tmp_path / "export", files)
    expected = {str(number): problem for number, (_, problem) in enumerate(cases.values(), 1)}
    expected |= {"9": "the Python files together have more than", "10": "21 zips; hand in one, or the Python files"}
    found = entries(tmp_path / "export", "moodle")
    assert_outcomes(found, expected)
    assert not any(each.failure for each in found.values()), "each is an attempt"
    several = found["5"].files or SubmissionFiles({})
    assert [*several.files] == ["1/agents.py", "2/agents.py"]
    assert several.notes[0].endswith("0.zip: not a readable archive: File is not a zip file"), "and the report says so"


@pytest.mark.parametrize("name", ["=cmd.py", "-x.py", "a$b.py", "zoe\u0308.py"])
def test_a_single_file_is_the_same_submission_as_by_itself_whatever_its_name_is(name: str, tmp_path: Path) -> None:
    path = write_files(tmp_path / "class", {name: CODE}) / name
    (entry,) = entries(path.parent).values()
    assert entry.files is not None
    assert entry.files.digest == submission_files.read(path).digest
    assert entry.student.key == path.stem


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
    path = write_files(tmp_path / "export", {"ada/a.py": CODE, "grace/a.py": CODE})
    read_members, scandir = submission_files.read_members, os.scandir

    def read(path: Path, kind: str, members: Iterator[tuple[str, IO[bytes] | None]]) -> SubmissionFiles:
        if path.name == "ada":
            raise error
        return read_members(path, kind, members)

    def refuse(folder: Path) -> Any:  # root may read every folder, so `chmod` is no test
        if folder.name == "ada":
            raise error
        return scandir(folder)

    with monkeypatch.context() as patch:
        if isinstance(error, PermissionError):
            patch.setattr(os, "scandir", refuse)
        else:
            patch.setattr(submission_files, "read_members", read)
        found = entries(path)
    ada = found["ada"]
    assert (ada.problem, ada.failure, ada.files, ada.account) == (problem, failure, None, Student("ada"))
    assert found["grace"].files


def test_a_damaged_file_of_an_export_is_no_attempt(tmp_path: Path) -> None:
    """The platform made the zip and staff downloaded it: the student did nothing wrong."""
    text = "".join(f"x{number} = {number * number}\n" for number in range(300))
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
        path = make_zip(tmp_path / "class.zip", {"ada.py": text, "grace.py": CODE}, method)
        with zipfile.ZipFile(path) as archive:
            size = archive.infolist()[0].compress_size
        content = bytearray(path.read_bytes())
        content[60 : 30 + size] = bytes(each ^ 0x5A for each in content[60 : 30 + size])
        path.write_bytes(content)
        assert_outcomes(entries(path), {"ada": "ada.py: cannot be read: ", "grace": ""})


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "export", {"grace/a.py": CODE})
    (tmp_path / "secret.py").write_text(CODE)
    os.symlink(tmp_path / "secret.py", folder / "ada.py")
    assert "is a link" in entries(folder)["ada"].problem
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "bob.py")
        with warnings.catch_warnings(record=True, action="always") as messages:
            assert entries(folder)["bob"].problem == "bob.py: not a regular file"
        assert not messages, "the pipe is closed"
    os.symlink(folder, tmp_path / "link")
    with pytest.raises(InputError, match="this is a link"):
        find(tmp_path / "link")
    export = find(folder)
    (folder / "grace").rename(tmp_path / "private")
    os.symlink(tmp_path / "private", folder / "grace")  # while the grader reads
    if sys.platform == "linux":
        assert {each.student.key: each.files for each in export.entries()}["grace"] is None


NO_ZIP = "not a folder and not a readable zip"
UNUSUAL = "'ada.py' is packed with an unusual method; unpack the zip and grade the"
END_OF_ZIP = b"PK\x05\x06" + struct.pack("<HHHHII", 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("files", "name", "problem"),
    [
        ({}, "", "it is empty; expected the submissions of a class"),
        ({"notes.txt": "x"}, "", "no submission in it (format plain); expected a Python file, a zip or a folder"),
        ({"ada.py": CODE}, "canvas", "no submission in it (format canvas); expected files NAME_ID_NUMBER_FILE"),
        ({"ada.py": CODE}, "gradescope", f"no file {METADATA_FILE}; expected it beside the folders"),
        *((code(f"hw-eve/{name}", "hw-eve/a.py"), "", f"names that a platform writes: {name}; say what")
          for name in (METADATA_FILE, "ada_41_977_solution.py")),
        ({"hw-x-1/a.py": CODE}, "github", "expected folders ASSIGNMENT-LOGIN in a folder ASSIGNMENT-submissions"),
        ({"ada.py": CODE}, "canvass", "--export-format: no format 'canvass': did you mean 'canvas'?"),
        ({"Project 2_ada_attempt_2026-11-22-21-30-00_solution.py": CODE}, "", "names that a platform writes: "),
        ({"101-4242 - Ada Lovelace - Nov 22, 2026 930 PM/a.py": CODE}, "", "names that a platform writes: "),
        (code("A B_1_assignsubmission_file/a.py", "C_2_assignsubmission_file/a.py"), "plain",
         "assignsubmission_file; rename these, or choose --export-format: gradescope, moodle, canvas, github"),
        ({"ada_2026_11_search.py": CODE, "grace_2026_12_search.py": CODE}, "canvas",
         "'ada' and 'grace' have the same number 2026; is this an export of canvas?"),
        ({METADATA_FILE: "- [", "submission_1/a.py": CODE}, "gradescope", f"{METADATA_FILE}: not valid YAML"),
        ({METADATA_FILE: "- 1", "submission_1/a.py": CODE}, "gradescope", "expected a mapping from the folders"),
        # archives: the method of packing or the bytes
        ({"../ada.py": CODE, "b.py": CODE}, 0, "leads outside"),
        ({"/ada.py": CODE, "b.py": CODE}, 0, "leads outside"),
        *(({"ada.py": CODE}, method, UNUSUAL) for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)),
        *((None, content, NO_ZIP) for content in (b"", b"x" * 1000, END_OF_ZIP[:14])),
    ],
)  # fmt: skip
def test_what_is_no_export_is_one_line(
    files: Mapping[str, str] | None, name: str | int | bytes, problem: str, tmp_path: Path
) -> None:
    path, layout = tmp_path / "export", ""
    if isinstance(name, bytes):
        path.write_bytes(name)
    elif isinstance(name, int):
        make_zip(path, files or {}, name)
    else:
        path.mkdir()
        write_files(path, files or {})
        layout = name
    with pytest.raises(InputError) as error:
        find(path, layout)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_a_huge_zip_is_refused_by_its_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_zip(tmp_path / "class.zip", {"ada.py": CODE * 100, "grace.py": CODE * 100})
    deep = make_zip(tmp_path / "deep.zip", {f"{name}/{'a/' * 30_000}a.py": CODE for name in ("ada", "grace", "zoe")})
    assert len(find(deep).found) == 3, "in a second, and not with a gigabyte of names of folders"
    monkeypatch.setattr(archive, "MAX_UNPACKED", 1_000)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)  # nothing may be read
    with pytest.raises(InputError, match="expected at most 500,000 files and 1,000 bytes; unpack it and grade"):
        find(path)


def test_the_help_and_the_docs_name_every_layout() -> None:
    shown = " ".join(run_here("autograder", "grade-all", "-h").stdout.split())
    assert f"in this layout: {', '.join(LAYOUTS)}." in shown
    assert all(f"\n| `{name}` |" in Path("docs/course.md").read_text(encoding="utf-8") for name in LAYOUTS)
