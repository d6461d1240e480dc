"""An assignment as text, for a place where no YAML can be read: the Python of the lab, in the student's browser."""

from __future__ import annotations

import io
import pickle
from base64 import b64decode, b64encode
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from autograder.cases.case import Assignment

PROTOCOL = 4
"""The form of the bytes. Python 3.8 can read it."""


class _Portable(pickle.Pickler):
    """Writes each path as one of the system that reads it."""

    def reducer_override(self, value: Any) -> Any:
        return (Path, value.parts) if isinstance(value, PurePath) else NotImplemented


def to_text(assignment: Assignment) -> str:
    """The questions and the cases. The files of the assignment and their folders are left out."""
    cases = tuple(replace(case, source=Path(case.source.name)) for case in assignment.cases)
    without_files: dict[str, Any] = {"folder": Path(), "stub": None, "solutions": None, "styles": (), "answers": ()}
    content = io.BytesIO()
    _Portable(content, PROTOCOL).dump(replace(assignment, cases=cases, **without_files))
    return b64encode(content.getvalue()).decode("ascii")


def from_text(text: str) -> Assignment:
    """The assignment that `to_text` wrote. The text must come from the same place as the program that calls this."""
    assignment: Assignment = pickle.loads(b64decode(text))
    return assignment
