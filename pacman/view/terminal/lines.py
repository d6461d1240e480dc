"""Text in a terminal of a given width: parts that stay whole, columns, the rows of a tree, what agents print."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Sequence

from pacman.core.errors import printable
from pacman.core.numbers import format_integer
from pacman.core.tree import Layer
from pacman.record.tree_browser import RowKind, TreeBrowser, TreeRow

GAP, MORE = "  ", "..."
SIGNS = {Layer.MAX: "▲", Layer.MIN: "▼", Layer.CHANCE: "●", None: "■"}
ASCII_SIGNS = {Layer.MAX: "MAX", Layer.MIN: "MIN", Layer.CHANCE: "CHANCE", None: "end"}
LEGEND = "▲ MAX  ▼ MIN  ● CHANCE  ■ end or horizon"
_TO_ASCII = str.maketrans({"−": "-", "∞": "inf", "≤": "<=", "≥": ">=", "α": "alpha", "β": "beta", "·": ","})
LEAST_ROWS_WITH_COUNT = 5
VALUE_COLUMN = 34
"""The column in which values begin, unless a row is longer."""
MOST_LINES = 1000
"""The most printed lines that are kept; of more lines, the last ones."""


def wrapped(parts: Sequence[str], width: int, most_lines: int, first: str = "") -> list[str]:
    """The parts on at most `most_lines` lines of `width` characters, never broken inside a part.

    The lines begin after the word `first`. If not all parts have room, the last line ends with "...". Only a part that
    is longer than a line is cut, at its end.

    >>> wrapped(["score 12", "food 3", "ply 4"], 17, 2)
    ['score 12  food 3', 'ply 4']
    >>> wrapped(["score 12", "food 3", "ply 4"], 17, 1)
    ['score 12  ...']
    """
    room = width - len(first) - (len(GAP) if first else 0)
    lines: list[list[str]] = [[]]
    for part in (shortened(part, room) for part in parts):
        if lines[-1] and len(GAP.join([*lines[-1], part])) > room:
            lines.append([])
        lines[-1].append(part)
    if len(lines) > most_lines:
        lines = lines[:most_lines]
        while lines[-1] and len(GAP.join([*lines[-1], MORE])) > room:
            lines[-1].pop()
        lines[-1].append(MORE)
    begin = first + GAP if first else ""
    return [(" " * len(begin) if number else begin) + GAP.join(line) for number, line in enumerate(lines)]


def fitting(parts: Sequence[str], width: int) -> str:
    """The parts that fit on one line, in order; a part without room is left out.

    >>> fitting(["4 rounds/s", "H shows all keys", "seed 7"], 20)
    '4 rounds/s  seed 7'
    """
    line = ""
    for part in parts:
        longer = f"{line}{GAP}{part}" if line else part
        if len(longer) <= width or not line:
            line = shortened(longer, width)
    return line


def shortened(text: str, width: int) -> str:
    """The text, or its beginning and "..." if it is longer than `width`.

    >>> shortened("ZeroDivisionError", 10)
    'ZeroDiv...'
    """
    return text if len(text) <= width else f"{text[: max(0, width - 3)]}..."[:width]


def in_columns(rows: Sequence[str], width: int, height: int) -> list[list[str]]:
    """The rows as pages of `height` lines, in as many columns as the width allows.

    >>> in_columns(["one", "two", "three"], 20, 2)
    [['one      three', 'two']]
    """
    column = max(map(len, rows), default=0) + 2 * len(GAP)
    columns = max(1, (width + len(GAP)) // column) if len(rows) > height else 1
    pages = []
    for first in range(0, len(rows), max(1, height) * columns):
        page = rows[first : first + max(1, height) * columns]
        length = -(-len(page) // columns)
        width_of = max(map(len, page)) + 2 * len(GAP)
        cells = [page[line::length] for line in range(length)]
        pages.append(["".join(cell.ljust(width_of) for cell in line).rstrip() for line in cells])
    return pages


def as_ascii(text: str) -> str:
    """The text without the signs for numbers that only Unicode has.

    >>> as_ascii("≥−3")
    '>=-3'
    """
    return text.translate(_TO_ASCII)


def tree_lines(browser: TreeBrowser, width: int, height: int, *, has_unicode: bool = True) -> list[str]:
    """At most `height` rows of the tree with `width` characters; the row of the current node is one of them.

    That row begins with ">". A value on the principal line ends with "*". If rows are missing and there is room for
    it, the last line counts them.
    """
    rows = browser.rows()
    if height < 1:
        return []
    current = next((number for number, row in enumerate(rows) if row.is_current), 0)
    has_count = len(rows) > height >= LEAST_ROWS_WITH_COUNT
    room = height - has_count
    top = max(0, min(current - room // 2, len(rows) - room))
    visible = rows[top : top + room]
    labels = [_label(row, has_unicode) for row in visible]
    column = min(VALUE_COLUMN, max(map(len, labels)) + 2, max(4, width - 14))
    lines = [
        shortened(f"{label.ljust(column)}{_facts(row)}".rstrip(), width)
        for label, row in zip(labels, visible, strict=True)
    ]
    if has_count:
        lines.append(shortened(f"  rows {top + 1} to {top + room} of {len(rows)}", width))
    return lines if has_unicode else [as_ascii(line) for line in lines]


def _label(row: TreeRow, has_unicode: bool) -> str:
    """The current mark, the lines of the tree, the sign of the layer and the action of a row."""
    bar, tee, corner = ("│ ", "├─", "└─") if has_unicode else ("| ", "|-", "`-")
    last = len(row.continues) - 1
    lines = "".join(
        (tee if goes_on else corner) if level == last else (bar if goes_on else "  ")
        for level, goes_on in enumerate(row.continues)
    )
    sign = "" if row.kind is RowKind.MORE else (SIGNS if has_unicode else ASCII_SIGNS)[row.layer] + " "
    word = " ".join(part for part in (row.action or "root", row.probability) if part)
    return f"{'>' if row.is_current else ' '} {lines}{sign}{word}"


def _facts(row: TreeRow) -> str:
    """What is known about the node of a row: its value, its window, how many nodes are folded below it."""
    if row.kind is RowKind.PRUNED:
        return "cut: never made"
    facts = [f"{row.value}{'*' if row.is_on_line else ''}" if row.value else "", row.window]
    if row.is_folded:
        facts.append(f"+{format_integer(row.below)} {'node' if row.below == 1 else 'nodes'}")
    return GAP.join(fact for fact in facts if fact)


class PrintedLines(io.TextIOBase):
    """A stream for `sys.stdout` and `sys.stderr` that keeps the last lines, so that they do not garble the picture."""

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
