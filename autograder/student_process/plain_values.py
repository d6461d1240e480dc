"""Turns a student's values and errors into short, harmless JSON. It never fails, whatever the student's objects do."""

from __future__ import annotations

import linecache
import os
import re
from collections.abc import Sequence
from math import copysign, isfinite, isinf, nextafter
from numbers import Real
from types import FunctionType
from typing import Any

from agents.advice import NATIVE, advice
from agents.base import NotWritten, WrongReturn
from autograder.student_process.fault_kind import FaultKind
from pacman.core.errors import line_of, one_line

MAX_TEXT = 300


class ForbiddenImport(ImportError):
    """A submission imports a module that contains answers."""


class SubmissionError(Exception):
    """A part of the submission is missing, or has or returns something else than expected. The text is for the student.

    `function` is the student's function that is at fault, if there is one.
    """

    def __init__(self, text: str, function: object = None) -> None:
        super().__init__(text)
        self.function = function


class MissingPart(SubmissionError):
    """The file does not define a part. `part` is the name in it that was perhaps meant; "" if there is none."""

    def __init__(self, text: str, part: str) -> None:
        super().__init__(text)
        self.part = part


class TooManySuccessors(BaseException):
    """A search made more successors than one question allows. `except Exception` in graded code does not stop it."""


class EndlessSearch(BaseException):
    """A watched search executed too many lines. A student's `except Exception` does not catch this error."""


class OutOfTime(BaseException):
    """The processor time of an answer is used up. The grader knows the limit, and says it in place of this text."""

    TEXT = "out of time"


KINDS: dict[type[BaseException], FaultKind] = {
    MissingPart: FaultKind.MISSING_PART,
    SubmissionError: FaultKind.REFUSED,
    WrongReturn: FaultKind.REFUSED,
    ForbiddenImport: FaultKind.FORBIDDEN_IMPORT,
    ModuleNotFoundError: FaultKind.MISSING_PACKAGE,
    MemoryError: FaultKind.MEMORY,
    NotWritten: FaultKind.NOT_WRITTEN,
    SystemExit: FaultKind.EXIT,
    TooManySuccessors: FaultKind.SUCCESSORS,
    EndlessSearch: FaultKind.TIME,
    OutOfTime: FaultKind.TIME,
}
"""Type of an error -> kind of the fault. Any other error has the kind RAISED."""


LARGEST = 1e12
"""Replaces an infinite evaluation: the average of +inf and -inf would not be a number, and JSON has no infinity."""


def finite(value: Any) -> Any:
    """`value`, and for an infinite number the LARGEST one with its sign. A finite one of this size becomes smaller.

    >>> finite(float("-inf")), finite(3)
    (-1000000000000.0, 3)
    """
    if isinstance(value, float) and isinf(value):
        return copysign(LARGEST, value)
    return copysign(nextafter(LARGEST, 0), value) if type(value) in (int, float) and abs(value) == LARGEST else value


def plain_number(value: Any) -> float | None:
    """`value` as an exact int or float, or None if it is not a finite number. Numpy's numbers count, True does not."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    if isinstance(value, int) and type(value) is int and abs(value) < 1 << 53:
        return value
    try:
        number = float.__pos__(float(value))
    except OverflowError:
        return None
    return number if isfinite(number) else None


def describe(value: Any) -> str:
    """`value` as the student would write it, followed by its type, as in "3 (int)"."""
    text = one_line(value, 80)
    return text if value is None else f"{text} ({type(value).__name__})"


def describe_fault(
    error: BaseException, path: str, source: Sequence[str], during: str, folder: str = "", style: str = NATIVE
) -> dict[str, Any]:
    """The fault that an error means, for the reply: its kind, its message, the student's own line and more.

    That line is the innermost one of the traceback that is in the student's file, or in another `file` in `folder`; for
    a SubmissionError and a WrongReturn the first one of the function at fault. `during` says what was running, as in
    "during the search". `style` is that of the file, for the advice.
    """
    file, line = path, 0
    module = name = ""
    frame = None
    step = error.__traceback__
    while step is not None:
        name = step.tb_frame.f_code.co_filename
        frame = step.tb_frame
        module = frame.f_globals.get("__name__", "")
        if name == path or (folder and name.startswith(folder + os.sep)):
            file, line = name, line_of(step)
        step = step.tb_next
    if isinstance(error, SystemExit) and module == "pdb":  # without a keyboard, since Python 3.14
        from bdb import BdbQuit  # pdb has imported it

        error = BdbQuit()
    if isinstance(error, SyntaxError) and error.filename == path:
        file, line = path, error.lineno or 0
    if isinstance(error, SubmissionError | WrongReturn):
        code = error.function.__code__ if isinstance(error.function, FunctionType) else None
        file, line = path, code.co_firstlineno if code is not None and code.co_filename == path else 0
    if name == path and frame and _is_stub(error):
        error = NotWritten(frame.f_code.co_qualname)
    kind = next((name for error_type, name in KINDS.items() if isinstance(error, error_type)), FaultKind.RAISED)
    lines = source if file == path else linecache.getlines(file)
    message = one_line(error.name if isinstance(error, ModuleNotFoundError) else error, MAX_TEXT, _first_line)
    return {
        "kind": kind,
        "type": type(error).__name__[:MAX_TEXT],
        "message": message,
        "file": "" if file == path else file[len(folder) + 1 :].replace(os.sep, "/")[:MAX_TEXT],
        "line": line,
        "text": lines[line - 1].strip()[:MAX_TEXT] if 0 < line <= len(lines) else "",
        "during": during,
        "part": str(getattr(error, "part", ""))[:MAX_TEXT] if isinstance(error, MissingPart | NotWritten) else "",
        "advice": advice(f"{type(error).__name__}: {message}", lines, line, style)[:MAX_TEXT],
    }


def _is_stub(error: BaseException) -> bool:
    """True for what a course puts where a student's code has to stand, as in `raise NotImplementedError`."""
    is_plain = type(error) is Exception and re.match(r"(?i)\W*(method )?not (yet )?(implemented|written)", str(error))
    return type(error) is NotImplementedError or bool(is_plain)


def _first_line(error: object) -> str:
    text = str(error).strip().partition("\n")[0]
    if isinstance(error, ImportError):  # its path is in a folder of the grader, which has another name in each run
        return text.removesuffix(f" ({error.path})")
    return text
