"""Grades the open cases of an assignment in one Python without processes, threads and YAML: that of a browser.

The steps, the judge and the diagnosis are those of every grading. `BrowserSandbox` stands in for the sandbox. There
are no walls, because the code is the user's own, in his own browser; so these points count nowhere.

A step is one reply of the submission, and has a name. Whoever runs this Python hears of each step before it begins. If
one never ends, he ends this Python and starts another one. That one is told the names of the steps that never ended,
and takes each for a step without an answer in time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import inf
from pathlib import Path
from typing import Any

from autograder.cases.case import Assignment, Case, Limits
from autograder.cases.right_answer import derive_all
from autograder.cases.truth import CaseTruth
from autograder.grading import submission
from autograder.grading.early_stop import EarlyStop
from autograder.grading.grade_case import answering, diagnosis_of, grade_case, needs_diagnosis
from autograder.grading.submission_api import SubmissionApi
from autograder.judge import scoring
from autograder.judge.scorecard import QuestionScore, Scorecard
from autograder.judge.submission_answer import COMPUTED, ONE_ANSWER, Answer, Fault
from autograder.sandbox import run_case
from autograder.sandbox.in_process import InProcess, InProcessSession, error_text
from autograder.sandbox.runner import SessionBroken
from autograder.sandbox.submission_files import SubmissionFiles
from autograder.student_process import tree_questions
from autograder.student_process.fault_kind import FaultKind

LEVEL = "in the browser, without a sandbox; points count only from the grader"
SLOWER = 5
"""How many times as long as in the grader all replies of a session may take, and a question of a diagnosis.

Python in a browser is that much slower, and the grader limits the processor time of a question, not the time.
"""
OnStep = Callable[[str, float], None]
"""Hears the name of a step before it begins, and how many seconds it may take; then "" when the step has ended."""


def grade(
    assignment: Assignment,
    api: SubmissionApi,
    sandbox: BrowserSandbox,
    known: Mapping[str, Answer],
    on_answer: Callable[[Case, Answer], None],
) -> Scorecard:
    """The scorecard of the submission in the sandbox, for an assignment with only open cases.

    InputError if nothing in it can be graded. Cases whose answers are `known` do not run again. `on_answer` gets the
    answer of every other case, at once.
    """
    start_time, stop, truths = time.monotonic(), EarlyStop(assignment), derive_all(assignment)
    path = Path(sandbox.submission.requested_file)
    sandbox.step = "parse"
    sandbox.main_file = submission.find_candidate(path, sandbox, assignment, api)
    sandbox.step = "import"
    import_fault = submission.check_import(path, sandbox, assignment, api)

    def ask(case: Case, truth: CaseTruth | None) -> Answer:
        answer = known.get(case.id)
        if answer is None:
            sandbox.step = case.id
            answer = run_case.run(case, truth, sandbox)
            on_answer(case, answer)
        return answer

    run = answering(ask, import_fault, stop, api)

    scores: list[QuestionScore] = []
    for question, group in groupby(assignment.cases, lambda case: case.question):
        cases_of_question = [grade_case(case, truths.get(case.id), run, api) for case in group]
        diagnosis = None
        if not import_fault and needs_diagnosis(question, cases_of_question):
            sandbox.step, sandbox.questions = question.id, 0
            diagnosis = diagnosis_of(question, cases_of_question, sandbox, api)
        score = scoring.question_score(question, [each.score for each in cases_of_question])
        scores.append(replace(score, diagnosis=diagnosis))
    return Scorecard(
        *(assignment.name, assignment.title, str(path), LEVEL),
        scoring.withhold(scores, assignment.questions),
        round(time.monotonic() - start_time, 3),
    )


class BrowserSandbox(InProcess):
    """Runs the submission in `folder`, step by step. An error shows its lines, unless the last one was the same."""

    def __init__(
        self,
        submission: SubmissionFiles,
        folder: Path,
        limits: Limits,
        api: str,
        on_step: OnStep = lambda name, seconds: None,
        never_ended: Collection[str] = (),
        echo: Callable[[str], None] = lambda text: None,
    ) -> None:
        super().__init__(submission, folder, limits, api, self.show_error, echo)
        self.on_step, self.never_ended = on_step, never_ended
        self.step = ""
        """The name of what runs next: the id of a case or of a question."""
        self.most_seconds = inf
        self.questions = 0
        """How many questions the diagnosis of this part has asked."""
        self.shows_errors = True
        self._last_error = ""

    def session(self, seconds: float, waiting: float = 0.0) -> BrowserSession:
        """A session of which each reply is a step."""
        self.shows_errors = True
        return BrowserSession(self, min(seconds, self.most_seconds))

    def show_error(self, error: BaseException) -> None:
        """Shows the lines of an error, unless the last one was the same."""
        text = error_text(error, self.folder / self.main_file).replace(f"{self.folder}/", "")
        if text and text != self._last_error and self.shows_errors:
            self._last_error = text
            assert self.echo is not None
            self.echo(f"{self.step}:\n{text}\n")


class BrowserSession(InProcessSession):
    """Requests that are steps. One that never ended, or that there is no time for, breaks the session."""

    runner: BrowserSandbox

    def __init__(self, runner: BrowserSandbox, seconds: float) -> None:
        super().__init__(runner, seconds)
        fault = self.handler.fault

        def shown_fault(error: BaseException) -> dict[str, Any]:
            runner.show_error(error)  # also an error that a reply reports, as that of a watched search
            return fault(error)

        self.handler.fault = shown_fault  # type: ignore[method-assign]

    def ask(self, question: str, **arguments: Any) -> dict[str, Any]:
        """The reply to one request. SessionBroken if it reports a fault, or if it is known that it never comes."""
        left = SLOWER * self.seconds - (time.monotonic() - self._start_time)
        return self._step(self.runner.step, self.seconds, min(left, self.seconds), question, arguments)

    def ask_all(self, question: str, arguments: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The reply to the question with each of the arguments, in order. SessionBroken as in `ask`."""
        self.runner.shows_errors = False  # a diagnosis asks for hundreds of trees
        for each in arguments:
            self.runner.questions += 1
            name = f"{self.runner.step}#{self.runner.questions}"
            yield self._step(name, tree_questions.SECONDS, SLOWER * tree_questions.SECONDS, question, each)

    def _step(self, step: str, seconds: float, wait: float, question: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if (is_endless := step in self.runner.never_ended) or wait <= 0:
            detail = ONE_ANSWER if is_endless else COMPUTED
            raise SessionBroken(Fault(FaultKind.TIME, f"no answer within {seconds:g} s", detail))
        self.runner.on_step(step, wait)
        try:
            return super().ask(question, **arguments)
        finally:
            self.runner.on_step("", 0)
