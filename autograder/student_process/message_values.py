"""What messages say about positions, trees and watched searches: plain values for JSON."""

from __future__ import annotations

import base64
import pickle
from collections.abc import Sequence
from math import inf
from typing import Any

from pacman.core.state import GameState
from pacman.core.tree_text import Outline
from pacman.record.watcher import Event, EventKind, Watcher

MAX_VARIABLES = 3_000
"""The most variables in one record. They are those whose text has changed since the last event of the same call."""
INFINITE = {inf: "inf", -inf: "-inf"}
"""Infinite numbers in a record; JSON has none."""


def shorten(state: GameState) -> list[Any]:
    """A position in which the game goes on, for a process that knows an earlier one: all that can change in a game."""
    return [
        state.mover,
        state.score,
        format(state.food_mask, "x"),
        format(state.capsule_mask, "x"),
        [state.pacman.cell, state.pacman.direction],
        [[*ghost.place, ghost.direction, ghost.timer] for ghost in state.ghosts],
    ]


def restore(message: list[Any], earlier: GameState) -> GameState:
    """The position that `shorten` made the message from. `earlier` is any position of that game."""
    mover, score, food, capsules, pacman, ghosts = message
    poses = earlier.pacman.poses
    return GameState(
        earlier.round.turns[mover],
        poses.pacman(*pacman),
        tuple(poses.ghost((x, y), direction, timer) for x, y, direction, timer in ghosts),
        earlier.homes,
        int(food, 16),
        int(capsules, 16),
        score,
    )


def tree_as_text(tree: Outline) -> str:
    """A tree for a request, as text that `tree_from_text` reads three times as fast as an outline."""
    return base64.b64encode(pickle.dumps(tree)).decode("ascii")


def tree_from_text(text: str) -> Outline:
    """The tree in a request. Only the student's process calls this, with text of the grader."""
    tree: Outline = pickle.loads(base64.b64decode(text))
    return tree


def record_reply(watcher: Watcher) -> dict[str, Any]:
    """The record as lists of numbers and texts: one column for each field of an event, and the numbers in triples."""
    events = watcher.events
    places: dict[str, int] = {}
    numbers: list[Any] = []
    for index, event in enumerate(events):
        for place, number in event.numbers:
            numbers += index, places.setdefault(place, len(places)), INFINITE.get(number, number)
    functions = watcher.functions
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
        "files": [function.file for function in functions],
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
