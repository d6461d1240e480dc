"""Grades the submissions of a class that have no result yet, some at the same time.

First all submissions run, as many at a time as there are workers. Then those whose answers depend on how busy the
machine was run again, one by one: so the results do not depend on the number of workers.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass

from autograder.course.job import Job, Outcome, PackedGrader, add_result, run_job
from autograder.course.store import Store, Submission

AHEAD = 2
"""So many jobs for each worker are handed out: one that runs, and one that waits."""

Workers = Callable[[], AbstractContextManager[Executor]]


@dataclass(frozen=True)
class Progress:
    """How far a class is: the submissions with a result, the others, and those that wait to run again alone."""

    done: int
    total: int
    alone: int


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
    run = _ClassRun(store, packed, jobs, store_for_workers, on_progress, machines)
    run.run_all(submissions, workers)
    return run.failures


class _ClassRun:
    """The grading of a class, while it runs."""

    def __init__(
        self,
        store: Store,
        packed: PackedGrader,
        jobs: int,
        store_for_workers: str,
        on_progress: Callable[[Progress], None],
        machines: int,
    ) -> None:
        self.store, self.packed, self.jobs, self.machines = store, packed, jobs, machines
        self.store_for_workers, self.on_progress = store_for_workers, on_progress
        self.grader, self.steps = packed.unpack()
        self.failures: dict[int, str] = {}
        self._lost: Counter[int] = Counter()
        """How many workers have ended while they had a submission."""
        self._total = self._done = 0
        self._again: list[Submission] = []

    def run_all(self, submissions: Sequence[Submission], workers: Workers) -> None:
        """Grades all submissions, then again those that have to run alone, with the same workers unless they end."""
        self._total = len(submissions)
        waiting, at_a_time, is_alone = deque(submissions), self.jobs, self.jobs == 1
        while waiting or self._again:
            with workers() as executor:
                is_usable = True
                while is_usable and (waiting or self._again):
                    if not waiting:  # a worker that ends can bring a submission here a second time
                        waiting.extend(sorted(self._again, key=lambda each: each.id))
                        self._again.clear()
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
            is_broken = False
            for future in finished:
                is_broken |= self._finish(running.pop(future), future, is_alone)
            if is_broken:
                for submission in running.values():
                    self._lose(submission)
                return False
        return True

    def _job(self, submission: Submission, is_alone: bool) -> Job:
        known = self.store.case_results(submission.id, self.steps.runner)
        files = self.store.files(submission.id)
        name = files.requested_file or submission.student.key
        return Job(submission.id, name, files, tuple(known), is_alone, self.store_for_workers)

    def _finish(self, submission: Submission, future: Future[Outcome], is_alone: bool) -> bool:
        """Takes the outcome of a job. True if the executor is broken."""
        try:
            outcome = future.result()
        except BrokenExecutor:
            self._lose(submission)
            return True
        if not self.store_for_workers:
            add_result(self.store, self.grader, self.steps, outcome)
        if outcome.repeat or (outcome.failure and not is_alone):
            self._again.append(submission)
        else:
            if outcome.failure:
                self.failures[submission.id] = outcome.failure
            self._done += 1
        self.on_progress(Progress(self._done, self._total, len(self._again)))
        return False

    def _lose(self, submission: Submission) -> None:
        """Notes that the worker of a submission has ended. After two workers, the submission has no result."""
        self._lost[submission.id] += 1
        if self._lost[submission.id] < 2:
            self._again.append(submission)
        else:
            self.failures[submission.id] = "its worker process ended twice before it was graded"
            self._done += 1
