"""A student's values and errors as plain, short, harmless JSON. Whatever they are, looking at them cannot fail."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from numbers import Real
from typing import Any

from agents.base import NotWritten
from pacman.core.errors import one_line

MAX_TEXT = 300


class Barred(ImportError):
    """A submission imports what would answer for it."""


class Refused(Exception):
    """What was asked for is not there, or is not what was expected; the text is for the student."""


KINDS: dict[type[BaseException], str] = {
    Refused: "refused",
    Barred: "hidden",
    ModuleNotFoundError: "missing package",
    MemoryError: "memory",
    NotWritten: "not written",
    SystemExit: "exit",
}
"""What a fault is called; any other error is "raised"."""


def plain(value: Any) -> float | None:
    """`value` as an exact int or float, or None where it is no finite number. True is no number; numpy's are."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    if isinstance(value, int) and type(value) is int and abs(value) < 1 << 53:
        return value
    try:
        number = float.__pos__(float(value))
    except OverflowError:
        return None
    return number if isfinite(number) else None


def said(value: Any) -> str:
    """`value` as the student would recognise it."""
    text = one_line(value, 80)
    return text if value is None else f"{text} ({type(value).__name__})"


def fault(error: BaseException, path: str, source: Sequence[str], doing: str) -> dict[str, Any]:
    """What went wrong, with the student's own line: the innermost of the traceback that stands in his file."""
    line = 0
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == path:
            line = step.tb_lineno
        step = step.tb_next
    if isinstance(error, SyntaxError) and error.filename == path:
        line = error.lineno or 0
    if isinstance(error, Refused):  # it is about what is not there
        line = 0
    kind = next((kind for made, kind in KINDS.items() if isinstance(error, made)), "raised")
    return {
        "kind": kind,
        "type": type(error).__name__[:MAX_TEXT],
        "message": one_line(error.name if isinstance(error, ModuleNotFoundError) else error, MAX_TEXT, _first_line),
        "line": line,
        "text": source[line - 1].strip()[:MAX_TEXT] if 0 < line <= len(source) else "",
        "doing": doing,
    }


def _first_line(error: object) -> str:
    return str(error).strip().partition("\n")[0]
