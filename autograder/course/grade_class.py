"""Grades the submissions of a class that have no result yet, some at the same time.

First all submissions run, as many at a time as there are workers. Then those whose answers depend on how busy the
machine was run again, one by one: so the results do not depend on the number of workers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from autograder.cases.case import MatchInput
from autograder.course.digests import share_digests
from autograder.course.job import Job, Outcome, PackedGrader, Steps, add_result, run_job
from autograder.course.store import Store, Submission
from autograder.grading.grade import Grader
from pacman.core.errors import InputError
from pacman.play.worker_pool import WorkerEnded

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
    shares = share_digests(assignment, grader.truths)
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

    `workers` makes the executor. `store_for_workers` is where its workers find the store; without it, they send back
    what they find out. Of the submissions that have to run alone, each of the `machines` runs one at a time. InputError
    if the store fails.
    """
    run = _ClassRun(store, packed, jobs, store_for_workers, on_progress, machines, len(submissions))
    with workers() as executor:
        run.run_all(submissions, executor)
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
    lost: set[int] = field(default_factory=set)
    """The submissions during which a worker ended."""
    again: list[Submission] = field(default_factory=list)

    def run_all(self, submissions: Sequence[Submission], executor: Executor) -> None:
        """Grades all submissions, then again those that have to run alone."""
        self._run(submissions, executor, self.jobs, is_alone=self.jobs == 1)
        while self.again:  # a worker that ends can bring a submission here a second time
            waiting = sorted(self.again, key=lambda each: each.id)
            self.again.clear()
            self._run(waiting, executor, self.machines, is_alone=True)

    def _run(self, submissions: Sequence[Submission], executor: Executor, at_a_time: int, is_alone: bool) -> None:
        """Runs the jobs of submissions. An executor that is not all for one submission has a few more waiting."""
        most = at_a_time if is_alone else AHEAD * at_a_time
        waiting, running = deque(submissions), dict[Future[Outcome], Submission]()
        while waiting or running:
            while waiting and len(running) < most:
                submission = waiting.popleft()
                running[executor.submit(run_job, self.packed, self._job(submission, is_alone))] = submission
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                self._finish(running.pop(future), future, is_alone)

    def _job(self, submission: Submission, is_alone: bool) -> Job:
        _, steps = self.packed.unpack()
        known = self.store.case_results(submission.id, steps.runner)
        files = self.store.files(submission.id)
        name = files.requested_file or submission.student.key
        return Job(submission.id, name, files, tuple(known), is_alone, self.store_for_workers)

    def _finish(self, submission: Submission, future: Future[Outcome], is_alone: bool) -> None:
        """Takes the outcome of a job. A submission whose worker ended runs again alone, once."""
        try:
            outcome = future.result()
        except WorkerEnded:
            failure, runs_again = "its worker process ended twice before it was graded", submission.id not in self.lost
            self.lost.add(submission.id)
        else:
            if not self.store_for_workers:
                add_result(self.store, *self.packed.unpack(), outcome)
            failure, runs_again = outcome.failure, bool(outcome.repeat or (outcome.failure and not is_alone))
        if runs_again:
            self.again.append(submission)
        else:
            if failure:
                self.failures[submission.id] = failure
            self.done += 1
        self.on_progress(Progress(self.done, self.total, len(self.again)))
