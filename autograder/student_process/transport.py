"""How the grader and a student's process talk: length-prefixed, size-capped JSON frames over pipes.

The one place that knows how a pipe's end reaches another process: POSIX hands file descriptors on, Windows handles.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from typing import Any

MAX_REQUEST = 1 << 20
MAX_REPLY = 8 << 20
MAX_DEPTH = 8
MAX_BRACKETS = 20_000
MAX_DIGITS = 30  # of an exact number; a longer one might be too large for the arithmetic that it meets
MAX_FLOAT_DIGITS = 400
PREFIX = 4


class BadFrame(ValueError):
    """A frame that is cut off, too large, or not the plain JSON that was agreed on."""


def send(fd: int, message: dict[str, Any], cap: int) -> None:
    """Writes one frame; BadFrame when it would be larger than `cap` bytes, OSError when nobody reads any more."""
    body = json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii")
    if len(body) > cap:
        raise BadFrame(f"{len(body)} bytes, the limit is {cap}")
    view = memoryview(len(body).to_bytes(PREFIX, "big") + body)
    while view:
        view = view[os.write(fd, view) :]


def receive(fd: int, cap: int) -> bytes | None:
    """The body of the next frame, or None at the end of the pipe; BadFrame before more than `cap` bytes are read."""
    prefix = _exactly(fd, PREFIX)
    if prefix is None:
        return None
    size = int.from_bytes(prefix, "big")
    if size > cap:
        raise BadFrame(f"{size} bytes, the limit is {cap}")
    body = _exactly(fd, size)
    if body is None and size:
        raise BadFrame("cut off")
    return body or b""


def _exactly(fd: int, size: int) -> bytes | None:
    parts: list[bytes] = []
    while size:
        part = os.read(fd, min(size, 1 << 16))
        if not part:
            if parts:
                raise BadFrame("cut off")
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def decode(body: bytes) -> dict[str, Any]:
    """The message in a frame; BadFrame unless it is one JSON object, not too deep, with short, finite numbers."""
    brackets = _STRINGS.sub(b"", body).translate(None, delete=_NOT_BRACKETS)
    if len(brackets) > MAX_BRACKETS:
        raise BadFrame("too many parts")
    if _depth(brackets) > MAX_DEPTH:
        raise BadFrame("nested too deeply")
    try:
        message = json.loads(body, parse_int=_integer, parse_float=_float, parse_constant=_float)
    except (ValueError, RecursionError) as error:
        raise BadFrame(f"not the JSON that was agreed on: {str(error)[:80]}") from None
    if type(message) is not dict:
        raise BadFrame("not a JSON object")
    return message


def _depth(brackets: bytes) -> int:
    """How deeply JSON is nested, by the brackets that are in no string of it."""
    deepest = depth = 0
    for byte in brackets:
        depth += 1 if byte in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"')
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError("a number with too many digits")
    return int(text)


def _float(text: str) -> float:
    """Also asked for NaN and Infinity."""
    if len(text) > MAX_FLOAT_DIGITS:
        raise ValueError("a number with too many digits")
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no finite number")
    return value


def inherited(argument: str) -> int:
    """In the new process: the descriptor of the pipe that `argument` names. It is not handed on any further."""
    if sys.platform == "win32":
        import msvcrt

        return msvcrt.open_osfhandle(int(argument), os.O_WRONLY | os.O_BINARY)
    os.set_inheritable(int(argument), False)
    return int(argument)
