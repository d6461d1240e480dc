"""The text files of that project's test cases (`.test`, `.solution`, CONFIG): fields, and the lines they stand on.

A field is `name: "text"` on one line, or `name:` with three quotes and rows down to a line of three quotes alone.
`#` starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from pacman.core.errors import InputError, nearest, one_line

_ONE = re.compile(r'\s*([^:"\s]+)\s*:\s*"([^"]*)"\s*')
_OPENS = re.compile(r'\s*([^:"\s]+)\s*:\s*"""\s*')
_BELONGS = re.compile(r"#.*solution file for (\S+)\.test\b")


@dataclass(frozen=True)
class TestField:
    """The text of a field, and where it stands: `line` is that of its name, a block's text begins on the next."""

    text: str
    line: int
    block: bool = False

    def rows(self) -> Iterator[tuple[int, str]]:
        """(line, text) of every row that is not blank."""
        for offset, row in enumerate(self.text.split("\n")):
            if row.strip():
                yield self.line + offset + self.block, row.strip()


@dataclass(frozen=True)
class TestFile:
    """One file: its fields by name. `belongs` is the test that a `.solution` says it is of, "" if it does not say."""

    __test__ = False  # no test of pytest's

    path: Path
    fields: dict[str, TestField] = field(default_factory=dict)
    belongs: str = ""

    def error(self, line: int, problem: str) -> InputError:
        return InputError(f"{self.path}:{line}: {problem}")

    def said(self, name: str) -> TestField:
        """A field that has to be there; InputError names the nearest that is."""
        if name not in self.fields:
            raise self.error(1, f"the field '{name}' is missing: {nearest(name, self.fields)}")
        return self.fields[name]

    def text(self, name: str) -> str:
        return self.said(name).text.strip()

    def number(self, name: str, least: int = 0) -> int:
        """A whole number, `least` or more."""
        said = self.said(name)
        if not re.fullmatch(r"\d{1,9}", said.text.strip()) or int(said.text) < least:
            raise self.error(said.line, f"{name}: expected a whole number from {least}, not {one_line(said.text, 40)}")
        return int(said.text)

    def numbers(self, name: str) -> list[int]:
        """The whole numbers of a field, none if it is not there."""
        words = self.fields[name].text.split() if name in self.fields else []
        for word in words:
            if not re.fullmatch(r"-?\d{1,9}", word):
                line = self.fields[name].line
                raise self.error(line, f"{name}: expected whole numbers, not {one_line(word, 40)}")
        return [int(word) for word in words]


def read(path: Path) -> TestFile:
    """The file at `path`; InputError for the first line that is no field, comment or block."""
    try:
        raw = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}:1: not a text file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    belongs = _BELONGS.search(raw)
    file = TestFile(path, belongs=belongs[1] if belongs else "")
    rows = [row.rstrip("\r").partition("#")[0].rstrip() for row in raw.split("\n")]
    lines = iter(enumerate(rows, 1))
    for number, row in lines:
        if not row:
            continue
        if opens := _OPENS.fullmatch(row):
            name = opens[1]
            block = [text for _, text in takewhile(lambda line: line[1].strip() != '"""', lines)]
            if number + len(block) == len(rows):
                raise file.error(number, f'the block of \'{name}\' is never closed; expected a line with """ alone')
            said = TestField("\n".join(block), number, block=True)
        elif one := _ONE.fullmatch(row):
            name, said = one[1], TestField(one[2], number)
        else:
            raise file.error(number, f'expected name: "text" or name: """, not {one_line(row.strip(), 60)}')
        if name in file.fields:
            raise file.error(said.line, f"a second '{name}'; the first is on line {file.fields[name].line}")
        file.fields[name] = said
    return file
