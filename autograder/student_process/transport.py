"""The messages between the grader and a student's process: JSON frames with a length prefix and a size limit, in pipes.

`open_inherited` opens the end of a pipe in the new process: POSIX passes file descriptors on, Windows passes handles.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from typing import Any

MAX_REQUEST = 1 << 20
MAX_REPLY = 8 << 20
MAX_DEPTH = 8
MAX_BRACKETS = 20_000
"""Brackets and keys in one message."""
MAX_ITEMS = 800_000
"""Commas in one message."""
MAX_STRINGS = 40_000
"""Strings in one message: names of actions, and texts."""
SMALL_PART = 1 << 12
PAUSE = 0.001
"""After a part of a frame that has fewer than SMALL_PART bytes, the reader waits PAUSE seconds.

Without it, a process that sends its answer byte by byte would keep the reader busy.
"""
MAX_DIGITS = 30  # of an integer; arithmetic with a longer one could fail
MAX_FLOAT_DIGITS = 400
PREFIX = 4


class BadFrame(ValueError):
    """A frame that is incomplete, too large or not the expected plain JSON."""


def send(fd: int, message: dict[str, Any], cap: int) -> None:
    """Writes one frame. BadFrame if it has more than `cap` bytes, OSError if the other end is closed."""
    write(fd, encode(message, cap))


def encode(message: dict[str, Any], cap: int) -> bytes:
    """The frame of a message. BadFrame if it has more than `cap` bytes."""
    body = _ENCODER.encode(message).encode("ascii")
    if len(body) > cap:
        raise BadFrame(f"it has {len(body)} bytes, the limit is {cap}")
    return len(body).to_bytes(PREFIX, "big") + body


def write(fd: int, frame: bytes) -> None:
    """Writes a frame. OSError if the other end is closed."""
    view = memoryview(frame)
    while view:
        view = view[os.write(fd, view) :]


def receive(fd: int, cap: int) -> bytes | None:
    """The body of the next frame, or None at the end of the pipe. BadFrame, without reading it, above `cap` bytes."""
    prefix = _read_exactly(fd, PREFIX)
    if prefix is None:
        return None
    size = int.from_bytes(prefix, "big")
    if size > cap:
        raise BadFrame(f"it has {size} bytes, the limit is {cap}")
    body = _read_exactly(fd, size)
    if body is None and size:
        raise BadFrame("it is incomplete")
    return body or b""


def _read_exactly(fd: int, size: int) -> bytes | None:
    parts: list[bytes] = []
    while size:
        part = os.read(fd, min(size, 1 << 16))
        if not part:
            if parts:
                raise BadFrame("it is incomplete")
            return None
        parts.append(part)
        size -= len(part)
        if size and len(part) < SMALL_PART:
            time.sleep(PAUSE)
    return b"".join(parts)


def decode(body: bytes) -> dict[str, Any]:
    """The message in a frame. BadFrame unless it is one JSON object in UTF-8, within the limits, with finite numbers.

    The time is proportional to the number of bytes, whatever they are.
    """
    structure = _structure(body)
    brackets = structure.translate(None, delete=b",:")
    if len(structure) - structure.count(b",") > MAX_BRACKETS or structure.count(b",") > MAX_ITEMS:
        raise BadFrame("it has more values than the grader accepts")
    if _depth(brackets) > MAX_DEPTH:
        raise BadFrame("it is nested too deeply")
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


def _structure(body: bytes) -> bytes:
    """The brackets, commas and colons of JSON outside of its strings."""
    without_escapes = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    if without_escapes.count(b'"') > 2 * MAX_STRINGS:
        raise BadFrame("it has more values than the grader accepts")
    outside = b"".join(without_escapes.split(b'"')[::2])
    return outside.translate(None, delete=_NOT_STRUCTURE)


def _depth(brackets: bytes) -> int:
    """How deeply JSON is nested, from its brackets outside of strings."""
    deepest = depth = 0
    for byte in brackets:
        depth += 1 if byte in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


_NOT_STRUCTURE = bytes(byte for byte in range(256) if byte not in b"[]{},:")


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError("a number with too many digits")
    return int(text)


def _float(text: str) -> float:
    """The number in `text`. The JSON parser also calls this for NaN and Infinity, which raise ValueError."""
    if len(text) > MAX_FLOAT_DIGITS:
        raise ValueError("a number with too many digits")
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a finite number")
    return value


# Made once: `json.loads` and `json.dumps` would make new ones for each message, which took longer than the message.
_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_float, parse_constant=_float)
_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def open_inherited(argument: str) -> int:
    """The descriptor of the pipe that `argument` names, in the new process. Its own children do not inherit it."""
    if sys.platform == "win32":
        import msvcrt

        return msvcrt.open_osfhandle(int(argument), os.O_WRONLY | os.O_BINARY)
    os.set_inheritable(int(argument), False)
    return int(argument)
