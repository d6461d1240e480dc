"""The rows of a searched tree in characters, for a terminal or a file."""

from __future__ import annotations

from pacman.core.numbers import format_integer
from pacman.core.tree import Layer
from pacman.record.rows import RowKind, TreeBrowser, TreeRow
from pacman.view.terminal.text_lines import shortened

SIGNS = {Layer.MAX: "▲", Layer.MIN: "▼", Layer.CHANCE: "●", None: "■"}
ASCII_SIGNS = {Layer.MAX: "MAX", Layer.MIN: "MIN", Layer.CHANCE: "CHANCE", None: "end"}
LEGEND = "▲ MAX  ▼ MIN  ● CHANCE  ■ end or horizon"
_TO_ASCII = str.maketrans({"−": "-", "∞": "inf", "≤": "<=", "≥": ">=", "α": "alpha", "β": "beta", "·": ","})
LEAST_ROWS_WITH_COUNT = 5
VALUE_COLUMN = 34
"""The column in which values begin, unless a row is longer."""


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


def as_ascii(text: str) -> str:
    """The text without the signs for numbers that only Unicode has.

    >>> as_ascii("≥−3")
    '>=-3'
    """
    return text.translate(_TO_ASCII)


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
    return "  ".join(fact for fact in facts if fact)
