"""The walk: case -> run -> answer -> judge -> verdict -> explain -> score, for every case of an assignment."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from autograder import compare, diagnose, dialogue, reference, sandbox
from autograder.answer import Answer, Fault, clean
from autograder.cases import Assignment, Case
from autograder.scorecard import CaseScore, Lost, QuestionScore, Scorecard
from pacman.errors import InputError

MAX_OUTPUT_LINES = 5
IMPORT = "the file does not import"


def grade(path: Path, assignment: Assignment, jobs: int) -> Scorecard:
    """The scorecard of the submission at `path`: a file, or a folder with one file that defines the parts.

    `jobs` cases run at a time; the order of the results is always that of the assignment. InputError when there
    is nothing that could be graded.
    """
    began = time.monotonic()
    references = {case.id: reference.load(assignment, case) for case in assignment.cases if case.has_reference}
    file = find(path, assignment)
    fault = _import(file, assignment)

    def one(case: Case) -> CaseScore:
        answer = Answer(fault=fault) if fault else dialogue.run(case, references.get(case.id), file, assignment.limits)
        return score(case, references.get(case.id), answer)

    with ThreadPoolExecutor(jobs) as pool:
        scores = dict(zip((case.id for case in assignment.cases), pool.map(one, assignment.cases), strict=True))
    questions = tuple(
        QuestionScore(each.id, each.title, each.points, tuple(scores[case.id] for case in assignment.of(each)))
        for each in assignment.questions
    )
    spent = round(time.monotonic() - began, 3)
    return Scorecard(assignment.name, assignment.title, str(path), sandbox.LEVEL_TEXT, questions, spent)


def score(case: Case, expected: reference.Reference | None, answer: Answer) -> CaseScore:
    """What an answer to a case is worth, and why."""
    verdict = compare.judge(case, expected, answer)
    missed = verdict.earned < 1
    why = diagnose.explain(case, expected, answer, verdict) if missed else diagnose.Explanation("")
    lost = [finding for finding in verdict.findings if finding.earned < 1]
    return CaseScore(
        id=case.id,
        kind=case.input.kind,
        shows=case.input.shows,
        weight=case.input.weight,
        earned=verdict.earned,
        lost=tuple(Lost(each.criterion, 1 - each.earned, each.expected, each.got) for each in lost),
        fault=verdict.fault.kind if verdict.fault else "",
        message=verdict.fault.text if verdict.fault else "",
        why=why.sentence,
        picture=why.picture,
        output="\n".join(answer.output.splitlines()[:MAX_OUTPUT_LINES]) if missed else "",
        seconds=answer.seconds,
    )


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


def _import(file: Path, assignment: Assignment) -> Fault | None:
    """Tries the import once, so that what fails every case fails fast; InputError for a missing package."""
    seconds = max(case.seconds for case in assignment.cases)
    fault = dialogue.importable(file, "search", seconds, assignment.limits)
    if fault and fault.kind == "missing package":
        raise InputError(f"{file}: {fault.text}")
    return Fault(fault.kind, f"{IMPORT}: {fault.text}") if fault else None
