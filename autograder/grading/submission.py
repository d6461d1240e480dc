"""Which file of what was handed in is graded, and whether it can be imported at all."""

from __future__ import annotations

from pathlib import Path

from autograder.cases.case import Assignment
from autograder.grading.submission_api import SubmissionApi
from autograder.judge.submission_answer import Fault, clean
from autograder.sandbox import Sandbox, SessionBroken, attempt
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError

IMPORT = "the file does not import"


def find_candidate(path: Path, sandbox: Sandbox, assignment: Assignment, style: SubmissionApi) -> str:
    """The one file that defines parts of the assignment; InputError when there is not exactly one.

    `path` is what the user calls the submission. The files are parsed in the sandbox, not here.
    """
    parts = {question.part for question in assignment.questions}
    wanted = ", ".join(question.part for question in assignment.questions)
    handed_in = sandbox.submission
    names = [handed_in.requested_file] if handed_in.requested_file else list(handed_in.files)
    try:
        found = dict(zip(names, sandbox.parse_files(names, assignment.limits.seconds), strict=True))
    except (SessionBroken, ValueError) as broken:
        raise InputError(f"{path}: cannot be read: {broken}") from None
    for name, survey in found.items():
        if "error" in survey and len(found) == 1:
            error = style.with_syntax_advice(clean(survey["error"]))
            line = f":{survey['line']}" if survey["line"] else ""
            raise InputError(f"{display_path(path, handed_in, name)}{line}: not valid Python: {error}")
    having = [name for name, survey in found.items() if parts & set(survey.get("names", ()))]
    if len(having) == 1:
        return having[0]
    if having:
        candidates = ", ".join(having)
        raise InputError(f"{path}: several files define parts of the assignment ({candidates}); name the one to grade")
    invalid = [f"; {name}:{survey['line']} is not valid Python" for name, survey in found.items() if "error" in survey]
    raise InputError(f"{path}: defines none of the parts: {wanted}{invalid[0] if invalid else ''}")


def check_import(path: Path, sandbox: Sandbox, assignment: Assignment, style: SubmissionApi) -> Fault | None:
    """Tries the import once, so that what fails every case fails fast; InputError for a missing package."""
    session = sandbox.session(max(case.seconds for case in assignment.cases))
    found = attempt(session, lambda: sandbox.load(session, "search"))
    fault = style.with_advice(found) if found else None
    if fault and fault.kind == "missing package":
        raise InputError(f"{display_path(path, sandbox.submission, sandbox.main_file)}: {fault.text}")
    return Fault(fault.kind, f"{IMPORT}: {fault.text}") if fault else None


def display_path(path: Path, handed_in: SubmissionFiles, name: str) -> str:
    """A file of a submission, as the user would name it."""
    return str(path) if handed_in.requested_file else f"{path}/{name}"
