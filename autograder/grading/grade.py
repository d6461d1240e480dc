"""The walk: case -> run -> answer -> judge -> verdict -> explain -> score, for every case of an assignment."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path

from autograder.cases import reference
from autograder.cases.loading import Assignment, Case
from autograder.grading.style import NATIVE, Style
from autograder.judge import scoring
from autograder.judge.answer import Answer
from autograder.judge.scorecard import QuestionScore, Scorecard
from autograder.sandbox import Sandbox, Shield, best, dialogue, handed_in, submission, unsafe
from pacman.core.errors import InputError


def grade(
    path: Path,
    assignment: Assignment,
    jobs: int,
    watch: Callable[[Scorecard], None] = lambda card: None,
    shield: Shield | None = None,
    allow_unsafe: bool = False,
    style: Style = NATIVE,
) -> Scorecard:
    """The scorecard of the submission at `path`: a file, or a folder with one file that defines the parts.

    `jobs` cases run at a time; the order of the results is always that of the assignment. `watch` is
    handed the scorecard so far after each question. InputError when there is nothing that could be graded.
    """
    began = time.monotonic()
    assignment = style.fitted(assignment)
    references = {case.id: reference.load(assignment, case) for case in assignment.cases if case.has_reference}
    work = handed_in.read(path)
    shield = shield or best()
    if not (work.named or allow_unsafe or shield.level.is_safe):
        raise InputError(f"{path}: {unsafe(shield)}")
    questions: list[QuestionScore] = []

    def so_far() -> Scorecard:
        spent = round(time.monotonic() - began, 3)
        said = (assignment.name, assignment.title, str(path), shield.level.text)
        return Scorecard(*said, scoring.withhold(questions, assignment.questions), spent)

    # The sandbox is left first: whoever interrupts us does not wait for a case to use up its time.
    with ThreadPoolExecutor(jobs) as pool, Sandbox(work, assignment.limits, shield, style.api) as sandbox:
        sandbox.main = submission.find(path, sandbox, assignment, style)
        fault = submission.importable(path, sandbox, assignment, style)

        def answer(case: Case, known: reference.Reference | None) -> Answer:
            given = Answer(fault=fault) if fault else dialogue.run(case, known, sandbox)
            return replace(given, fault=style.advised(given.fault)) if given.fault and not fault else given

        def one(case: Case) -> scoring.Scored:
            known = references.get(case.id)
            return scoring.case(case, known, lambda: answer(case, known), style)

        try:
            scores = pool.map(one, assignment.cases)
            for each in assignment.questions:
                done = tuple(islice(scores, len(assignment.of(each))))
                questions.append(scoring.question(each, done))
                watch(so_far())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return so_far()
