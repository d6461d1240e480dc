"""Reads the list of the students of a class: a CSV file with the columns id, name and section, or of a platform.

`read_table` reads any CSV file of the course staff.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from autograder.cases.file_names import normal
from pacman.core.errors import InputError, counted, nearest, printable, reason_of
from pacman.core.files import read_bytes

COLUMNS = ("id", "name", "section")
MOST_NAMES = 5
"""How many students a line about a roster names."""
MAX_BYTES = 10_000_000
"""The largest table: 100,000 students."""


@dataclass(frozen=True)
class Student:
    """One student. The `key` is the name by which a platform knows the student: a login, a number, an address.

    `due` has the student's own due times, each with the name of the assignment in small letters ("" for every one).
    """

    key: str
    name: str = ""
    section: str = ""
    due: tuple[tuple[str, str], ...] = ()


def compared(key: str) -> str:
    """A key as keys are compared: without upper case and outer spaces, with one spelling of each letter.

    >>> compared(" Zo\\u0065\\u0301 ") == compared("zo\\u00e9")
    True
    """
    return normal(" ".join(key.split())).casefold()


def read(path: Path, notes: list[str] | None = None) -> dict[str, Student]:
    """The students of a CSV file, by their compared key. The first line names the columns; `id` (or `key`) is needed.

    Also reads the gradebook that Canvas exports (the key is its ID), the grading worksheet of Moodle (the number of the
    participant) and the roster of Gradescope (the e-mail address). Staff and test students of a platform are left out,
    and `notes` gets a line that says so. InputError names the line of the first problem: no key, or a key that another
    line has too.
    """
    columns, rows = read_table(path)
    layout = next((each for each in _LAYOUTS if {each.key, *each.needs} <= set(columns)), None)
    if layout is None:
        known = nearest("id", [printable(name)[:40] for name in columns[:20] if name])
        raise InputError(
            f"{path}:1: no column 'id'; expected the columns {', '.join(COLUMNS)}, or a roster of Canvas, Moodle "
            f"or Gradescope ({known})"
        )
    students: dict[str, Student] = {}
    lines: dict[str, int] = {}
    others = 0
    for number, cells in rows:
        if layout.is_other(cells):
            others += 1
            continue
        student = replace(layout.student(cells), due=_due_times(f"{path}:{number}", cells))
        key = compared(student.key)
        if not key and layout.needs:
            continue  # a line about all students, as that with the points that are possible
        if not key:
            raise InputError(f"{path}:{number}: a student without an id; write a login or a number")
        if key in students:
            raise InputError(f"{path}:{number}: '{student.key[:80]}' is already in line {lines[key]}; each id once")
        students[key], lines[key] = student, number
    if not students:
        raise InputError(f"{path}: no students in this file")
    if others and notes is not None:
        notes.append(f"{counted(others, 'line')} of the roster left out: staff, or the test student of the platform")
    return students


@dataclass(frozen=True)
class _Layout:
    """The columns of a roster, in lower case. A roster has this layout if it has the `key` and what it `needs`."""

    key: str
    names: tuple[str, ...]
    section: str
    needs: tuple[str, ...] = ()

    def student(self, cells: Mapping[str, str]) -> Student:
        """The student of a line."""
        names = [cells.get(name, "") for name in self.names]
        key = cells.get(self.key, "")
        if self.key == "identifier":
            key = key.removeprefix("Participant").strip()
        return Student(key, " ".join(filter(None, names)), cells.get(self.section, "") or cells.get("sections", ""))

    def is_other(self, cells: Mapping[str, str]) -> bool:
        """True for a line of a platform about staff, or about its test student."""
        is_test = self.names == ("student",) and cells.get("student") == "Student, Test"
        is_staff = "sid" in self.needs and cells.get("role", "").casefold() not in ("", "student")
        return is_test or is_staff


_LAYOUTS = (
    _Layout("key", ("name",), "section"),
    _Layout("id", ("student",), "section", ("student", "sis login id")),  # Canvas
    _Layout("identifier", ("full name",), "", ("full name",)),  # Moodle
    _Layout("id", ("name",), "section"),
    _Layout("email", ("first name", "last name", "name"), "section", ("sid",)),  # Gradescope
)


def _due_times(place: str, cells: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What the columns `due` and `due ASSIGNMENT` of a line say. InputError for what is no time with its zone."""
    return tuple(
        (column.removeprefix("due").strip(), read_time(f"{place}: {column}", text).strftime("%Y-%m-%dT%H:%M:%SZ"))
        for column, text in cells.items()
        if text and (column == "due" or column.startswith("due "))
    )


def read_time(option: str, text: str) -> datetime:
    """A time with its zone. InputError for anything else."""
    time = parsed_time(text, zone=None)
    if time is None or time.tzinfo is None:
        raise InputError(
            f"{option} {text}: expected a time with its zone, as in 2026-11-22T23:59+01:00 or 2026-11-22T23:59Z"
        )
    return time.astimezone(UTC)


def parsed_time(text: str, zone: tzinfo | None = UTC) -> datetime | None:
    """The time that a text is, in this zone if it names none; None if it is no time."""
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return time.replace(tzinfo=time.tzinfo or zone)


def mismatches(students: Iterable[Student], roster: Mapping[str, Student]) -> list[str]:
    """The differences between the students of an export and a roster: one line for each kind; none without a roster."""
    own = {compared(student.key): student.key for student in students}
    unknown = [own[key] for key in sorted(own) if key not in roster]
    missing = [roster[key].key for key in roster if key not in own]
    lines = []
    if roster and unknown:
        lines.append(f"{counted(len(unknown), 'student')} not in the roster: {first_names(unknown)}")
    if missing:
        lines.append(f"{counted(len(missing), 'student')} of the roster without a submission: {first_names(missing)}")
    return lines


def first_names(keys: Sequence[str]) -> str:
    """The first five keys, and how many more there are."""
    more = f" and {len(keys) - MOST_NAMES} more" if len(keys) > MOST_NAMES else ""
    return ", ".join(printable(key)[:80] for key in keys[:MOST_NAMES]) + more


def read_table(path: Path) -> tuple[list[str], list[tuple[int, Mapping[str, str]]]]:
    """The names of the columns in lower case, and each line that is not empty: its number, and its cells by column.

    Spreadsheets and platforms write CSV with several encodings and separators. InputError if the file cannot be read.
    """
    try:
        text = _decoded(read_bytes(path, MAX_BYTES))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {reason_of(error)}") from None
    separator = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begin = 1
    lines: list[tuple[int, Mapping[str, str]]] = []
    try:
        columns = [cell.strip().lower() for cell in next(rows, [])]
        begin = rows.line_num + 1
        for row in rows:
            begin = rows.line_num + 1
            cells = dict(zip(columns, (printable(cell).strip() for cell in row), strict=False))
            if any(cells.values()):
                lines.append((rows.line_num, cells))
    except csv.Error as error:
        marks = "a cell that begins with a quotation mark ends with one, and has two for each one inside"
        raise InputError(f"{path}:{begin}: not valid CSV: {error}; {marks}") from None
    return columns, lines


def _decoded(content: bytes) -> str:
    """The text of a file that a spreadsheet has written: in UTF-8, in UTF-16, or as older versions of Windows do."""
    try:
        text = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
