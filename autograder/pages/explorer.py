"""The page that steps through one search, or through several searches of the same tree: the explorer."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from autograder.pages.page import page
from autograder.pages.search import PATH, START, Difference, DrawnNode, Event, Recording, node_names, numbers_below
from pacman.core.errors import counted
from pacman.core.numbers import format_number
from pacman.picture.colours import PAGE
from pacman.picture.svg import text_width
from pacman.picture.tree import drawing, outline_lines, tree_of
from pacman.record.steps import Kind

MAX_NODES = 2_000
"""The largest tree of a page. The page of a larger tree is slow to load, and nobody can find anything in it."""


def explorer_page(
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
    """What the template `explorer.html` shows besides its title, and the data of its script.

    Of the data, `nodes` has the parent and the action of each node. `events` has a list for each event: the indexes of
    its kind, words, label, reason and variables in `texts`, then the node, the line of code, and the closed nodes. A
    text that contains the path of its node is stored as the parts before and after the path.
    """
    texts = _Texts(recordings[0].nodes)
    searches = [
        {"title": each.title, "counts": dict(each.counts), "events": [texts.row(event) for event in each.events]}
        for each in recordings
    ]
    data = {
        "nodes": [[node.parent, node.action] for node in recordings[0].nodes],
        "recordings": searches,
        "texts": list(texts.texts),
        "steps": ["".join(map(str, step)) for step in common_steps(recordings)],
        "difference": difference and {"node": difference.node},
    }
    return {"panels": [_panel(each) for each in recordings], "difference": difference, "exercises": ()}, data


class _Texts:
    """The texts of all events, each once, in the order in which they first appear."""

    def __init__(self, nodes: Sequence[DrawnNode]) -> None:
        self.texts: list[str | list[str]] = []
        self._numbers: dict[str | tuple[str, ...], int] = {}
        self._paths = node_names(nodes)

    def row(self, event: Event) -> list[int]:
        """The event as numbers."""
        path = self._paths[event.node]
        parts = event.words.split(path) if PATH in path else [event.words]
        words = tuple(parts) if len(parts) > 1 else event.words
        texts = (str(event.kind), words, event.label, event.why, event.variables)
        return [*map(self._number, texts), event.node, event.line, *event.closed]

    def _number(self, text: str | tuple[str, ...]) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text if isinstance(text, str) else list(text))
        return self._numbers[text]


def common_steps(recordings: Sequence[Recording]) -> list[tuple[int, ...]]:
    """The order of the events of several searches; each step is the numbers of the recordings that go on by one event.

    All recordings have the same nodes. The search that is furthest behind in the tree goes on, and so all searches are
    at the same place. A search that cuts a branch waits until the others have left it.
    """
    moments = [_moments(recording) for recording in recordings]
    places = [0] * len(recordings)
    result: list[tuple[int, ...]] = []
    while True:
        following = {number: each[places[number]] for number, each in enumerate(moments) if places[number] < len(each)}
        if not following:
            return result
        first = min(following.values())
        result.append(tuple(number for number, moment in following.items() if moment == first))
        for number in result[-1]:
            places[number] += 1


def _moments(recording: Recording) -> list[tuple[int, int]]:
    """When a search without cuts would be at each event: the later of two events has the greater moment."""
    nodes = recording.nodes
    below, ends = numbers_below(nodes), list(range(len(nodes)))
    for number in reversed(range(1, len(nodes))):
        ends[nodes[number].parent] = max(ends[nodes[number].parent], ends[number])

    def leaving(number: int) -> tuple[int, int]:  # of nodes that end together, the deeper one has the greater number
        return ends[number], 4 * (len(nodes) - number)

    def moment(event: Event) -> tuple[int, int]:
        if event.kind in (Kind.ENTER, Kind.PROBE):
            return event.node, -1
        if event.kind == START:
            return 0, -2
        if event.kind in (Kind.WINDOW, Kind.BOUNDS, Kind.CUT):  # after a child, and before the next one
            child = below.get((event.node, event.action or ""))
            if child is None:
                return event.node, 0
            last, place = leaving(child)
            return last, place + 1 + (event.kind == Kind.CUT)
        return leaving(event.node)

    return [moment(event) for event in recording.events]


def _panel(recording: Recording) -> dict[str, object]:
    """What the template shows of one search: windows at the nodes where they are known, and of a claim its values."""
    report, is_inner = recording.report, [node.layer is not None for node in recording.nodes]
    events = [event for event in recording.events if event.kind != Kind.VALUE and event.label]
    windows = {event.node for event in events}
    values = {event.node for event in recording.events if event.kind == Kind.VALUE and event.label}
    root = tree_of(report.root, report.plies, report)
    for number, node in enumerate(root.subtree()):
        if number not in windows:
            node.beside = [(words, kind) for words, kind in node.beside if kind != "window"]
        if recording.is_claim and number not in values and is_inner[number]:
            node.value = ""
    labels = (event.label for event in events if is_inner[event.node])
    widest = max(labels, key=lambda label: text_width(label, 1), default="")
    result = result_sentence(recording)
    heading, below = f"{recording.title}: {result}", "The nodes are listed below the picture."
    return {
        "title": recording.title,
        "picture": drawing(root, heading, below, PAGE, bool(events), widest),
        "lines": outline_lines(root.subtree()),
        "result": result,
        "note": recording.note,
        "code": recording.code,
    }


def result_sentence(recording: Recording) -> str:
    """The value and the counts of a search: "value 3 by a1; 11 nodes, 7 leaves, 1 cut"."""
    counts = recording.counts
    parts = [counted(counts["nodes"], "node")]
    if "leaves" in counts:
        parts += ["1 leaf" if counts["leaves"] == 1 else f"{counts['leaves']} leaves"]
    if "cutoffs" in counts:
        parts += [counted(counts["cutoffs"], "cut")]
    choice = f" by {recording.action}" if recording.action else ""
    value = "no value" if isnan(recording.value) else f"value {format_number(recording.value)}"
    return f"{value}{choice}; {', '.join(parts)}"
