"""Reads the events in the data of a page of `explain`, as `search-explorer.js` does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def events_in(data: Mapping[str, Any], search: int) -> list[dict[str, Any]]:
    """The events of one search of the page: kind, words, label, reason, node, line, variables and closed nodes."""
    texts, paths = data["texts"], [""]
    for parent, action in data["nodes"][1:]:
        paths.append(f"{paths[parent]} > {action}" if parent else action)
    events = []
    for kind, words, label, why, variables, node, line, *closed in data["recordings"][search]["events"]:
        text = texts[words]
        event = {"kind": texts[kind], "label": texts[label], "why": texts[why], "node": node, "closed": closed}
        event |= {"line": line, "variables": texts[variables]}
        events.append({**event, "words": text if isinstance(text, str) else paths[node].join(text)})
    return events
