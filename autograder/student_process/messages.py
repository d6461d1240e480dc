"""The messages between the grader and a student's process: JSON frames with a length prefix and a size limit.

Also what they say of positions, trees and watched searches, as plain values.
"""

from __future__ import annotations

import base64
import json
import math
import pickle
import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import inf
from typing import Any

from pacman.core.state import GameState
from pacman.core.tree_text import Outline
from pacman.record.watcher import Event, EventKind, Statement, Watcher

MAX_REQUEST = 1 << 20
MAX_REPLY = 8 << 20
MAX_DEPTH = 8
MAX_BRACKETS = 150_000
"""Brackets and keys in one message: a record of 6,000 events has so many."""
MAX_ITEMS = 800_000
"""Commas in one message."""
MAX_STRINGS = 40_000
"""Strings in one message: names of actions, and texts."""
MAX_DIGITS = 30  # of an integer; arithmetic with a longer one could fail
MAX_FLOAT_DIGITS = 400
PREFIX = 4
MAX_VARIABLES = 3_000
"""The most variables in one record. They are those whose text has changed since the last event of the same call."""
INFINITE = {inf: "inf", -inf: "-inf"}
"""Infinite numbers in a record; JSON has none."""


class BadFrame(ValueError):
    """A frame that is incomplete, too large or not the expected plain JSON."""


def send(write: Callable[[memoryview], int], message: dict[str, Any], cap: int) -> None:
    """Writes one frame. BadFrame if it has more than `cap` bytes, OSError if the other end is closed."""
    left = memoryview(encode(message, cap))
    while left:
        left = left[write(left) :]


def encode(message: dict[str, Any], cap: int) -> bytes:
    """The frame of a message. BadFrame if it has more than `cap` bytes."""
    body = _ENCODER.encode(message).encode("ascii")
    if len(body) > cap:
        raise BadFrame(f"it has {len(body)} bytes, the limit is {cap}")
    return len(body).to_bytes(PREFIX, "big") + body


def receive(read: Callable[[int], bytes], cap: int = MAX_REQUEST) -> bytes | None:
    """The body of the next frame, None at the end. BadFrame if it is incomplete or has more than `cap` bytes."""
    prefix = _read_all(read, PREFIX)
    size = int.from_bytes(prefix, "big")
    if size > cap:
        raise BadFrame(f"it has {size} bytes, the limit is {cap}")
    body = _read_all(read, size)
    if prefix and len(prefix) + len(body) < PREFIX + size:
        raise BadFrame("it is incomplete")
    return body if prefix else None


def _read_all(read: Callable[[int], bytes], size: int) -> bytes:
    """So many bytes, or fewer if there are no more."""
    whole = bytearray()
    while len(whole) < size and (part := read(min(size - len(whole), 1 << 16))):
        whole += part
    return bytes(whole)


def decode(body: bytes) -> dict[str, Any]:
    """The message in a frame. BadFrame unless it is one JSON object in UTF-8, within the limits, with finite numbers.

    The time is proportional to the number of bytes, whatever they are.
    """
    outside = _outside_of_strings(body)
    structure = outside.translate(None, delete=_NOT_STRUCTURE)
    brackets = structure.translate(None, delete=b",:")
    if len(structure) - structure.count(b",") > MAX_BRACKETS or structure.count(b",") > MAX_ITEMS:
        raise BadFrame("it has more values than the grader accepts")
    if max(accumulate(map(_LEVELS.__getitem__, brackets)), default=0) > MAX_DEPTH:
        raise BadFrame("it is nested too deeply")
    if _LONG_INTEGER.search(outside):
        raise BadFrame("it has a number with too many digits")
    try:
        # json.loads would guess the encoding of bytes, and the limits hold for UTF-8 only.
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise BadFrame("it is not in UTF-8") from None
    try:
        message = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise BadFrame(f"it is not the JSON that the grader expects: {str(error)[:80]}") from None
    if type(message) is not dict:
        raise BadFrame("it is not a JSON object")
    return message


def _outside_of_strings(body: bytes) -> bytes:
    """What JSON has outside of its strings."""
    without_escapes = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    if without_escapes.count(b'"') > 2 * MAX_STRINGS:
        raise BadFrame("it has more values than the grader accepts")
    return b"".join(without_escapes.split(b'"')[::2])


_NOT_STRUCTURE = bytes(byte for byte in range(256) if byte not in b"[]{},:")
_LEVELS = [1 if byte in b"[{" else -1 for byte in range(256)]  # how much deeper JSON is nested after a bracket
_LONG_INTEGER = re.compile(rb"(?<![\d.])\d{%d,}+(?![.eE])" % (MAX_DIGITS + 1))  # a call for each number is slow


def _float(text: str) -> float:
    """The number in `text`. The JSON parser also calls this for NaN and Infinity, which raise ValueError."""
    if len(text) > MAX_FLOAT_DIGITS:
        raise ValueError("a number with too many digits")
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a finite number")
    return value


# Made once: `json.loads` and `json.dumps` would make new ones for each message, which took longer than the message.
_DECODER = json.JSONDecoder(parse_float=_float, parse_constant=_float)
_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


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
    """The record as rows: for each function, and for each event with numbers, changed variables and returned action."""
    changed = _changed_variables(watcher.events)
    rows = [
        [int(kind), call, node, line, function, _sent(numbers) if numbers else [], changed.get(index, []), action]
        for index, (kind, call, node, line, function, numbers, _, action) in enumerate(watcher.events)
    ]
    return {
        "is_complete": watcher.is_complete,
        "functions": [
            [*each[:3], list(each.parameters), each.file, ";".join(map(_sent_statement, each.statements))]
            for each in watcher.functions
        ],
        "events": rows,
    }


def _sent_statement(statement: Statement) -> str:
    return " ".join([*(str(int(each)) for each in statement[:6]), *statement.names])


def _sent(numbers: Sequence[tuple[str, float]]) -> list[list[Any]]:
    return [[place, INFINITE.get(number, number)] for place, number in numbers]


def _changed_variables(events: Sequence[Event]) -> dict[int, list[list[str]]]:
    """By the number of an event, the variables of its frame whose text has changed since the last such event."""
    changed: dict[int, list[list[str]]] = {}
    left = MAX_VARIABLES
    known: list[dict[str, str]] = [{}]
    """The texts of the variables of the open calls; the first ones are of no call."""
    numbers = [-1]
    for index, event in enumerate(events):
        for name, text in event.variables:
            if left and known[-1].get(name) != text:
                changed.setdefault(index, []).append([name, text])
                known[-1][name] = text
                left -= 1
        if event.kind is EventKind.CALL:
            numbers.append(event.call)
            known.append({})
        elif event.kind in (EventKind.RETURN, EventKind.RAISED):
            while len(numbers) > 1 and numbers[-1] >= event.call:
                numbers.pop()
                known.pop()
    return changed
