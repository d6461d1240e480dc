"""The page of one search or of several searches of the same tree, to step through."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from autograder.pages.explorer.events import Kind, Recording
from autograder.pages.explorer.page_data import page_data
from autograder.pages.page import page
from pacman.core.errors import counted
from pacman.core.numbers import format_number
from pacman.picture.colours import PAGE
from pacman.picture.svg import text_width
from pacman.picture.tree import TreeNode, drawing, outline_lines, root_and_plies, tree_of
from pacman.record.report_from_trace import report_from_trace

MAX_NODES = 2_000
"""The largest tree of a page. The page of a larger tree is slow to load, and nobody can find anything in it."""


@dataclass(frozen=True)
class Difference:
    """The first difference between a student's search, which is the first of a page, and the right one.

    `label` stands before the sentence; `is_right` is True if there is no difference.
    """

    sentence: str
    node: int | None = None
    label: str = "First difference"
    is_right: bool = False


def page_of_search(
    title: str,
    recordings: Sequence[Recording],
    difference: Difference | None = None,
    exercises: Sequence[object] = (),
    predict: object = None,
) -> str:
    """The text of the page. All recordings are of the same tree, with the same nodes.

    With `exercises` about one of the searches, the page also asks what comes next; `predict` are their data.
    """
    values, data = values_and_data(recordings, difference)
    names = ["search-explorer", *(["predict"] if exercises else [])]
    scripts, styles = [f"{name}.js" for name in names], [f"{name}.css" for name in names]
    return page(
        "explorer.html", title, {**values, "exercises": exercises}, {**data, "predict": predict}, scripts, styles
    )


def values_and_data(
    recordings: Sequence[Recording], difference: Difference | None = None
) -> tuple[dict[str, object], dict[str, Any]]:
    """What the template `explorer.html` shows besides its title, and the data of its script."""
    data = {**page_data(recordings), "difference": difference and {"node": difference.node}}
    panels = [_panel(recording) for recording in recordings]
    return {"panels": panels, "difference": difference, "exercises": ()}, data


def _panel(recording: Recording) -> dict[str, object]:
    """What the template shows of one search."""
    assert recording.result is not None
    shown = [event for event in recording.events if event.kind is not Kind.VALUE]
    labels = (event.label for event in shown if recording.nodes[event.node].layer)
    widest = max(labels, key=lambda label: text_width(label, 1), default="")
    root = _known_tree(recording, {event.node for event in shown if event.has_window})
    result = result_sentence(recording)
    heading, below = f"{recording.title}: {result}", "The nodes are listed below the picture."
    has_windows = any(event.has_window for event in shown)
    return {
        "title": recording.title,
        "picture": drawing(root, heading, below, PAGE, has_windows, widest),
        "lines": outline_lines(root.subtree()),
        "result": result,
        "note": recording.note,
        "code": recording.code,
    }


def _known_tree(recording: Recording, with_window: Collection[int]) -> TreeNode:
    """The tree of the picture, with what is known of the search: windows at some nodes, and of a claim some values."""
    assert recording.result is not None
    start, plies = root_and_plies(recording.result)
    root = tree_of(start, plies, report_from_trace(start, plies, recording.result.trace, line=recording.result.line))
    values = {event.node for event in recording.events if event.kind is Kind.VALUE}
    for number, node in enumerate(root.subtree()):
        if number not in with_window:
            node.beside = [(words, kind) for words, kind in node.beside if kind != "window"]
        if recording.is_claim and number not in values and recording.nodes[number].layer is not None:
            node.value = ""
    return root


def result_sentence(recording: Recording) -> str:
    """The value and the counts of a search: "value 3 by a1; 11 nodes, 7 leaves, 1 cut"."""
    result, counts = recording.result, recording.counts
    assert result is not None
    parts = [counted(counts["nodes"], "node")]
    if "leaves" in counts:
        parts += ["1 leaf" if counts["leaves"] == 1 else f"{counts['leaves']} leaves"]
    if "cutoffs" in counts:
        parts += [counted(counts["cutoffs"], "cut")]
    choice = f" by {result.action}" if result.action else ""
    value = "no value" if isnan(result.value) else f"value {format_number(result.value)}"
    return f"{value}{choice}; {', '.join(parts)}"
