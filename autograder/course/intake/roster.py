"""Reads the list of the students of a class: a CSV file with the columns key, name and section."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.cases.file_names import normal
from pacman.core.errors import InputError, nearest, printable
from pacman.core.text_file import read_text

MAX_BYTES = 10_000_000
"""The largest roster: 100,000 students."""
COLUMNS = ("key", "name", "section")


@dataclass(frozen=True)
class Student:
    """One student. The `key` is the name by which a platform knows the student: a login, a number, an address."""

    key: str
    name: str = ""
    section: str = ""


def compared(key: str) -> str:
    """A key as keys are compared: without upper case and outer spaces, with one spelling of each letter.

    >>> compared(" Zo\\u0065\\u0301 ") == compared("zo\\u00e9")
    True
    """
    return normal(" ".join(key.split())).casefold()


def read(path: Path) -> dict[str, Student]:
    """The students of a CSV file, by their compared key. The first line names the columns; only `key` is needed.

    InputError names the line of the first problem: no key, or a key that another line has too.
    """
    try:
        text = read_text(path, MAX_BYTES)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read: not UTF-8 at byte {error.start + 1}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    first_line = text.partition("\n")[0]
    separator = max(",;\t", key=first_line.count)
    rows = csv.reader(text.splitlines(keepends=True), delimiter=separator)
    students: dict[str, Student] = {}
    lines: dict[str, int] = {}
    try:
        columns = [cell.strip().lower() for cell in next(rows, [])]
        if "key" not in columns:
            known = nearest("key", [printable(name)[:40] for name in columns[:20] if name])
            raise InputError(f"{path}:1: no column 'key'; expected the columns {', '.join(COLUMNS)} ({known})")
        for row in rows:
            cells: Mapping[str, str] = dict(zip(columns, (printable(cell).strip() for cell in row), strict=False))
            if not any(cells.values()):
                continue
            student = Student(*(cells.get(name, "") for name in COLUMNS))
            key = compared(student.key)
            if not key:
                raise InputError(f"{path}:{rows.line_num}: a student without a key; write a login or a number")
            if key in students:
                raise InputError(
                    f"{path}:{rows.line_num}: '{student.key[:80]}' is already in line {lines[key]}; each key once"
                )
            students[key], lines[key] = student, rows.line_num
    except csv.Error as error:
        raise InputError(f"{path}:{rows.line_num}: not valid CSV: {error}") from None
    if not students:
        raise InputError(f"{path}: no students in this file")
    return students
