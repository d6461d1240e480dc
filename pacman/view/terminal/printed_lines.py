"""What agents print while a terminal shows their game: kept, so that it does not garble the picture."""

from __future__ import annotations

import io
from collections import deque

from pacman.core.errors import printable

MOST_LINES = 1000
"""The most lines that are kept; of more lines, the last ones."""


class PrintedLines(io.TextIOBase):
    """A stream for `sys.stdout` and `sys.stderr` that keeps the last lines."""

    def __init__(self) -> None:
        self._lines = deque([""], MOST_LINES)
        self._count = 0
        """How many lines have ended."""

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, text: str) -> int:
        """Keeps the text; returns its length."""
        first, *others = text.split("\n")
        self._lines[-1] += first
        self._lines.extend(others)
        self._count += len(others)
        return len(text)

    @property
    def last(self) -> str:
        """The last line that is not blank, as printable text; "" if there is none."""
        return next((printable(line) for line in reversed(list(self._lines)) if line.strip()), "")

    def take(self) -> str:
        """All lines below a line that says what they are, and forgets them; "" if nothing was printed.

        >>> printed = PrintedLines()
        >>> _ = printed.write("depth 3\\nvalue 8\\n")
        >>> print(printed.take(), end="")
        printed during the game:
        depth 3
        value 8
        """
        lines, count = list(self._lines), self._count
        self._lines, self._count = deque([""], MOST_LINES), 0
        if not "".join(lines):
            return ""
        cut = f" (the last lines of {count:,})" if count >= MOST_LINES else ""
        return "\n".join([f"printed during the game{cut}:", *lines]).removesuffix("\n") + "\n"
