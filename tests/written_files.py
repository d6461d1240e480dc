"""Writes folders of files, and small assignments, for tests."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from autograder.cases import loading
from autograder.cases.case import Assignment


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The folder, with files of these names (`cases/q1/one.yaml`) and contents in it."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    return folder


def make_zip(path: Path, files: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A zip with files of these names and contents."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def written_assignment(folder: Path, text: str, cases: Mapping[str, str]) -> Assignment:
    """An assignment in `folder`: assignment.yaml and the cases (QUESTION/NAME -> text)."""
    files = {"assignment.yaml": text, **{f"cases/{name}.yaml": case for name, case in cases.items()}}
    return loading.load(str(write_files(folder, files)))
