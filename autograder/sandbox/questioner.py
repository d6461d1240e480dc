"""Asks one part of a submission many questions about small trees, in one process as long as that lives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from autograder.cases.case import Question
from autograder.judge.diagnosis.asking import Reply, TreeQuestion, WatchQuestion
from autograder.judge.submission_answer import Fault, clean
from autograder.judge.watched_run import WatchedRun
from autograder.sandbox import Sandbox, Session, SessionBroken
from autograder.sandbox.process_session import read_fault
from autograder.sandbox.reply_reader import UNREADABLE, read_tree_claim
from autograder.sandbox.watched_search import most_successors, read_run, watch_limits, watch_request
from autograder.student_process.transport import BadFrame
from autograder.student_process.tree_questions import MAX_PRINTED, tree_as_text

SECONDS = 20.0
"""The time that all answers of one examination may take, which is much more than a slow machine needs.

A search that hangs ends earlier, when it has used `tree_questions.SECONDS` of processor time for one question.
"""
LEAST_SECONDS = 4.0
"""The time that a new process gets at least: enough for a search that hangs to end by its processor time."""
MAX_RESTARTS = 3
MOST_EVENTS = 120_000
"""The most events of all watched searches together. The diagnosis of an honest search has less than 30,000."""
Q = TypeVar("Q", TreeQuestion, WatchQuestion)
A = TypeVar("A")
Places = Sequence[tuple[int, str]]


@contextmanager
def questioner(sandbox: Sandbox, question: Question, seconds: float = SECONDS) -> Iterator[PartProcess]:
    """What asks the part which `question` grades. Its process ends with the `with` block."""
    part = PartProcess(sandbox, question, seconds)
    with part.processes:
        yield part


class PartProcess:
    """The process that answers. If it hangs or dies, a new one gets the next question, at most MAX_RESTARTS times."""

    def __init__(self, sandbox: Sandbox, question: Question, seconds: float) -> None:
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
        return self._answers("examine", questions, self._request, _read_reply, lambda fault: Reply(None, fault))

    def watch(self, questions: Sequence[WatchQuestion]) -> list[WatchedRun]:
        """The record of the search of each tree, in order."""
        if self._final_fault and self._final_fault.kind == "not asked" and self._events_left > 0:
            self._final_fault, self._processes_left = None, 1

        def request(question: WatchQuestion, nodes: int) -> dict[str, Any]:
            replaced, keeps_variables = question.replaced, question.keeps_variables
            return watch_request(self.question.part, question.tree, question.plies, 1, nodes, replaced, keeps_variables)

        return self._answers("watch", questions, request, self._read_run, lambda fault: WatchedRun(None, fault=fault))

    def _answers(
        self,
        kind: str,
        questions: Sequence[Q],
        request: Callable[[Q, int], dict[str, Any]],
        read: Callable[[dict[str, Any], Places, Session], A],
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
            places = [question.tree.places() for question in left]
            requests = [request(question, len(nodes)) for question, nodes in zip(left, places, strict=True)]
            try:
                for reply, nodes in zip(session.ask_all(kind, requests), places, strict=True):
                    answers.append(read(reply, nodes, session))
            except SessionBroken as broken:
                self._end(broken.fault)
                answers.append(without(broken.fault))
        return answers

    def _read_run(self, reply: dict[str, Any], places: Places, session: Session) -> WatchedRun:
        if self._events_left <= 0:
            self._final_fault = Fault("not asked", f"not asked, because {MOST_EVENTS:,} steps are recorded")
            raise SessionBroken(self._final_fault)
        run = read_run(reply, session, watch_limits(len(places), frozenset(action for _, action in places)))
        self._events_left -= len(run.events)
        return run

    def _start(self) -> Session | None:
        """A new process with the submission, or None if it cannot be imported or if too many have ended."""
        if self._final_fault:
            return None
        if not self._processes_left:
            text = f"not asked, because the searches before ended {1 + MAX_RESTARTS} processes"
            self._final_fault = Fault("not asked", text)
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

    def _request(self, question: TreeQuestion, nodes: int) -> dict[str, Any]:
        return {
            "tree": tree_as_text(question.tree),
            "plies": question.plies,
            "part": self.question.part,
            "rounds": question.rounds,
            "seed": f"{question.seed}/0",
            "evaluation_shift": question.evaluation_shift,
            "keeps_part": question.keeps_instance,
            "most_successors": most_successors(nodes),
        }

    def _end(self, fault: Fault) -> None:
        """Ends the process after a fault of it. The next one gets the time that is left."""
        self.processes.close()
        if self._session is not None:
            self.seconds = max(min(LEAST_SECONDS, self.seconds), self.seconds - self._session.elapsed)
        self._session, self._last_fault = None, fault
        if fault.kind == "time":  # an endless loop: one more shows whether it hangs again
            self._processes_left = min(self._processes_left, 1)


def _read_reply(answer: dict[str, Any], places: Places, session: Session) -> Reply:
    """The reply in an answer about a tree with these places; SessionBroken if it has another form than expected."""
    printed = str(answer.get("printed", ""))[-MAX_PRINTED:]
    text = "\n".join(map(clean, printed.splitlines()))
    if "raised" in answer:
        return Reply(None, read_fault(answer["raised"], session.limits), text)
    try:
        return Reply(read_tree_claim(answer, places, most_successors(len(places))), None, text)
    except BadFrame as error:
        raise SessionBroken(Fault("garbled", f"{UNREADABLE}: {error}")) from None
