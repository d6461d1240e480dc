"""The walk: case -> run -> answer -> judge -> verdict -> explain -> score, for every case of an assignment."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from autograder import compare, diagnose, dialogue, reference, sandbox, submission
from autograder.answer import Answer
from autograder.cases import Assignment, Case
from autograder.scorecard import CaseScore, Lost, QuestionScore, Scorecard

MAX_OUTPUT_LINES = 5


def grade(path: Path, assignment: Assignment, jobs: int) -> Scorecard:
    """The scorecard of the submission at `path`: a file, or a folder with one file that defines the parts.

    `jobs` cases run at a time; the order of the results is always that of the assignment. InputError when there
    is nothing that could be graded.
    """
    began = time.monotonic()
    references = {case.id: reference.load(assignment, case) for case in assignment.cases if case.has_reference}
    file = submission.find(path, assignment)
    fault = submission.importable(file, assignment)

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
