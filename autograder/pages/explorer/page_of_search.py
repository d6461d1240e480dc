"""The page of one search or of several searches of the same tree, to step through."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

from autograder.judge.points_as_text import counted
from autograder.pages.explorer.events import Kind, Recording
from autograder.pages.explorer.steps import steps
from autograder.pages.page import page
from pacman.view.analysis.number_text import format_number
from pacman.view.diagram.colours import PAGE
from pacman.view.diagram.svg_elements import text_width
from pacman.view.diagram.tree import svg

MAX_NODES = 2_000
"""The largest tree of a page. The page of a larger tree is slow to load, and nobody can find anything in it."""
_DESCRIPTION = re.compile(r"<desc>(.*?)</desc>", re.DOTALL)


@dataclass(frozen=True)
class Difference:
    """The first difference between a student's search and the right one: its node in the drawing, and a sentence."""

    sentence: str
    node: int | None = None
    recording: int = 0


def page_of_search(title: str, recordings: Sequence[Recording], difference: Difference | None = None) -> str:
    """The text of the page. All recordings are of the same tree, with the same nodes."""
    data = {
        "nodes": [node.as_data() for node in recordings[0].nodes],
        "recordings": [_without_tree(recording) for recording in recordings],
        "steps": ["".join(map(str, step)) for step in steps(recordings)],
        "difference": difference and {"node": difference.node, "recording": difference.recording},
    }
    panels = [_panel(recording) for recording in recordings]
    values = {"panels": panels, "difference": difference and difference.sentence}
    return page("explorer.html", title, values, data, ["search-explorer.js"], ["search-explorer.css"])


def _without_tree(recording: Recording) -> dict[str, object]:
    data = recording.as_data()
    return {key: value for key, value in data.items() if key not in ("nodes", "tree")}


def _panel(recording: Recording) -> dict[str, object]:
    """What the template shows of one search."""
    assert recording.result is not None
    labels = [
        event.label for event in recording.events if event.kind is not Kind.VALUE and recording.nodes[event.node].layer
    ]
    widest = max(labels, key=lambda label: text_width(label, 1), default="")
    picture = svg(recording.result, theme=PAGE, widest_window=widest)
    lines = _DESCRIPTION.search(picture)
    picture = _DESCRIPTION.sub("<desc>The nodes are listed below the picture.</desc>", picture)
    return {
        "title": recording.title,
        "picture": picture,
        "lines": unescape(lines[1]) if lines else "",
        "result": result_sentence(recording),
        "note": recording.note,
    }


def result_sentence(recording: Recording) -> str:
    """The value and the counts of a search: "value 3 by a1; 11 nodes, 7 leaves, 1 cut"."""
    assert recording.result is not None
    counts = recording.counts
    choice = f" by {recording.result.action}" if recording.result.action else ""
    leaves = "1 leaf" if counts["leaves"] == 1 else f"{counts['leaves']} leaves"
    value = f"value {format_number(recording.result.value)}{choice}"
    return f"{value}; {counted(counts['nodes'], 'node')}, {leaves}, {counted(counts['cutoffs'], 'cut')}"
