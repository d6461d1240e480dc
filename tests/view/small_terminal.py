"""A terminal without a screen: it understands the few escape codes that the terminal view writes."""

from __future__ import annotations

import io
import re

import pytest

_STEP = re.compile(r"\x1b\[(\d*)([A-Za-z])|\x1b\[\?25[hl]|\r|\n|[^\x1b\r\n]+")


class SmallTerminal(io.StringIO):
    """A terminal of a given size. `screen` is what it shows now, without colours."""

    encoding = "utf-8"

    def __init__(self, columns: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.columns, self.rows = columns, rows
        self._screen: tuple[list[str], int, int] = ([""], 0, 0)
        self._read = 0
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(rows))

    def isatty(self) -> bool:
        return True

    @property
    def screen(self) -> list[str]:
        """The lines of the screen now; it reads only what was written since the last call."""
        lines, row, column = self._screen
        text = self.getvalue()
        for step in _STEP.finditer(re.sub(r"\x1b\[[\d;]*m", "", text[self._read :])):
            count, code = step[1], step[2]
            if code == "F":
                row, column = max(0, row - int(count or 1)), 0
            elif code == "K":
                lines[row] = lines[row][:column]
            elif code == "J":
                lines[row:] = [lines[row][:column]]
            elif step[0] == "\r":
                column = 0
            elif step[0] == "\n":
                row, column = row + 1, 0
                lines += [""] * (row + 1 - len(lines))
            elif not step[0].startswith("\x1b"):
                assert column + len(step[0]) <= self.columns, f"the line is too long: {step[0]}"
                lines[row] = lines[row][:column].ljust(column) + step[0] + lines[row][column + len(step[0]) :]
                column += len(step[0])
        assert len(lines) <= self.rows, f"{len(lines)} lines in a terminal of {self.rows}"
        self._screen, self._read = (lines, row, column), len(text)
        return [line.rstrip() for line in lines]
