"""What the script of a page reads: the nodes, the steps and the searches as small JSON values.

A page can have thousands of events that say almost the same. So `texts` holds each text once, and an event is a list of
numbers. A text that contains the path of its node is stored as the parts before and after the path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.pages.explorer.events import DrawnNode, Event, Kind, Recording, numbers_below, subtree_ends

Text = str | list[str]
PATH = " > "
"""What stands between the actions of a path in the words of an event."""
Moment = tuple[int, int]
"""When a search without cuts would be at an event: the later of two events has the greater moment."""


def page_data(recordings: Sequence[Recording]) -> dict[str, Any]:
    """The data of recordings of the same tree.

    `nodes` has the parent and the action of each node. `events` has a list for each event: the indexes of its kind,
    words, label, reason and variables in `texts`, then the node, the line of code, and the closed nodes.
    `search-explorer.js` reads them.
    """
    texts = _Texts(recordings[0].nodes)
    searches = [
        {"title": each.title, "counts": dict(each.counts), "events": [texts.row(event) for event in each.events]}
        for each in recordings
    ]
    return {
        "nodes": [[node.parent, node.action] for node in recordings[0].nodes],
        "recordings": searches,
        "texts": list(texts.texts),
        "steps": ["".join(map(str, step)) for step in steps(recordings)],
    }


class _Texts:
    """The texts of all events, each once, in the order in which they first appear."""

    def __init__(self, nodes: Sequence[DrawnNode]) -> None:
        self.texts: list[Text] = []
        self._numbers: dict[str | tuple[str, ...], int] = {}
        self._paths = [""]
        for node in nodes[1:]:
            above = self._paths[node.parent]
            self._paths.append(f"{above}{PATH}{node.action}" if node.parent else node.action)

    def row(self, event: Event) -> list[int]:
        """The event as numbers."""
        path = self._paths[event.node]
        parts = event.words.split(path) if PATH in path else [event.words]
        why = event.why.value if event.why else ""
        words = tuple(parts) if len(parts) > 1 else event.words
        texts = (event.kind.value, words, event.label, why, event.variables)
        return [*map(self._number, texts), event.node, event.line, *event.closed]

    def _number(self, text: str | tuple[str, ...]) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text if isinstance(text, str) else list(text))
        return self._numbers[text]


def steps(recordings: Sequence[Recording]) -> list[tuple[int, ...]]:
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


def _moments(recording: Recording) -> list[Moment]:
    ends = subtree_ends(recording.nodes)
    below = numbers_below(recording.nodes)

    def leaving(number: int) -> Moment:  # of nodes that end together, the deeper one has the greater number
        return ends[number], 4 * (len(recording.nodes) - number)

    def moment(event: Event) -> Moment:
        if event.kind in (Kind.ENTER, Kind.PROBE):
            return event.node, -1
        if event.kind is Kind.START:
            return 0, -2
        if event.kind in (Kind.WINDOW, Kind.BOUNDS, Kind.CUT):  # after a child, and before the next one
            child = below.get((event.node, event.action or ""))
            if child is None:
                return event.node, 0
            last, place = leaving(child)
            return last, place + 1 + (event.kind is Kind.CUT)
        return leaving(event.node)

    return [moment(event) for event in recording.events]
