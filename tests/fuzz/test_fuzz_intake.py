"""Changed exports, rosters and metadata of every platform: each is read, or refused with one line; files stay apart.

The names are made as each platform makes them, with what students type: their names and the names of their files. Each
file says whose it is, so a file that is read as that of somebody else is found.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from hypothesis import strategies as st

from autograder.course.intake import roster
from autograder.course.intake.exports import METADATA, Entry
from autograder.course.intake.roster import Student
from autograder.course.intake.submissions import find
from autograder.course.marks.tables import csv_text
from pacman.core.errors import printable
from tests.fuzz.inputs import WORDS, edited, fuzz, result_or_refusal, written_file
from tests.fuzz.test_fuzz_archives import zips

IDS = ("1", "2", "3", "42")
PIECES = (
    *("ada", "Bob", "x", "_", "_", "-", " ", ".", "1", "2", "42", "_2_", "_42_", "LATE", "_LATE", "_text.html"),
    *("_assignsubmission_file_", "_2_assignsubmission_file_", "submission_2", "ada@uni", "é", "e\u0301"),
)
typed = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
file_names = st.builds("{}{}".format, typed, st.sampled_from((".py", ".py", "-1.py", ".zip", ".tgz", ".html", "")))
people = st.dictionaries(
    st.sampled_from(IDS), st.tuples(typed, st.lists(file_names, min_size=1, max_size=3, unique=True)), min_size=1
)


def code(owner: str) -> bytes:
    return f"class MinimaxAgent: ...\n# of {owner}\n".encode()


PLATFORMS = {
    "canvas": "{lower}_{number}_{id}_{file}",
    "moodle": "{name}_{number}_assignsubmission_file_{file}",
    "moodle folders": "{name}_{number}_assignsubmission_file/{file}",
}
"""The names of files in an export. Canvas writes names of students in small letters and without spaces."""


def read(files: Mapping[str, bytes], format_name: str = "", known: Iterable[Student] = ()) -> list[Entry]:
    """The entries of an export as a folder; nothing if it was refused with one line."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "export")
        top.mkdir()
        for name, content in files.items():
            place = top / name
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            except (OSError, ValueError):  # this system cannot store the name, or it is a folder already
                continue
        return checked(top, format_name, known)


def checked(path: Path, format_name: str = "", known: Iterable[Student] = ()) -> list[Entry]:
    """The entries of an export: each student once, each with one of three outcomes and with lines for people."""
    found: list[Entry] = result_or_refusal(lambda: list(find(path, format_name, known).entries())) or []
    students = [roster.compared(entry.student.key) for entry in found if not entry.failure]
    assert len(set(students)) == len(students)
    for entry in found:
        assert (entry.files is not None) + bool(entry.problem) + bool(entry.failure) == 1, entry
        for line in (entry.problem, entry.failure):
            assert "\n" not in line
        assert entry.files is None or len(entry.files.digest) == 64
        csv_text([[entry.student.key, entry.student.name, entry.problem]])
        printable(entry.source)
    return found


@fuzz(people, st.sampled_from(sorted(PLATFORMS)), st.booleans())
def test_no_file_becomes_that_of_another_student(
    students: dict[str, tuple[str, list[str]]], platform: str, has_roster: bool
) -> None:
    """Whatever students type. The platform is named, as a course knows which one it uses."""
    files = {}
    for place, (number, (name, own)) in enumerate(students.items()):
        for file in own:
            lower = "".join(name.split()).lower() or "x"
            path = PLATFORMS[platform].format(lower=lower, name=name, number=number, id=900 + place, file=file)
            files[path] = code(number)
    known = [Student(number) for number in IDS] if has_roster else []
    for entry in read(files, platform.split()[0], known):
        for content in entry.files.files.values() if entry.files else ():
            assert content == code(entry.student.key), (entry, files)


METADATA_TEXT = """\
submission_1:
  :submitters:
  - :name: Ada
    :sid: '1'
    :email: ada@uni
  - :name: Cyn
    :email: cyn@uni
  :created_at: 2026-11-01 10:00:00.250000000 Z
submission_2:
  :submitters:
  - :name: Bob
    :sid: '2'
    :email: bob@uni
  :created_at: 2026-11-01 11:00:00 +0100
"""


@fuzz(edited([METADATA_TEXT]), st.booleans())
def test_metadata(text: str, has_roster: bool) -> None:
    known = [Student(key) for key in ("1", "bob@uni")] if has_roster else []
    files = {f"submission_{number}/a.py": code(str(number)) for number in (1, 2, 3)}
    read({METADATA: text.encode("utf-8", "surrogatepass"), **files}, "gradescope", known)


@fuzz(typed, typed, st.booleans())
def test_nobody_hands_in_for_another_account(name: str, number: str, is_later: bool) -> None:
    """A student of Gradescope types a name and a number. Bob's submission is Bob's, or nobody knows whose it is."""
    known = [Student(key) for key in ("bob@uni", "42")]
    accounts = [("Bob", "42", "bob@uni"), (name, number, "mal@x")]
    rows = [
        f"submission_{place}:\n  :submitters:\n  - {{':name': {name!r}, ':sid': {number!r}, ':email': {email}}}\n"
        f"  :created_at: 2026-11-0{place if is_later else 5 - place} 10:00:00 Z\n"
        for place, (name, number, email) in enumerate(accounts, 1)
    ]
    files = {f"submission_{place}/a.py": code(email) for place, (_, _, email) in enumerate(accounts, 1)}
    for entry in read({METADATA: "".join(rows).encode(), **files}, "gradescope", known):
        for content in entry.files.files.values() if entry.files else ():
            owner = {"42": "mal@x"}.get(entry.student.key, entry.student.key)
            assert content == code(owner), entry


names = st.lists(st.sampled_from((*PIECES, *WORDS, "/", "..", ".py", METADATA)), min_size=1, max_size=6).map("".join)


@fuzz(
    st.dictionaries(names, st.sampled_from((b"", code("x"), b"\x1f\x8b\x09hello", b"PK\x05\x06")), max_size=6), zips()
)
def test_exports_with_any_names(files: dict[str, bytes], archive: bytes) -> None:
    """From a folder, and from a zip, which can have names that a folder cannot have."""
    read(
        {name.replace("/", "", name.startswith("/")).replace("..", ""): each for name, each in files.items()}
        | {"a.zip": archive}
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        for name, content in (files | {"a.zip": archive}).items():
            packed.writestr(name.encode("utf-8", "replace").decode().replace("\0", "0") or "x", content)
    with written_file("class.zip", target.getvalue()) as path:
        checked(path)


ROSTERS = ["key,name,section\nada,Ada,A\nbob,Bob,B\n", 'key;name\n"a;b";Zo\u00eb\n', "\ufeffKEY\tName\n1\tx\n"]


@fuzz(edited(ROSTERS))
def test_rosters(text: str) -> None:
    with written_file("roster.csv", text) as path:
        students = result_or_refusal(lambda: roster.read(path)) or roster.Roster()
        keys = [roster.compared(student.key) for student in students.students]
        assert len(keys) == len(set(keys))
