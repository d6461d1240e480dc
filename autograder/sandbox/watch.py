"""Has a part of a submission search trees while it is watched, in one process as long as that lives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from autograder.cases.case import Question
from autograder.judge.diagnosis.run import Run, Search
from autograder.judge.submission_answer import Fault
from autograder.sandbox.reader import TraceLimits, read_claim, read_kept, read_record
from autograder.sandbox.runner import Runner, Session, SessionBroken, ends_if_unreadable, read_fault
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.messages import BadFrame, tree_as_text
from pacman.core.tree import Node
from pacman.core.tree_text import Outline
from pacman.record.watcher import WatchedFunction

SECONDS = 20.0
"""The time that all answers of one diagnosis may take, which is much more than a slow machine needs.

A search that hangs ends earlier, when it has used `tree_questions.SECONDS` of processor time.
"""
ONE_SECONDS = 30.0
"""The time for a search outside of a diagnosis, which may be one of a position."""
LEAST_SECONDS = 4.0
"""The time that a new process gets at least: enough for a search that hangs to end by its processor time."""
MAX_RESTARTS = 3
MOST_EVENTS = 120_000
"""The most events and new statements of all searches together. An honest diagnosis has less than 30,000."""
MOST_HANGING = 3
"""How many searches that do not end are asked at once. Each costs as much time as many others."""


def most_successors(nodes: int) -> int:
    """The number of successors that a search of a tree with some nodes may make: each four times, and some more."""
    return 4 * nodes + 1_000


def watch_search(
    sandbox: Runner, question: Question, root: Node, plies: int, rounds: int, actions: Sequence[str]
) -> Run:
    """The search of `root`, a tree or a position, by the part that `question` grades, with the values of variables.

    `actions` are those to all nodes of the whole tree.
    """
    options = {"part": question.part, "rounds": rounds, "keeps_variables": True, "seed": "0/0"}
    request, limits = _request(root, plies, actions, options)
    try:
        with sandbox.session(ONE_SECONDS) as session:
            sandbox.load_part(session, question.role, question.part, rounds)
            return read_run(session.ask("watch", **request), session, limits)
    except SessionBroken as broken:
        return Run(None, fault=broken.fault)


@contextmanager
def questioner(sandbox: Runner, question: Question, seconds: float = SECONDS) -> Iterator[PartProcess]:
    """What asks the part which `question` grades. Its process ends with the `with` block."""
    part = PartProcess(sandbox, question, seconds)
    with part.processes:
        yield part


def _request(
    root: Node, plies: int, actions: Sequence[str], options: dict[str, Any]
) -> tuple[dict[str, Any], TraceLimits]:
    """The request for a search of `root`, which has these `actions` to all its nodes, and the limits of its trace."""
    most = most_successors(len(actions))
    start = {"packed": tree_as_text(root)} if isinstance(root, Outline) else {"position": str(root)}
    limits = TraceLimits(nodes=most, generated=most, actions=frozenset(actions))
    return {**start, "plies": plies, "most_successors": most, **options}, limits


def _request_of(search: Search, part: str) -> tuple[dict[str, Any], TraceLimits]:
    options = {
        "part": part,
        "rounds": search.rounds,
        "seed": f"{search.seed}/0",
        "evaluation_shift": search.shift,
        "keeps_part": search.keeps_instance,
        "replaced": [[path, place, number] for path, (place, number) in search.replaced.items()],
        "keeps_variables": search.keeps_variables,
    }
    return _request(search.tree, search.plies, [action for _, action in search.tree.places()], options)


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
        self._functions: tuple[WatchedFunction, ...] = ()
        """Those of the last search. Each search of an honest file has the same ones, so they are kept once."""
        self._hanging = 0
        self._may_go_on = True
        """True until one more process was started than is allowed, which may show where the search hangs."""
        self._import_fault: Fault | None = None
        self._last_fault: Fault | None = None
        """The reason why the process before this one ended."""

    def __call__(self, searches: Sequence[Search]) -> list[Run]:
        """The record of each search, in order; one without a claim if a process ended, or if none is left."""
        if self._hanging >= MOST_HANGING:
            self._hanging = 0
        if not (self._session or self._processes_left) and self._may_go_on:
            self._processes_left, self._may_go_on = 1, False
        runs: list[Run] = []
        while len(runs) < len(searches):
            left = searches[len(runs) :]
            if self._session is None and self._last_fault and left[0].keeps_instance:
                runs.append(Run(None, fault=self._last_fault))  # the instance was in the process that ended
                continue
            if refusal := self._refusal():
                return runs + [Run(None, fault=refusal)] * len(left)
            requests, limits = zip(*(_request_of(search, self.question.part) for search in left), strict=True)
            try:
                session = self._session or self._start()
                for reply, most in zip(session.ask_all("watch", requests), limits, strict=True):
                    if refusal := self._refusal():
                        raise SessionBroken(refusal)
                    runs.append(run := self._counted(read_run(reply, session, most)))
                    self._hanging += run.fault is not None and run.fault.kind in (FaultKind.TIME, FaultKind.SUCCESSORS)
            except SessionBroken as broken:
                self._end(broken.fault)
                runs.append(Run(None, fault=broken.fault))
        return runs

    def _counted(self, run: Run) -> Run:
        """The same run, after it has used up some of the events that are left."""
        if run.functions != self._functions:
            self._functions = run.functions
            self._events_left -= sum(1 + len(each.statements) for each in run.functions)
        self._events_left -= len(run.events)
        return replace(run, functions=self._functions)

    def _refusal(self) -> Fault | None:
        """The reason why no search is asked for any more; None as long as they are."""
        text = ""
        if self._events_left <= 0:
            text = f"{MOST_EVENTS:,} steps are recorded"
        elif self._hanging >= MOST_HANGING:
            text = f"{MOST_HANGING} searches before did not end"
        elif not (self._session or self._processes_left):
            text = f"the searches before ended {1 + MAX_RESTARTS} processes"
        return self._import_fault or (Fault(FaultKind.NOT_ASKED, f"not asked, because {text}") if text else None)

    def _start(self) -> Session:
        """A new process with the submission. SessionBroken if that cannot be imported: no other process can then."""
        self._processes_left -= 1
        session = self.processes.enter_context(self.sandbox.session(self.seconds))
        try:
            self.sandbox.load_part(session, self.question.role, self.question.part, 1)
        except SessionBroken as broken:
            self._import_fault = broken.fault
            raise
        self._session = session
        return session

    def _end(self, fault: Fault) -> None:
        """Ends the process after a fault of it. The next one gets the time that is left."""
        self.processes.close()
        if self._session is not None:
            self.seconds = max(min(LEAST_SECONDS, self.seconds), self.seconds - self._session.elapsed)
        self._session, self._last_fault = None, fault
        if fault.kind == FaultKind.TIME:  # an endless loop: one more shows whether it hangs again
            self._processes_left = min(self._processes_left, 1)


def read_run(reply: dict[str, Any], session: Session, limits: TraceLimits) -> Run:
    """The run in a reply; SessionBroken if it has another form than expected."""
    with ends_if_unreadable():
        claim = read_claim(reply, limits)
        report = reply.get("raised")
        if type(report) not in (dict, type(None)):
            raise BadFrame("the fault is not a JSON object")
        fault = read_fault(report, session.limits) if report else None
        if fault and report and report.get("kind") == FaultKind.TIME:
            fault = replace(fault, kind=FaultKind.TIME)
        if claim.trace is None:
            return Run(claim, (), (), False, fault)
        return Run(claim, *read_record(reply.get("record"), claim.trace), fault, read_kept(reply.get("kept", [])))
