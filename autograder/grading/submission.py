"""Chooses the file of a submission that is graded, and checks that it can be imported."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents.advice import CS188, nearest_part, other_letter, other_style, syntax_advice
from agents.cs188.agent import FILE, is_berkeley_style
from agents.cs188.base_state import snake_case
from autograder.cases.case import Assignment
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.judge.submission_answer import ONE_ANSWER, Fault, clean
from autograder.sandbox.run_case import most_waiting
from autograder.sandbox.runner import Runner, SessionBroken, attempt
from autograder.sandbox.submission_files import SubmissionFiles
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.plain_values import EndlessSearch
from pacman.core.errors import InputError, not_python

IMPORT = "the file cannot be imported"
SEVERAL = "several files define parts of the assignment"
BERKELEY = other_style(CS188).partition(",")[0]
_FOR_STUDENTS = {"; name the one to grade": "; hand in one of them", other_style(CS188).partition(".")[2]: ""}
"""What only the course staff can do -> what it is for the student who handed in."""


def find_candidate(path: Path, sandbox: Runner, assignment: Assignment, api: SubmissionApi) -> str:
    """The name of the one file that defines parts of the assignment; InputError if there is not exactly one.

    `path` is the user's name for the submission. The files are parsed in the sandbox, not here.
    """
    files = sandbox.submission
    names = [files.requested_file] if files.requested_file else [n for n in files.files if n not in files.helpers]
    try:
        surveys = dict(zip(names, sandbox.parse_files(names, assignment.limits.seconds), strict=True))
    except (SessionBroken, ValueError) as broken:
        raise InputError(f"{path}: cannot be read: {broken}") from None
    for name, survey in surveys.items():
        if "error" in survey and len(surveys) == 1:
            error = clean(survey["error"])
            line = f":{survey['line']}" if survey["line"] else ""
            advice = " ".join(filter(None, (_api_advice(files, name, api), syntax_advice(error, api.name))))
            advice = f". {advice}" if advice else ""
            text, offset = "" if advice else clean(survey.get("text", "")), survey.get("offset")
            where = f"{display_path(path, files, name)}{line}"
            raise not_python(where, f"{error}{advice}", text, offset if type(offset) is int else 0)
    parts = {question.part for question in assignment.questions}
    parts |= set() if api.name == NATIVE.name else set(map(snake_case, parts))
    candidates = [name for name, survey in surveys.items() if parts & set(survey.get("names", ()))]
    candidates = _without_stub(files, _without_copies(files, candidates), assignment.stub)
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise InputError(f"{path}: {SEVERAL} ({', '.join(candidates)}); name the one to grade")
    raise InputError(_no_part(path, files, assignment, surveys, api))


def for_student(problem: str) -> str:
    """Why an upload cannot be graded, without advice that only the course staff can follow.

    >>> for_student("several files define parts of the assignment (a.py, b.py); name the one to grade")
    'several files define parts of the assignment (a.py, b.py); hand in one of them'
    """
    for advice, instead in _FOR_STUDENTS.items():
        problem = problem.replace(advice, instead)
    return problem


def _without_copies(files: SubmissionFiles, names: Sequence[str]) -> list[str]:
    """Of equal files the outer one, unless files with one name stand beside them that are not equal."""

    def beside(name: str) -> dict[str, bytes]:
        start = name[: name.rfind("/") + 1]
        own = (each for each in files.files if each.startswith(start) and each not in files.helpers)
        return {each.removeprefix(start): files.files[each] for each in own}

    helpers = {name: beside(name) for name in names}

    def what_it_runs(name: str) -> tuple[bytes, frozenset[tuple[str, bytes]]]:
        others = [helpers[each] for each in names if files.files[each] == files.files[name]]
        differ = (pair for pair in helpers[name].items() if any(own.get(*pair) != pair[1] for own in others))
        return files.files[name], frozenset(differ)

    outer_last = sorted(names, key=lambda name: (-name.count("/"), -len(name)))
    return sorted({what_it_runs(name): name for name in outer_last}.values())


def _without_stub(files: SubmissionFiles, names: list[str], stub: Path | None) -> list[str]:
    """The names without that of the stub as the kit has it, which somebody left beside the own file."""
    with suppress(OSError):  # an upload for a platform may be without it
        text = stub.read_bytes() if stub and len(names) > 1 else b""
        stubs = {name: text.replace(b"agents/student.py", name.rpartition("/")[2].encode()) for name in names}
        own = [name for name in names if files.files[name].split() != stubs[name].split()]
        return own or names
    return names


def _no_part(
    path: Path, files: SubmissionFiles, assignment: Assignment, surveys: Mapping[str, Any], api: SubmissionApi
) -> str:
    """Why no file can be graded: it is for another API, a name is misspelt, or a file is not valid Python."""
    for name in surveys:
        if advice := _api_advice(files, name, api):
            return f"{display_path(path, files, name)}: no part of the assignment '{assignment.name}' in it. {advice}"
    for question in assignment.questions:
        kind = "function" if question.role == "evaluation" else "class"
        for name, survey in surveys.items():
            if near := nearest_part(question.part, survey.get("names", ())):
                place = display_path(path, files, name)
                return f"no {kind} {question.part} in {place}; did you mean '{near}'?{other_letter(near)}"
    parts = list(dict.fromkeys(question.part for question in assignment.questions))
    expected = f"one of {', '.join(parts)}" if len(parts) > 1 else parts[0]
    broken = [
        f"; {display_path(path, files, name)}:{survey['line']} is not valid Python. "
        f"{syntax_advice(clean(survey['error']), api.name)}".rstrip(" .")
        for name, survey in surveys.items()
        if "error" in survey
    ]
    broken += [f"; '{clean(link, 60)}' is a link: hand in the file itself" for link in files.links]
    return f"{path}: no part of the assignment in it; expected {expected}{''.join(broken[:1])}"


def _api_advice(files: SubmissionFiles, name: str, api: SubmissionApi) -> str:
    """What to do about a file that is written for the other API; else empty."""
    if api.name != NATIVE.name:
        return other_style(NATIVE.name) if b"agents.base" in files.files[name] else ""
    return other_style(CS188) if is_berkeley_style(files.files[name]) or name.rpartition("/")[2] == FILE else ""


def check_import(path: Path, sandbox: Runner, assignment: Assignment, api: SubmissionApi) -> Fault | None:
    """The fault that ends the import of the file, None if it can be imported. It then holds for every case.

    InputError for a missing package, and for a file that is written for another API.
    """
    seconds = max(case.seconds for case in assignment.cases)
    session = sandbox.session(seconds, most_waiting(seconds))
    fault = attempt(session, lambda: sandbox.load(session))
    if not fault:
        return None
    is_missing = fault.kind == FaultKind.MISSING_PACKAGE
    advice = _api_advice(sandbox.submission, sandbox.main_file, api) if api.name == NATIVE.name else ""
    if advice or is_missing:
        hint = advice or _unused_import(sandbox, fault) or fault.advice
        where = display_path(path, sandbox.submission, sandbox.main_file)
        raise InputError(f"{where}: {fault.text}{f'. {hint}' if hint else ''}")
    if fault.kind == FaultKind.TIME and fault.detail != ONE_ANSWER:  # of one answer, the line is known
        again = attempt(another := sandbox.session(seconds), lambda: sandbox.load(another, counts_lines=True))
        if again and again.detail.startswith(EndlessSearch.__name__):
            fault = replace(fault, text=f"{fault.text}; {again.text.partition('; ')[2]}")
    return replace(fault, text=f"{IMPORT}: {fault.text}", at_import=True)


def _unused_import(sandbox: Runner, fault: Fault) -> str:
    """What to do about an import of a name that the file does not use; "" if it is used."""
    file, _, number = fault.detail.rpartition(" ")[2].rpartition(":")
    source = sandbox.submission.files.get(file or sandbox.main_file, b"")
    lines = source.decode("utf-8", "replace").splitlines()
    if not number.isdigit() or int(number) > len(lines):
        return ""
    line = lines[int(number) - 1].partition("#")[0]
    names = re.findall(r"\w+", line)
    if not names or re.search(r"[*(,\\]", line):  # a star brings names that nobody sees here, a list several
        return ""
    is_used = len(re.findall(rf"\b{names[-1]}\b", "\n".join(lines))) > 1
    return "" if is_used else f"The file does not use {names[-1]}: delete this line."


def display_path(path: Path, files: SubmissionFiles, name: str) -> str:
    """The path of one file of a submission as the user would write it."""
    return str(path) if files.requested_file else f"{path}/{name}"
