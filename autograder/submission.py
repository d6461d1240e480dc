"""What was handed in: one file, or a folder with one, that defines parts of an assignment."""

from __future__ import annotations

from pathlib import Path

from autograder import dialogue, sandbox
from autograder.answer import Fault, clean
from autograder.cases import Assignment
from pacman.errors import InputError

IMPORT = "the file does not import"


def find(path: Path, assignment: Assignment) -> Path:
    """The one file of a submission that defines parts of the assignment; InputError when there is not exactly one."""
    parts = {question.part for question in assignment.questions}
    wanted = ", ".join(question.part for question in assignment.questions)
    if not path.exists():
        raise InputError(f"{path}: no such file or folder")
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{path}: no Python file in this folder; expected one that defines {wanted}")
    if path.is_file() and path.suffix != ".py":
        raise InputError(f"{path}: not a Python file; expected a name that ends in .py")
    if path.is_file() and not path.read_bytes().strip():
        raise InputError(f"{path}: the file is empty; expected {wanted}")
    try:
        found = list(zip(files, sandbox.survey(files, assignment.limits), strict=True))
    except (sandbox.Broken, OSError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    for file, names in found:
        if "error" in names and len(files) == 1:
            line = f":{names['line']}" if names["line"] else ""
            raise InputError(f"{file}{line}: not valid Python: {clean(names['error'])}")
    having = [file for file, names in found if parts & set(names.get("names", ()))]
    if len(having) == 1:
        return having[0]
    if having:
        candidates = ", ".join(file.name for file in having)
        raise InputError(f"{path}: several files define parts of the assignment ({candidates}); name the one to grade")
    broken = [f"; {file.name}:{names['line']} is not valid Python" for file, names in found if "error" in names]
    raise InputError(f"{path}: defines none of the parts: {wanted}{broken[0] if broken else ''}")


def importable(file: Path, assignment: Assignment) -> Fault | None:
    """Tries the import once, so that what fails every case fails fast; InputError for a missing package."""
    seconds = max(case.seconds for case in assignment.cases)
    fault = dialogue.importable(file, "search", seconds, assignment.limits)
    if fault and fault.kind == "missing package":
        raise InputError(f"{file}: {fault.text}")
    return Fault(fault.kind, f"{IMPORT}: {fault.text}") if fault else None
