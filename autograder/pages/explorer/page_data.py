"""What the script of a page reads: the nodes, the steps and the searches as small JSON values.

A page can have thousands of events that say almost the same. So `texts` holds each text once, and an event is a list of
numbers. A text that contains the path of its node is stored as the parts before and after the path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.pages.explorer.events import DrawnNode, Event, Recording
from autograder.pages.explorer.steps import steps

Text = str | list[str]
PATH = " > "
"""What stands between the actions of a path in the words of an event."""


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
