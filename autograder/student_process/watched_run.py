"""The record of a watched search as flat JSON."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from pacman.core.watcher import Event, EventKind, Watcher

MAX_VARIABLES = 3_000
"""The most variables in one record. They are those whose text has changed since the last event of the same call."""
INFINITE = {inf: "inf", -inf: "-inf"}
"""Infinite numbers in a record; JSON has none."""


def record_reply(watcher: Watcher) -> dict[str, Any]:
    """The record as lists of numbers and texts: one column for each field of an event, and the numbers in triples."""
    events = watcher.events
    places: dict[str, int] = {}
    numbers: list[Any] = []
    for index, event in enumerate(events):
        for place, number in event.numbers:
            slot = places.setdefault(place, len(places)) if isinstance(place, str) else place
            numbers += index, slot, INFINITE.get(number, number)
    functions = watcher.functions
    files = list(dict.fromkeys(function.file for function in functions))
    return {
        "is_complete": watcher.is_complete,
        "kinds": [int(event.kind) for event in events],
        "calls": [event.call for event in events],
        "nodes": [event.node for event in events],
        "lines": [event.line for event in events],
        "functions": [event.function for event in events],
        "numbers": numbers,
        "places": list(places),
        "variables": _changed_variables(events),
        "names": [function.name for function in functions],
        "spans": [line for function in functions for line in (function.first, function.last)],
        "files": files,
        "file_of": [files.index(function.file) for function in functions],
        "parameters": [" ".join(function.parameters) for function in functions],
    }


def _changed_variables(events: Sequence[Event]) -> list[Any]:
    """Triples: the number of an event, and a variable of its frame whose text has changed since the last such event."""
    changed: list[Any] = []
    known: list[dict[str, str]] = [{}]
    """The texts of the variables of the open calls; the first ones are of no call."""
    numbers = [-1]
    for index, event in enumerate(events):
        for name, text in event.variables:
            if known[-1].get(name) != text and len(changed) < 3 * MAX_VARIABLES:
                changed += index, name, text
                known[-1][name] = text
        if event.kind is EventKind.CALL:
            numbers.append(event.call)
            known.append({})
        elif event.kind in (EventKind.RETURN, EventKind.RAISED):
            while len(numbers) > 1 and numbers[-1] >= event.call:
                numbers.pop()
                known.pop()
    return changed
