"""A small assignment to start from: one question, a tree and a position, stub, solutions, handout and schemas."""

from __future__ import annotations

import json
from pathlib import Path

from autograder.cases.case import AnyInput, AssignmentInput
from autograder.cases.file_names import name_problem
from autograder.cases.yaml_file import json_schema
from pacman.core.errors import InputError, one_line, reason_of

TEMPLATE = Path(__file__).with_name("templates") / "assignment"
"""The files of a new assignment. A Python file there ends in .txt too, because it is no module of this project."""


def write_assignment(name: str, folder: Path) -> None:
    """Writes the assignment `name` to the new folder `folder`.

    InputError if the name or the folder cannot be used.
    """
    for text, what in ((name, "the name"), (folder.name, f"--out {folder}: the name of the folder")):
        if problem := name_problem(text):
            raise InputError(f"{what} {one_line(text)} {problem}; choose another one")
    files = {"schemas/assignment.json": json_schema(AssignmentInput), "schemas/case.json": json_schema(AnyInput)}
    for path in TEMPLATE.rglob("*.*"):
        word, value = ("TITLE", json.dumps(name, ensure_ascii=False)) if path.suffix == ".yaml" else ("NAME", name)
        place = path.relative_to(TEMPLATE).as_posix().removesuffix(".txt")
        files[place] = path.read_text(encoding="utf-8").replace(word, value)
    try:
        folder.mkdir(parents=True)
        for place, content in files.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(content, encoding="utf-8", newline="\n")
    except FileExistsError:
        raise InputError(f"--out {folder}: this exists already; choose another folder") from None
    except OSError as error:
        raise InputError(f"--out {folder}: cannot be written: {reason_of(error)}") from None
