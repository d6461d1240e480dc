"""Asks one part of a submission many questions about small trees, in one process as long as that lives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from autograder.cases.case import Question
from autograder.judge.diagnosis.asking import Reply, TreeQuestion, WatchQuestion
from autograder.judge.submission_answer import Fault, clean
from autograder.judge.watched_run import WatchedRun
from autograder.sandbox.reply_reader import TraceLimits, read_claim
from autograder.sandbox.runner import Runner, Session, SessionBroken, ends_if_unreadable, read_fault
from autograder.sandbox.watched_search import read_run, search_limits, search_request
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.tree_questions import MAX_PRINTED

SECONDS = 20.0
"""The time that all answers of one diagnosis may take, which is much more than a slow machine needs.

A search that hangs ends earlier, when it has used `tree_questions.SECONDS` of processor time for one question.
"""
LEAST_SECONDS = 4.0
"""The time that a new process gets at least: enough for a search that hangs to end by its processor time."""
MAX_RESTARTS = 3
MOST_EVENTS = 120_000
"""The most events of all watched searches together. The diagnosis of an honest search has less than 30,000."""
Q = TypeVar("Q", TreeQuestion, WatchQuestion)
A = TypeVar("A")


@contextmanager
def questioner(sandbox: Runner, question: Question, seconds: float = SECONDS) -> Iterator[PartProcess]:
    """What asks the part which `question` grades. Its process ends with the `with` block."""
    part = PartProcess(sandbox, question, seconds)
    with part.processes:
        yield part


class PartProcess:
    """The process that answers. If it hangs or dies, a new one gets the next question, at most MAX_RESTARTS times."""

    def __init__(self, sandbox: Runner, question: Question, seconds: float) -> None:
        self.sandbox = sandbox
        self.question = question
        self.seconds = seconds
        self.processes = ExitStack()
        self._session: Session | None = None
        self._processes_left = 1 + MAX_RESTARTS
        self._events_left = MOST_EVENTS
        self._final_fault: Fault | None = None
        """The reason why no question can be asked any more."""
        self._last_fault: Fault | None = None
        """The reason why the process before this one ended."""

    def __call__(self, questions: Sequence[TreeQuestion]) -> list[Reply]:
        """The reply to each question, in order."""
        return self._answers("ask", questions, _read_reply, lambda fault: Reply(None, fault))

    def watch(self, questions: Sequence[WatchQuestion]) -> list[WatchedRun]:
        """The record of the search of each tree, in order."""
        if self._final_fault and self._final_fault.kind == FaultKind.NOT_ASKED and self._events_left > 0:
            self._final_fault, self._processes_left = None, 1
        return self._answers("watch", questions, self._read_run, lambda fault: WatchedRun(None, fault=fault))

    def _answers(
        self,
        kind: str,
        questions: Sequence[Q],
        read: Callable[[dict[str, Any], Session, TraceLimits], A],
        without: Callable[[Fault | None], A],
    ) -> list[A]:
        """The answer to each question, in order; one `without` a claim if a process ended, or if none is left."""
        answers: list[A] = []
        while len(answers) < len(questions):
            left = questions[len(answers) :]
            if self._session is None and self._last_fault and getattr(left[0], "keeps_instance", False):
                answers.append(without(self._last_fault))  # the instance was in the process that ended
                continue
            session = self._session or self._start()
            if session is None:
                return answers + [without(self._final_fault)] * len(left)
            limits = [_limits(question) for question in left]
            requests = [self._request(question, limit) for question, limit in zip(left, limits, strict=True)]
            try:
                for reply, limit in zip(session.ask_all(kind, requests), limits, strict=True):
                    answers.append(read(reply, session, limit))
            except SessionBroken as broken:
                self._end(broken.fault)
                answers.append(without(broken.fault))
        return answers

    def _read_run(self, reply: dict[str, Any], session: Session, limits: TraceLimits) -> WatchedRun:
        if self._events_left <= 0:
            self._final_fault = Fault(FaultKind.NOT_ASKED, f"not asked, because {MOST_EVENTS:,} steps are recorded")
            raise SessionBroken(self._final_fault)
        run = read_run(reply, session, limits)
        self._events_left -= len(run.events)
        return run

    def _start(self) -> Session | None:
        """A new process with the submission, or None if it cannot be imported or if too many have ended."""
        if self._final_fault:
            return None
        if not self._processes_left:
            text = f"not asked, because the searches before ended {1 + MAX_RESTARTS} processes"
            self._final_fault = Fault(FaultKind.NOT_ASKED, text)
            return None
        self._processes_left -= 1
        try:
            session = self.processes.enter_context(self.sandbox.session(self.seconds))
            self.sandbox.load_part(session, self.question.role, self.question.part, 1)
        except SessionBroken as broken:
            self._end(broken.fault)
            self._final_fault = broken.fault
            return None
        self._session = session
        return session

    def _request(self, question: TreeQuestion | WatchQuestion, limits: TraceLimits) -> dict[str, Any]:
        part, tree, plies = self.question.part, question.tree, question.plies
        if isinstance(question, WatchQuestion):
            return {
                **search_request(part, tree, plies, 1, limits),
                "paths": ["\n".join(path) for path in question.replaced],
                "places": [place for place, _ in question.replaced.values()],
                "numbers": [number for _, number in question.replaced.values()],
                "keeps_variables": question.keeps_variables,
            }
        return {
            **search_request(part, tree, plies, question.rounds, limits),
            "seed": f"{question.seed}/0",
            "evaluation_shift": question.evaluation_shift,
            "keeps_part": question.keeps_instance,
        }

    def _end(self, fault: Fault) -> None:
        """Ends the process after a fault of it. The next one gets the time that is left."""
        self.processes.close()
        if self._session is not None:
            self.seconds = max(min(LEAST_SECONDS, self.seconds), self.seconds - self._session.elapsed)
        self._session, self._last_fault = None, fault
        if fault.kind == FaultKind.TIME:  # an endless loop: one more shows whether it hangs again
            self._processes_left = min(self._processes_left, 1)


def _limits(question: TreeQuestion | WatchQuestion) -> TraceLimits:
    places = question.tree.places()
    return search_limits(len(places), frozenset(action for _, action in places))


def _read_reply(reply: dict[str, Any], session: Session, limits: TraceLimits) -> Reply:
    """The reply to a question about a tree; SessionBroken if it has another form than expected."""
    printed = str(reply.get("printed", ""))[-MAX_PRINTED:]
    text = "\n".join(map(clean, printed.splitlines()))
    if "raised" in reply:
        return Reply(None, read_fault(reply["raised"], session.limits), text)
    with ends_if_unreadable():
        return Reply(read_claim(reply, limits), None, text)
