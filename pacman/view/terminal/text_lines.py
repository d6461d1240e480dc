"""Text in a terminal of a given width: parts that stay whole, and columns."""

from __future__ import annotations

from collections.abc import Sequence

GAP, MORE = "  ", "..."


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
        longer = f"{line}  {part}" if line else part
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
        lines = [page[line::length] for line in range(length)]
        width_of = max(map(len, page)) + 2 * len(GAP)
        pages.append(["".join(cell.ljust(width_of) for cell in line).rstrip() for line in lines])
    return pages
