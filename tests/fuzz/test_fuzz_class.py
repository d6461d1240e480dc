"""Changed archives, folders, exports, rosters and stores: each is read, or refused with one line; files stay apart.

The names in an export are made as each platform makes them, with what students type: their names and the names of their
files. Each file says whose it is, so a file that is read as that of somebody else is found.
"""

from __future__ import annotations

import io
import os
import stat
import tempfile
import warnings
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from hypothesis import strategies as st

from autograder.course.intake import roster
from autograder.course.intake.exports import METADATA, Entry
from autograder.course.intake.roster import Student
from autograder.course.intake.submissions import find
from autograder.course.marks.board import dump, load_board
from autograder.course.marks.marks import marks
from autograder.course.marks.tables import csv_text
from autograder.course.store import Store
from autograder.sandbox.submission_files import MAX_BYTES, MAX_FILES, SubmissionFiles
from autograder.sandbox.submission_files import read as read_submission
from pacman.core.errors import printable
from tests.course.filled_store import small_class
from tests.fuzz.inputs import WORDS, edited, edited_bytes, fuzz, result_or_refusal, written_file

# One submission: a zip or a folder with files, folders, links and devices under any names.
CODE = b"class MinimaxAgent: pass\n"
CONTENTS = (CODE, CODE, b"import tools\n", b"", b"\x00" * 5_000, b"x" * 300)
PARTS = (
    "mine.py", "mine.py", "tools.py", "hw", "a", "A.py", "a.py", "..", ".", "", "pacman", "agents", "student.py",
    "__init__.py", ".git", "__MACOSX", "C:", "nul.py", "-rf.py", "e\u0301.py", "\u00e9.py", "x" * 250, "notes.txt",
)  # fmt: skip
paths = st.lists(st.sampled_from((*PARTS, *WORDS)), min_size=1, max_size=4).map("/".join)
kinds = st.sampled_from((*["file"] * 6, "link", "folder", "device"))
members = st.lists(st.tuples(paths | st.sampled_from(PARTS), st.sampled_from(CONTENTS), kinds), min_size=1, max_size=6)
ZIP_KINDS = {"file": stat.S_IFREG, "link": stat.S_IFLNK, "folder": stat.S_IFDIR, "device": stat.S_IFCHR}


def zipped(entries: Iterable[tuple[str, bytes, str]], method: int = zipfile.ZIP_STORED) -> bytes:
    """A zip with these files, folders and links."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, content, kind in entries:
            entry = zipfile.ZipInfo(name.encode("utf-8", "replace").decode().replace("\0", "0") or "x")
            entry.external_attr = (ZIP_KINDS[kind] | 0o644) << 16
            with warnings.catch_warnings(action="ignore"):  # two files with the same name
                archive.writestr(entry, content)
    return target.getvalue()


zips = st.builds(zipped, members, st.sampled_from((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)))


def write_entry(path: Path, content: bytes, kind: str = "file") -> None:
    """Writes a file, a link or a pipe, unless this system cannot store the name or it is taken."""
    try:
        if not os.path.lexists(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "link":
                path.symlink_to("/etc/passwd")
            elif kind == "device" and hasattr(os, "mkfifo"):
                os.mkfifo(path)
            else:
                path.write_bytes(content)
    except (OSError, ValueError):
        return


def check_submission(path: Path) -> None:
    """Fails if a submission is read under unsafe names, above the limits, or with an error that is no refusal."""
    before = sorted(path.parent.iterdir())
    work: SubmissionFiles | None = result_or_refusal(lambda: read_submission(path))
    assert sorted(path.parent.iterdir()) == before
    if work is None:
        return
    assert 0 < len(work.files) <= MAX_FILES
    assert sum(map(len, work.files.values())) <= MAX_BYTES
    for name in work.files:
        assert name.isprintable() or "\u200c" in name or "\u200d" in name
        assert name.endswith(".py")
        assert not {"..", ".", ""} & set(name.split("/"))
        assert not PurePosixPath(name).is_absolute()
    assert all(note.isprintable() for note in work.notes)


@fuzz(edited_bytes(zips, most=2))
def test_zips(content: bytes) -> None:
    with written_file("work.zip", content) as path:
        check_submission(path)


@fuzz(members)
def test_folders(entries: list[tuple[str, bytes, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "work")
        top.mkdir()
        for name, content, kind in entries:
            parts = [part[:80] for part in name.replace("\0", "0").split("/") if part not in ("", ".", "..")]
            write_entry(top.joinpath(*parts), content, kind)
        check_submission(top)


# An export of a platform.
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
PLATFORMS = {
    "canvas": "{lower}_{number}_{id}_{file}",
    "moodle": "{name}_{number}_assignsubmission_file_{file}",
    "moodle folders": "{name}_{number}_assignsubmission_file/{file}",
}
"""The names of files in an export. Canvas writes names of students in small letters and without spaces."""


def code(owner: str) -> bytes:
    return f"class MinimaxAgent: ...\n# of {owner}\n".encode()


def read(files: Mapping[str, bytes], format_name: str = "", known: Iterable[Student] = ()) -> list[Entry]:
    """The entries of an export as a folder; nothing if it was refused with one line."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "export")
        top.mkdir()
        for name, content in files.items():
            write_entry(top / name, content)
        return checked(top, format_name, known)


def checked(path: Path, format_name: str = "", known: Iterable[Student] = ()) -> list[Entry]:
    """The entries of an export: each student once, each with one of three outcomes and with lines for people."""
    found: list[Entry] = result_or_refusal(lambda: list(find(path, format_name, known).entries())) or []
    students = [roster.compared(entry.student.key) for entry in found if not entry.failure]
    assert len(set(students)) == len(students)
    for entry in found:
        assert (entry.files is not None) + bool(entry.problem) + bool(entry.failure) == 1, entry
        assert "\n" not in entry.problem + entry.failure
        assert entry.files is None or len(entry.files.digest) == 64
        csv_text([[entry.student.key, entry.student.name, entry.problem]])
        printable(entry.source)
    return found


def check_owners(entries: Iterable[Entry], owners: Mapping[str, str] = {}) -> None:
    """Fails if a student gets a file of another one. `owners` are the accounts of keys, if they differ."""
    for entry in entries:
        for content in entry.files.files.values() if entry.files else ():
            assert content == code(owners.get(entry.student.key, entry.student.key)), entry


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
    check_owners(read(files, platform.split()[0], known))


def metadata(*accounts: tuple[str, str, str], is_later: bool = True) -> str:
    """What Gradescope writes about these names, numbers and addresses."""
    return "".join(
        f"submission_{place}:\n  :submitters:\n  - {{':name': {name!r}, ':sid': {number!r}, ':email': {email}}}\n"
        f"  :created_at: 2026-11-0{place if is_later else 5 - place} 10:00:00 Z\n"
        for place, (name, number, email) in enumerate(accounts, 1)
    )


ACCOUNTS = ("Ada", "1", "ada@uni"), ("Bob", "2", "bob@uni")


@fuzz(edited([metadata(*ACCOUNTS)]), st.booleans())
def test_metadata(text: str, has_roster: bool) -> None:
    known = [Student(key) for key in ("1", "bob@uni")] if has_roster else []
    files = {f"submission_{number}/a.py": code(str(number)) for number in (1, 2, 3)}
    read({METADATA: text.encode("utf-8", "surrogatepass"), **files}, "gradescope", known)


@fuzz(typed, typed, st.booleans())
def test_nobody_hands_in_for_another_account(name: str, number: str, is_later: bool) -> None:
    """A student of Gradescope types a name and a number. Bob's submission is Bob's, or nobody knows whose it is."""
    accounts = [("Bob", "42", "bob@uni"), (name, number, "mal@x")]
    files = {f"submission_{place}/a.py": code(email) for place, (_, _, email) in enumerate(accounts, 1)}
    about = {METADATA: metadata(*accounts, is_later=is_later).encode()}
    check_owners(read(about | files, "gradescope", [Student("bob@uni"), Student("42")]), {"42": "mal@x"})


names = st.lists(st.sampled_from((*PIECES, *WORDS, "/", "..", ".py", METADATA)), min_size=1, max_size=6).map("".join)


@fuzz(st.dictionaries(names, st.sampled_from((b"", code("x"), b"\x1f\x8b\x09hello", b"PK\x05\x06")), max_size=6), zips)
def test_exports_with_any_names(files: dict[str, bytes], archive: bytes) -> None:
    """From a folder, and from a zip, which can have names that a folder cannot have."""
    own = {name.replace("/", "", name.startswith("/")).replace("..", ""): each for name, each in files.items()}
    read(own | {"a.zip": archive})
    packed = zipped((name, content, "file") for name, content in (files | {"a.zip": archive}).items())
    with written_file("class.zip", packed) as path:
        checked(path)


ROSTERS = ["key,name,section\nada,Ada,A\nbob,Bob,B\n", 'key;name\n"a;b";Zo\u00eb\n', "\ufeffKEY\tName\n1\tx\n"]


@fuzz(edited(ROSTERS))
def test_rosters(text: str) -> None:
    with written_file("roster.csv", text) as path:
        students = result_or_refusal(lambda: roster.read(path)) or roster.Roster()
        keys = [roster.compared(student.key) for student in students.students]
        assert len(keys) == len(set(keys))


# A store.
@cache
def whole_store() -> bytes:
    """The file of a small class."""
    with tempfile.TemporaryDirectory() as folder:
        return small_class(Path(folder, "class.db")).read_bytes()


@fuzz(st.lists(st.tuples(st.integers(0, 10**6), st.binary(min_size=1, max_size=6)), max_size=6), divided_by=2)
def test_damaged_stores(changed: list[tuple[int, bytes]]) -> None:
    content = bytearray(whole_store())
    for place, part in changed:
        start = place % len(content)
        content[start : start + len(part)] = part
    with written_file("class.db", bytes(content)) as path:
        result_or_refusal(lambda: read_everything(str(path)))


def read_everything(address: str) -> None:
    with Store.open(address) as store:
        for name in store.assignments():
            for each in store.attempts(name):
                if not each.problem:
                    store.files(each.work)
                store.steps(each.work, "r")
            marks(store, name, "best")
            dump(load_board(store, name))
            for result in store.results(name):
                store.scorecard(result.id)
        store.events()
