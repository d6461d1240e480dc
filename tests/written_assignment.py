"""Writes small assignments for tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.cases import loading
from autograder.cases.case import Assignment


def written_assignment(folder: Path, text: str, cases: Mapping[str, str]) -> Assignment:
    """An assignment in `folder`: assignment.yaml and the cases (QUESTION/NAME -> text)."""
    folder.mkdir(exist_ok=True)
    (folder / "assignment.yaml").write_text(text, encoding="utf-8")
    for name, case in cases.items():
        path = folder / "cases" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(case, encoding="utf-8")
    return loading.load(str(folder))
