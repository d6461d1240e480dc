"""Reads the files of Berkeley test cases (`.test`, `.solution`, CONFIG): their fields with line numbers.

A field is `name: "text"` on one line, or a block: `name:` with three quotes, then rows, then a line of only three
quotes. `#` starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from pacman.core.errors import InputError, nearest, one_line, reason_of
from pacman.core.files import read_text

_ONE = re.compile(r'\s*([^:"\s]+)\s*:\s*"([^"]*)"\s*')
_OPENS = re.compile(r'\s*([^:"\s]+)\s*:\s*"""\s*')
KNOWN = (
    "class", "alg", "depth", "num_agents", "start_state", "win_states", "lose_states", "successors", "evaluation",
    "diagram", "agentName", "agentArgs", "layout", "layoutName", "ghosts", "numGames", "winsMinimum",
    "winsThresholds", "scoreMinimum", "scoreThresholds", "nonTimeoutMinimum", "nonTimeoutThresholds", "maxTime",
    "randomSeed", "seed", "max_points", "order", "depends", "optimalActions",
)  # fmt: skip
_NAMES = {re.sub("[_-]", "", name.lower()): name for name in KNOWN} | {"children": "successors"}
"""Small letters of a field -> its name: courses write it in several ways, and some years say `children`."""
_OWNER = re.compile(r"solution file for (\S+)\.test\b")
MAX_PROBLEM = 600
"""The longest message about a file, in characters."""


@dataclass(frozen=True)
class TestField:
    """The text of a field, and the line of its name; the text of a block begins on the next line."""

    text: str
    line: int
    block: bool = False

    def rows(self) -> Iterator[tuple[int, str]]:
        """The line number and text of every row that is not blank."""
        for offset, row in enumerate(self.text.split("\n")):
            if row.strip():
                yield self.line + offset + self.block, row.strip()


@dataclass(frozen=True)
class TestFile:
    """One file: its fields by name. `owner` is the test that a `.solution` names as its own; "" if it names none."""

    __test__ = False  # not a test for pytest

    path: Path
    fields: dict[str, TestField] = field(default_factory=dict)
    owner: str = ""

    def error(self, line: int, problem: str) -> InputError:
        """An error about one line of this file. A problem that quotes a long text is cut."""
        return InputError(f"{self.path}:{line}: {one_line(problem, MAX_PROBLEM, str)}")

    def require(self, name: str) -> TestField:
        """A required field; InputError with the nearest name if it is missing."""
        if name not in self.fields:
            raise self.error(1, f"no field '{name}': {nearest(name, self.fields)}")
        return self.fields[name]

    def text(self, name: str) -> str:
        """The text of a required field, without spaces around it."""
        return self.require(name).text.strip()

    def number(self, name: str, least: int = 0) -> int:
        """The whole number of a required field, at least `least`; InputError for anything else."""
        entry = self.require(name)
        if not re.fullmatch(r"\d{1,9}", entry.text.strip()) or int(entry.text) < least:
            problem = f"{name}: expected a whole number of at least {least}, got {one_line(entry.text, 40)}"
            raise self.error(entry.line, problem)
        return int(entry.text)

    def numbers(self, name: str) -> list[int]:
        """The whole numbers of a field; an empty list if the field is missing."""
        words = self.fields[name].text.split() if name in self.fields else []
        for word in words:
            if not re.fullmatch(r"-?\d{1,9}", word):
                line = self.fields[name].line
                raise self.error(line, f"{name}: expected whole numbers, got {one_line(word, 40)}")
        return [int(word) for word in words]


def read(path: Path) -> TestFile:
    """The content of the file at `path`; InputError for the first line that is no field, block or comment."""
    try:
        raw = read_text(path)
    except UnicodeDecodeError:
        raise InputError(f"{path}:1: not a text file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {reason_of(error)}") from None
    comments = (row.partition("#")[2] for row in raw.split("\n"))
    owner = next(filter(None, map(_OWNER.search, comments)), None)
    file = TestFile(path, owner=owner[1] if owner else "")
    rows = [row.rstrip("\r").partition("#")[0].rstrip() for row in raw.split("\n")]
    lines = iter(enumerate(rows, 1))
    for number, row in lines:
        if not row:
            continue
        if opens := _OPENS.fullmatch(row):
            name = opens[1]
            block = [text for _, text in takewhile(lambda line: line[1].strip() != '"""', lines)]
            if number + len(block) == len(rows):
                raise file.error(number, f'the block of \'{name}\' has no end; expected a line that is only """')
            entry = TestField("\n".join(block), number, block=True)
        elif one := _ONE.fullmatch(row):
            name, entry = one[1], TestField(one[2], number)
        else:
            raise file.error(number, f'expected name: "text" or name: """, got {one_line(row.strip(), 60)}')
        name = _NAMES.get(re.sub("[_-]", "", name.lower()), name)
        if name in file.fields:
            raise file.error(entry.line, f"a second field '{name}'; the first is on line {file.fields[name].line}")
        file.fields[name] = entry
    return file
