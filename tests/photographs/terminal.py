"""A program in a terminal of a given size: what the screen shows after each key."""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.photographs.player import MARK
from tests.photographs.run import SECONDS, environment, normal

PLAYER = Path(__file__).with_name("player.py")
TYPED = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
    "space": " ", "return": "\r", "escape": "\x1b", "tab": "\t", "backspace": "\x7f",
}  # fmt: skip
_STEP = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|\x1b\][^\x07]*\x07|\x1b.|[\r\n\b]|[^\x1b\r\n\b]", re.S)


class Terminal:
    """The screen of a terminal: it understands the cursor's moves, and keeps the colours."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells: list[list[tuple[str, str]]] = [[] for _ in range(rows)]
        self.row = self.column = 0
        self.colour = ""

    def write(self, text: str) -> None:
        """Shows some output."""
        for step in _STEP.finditer(text):
            if step[2]:
                self.control(step[2], step[1])
            elif step[0] == "\r":
                self.column = 0
            elif step[0] == "\n":
                self.next_row()
            elif step[0] == "\b":
                self.column = max(0, self.column - 1)
            elif step[0][0] != "\x1b":
                if self.column >= self.columns:
                    self.column = 0
                    self.next_row()
                line = self.cells[self.row]
                line.extend([(" ", "")] * (self.column + 1 - len(line)))
                line[self.column] = (step[0], self.colour)
                self.column += 1

    def next_row(self) -> None:
        """Goes down; at the bottom the screen scrolls."""
        if self.row == self.rows - 1:
            self.cells = [*self.cells[1:], []]
        else:
            self.row += 1

    def control(self, code: str, values: str) -> None:
        """Runs an escape sequence."""
        numbers = [int(each or 0) for each in values.split(";")] if not values.startswith("?") else []
        first, is_whole = max(1, numbers[0]) if numbers else 1, numbers[:1] == [2]
        if code == "m":
            self.colour = "" if values in ("", "0") else self.colour + f"\x1b[{values}m"
        elif code in "ABEF":
            self.row = min(self.rows - 1, max(0, self.row + (first if code in "BE" else -first)))
            self.column = 0 if code in "EF" else self.column
        elif code in "CDG":
            self.column = {"C": min(self.columns - 1, self.column + first), "D": max(0, self.column - first)}.get(
                code, first - 1
            )
        elif code in "Hf":
            self.row, self.column = min(self.rows, first) - 1, (max(1, numbers[1]) if len(numbers) > 1 else 1) - 1
        elif code in "JK":
            del self.cells[self.row][0 if code == "K" and is_whole else self.column :]
            if code == "J":
                self.cells = [[] if n > self.row or is_whole else each for n, each in enumerate(self.cells)]

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


def screens(
    words: Sequence[str], keys: Sequence[str], folder: Path, size: tuple[int, int], **variables: str
) -> Iterator[tuple[str, str]]:
    """(key, screen) before the first key, after each key, and at the end of the program."""
    columns, rows = size
    terminal = Terminal(columns, rows)
    script = json.dumps({"keys": keys})
    variables = {**environment(), "COLORTERM": "truecolor", **variables}
    variables = {name: value for name, value in variables.items() if value and name not in ("COLUMNS", "LINES")}
    pid, master = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.chdir(folder)
        os.execve(sys.executable, [sys.executable, str(PLAYER), script, *words], variables)
    waiting, pressed, names = "", -1, [*keys, "q"]
    decoder = codecs.getincrementaldecoder("utf-8")("replace")  # a part can end in the middle of a letter
    end = time.monotonic() + SECONDS
    while True:
        if not select.select([master], [], [], max(0, end - time.monotonic()))[0]:
            os.kill(pid, 9)
        try:
            part = os.read(master, 1 << 16)
        except OSError:  # the program has ended
            part = b""
        waiting += decoder.decode(part)
        while MARK in waiting:
            shown, _, waiting = waiting.partition(MARK)
            terminal.write(shown)
            yield names[pressed] if pressed >= 0 else "start", normal(terminal.text(), folder)
            pressed = min(pressed + 1, len(names) - 1)
            key = names[pressed]
            os.write(master, TYPED.get(key, key).encode())
        if not part:
            break
    terminal.write(waiting)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(master)
    yield "end", normal(f"{terminal.text()}\nexit status {status}", folder)
