"""Grades the open cases of an assignment in one Python without processes, threads and YAML: that of a browser.

The steps, the judge and the diagnosis are those of every grading. `BrowserSandbox` stands in for the sandbox. There
are no walls, because the code is the user's own, in his own browser; so these points count nowhere.

A step is one reply of the submission, and has a name. Whoever runs this Python hears of each step before it begins. If
one never ends, he ends this Python and starts another one. That one is told the names of the steps that never ended,
and takes each for a step without an answer in time.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from math import inf
from pathlib import Path
from typing import Any, Self, cast

from autograder.cases.case import Assignment, Case, Limits
from autograder.cases.right_answer import derive_all
from autograder.cases.truth import CaseTruth
from autograder.grading import submission
from autograder.grading.early_stop import EarlyStop
from autograder.grading.grade_case import answering, diagnosis_of, grade_case, needs_diagnosis
from autograder.grading.own_process import error_text
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.judge import scoring
from autograder.judge.scorecard import QuestionScore, Scorecard
from autograder.judge.submission_answer import COMPUTED, Answer, Fault
from autograder.sandbox import Sandbox, run_case
from autograder.sandbox.process_session import SessionBroken, ends_if_unreadable, read_fault, shown_output
from autograder.sandbox.submission_files import SubmissionFiles
from autograder.student_process import tree_questions
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.import_state import ImportState
from autograder.student_process.request_handler import RequestHandler
from autograder.student_process.transport import MAX_REPLY, PREFIX, BadFrame, decode, encode

LEVEL = "in the browser, without a sandbox; points count only from the grader"
SLOWER = 5
"""How many times as long as in the grader all replies of a session may take, and a question of a diagnosis.

Python in a browser is that much slower, and the grader limits the processor time of a question, not the time.
"""
OnStep = Callable[[str, float], None]
"""Hears the name of a step before it begins, and how many seconds it may take; then "" when the step has ended."""


@dataclass(frozen=True)
class OpenCases:
    """The cases that a student may see, and how submissions are called."""

    assignment: Assignment
    api: SubmissionApi = NATIVE

    @cached_property
    def truths(self) -> dict[str, CaseTruth]:
        """The right answers, derived for the first grading."""
        return derive_all(self.assignment)


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

    def ask(case: Case, truth: CaseTruth | None) -> Answer:
        answer = answers.get(case.id)
        if answer is None:
            sandbox.step = case.id
            answer = run_case.run(case, truth, walls)
            on_answer(case, answer)
        return answer

    run = answering(ask, import_fault, stop, api)

    scores: list[QuestionScore] = []
    for question, group in groupby(assignment.cases, lambda case: case.question):
        graded = [grade_case(case, cases.truths.get(case.id), run, api) for case in group]
        found = None
        if not import_fault and needs_diagnosis(question, graded):
            sandbox.step, sandbox.questions = question.id, 0
            found = diagnosis_of(question, graded, walls, api)
        score = scoring.question_score(question, [each.score for each in graded])
        scores.append(replace(score, diagnosis=found))
    return Scorecard(
        *(assignment.name, assignment.title, str(path), LEVEL),
        scoring.withhold(scores, assignment.questions),
        round(time.monotonic() - start_time, 3),
    )


class BrowserSandbox:
    """What `run_case`, `questioner` and `submission` need of a sandbox. The files are in `folder`."""

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
        self.submission, self.folder, self.limits, self.api = submission, folder, limits, api
        self.on_step, self.never_ended, self.echo = on_step, never_ended, echo
        self.main_file = ""
        self.step = ""
        """The name of what runs next: the id of a case or of a question."""
        self.most_seconds = inf
        self.questions = 0
        """How many questions the diagnosis of this part has asked."""
        self._last_error = ""

    def session(self, seconds: float) -> BrowserSession:
        """A session that begins with nothing of the submission loaded."""
        return BrowserSession(self, min(seconds, self.most_seconds))

    def load(self, session: BrowserSession, counts_lines: bool = False) -> None:
        """Imports the submission, as `Sandbox.load` does. SessionBroken if the import fails."""
        session.ask("load", **self._file(), counts_lines=counts_lines)

    def load_part(self, session: BrowserSession, role: str, part: str, rounds: int) -> None:
        """Imports the submission and creates one of its parts. SessionBroken on a fault."""
        session.ask("load_part", role=role, part=part, rounds=rounds, **self._file())

    def parse_files(self, names: Sequence[str], seconds: float) -> list[dict[str, Any]]:
        """One dict per file, as `Sandbox.parse_files` gives it."""
        files = [str(self.folder / name) for name in names]
        with self.session(seconds) as session:
            reports: list[dict[str, Any]] = session.ask("parse_files", files=files)["files"]
        return reports

    def show_error(self, error: BaseException) -> None:
        """Shows the traceback of an error in the submission, unless the last one was the same."""
        text = error_text(error, self.folder / self.main_file).replace(f"{self.folder}/", "")
        if text and text != self._last_error:
            self._last_error = text
            self.echo(f"{self.step}:\n{text}\n")

    def _file(self) -> dict[str, Any]:
        return {"path": str(self.folder / self.main_file), "folder": str(self.folder), "code": ""}


class BrowserSession:
    """Requests to a submission in this Python. Between two requests, Python's modules are those of the grader."""

    processor_seconds = 0.0
    idle_seconds = 0.0

    def __init__(self, sandbox: BrowserSandbox, seconds: float) -> None:
        self.seconds = seconds
        self.elapsed = 0.0
        self._sandbox = sandbox
        self.limits = sandbox.limits
        self._printed = _Output(sandbox.limits.output_kb << 10, sandbox.echo)
        self._stream = self._printed.as_stream()  # one for all requests: when a stream goes, it closes its file
        self._imports = ImportState.now()
        with self._as_in_own_process():
            self._handler = _Handler(sandbox)
            self._handler.api.prepare()

    def __enter__(self) -> Self:
        self._start = time.monotonic()
        return self

    def __exit__(self, *raised: object) -> None:
        self.elapsed = time.monotonic() - self._start

    @property
    def output(self) -> str:
        """The text that the submission printed; of a text over the limit, the end."""
        return shown_output(self._printed.last, self._printed.count, self.limits)

    def ask(self, question: str, **arguments: Any) -> dict[str, Any]:
        """The reply to one request. SessionBroken if it reports a fault, or if it is known that it never comes."""
        left = SLOWER * self.seconds - (time.monotonic() - self._start)
        request = {"question": question, **arguments}
        return self._reply(self._sandbox.step, self.seconds, request, min(left, self.seconds))

    def ask_all(self, question: str, arguments: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The reply to the question with each of the arguments, in order. SessionBroken as in `ask`."""
        self._handler.shows_errors = False  # a diagnosis asks for hundreds of trees
        for each in arguments:
            self._sandbox.questions += 1
            name = f"{self._sandbox.step}#{self._sandbox.questions}"
            wait = SLOWER * tree_questions.SECONDS
            yield self._reply(name, tree_questions.SECONDS, {"question": question, **each}, wait)

    def _reply(self, step: str, seconds: float, request: dict[str, Any], wait: float) -> dict[str, Any]:
        if step in self._sandbox.never_ended or wait <= 0:
            raise SessionBroken(Fault(FaultKind.TIME, f"no answer within {seconds:g} s", COMPUTED))
        self._sandbox.on_step(step, wait)
        try:
            with self._as_in_own_process():
                reply = self._handler.answer(request)
        except BaseException as error:  # whatever a submission raises, even SystemExit, is its answer
            reply = {"fault": self._handler.fault(error)}
        self._sandbox.on_step("", 0)
        with ends_if_unreadable():
            try:
                reply = decode(encode(reply, MAX_REPLY)[PREFIX:])
            except ValueError as error:
                raise BadFrame(str(error)) from None
        if "fault" in reply:
            raise SessionBroken(read_fault(reply["fault"], self._sandbox.limits))
        return reply

    @contextlib.contextmanager
    def _as_in_own_process(self) -> Iterator[None]:
        """Gives the submission the modules and the output that it would have in a process of its own."""
        graders = ImportState.now()
        try:
            self._imports.restore()
            with contextlib.redirect_stdout(self._stream), contextlib.redirect_stderr(self._stream):
                yield
        finally:
            self._imports = ImportState.now()
            graders.restore()
            with contextlib.suppress(ValueError, OSError):  # the submission may have closed it
                self._stream.flush()


class _Handler(RequestHandler):
    """Answers the questions, and shows the student's own lines of an error."""

    def __init__(self, sandbox: BrowserSandbox) -> None:
        super().__init__(sandbox.api)
        self.show_error, self.shows_errors = sandbox.show_error, True

    def fault(self, error: BaseException) -> dict[str, Any]:
        """The fault that an error means, with the student's own line."""
        if self.shows_errors:
            self.show_error(error)
        return super().fault(error)


class _Output(tree_questions.LastOutput):
    """Keeps the end of what is written, counts it, and shows it at once."""

    def __init__(self, most: int, echo: Callable[[str], None]) -> None:
        super().__init__()
        self.most, self.echo, self.count = most, echo, 0

    def write(self, data: Any) -> int:
        """Adds some bytes."""
        self.count += len(data)
        self.last = (self.last + data)[-self.most :]
        self.echo(bytes(data).decode("utf-8", "replace"))
        return len(data)
