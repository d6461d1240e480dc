"""The page of one search or of several searches of the same tree, to step through."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from html import escape, unescape
from math import inf, isnan

from autograder.pages.explorer.events import Kind, Recording
from autograder.pages.explorer.page_data import page_data
from autograder.pages.page import page
from pacman.core.words import counted
from pacman.view.analysis.number_text import format_number, format_window
from pacman.view.diagram.colours import PAGE
from pacman.view.diagram.svg_elements import text_width
from pacman.view.diagram.tree import svg

MAX_NODES = 2_000
"""The largest tree of a page. The page of a larger tree is slow to load, and nobody can find anything in it."""
_ANY_WINDOW = f", {format_window(-inf, inf)}"
_HEADING = re.compile(r'(<title>|<text class="title"[^>]*>)[^<]*<')
_NODE = re.compile(r'<g class="node [^"]*" data-node="(\d+)"')
_WINDOW = re.compile(r'(<text class="window"[^>]*>)[^<]*')
_VALUE = re.compile(r'(<text class="value"[^>]*>)[^<]*')
_LINE_VALUE = re.compile(r"^( *(?:[^:]*: )?(?:max|min|chance)) [^,]*")
_DESCRIPTION = re.compile(r"<desc>(.*?)</desc>", re.DOTALL)


@dataclass(frozen=True)
class Difference:
    """The first difference between a student's search and the right one: its node in the drawing, and a sentence.

    `label` stands before the sentence; `is_right` is True if there is no difference.
    """

    sentence: str
    node: int | None = None
    label: str = "First difference"
    is_right: bool = False
    recording: int = 0
    """The number of the student's search on the page."""


@dataclass(frozen=True)
class Questions:
    """The part of a page that asks about a search: its exercises for the template, its data, script and stylesheet."""

    exercises: Sequence[object]
    data: object
    script: str
    style: str


def page_of_search(
    title: str,
    recordings: Sequence[Recording],
    difference: Difference | None = None,
    questions: Questions | None = None,
) -> str:
    """The text of the page. All recordings are of the same tree, with the same nodes.

    With `questions` about one of the searches, the page also asks what comes next.
    """
    data = {
        **page_data(recordings),
        "difference": difference and {"node": difference.node, "recording": difference.recording},
        "predict": questions and questions.data,
    }
    panels = [_panel(recording) for recording in recordings]
    values = {"panels": panels, "difference": difference, "exercises": questions.exercises if questions else ()}
    scripts, styles = ["search-explorer.js"], ["search-explorer.css"]
    if questions:
        scripts, styles = [*scripts, questions.script], [*styles, questions.style]
    return page("explorer.html", title, values, data, scripts, styles)


def _panel(recording: Recording) -> dict[str, object]:
    """What the template shows of one search."""
    assert recording.result is not None
    shown = [event for event in recording.events if event.kind is not Kind.VALUE and recording.nodes[event.node].layer]
    widest = max((event.label for event in shown), key=lambda label: text_width(label, 1), default="")
    drawn = replace(recording.result, value=0) if isnan(recording.result.value) else recording.result
    picture = svg(drawn, theme=PAGE, widest_window=widest)
    description = _DESCRIPTION.search(picture)
    lines = unescape(description[1]).split("\n") if description else []
    picture = _DESCRIPTION.sub("<desc>The nodes are listed below the picture.</desc>", picture)
    windows = {event.node for event in shown if event.has_window}
    picture = _without(_WINDOW, picture, windows)
    lines = [line if node in windows else line.replace(_ANY_WINDOW, "") for node, line in enumerate(lines)]
    if not windows:
        picture = picture.replace(">(alpha, beta)<", "><")
    if recording.is_claim:
        values = {event.node for event in recording.events if event.kind is Kind.VALUE}
        values |= {number for number, node in enumerate(recording.nodes) if node.layer is None}
        picture = _without(_VALUE, picture, values)
        lines = [line if node in values else _LINE_VALUE.sub(r"\1", line) for node, line in enumerate(lines)]
    result = result_sentence(recording)
    heading = escape(f"{recording.title}: {result}")
    return {
        "title": recording.title,
        # A function: in a text, `sub` would read a backslash of the student as an escape, and so make markup of it.
        "picture": _HEADING.sub(lambda found: f"{found[1]}{heading}<", picture),
        "lines": lines,
        "result": result,
        "note": recording.note,
        "code": recording.code,
    }


def _without(text: re.Pattern[str], picture: str, known: Collection[int]) -> str:
    """The picture without this text at nodes that are not `known`. A picture has one line for each node."""
    lines = []
    for line in picture.split("\n"):
        node = _NODE.match(line)
        lines.append(text.sub(r"\1", line) if node and int(node[1]) not in known else line)
    return "\n".join(lines)


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
