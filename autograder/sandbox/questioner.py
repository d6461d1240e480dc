"""Asks one part of a submission to search many small trees, in one process as long as that lives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from autograder.cases.case import Question
from autograder.judge.diagnosis.run import Run, Search
from autograder.judge.submission_answer import Fault
from autograder.sandbox.reply_reader import TraceLimits
from autograder.sandbox.runner import Runner, Session, SessionBroken
from autograder.sandbox.watched_search import read_run, search_limits, search_request
from autograder.student_process.fault_kind import FaultKind

SECONDS = 20.0
"""The time that all answers of one diagnosis may take, which is much more than a slow machine needs.

A search that hangs ends earlier, when it has used `tree_questions.SECONDS` of processor time.
"""
LEAST_SECONDS = 4.0
"""The time that a new process gets at least: enough for a search that hangs to end by its processor time."""
MAX_RESTARTS = 3
MOST_EVENTS = 120_000
"""The most events of all searches together. The diagnosis of an honest search has less than 30,000."""
MOST_HANGING = 3
"""How many searches that do not end are asked at once. Each costs as much time as many others."""


@contextmanager
def questioner(sandbox: Runner, question: Question, seconds: float = SECONDS) -> Iterator[PartProcess]:
    """What asks the part which `question` grades. Its process ends with the `with` block."""
    part = PartProcess(sandbox, question, seconds)
    with part.processes:
        yield part


class PartProcess:
    """The process that answers. If it hangs or dies, a new one gets the next search, at most MAX_RESTARTS times."""

    def __init__(self, sandbox: Runner, question: Question, seconds: float) -> None:
        self.sandbox = sandbox
        self.question = question
        self.seconds = seconds
        self.processes = ExitStack()
        self._session: Session | None = None
        self._processes_left = 1 + MAX_RESTARTS
        self._events_left = MOST_EVENTS
        self._hanging = 0
        self._may_go_on = True
        """True until one more process was started than is allowed, which may show where the search hangs."""
        self._final_fault: Fault | None = None
        """The reason why no search can be asked for any more."""
        self._last_fault: Fault | None = None
        """The reason why the process before this one ended."""

    def __call__(self, searches: Sequence[Search]) -> list[Run]:
        """The record of each search, in order; one without a claim if a process ended, or if none is left."""
        if self._hanging >= MOST_HANGING:
            self._hanging, self._final_fault = 0, None
        if self._final_fault and self._final_fault.kind == FaultKind.NOT_ASKED and self._may_go_on:
            self._final_fault, self._processes_left, self._may_go_on = None, 1, False
        runs: list[Run] = []
        while len(runs) < len(searches):
            left = searches[len(runs) :]
            if self._session is None and self._last_fault and left[0].keeps_instance:
                runs.append(Run(None, fault=self._last_fault))  # the instance was in the process that ended
                continue
            session = self._session or self._start()
            if session is None:
                return runs + [Run(None, fault=self._final_fault)] * len(left)
            limits = [_limits(search) for search in left]
            requests = [self._request(search, limit) for search, limit in zip(left, limits, strict=True)]
            try:
                for reply, limit in zip(session.ask_all("watch", requests), limits, strict=True):
                    runs.append(self._read(reply, session, limit))
            except SessionBroken as broken:
                self._end(broken.fault)
                runs.append(Run(None, fault=broken.fault))
        return runs

    def _read(self, reply: dict[str, Any], session: Session, limits: TraceLimits) -> Run:
        """The run in a reply; SessionBroken after too many events, or after too many searches that do not end."""
        if self._events_left <= 0:
            self._final_fault = Fault(FaultKind.NOT_ASKED, f"not asked, because {MOST_EVENTS:,} steps are recorded")
        if self._hanging >= MOST_HANGING:
            text = f"not asked, because {MOST_HANGING} searches before did not end"
            self._final_fault = Fault(FaultKind.NOT_ASKED, text)
        if self._final_fault:
            raise SessionBroken(self._final_fault)
        run = read_run(reply, session, limits)
        self._events_left -= len(run.events)
        self._hanging += run.fault is not None and run.fault.kind in (FaultKind.TIME, FaultKind.SUCCESSORS)
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

    def _request(self, search: Search, limits: TraceLimits) -> dict[str, Any]:
        return {
            **search_request(self.question.part, search.tree, search.plies, search.rounds, limits),
            "seed": f"{search.seed}/0",
            "evaluation_shift": search.shift,
            "keeps_part": search.keeps_instance,
            "paths": ["\n".join(path) for path in search.replaced],
            "places": [place for place, _ in search.replaced.values()],
            "numbers": [number for _, number in search.replaced.values()],
            "keeps_variables": search.keeps_variables,
        }

    def _end(self, fault: Fault) -> None:
        """Ends the process after a fault of it. The next one gets the time that is left."""
        self.processes.close()
        if self._session is not None:
            self.seconds = max(min(LEAST_SECONDS, self.seconds), self.seconds - self._session.elapsed)
        self._session, self._last_fault = None, fault
        if fault.kind == FaultKind.TIME:  # an endless loop: one more shows whether it hangs again
            self._processes_left = min(self._processes_left, 1)


def _limits(search: Search) -> TraceLimits:
    places = search.tree.places()
    return search_limits(len(places), frozenset(action for _, action in places))
