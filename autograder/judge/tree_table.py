"""A drawn tree as a table of text: a line for each node, with the right value and the submission's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograder.judge.scorecard import NodeRow
from pacman.core.tree_text import Outline
from pacman.record.trace import Path

MAX_LINES = 60
FOLDED_LINES = 12
"""The most nodes of a folded table, if the path to the marked node is not longer."""
HERE = "<-- here"
FOLDED = " ..."
"""Stands behind a node if some nodes below it are left out."""


def table(root: Outline, rows: Sequence[NodeRow], marked: Path | None, has_windows: bool) -> tuple[str, ...]:
    """The rows of a tree below their headings: name, window, the student's window, expected, got and mark.

    Empty columns are left out. A long table is cut to MAX_LINES around the marked row.
    """
    labels = dict(_labels(root))
    head, *lines = _lines(rows, [labels[row.path] for row in rows], marked, has_windows)
    if len(lines) > MAX_LINES:
        here = next((index for index, row in enumerate(rows) if row.path == marked), 0)
        first = max(0, min(here - MAX_LINES // 2, len(lines) - MAX_LINES))
        lines = lines[first : first + MAX_LINES]
    return (head, *lines)


def folded_table(root: Outline, rows: Sequence[NodeRow], marked: Path | None, has_windows: bool) -> tuple[str, ...]:
    """The same table with the path to the marked node and the nodes next to it; () if the whole table is short."""
    if len(rows) <= FOLDED_LINES:
        return ()
    kept = folded(rows, marked or ())
    paths = {row.path for row in kept}
    hidden = {row.path[:-1] for row in rows if row.path not in paths}
    labels = dict(_labels(root))
    return _lines(kept, [labels[row.path] + FOLDED * (row.path in hidden) for row in kept], marked, has_windows)


def folded(rows: Sequence[NodeRow], path: Path) -> list[NodeRow]:
    """The rows on a path and, up to FOLDED_LINES in all, the successors of its nodes: those of its end first."""

    def steps_away(row: NodeRow) -> tuple[int, int]:
        """The steps from the path down to the node, and those from the end of the path up to where they begin."""
        common = sum(1 for _ in _common(row.path, path))
        on_path = len(row.path) == common
        return len(row.path) - common, 0 if on_path else len(path) - common

    near = [row for row in sorted(rows, key=steps_away) if steps_away(row)[0] <= 1]
    most = max(FOLDED_LINES, sum(steps_away(row)[0] == 0 for row in near))
    paths = {row.path for row in near[:most]}
    return [row for row in rows if row.path in paths]


def _common(one: Path, other: Path) -> Iterator[str]:
    """The actions with which both paths begin."""
    for first, second in zip(one, other, strict=False):
        if first != second:
            return
        yield first


def _labels(node: Outline, path: Path = (), label: str = "") -> Iterator[tuple[Path, str]]:
    """The first column of a drawn tree: for each path the action, its probability and the kind of the node."""
    yield path, "  " * len(path) + label + (node.kind.value if node.kind else "leaf")
    for index, (action, branch) in enumerate(node.branches):
        chance = f" @{node.probabilities[index]}" if node.probabilities else ""
        yield from _labels(branch, (*path, action), f"{action}{chance}: ")


def _lines(rows: Sequence[NodeRow], labels: Sequence[str], marked: Path | None, has_windows: bool) -> tuple[str, ...]:
    """The headings, and one line for each row."""
    headings = ("", "window", "your window", "expected", "got", "")
    cells = [
        (label, row.window, row.own_window, row.expected, row.got, HERE if row.path == marked else "")
        for label, row in zip(labels, rows, strict=True)
    ]
    shown = [0, 3, *([1] if has_windows else []), *([2] if has_windows and any(row[2] for row in cells) else [])]
    shown = sorted([*shown, *([4] if any(row[4] for row in cells) else []), 5])
    widths = {column: max(len(row[column]) for row in (*cells, headings)) for column in shown}
    widths |= {3: 10, 4: 10}

    def line(row: tuple[str, ...]) -> str:
        columns = [f"{row[at]:>{widths[at]}}" if at in (3, 4) else f"{row[at]:<{widths[at]}}" for at in shown]
        return "  ".join(columns).rstrip()

    return tuple(map(line, (headings, *cells)))
