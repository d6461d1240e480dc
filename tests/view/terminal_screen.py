"""The screen of a terminal, as it is after the output of a program."""

from __future__ import annotations

import re

_STEP = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|\x1b\][^\x07]*\x07|\x1b.|[\r\n\b]|[^\x1b\r\n\b]", re.S)


class Terminal:
    """The screen of a terminal: it understands what our view writes, and keeps the colours."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells: list[list[tuple[str, str]]] = [[] for _ in range(rows)]
        self.row = self.column = 0
        self.colour = ""
        self.overflows = False
        """True if a line was too long for the screen, or if there were too many lines."""

    def write(self, text: str) -> None:
        """Shows some output."""
        for step in _STEP.finditer(text):
            if step[2]:
                self.control(step[2], step[1])
            elif step[0] == "\r":
                self.column = 0
            elif step[0] == "\n":
                self.next_row()
            elif step[0][0] != "\x1b":
                if self.column >= self.columns:
                    self.overflows, self.column = True, 0
                    self.next_row()
                line = self.cells[self.row]
                line.extend([(" ", "")] * (self.column + 1 - len(line)))
                line[self.column] = (step[0], self.colour)
                self.column += 1

    def next_row(self) -> None:
        """Goes down; at the bottom the screen scrolls."""
        if self.row == self.rows - 1:
            self.overflows, self.cells = True, [*self.cells[1:], []]
        else:
            self.row += 1

    def control(self, code: str, values: str) -> None:
        """Runs an escape sequence: a colour, the cursor some lines up, or what follows the cursor erased."""
        if code == "m":
            self.colour = "" if values in ("", "0") else self.colour + f"\x1b[{values}m"
        elif code == "F":
            self.row, self.column = max(0, self.row - int(values or 1)), 0
        elif code in "JK":
            del self.cells[self.row][self.column :]
            if code == "J":
                self.cells = [[] if number > self.row else each for number, each in enumerate(self.cells)]

    def text(self) -> str:
        """The screen as text, with the codes of its colours."""
        lines = []
        for cells in self.cells:
            line, colour = "", ""
            for letter, its in cells:
                line += ("\x1b[0m" if colour else "") + its if its != colour else ""
                line, colour = line + letter, its
            lines.append(line.rstrip() + ("\x1b[0m" if colour else ""))
        return "\n".join(lines).rstrip()

    def lines(self) -> list[str]:
        """The lines as far as the cursor's, without colours."""
        return ["".join(letter for letter, _ in cells).rstrip() for cells in self.cells[: self.row + 1]]
