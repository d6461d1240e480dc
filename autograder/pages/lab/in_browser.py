"""Grades the open cases of an assignment in one Python without processes, threads and YAML: that of a browser.

The steps, the judge and the examination are those of every grading. There are no walls, because the code is the user's
own, in his own browser; so these points count nowhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import cast

from autograder.cases.case import Assignment, Case
from autograder.cases.reference import Reference
from autograder.grading import submission
from autograder.grading.early_stop import EarlyStop
from autograder.grading.grade_case import examination_of, grade_case, needs_examination
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.judge import scoring
from autograder.judge.scorecard import QuestionScore, Scorecard
from autograder.judge.submission_answer import Answer
from autograder.pages.lab.browser_sandbox import BrowserSandbox
from autograder.sandbox import Sandbox, run_case

LEVEL = "in the browser, without a sandbox; points count only from the grader"


@dataclass(frozen=True)
class OpenCases:
    """The cases that a student may see, with their references, and how submissions are called."""

    assignment: Assignment
    references: Mapping[str, Reference]
    api: SubmissionApi = NATIVE


def grade(
    cases: OpenCases,
    sandbox: BrowserSandbox,
    known: Mapping[str, Answer] | None = None,
    on_answer: Callable[[Case, Answer], None] = lambda case, answer: None,
) -> Scorecard:
    """The scorecard of the submission in the sandbox. InputError if nothing in it can be graded.

    Cases whose answers are `known` do not run again. `on_answer` gets the answer of every other case, at once.
    """
    assignment, api, answers = cases.assignment, cases.api, known or {}
    start_time, stop = time.monotonic(), EarlyStop(assignment)
    walls = cast(Sandbox, sandbox)  # it has the methods that are called here
    path = Path(sandbox.submission.requested_file)
    sandbox.step = "parse"
    sandbox.main_file = submission.find_candidate(path, walls, assignment, api)
    sandbox.step = "import"
    import_fault = submission.check_import(path, walls, assignment, api)

    def run(case: Case, reference: Reference | None) -> Answer:
        if import_fault:
            return Answer(fault=import_fault)
        if unasked := stop.answer(case):
            return unasked
        answer = answers.get(case.id)
        if answer is None:
            sandbox.step = case.id
            answer = run_case.run(case, reference, walls)
            on_answer(case, answer)
        stop.record(case, answer)
        return replace(answer, fault=api.with_advice(answer.fault)) if answer.fault else answer

    scores: list[QuestionScore] = []
    for question, group in groupby(assignment.cases, lambda case: case.question):
        graded = [grade_case(case, cases.references.get(case.id), run, api) for case in group]
        found = None
        if needs_examination(question, graded):
            sandbox.step, sandbox.questions = question.id, 0
            found = examination_of(question, graded, walls, api)
        score = scoring.question_score(question, [each.score for each in graded])
        scores.append(replace(score, examination=found))
    return Scorecard(
        *(assignment.name, assignment.title, str(path), LEVEL),
        scoring.withhold(scores, assignment.questions),
        round(time.monotonic() - start_time, 3),
    )
