"""Grades the submissions of a class that have no result yet, some at the same time.

First all submissions run, as many at a time as there are workers. Then those whose answers depend on how busy the
machine was run again, one by one: so the results do not depend on the number of workers.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from autograder.cases.case import MatchInput
from autograder.course.digests import share_digests
from autograder.course.job import Job, Outcome, PackedGrader, Steps, add_result, run_job
from autograder.course.store import Store, Submission
from autograder.grading.grade import Grader
from pacman.core.errors import InputError

AHEAD = 2
"""So many jobs for each worker are handed out: one that runs, and one that waits."""

Workers = Callable[[], AbstractContextManager[Executor]]


NO_KEY = (
    "graded without --key: these are practice games, and students can compute how their ghosts move; for games that "
    "count, make a key with new-key, and grade with --key into a new store"
)


@dataclass(frozen=True)
class Progress:
    """How far a class is: the submissions with a result, the others, and those that wait to run again alone."""

    done: int
    total: int
    alone: int


def note_version(store: Store, grader: Grader, steps: Steps, remembers_key: bool = True) -> str:
    """Adds what people want to know later about this version of an assignment; returns a warning, or an empty text.

    InputError if the store was graded with another key (see `check_key`).
    """
    warning, assignment = check_key(store, grader, remembers_key), grader.assignment
    shares = share_digests(assignment, grader.references)
    about: dict[str, object] = {"title": assignment.title, "api": grader.api.name, "cases": shares}
    about |= {"with": sorted(steps.helpers)} if steps.helpers else {}
    store.add_assignment(assignment.name, steps.assignment_digest, about)
    return warning


def check_key(store: Store, grader: Grader, remembers: bool = True) -> str:
    """A warning if games are drawn without a key for the first time, else an empty text; `remembers` the key then.

    InputError if the store was graded with another key, without one, or with one that is missing now.
    """
    assignment = grader.assignment
    if not any(isinstance(case.input, MatchInput) for case in assignment.cases):
        return ""
    digest = grader.key.digest if grader.key else ""
    known = store.game_key(assignment.name)
    if known is None:
        if remembers:
            store.add_game_key(assignment.name, digest)
        return "" if digest else NO_KEY
    if known == digest:
        return ""
    if not known:
        problem = "the games are practice games; start again without --key, or grade into a new store"
    else:
        given = f"--key is the key {digest[:12]}" if digest else "there is no --key"
        problem = (
            f"the games are drawn from the key {known[:12]}, and {given}; name the file of the first key with --key"
        )
    raise InputError(f"store {store.name}: '{assignment.name}': {problem}")


def grade_class(
    store: Store,
    submissions: Sequence[Submission],
    packed: PackedGrader,
    workers: Workers,
    jobs: int,
    store_for_workers: str = "",
    on_progress: Callable[[Progress], None] = lambda progress: None,
    machines: int = 1,
) -> dict[int, str]:
    """Grades the submissions, `jobs` at a time. Returns why some have no result: submission id -> failure.

    `workers` makes an executor; a new one is made if its processes end. `store_for_workers` is where the workers find
    the store; without it, they send back what they find out. Of the submissions that have to run alone, each of the
    `machines` runs one at a time. InputError if the store fails.
    """
    run = _ClassRun(store, packed, jobs, store_for_workers, on_progress, machines, len(submissions))
    run.run_all(submissions, workers)
    return run.failures


@dataclass
class _ClassRun:
    """The grading of a class, while it runs."""

    store: Store
    packed: PackedGrader
    jobs: int
    store_for_workers: str
    on_progress: Callable[[Progress], None]
    machines: int
    total: int
    done: int = 0
    failures: dict[int, str] = field(default_factory=dict)
    lost: Counter[int] = field(default_factory=Counter)
    """How many workers have ended while they had a submission."""
    again: list[Submission] = field(default_factory=list)

    def run_all(self, submissions: Sequence[Submission], workers: Workers) -> None:
        """Grades all submissions, then again those that have to run alone, with the same workers unless they end."""
        waiting, at_a_time, is_alone = deque(submissions), self.jobs, self.jobs == 1
        while waiting or self.again:
            with workers() as executor:
                is_usable = True
                while is_usable and (waiting or self.again):
                    if not waiting:  # a worker that ends can bring a submission here a second time
                        waiting.extend(sorted(self.again, key=lambda each: each.id))
                        self.again.clear()
                        at_a_time, is_alone = self.machines, True
                    is_usable = self._run_until_broken(waiting, executor, at_a_time, is_alone)

    def _run_until_broken(self, waiting: deque[Submission], executor: Executor, at_a_time: int, is_alone: bool) -> bool:
        """Runs jobs until none is left or the executor breaks. True if it can still be used."""
        most = at_a_time if is_alone else AHEAD * at_a_time
        running: dict[Future[Outcome], Submission] = {}
        while waiting or running:
            try:
                while waiting and len(running) < most:
                    job = self._job(waiting[0], is_alone)
                    running[executor.submit(run_job, self.packed, job)] = waiting[0]
                    waiting.popleft()
            except BrokenExecutor:
                if not running:  # otherwise the jobs that run say so too
                    return False
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            is_usable = [self._finish(running.pop(future), future, is_alone) for future in finished]
            if not all(is_usable):
                for submission in running.values():
                    self._lose(submission)
                return False
        return True

    def _job(self, submission: Submission, is_alone: bool) -> Job:
        _, steps = self.packed.unpack()
        known = self.store.case_results(submission.id, steps.runner)
        files = self.store.files(submission.id)
        name = files.requested_file or submission.student.key
        return Job(submission.id, name, files, tuple(known), is_alone, self.store_for_workers)

    def _finish(self, submission: Submission, future: Future[Outcome], is_alone: bool) -> bool:
        """Takes the outcome of a job. True if the executor can still be used."""
        try:
            outcome = future.result()
        except BrokenExecutor:
            self._lose(submission)
            return False
        if not self.store_for_workers:
            add_result(self.store, *self.packed.unpack(), outcome)
        if outcome.repeat or (outcome.failure and not is_alone):
            self.again.append(submission)
        else:
            if outcome.failure:
                self.failures[submission.id] = outcome.failure
            self.done += 1
        self.on_progress(Progress(self.done, self.total, len(self.again)))
        return True

    def _lose(self, submission: Submission) -> None:
        """Notes that the worker of a submission has ended. After two workers, the submission has no result."""
        self.lost[submission.id] += 1
        if self.lost[submission.id] < 2:
            self.again.append(submission)
        else:
            self.failures[submission.id] = "its worker process ended twice before it was graded"
            self.done += 1
