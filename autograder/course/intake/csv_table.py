"""Reads a CSV table as spreadsheets and platforms write it: with several encodings and separators."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from pacman.core.errors import InputError, printable
from pacman.core.text_file import read_bytes
from pacman.core.words import reason_of

MAX_BYTES = 10_000_000
"""The largest table: 100,000 students."""


def read_table(path: Path) -> tuple[list[str], Iterator[tuple[int, Mapping[str, str]]]]:
    """The names of the columns in lower case, and each line that is not empty: its number, and its cells by column.

    InputError if the file cannot be read; while the lines are read, if they are not valid CSV.
    """
    try:
        text = _decoded(read_bytes(path, MAX_BYTES))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {reason_of(error)}") from None
    first_line = text.partition("\n")[0]
    separator = max(",;\t", key=first_line.count)
    rows = csv.reader(text.splitlines(keepends=True), delimiter=separator)
    try:
        columns = [cell.strip().lower() for cell in next(rows, [])]
    except csv.Error as error:
        raise _invalid(path, rows.line_num, error) from None

    def lines() -> Iterator[tuple[int, Mapping[str, str]]]:
        try:
            for row in rows:
                cells = dict(zip(columns, (printable(cell).strip() for cell in row), strict=False))
                if any(cells.values()):
                    yield rows.line_num, cells
        except csv.Error as error:
            raise _invalid(path, rows.line_num, error) from None

    return columns, lines()


def _invalid(path: Path, line: int, error: csv.Error) -> InputError:
    return InputError(f"{path}:{line}: not valid CSV: {error}")


def _decoded(content: bytes) -> str:
    """The text of a file that a spreadsheet has written: in UTF-8, in UTF-16, or as older versions of Windows do."""
    try:
        text = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
