"""Lays out the submissions of a class for a program that finds similar ones: compare50 or MOSS.

    DIR/submissions/STUDENT/...     the files that a student handed in
    DIR/stub/FILE                   what every student was given

Both programs take a folder for a submission (https://cs50.readthedocs.io/projects/compare50;
https://theory.stanford.edu/~aiken/moss). A file name must be safe, whatever a student's key is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from autograder.course.intake.roster import Student

SUBMISSIONS, STUB = "submissions", "stub"
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
MAX_NAME = 80


def folder_names(students: Iterable[Student]) -> dict[str, str]:
    """The key of each student -> the name of a folder, each name once on every operating system.

    >>> folder_names([Student("Ada"), Student("ada/"), Student("..")])
    {'Ada': 'Ada', 'ada/': 'ada_', '..': '_'}
    """
    names: dict[str, str] = {}
    used: set[str] = set()
    for student in students:
        base = re.sub(r"[^\w.@+-]", "_", unicodedata.normalize("NFC", student.key))[:MAX_NAME].strip(".") or "_"
        base = f"_{base}" if base.startswith("-") or _RESERVED.fullmatch(base) else base
        name, number = base, 1
        while name.casefold() in used:
            number += 1
            name = f"{base}-{number}"
        used.add(name.casefold())
        names[student.key] = name
    return names


def layout(
    names: Mapping[str, str], files: Mapping[str, Mapping[str, bytes]], stub: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Path -> content of everything in the folder. `files` has the files of each student, by key."""
    paths = {f"{STUB}/{name}": content for name, content in stub.items()}
    for key, own in files.items():
        for name, content in own.items():
            assert ".." not in f"/{name}/".split("/"), name  # `submission_files` lets no such name into a store
            paths[f"{SUBMISSIONS}/{names[key]}/{name}"] = content
    return paths


def advice(folder: str, stub: Iterable[str]) -> list[str]:
    """The commands that compare what was laid out."""
    given = " ".join(f"{folder}/{STUB}/{name}" for name in stub)
    return [
        f"compare50 {folder}/{SUBMISSIONS}/*" + (f" -d {given}" if given else "") + ' -x "*" -i "*.py"',
        "moss -l python -d" + (f" -b {given}" if given else "") + f" {folder}/{SUBMISSIONS}/*/*.py",
    ]
