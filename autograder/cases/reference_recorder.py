"""Writes the references of cases to files."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from autograder.cases.case import Assignment
from autograder.cases.loading import reference_path
from autograder.cases.reference import Reference
from autograder.cases.right_answer import derive
from autograder.cases.yaml_file import write


def record(assignment: Assignment) -> int:
    """Writes the reference of each case that has one, from a new run of the reference search. Returns their number."""
    cases = [case for case in assignment.cases if case.has_reference]
    for case in cases:
        save(reference_path(assignment, case), derive(case))
    return len(cases)


def save(path: Path, reference: Reference) -> None:
    """Writes a reference to its file, and creates the folder if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(reference), encoding="utf-8")


def text(reference: Reference) -> str:
    """The text of a reference's file."""
    return write({name: value for name, value in asdict(reference).items() if value})
