"""Writes the references of cases to files."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from autograder.cases.reference import Reference
from autograder.cases.yaml_file import write


def save(path: Path, reference: Reference) -> None:
    """Writes a reference to its file, and creates the folder if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(reference), encoding="utf-8")


def text(reference: Reference) -> str:
    """The text of a reference's file."""
    return write({name: value for name, value in asdict(reference).items() if value})
