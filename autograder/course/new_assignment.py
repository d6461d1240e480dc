"""The files of a new assignment: a small one to start from, or a copy of another one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from autograder.cases.case import AnyInput, Assignment, AssignmentInput, name_problem
from autograder.cases.yaml_file import json_schema
from pacman.core.errors import InputError, one_line, reason_of

TEMPLATE = Path(__file__).with_name("templates") / "assignment"
"""The files of a new assignment. A Python file there ends in .txt too, because it is no module of this project."""


def check_names(title: str, folder: Path | None) -> None:
    """InputError if an assignment cannot have this title, or its folder the name that it has: the title, if None."""
    name, what = (folder.name, f"--out {folder}: the name of the folder") if folder else (title, "the name")
    if problem := name_problem(name):
        raise InputError(f"{what} {one_line(name)} {problem}; choose another one")
    if not title or title != title.strip() or not title.isprintable():
        raise InputError(f"the title {one_line(title)}: expected printable characters, without blanks at the ends")


def small_assignment(name: str) -> dict[str, str]:
    """The files of an assignment with one question, a tree and a position: path in its folder -> text."""
    files = {}
    for path in TEMPLATE.rglob("*.*"):
        word, value = ("TITLE", json.dumps(name, ensure_ascii=False)) if path.suffix == ".yaml" else ("NAME", name)
        place = path.relative_to(TEMPLATE).as_posix().removesuffix(".txt")
        files[place] = path.read_text(encoding="utf-8").replace(word, value)
    return files


def copy_of(assignment: Assignment, title: str) -> dict[str, str]:
    """The files of another assignment with a title of its own: all that belongs to it, with the file of the stub."""
    folder = assignment.folder
    files = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.*"))
        if path.suffix in (".yaml", ".yml", ".md", ".py", ".lay") and "schemas" not in path.parts
    }
    keys = files["assignment.yaml"]
    for key, file in (("stub", assignment.stub), ("solutions", assignment.solutions)):
        if file and not file.is_relative_to(folder.resolve()):
            files[f"{key}.py"] = file.read_text(encoding="utf-8")
            keys = re.sub(rf"^{key}:.*", f"{key}: {key}.py", keys, flags=re.MULTILINE)
    quoted = json.dumps(title, ensure_ascii=False)
    files["assignment.yaml"] = re.sub("^title:.*", lambda _: f"title: {quoted}", keys, flags=re.MULTILINE)
    if "handout.md" in files:
        files["handout.md"] = files["handout.md"].replace(f"# {assignment.title}\n", f"# {title}\n", 1)
    return files


def write_files(files: Mapping[str, str], folder: Path) -> None:
    """Writes the files of an assignment, and the schemas that an editor checks them with, to the new folder."""
    schemas = {"schemas/assignment.json": json_schema(AssignmentInput), "schemas/case.json": json_schema(AnyInput)}
    try:
        folder.mkdir(parents=True)
        for place, content in {**files, **schemas}.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(content, encoding="utf-8", newline="\n")
    except FileExistsError:
        raise InputError(f"--out {folder}: this exists already; choose another folder") from None
    except OSError as error:
        raise InputError(f"--out {folder}: cannot be written: {reason_of(error)}") from None
