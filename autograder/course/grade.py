"""Grades the submissions of a class that have no result yet, some at the same time.

First all submissions run, as many at a time as there are workers. Then those whose answers depend on how busy the
machine was run again, one by one: so the results do not depend on the number of workers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from autograder.cases.case import MatchInput
from autograder.course.intake.roster import Student, compared, mismatches
from autograder.course.job import Job, Outcome, PackedGrader, Steps, run_job
from autograder.course.store import CaseResult, Result, Store, Submission
from autograder.grading.grade import Grader
from autograder.judge.points_as_text import points_text
from pacman.core.errors import InputError, counted
from pacman.play.worker_pool import WorkerEnded

AHEAD = 2
"""So many jobs for each worker are handed out: one that runs, and one that waits."""

STEPS = 10
"""The number of rows of a histogram, besides that of full marks."""
WIDTH = 40

Workers = Callable[[], AbstractContextManager[Executor]]


NO_KEY = (
    "graded without --key: these are practice games, and students can compute how their ghosts move; for games that "
    "count, grade into a new store with --key FILE, which makes the key"
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
    about: dict[str, object] = {"title": assignment.title, "api": grader.api.name}
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


class Keeper:
    """Keeps what a grading finds out, in the store as it comes. Only the command itself writes to a store."""

    def __init__(self, store: Store, packed: PackedGrader) -> None:
        self.store = store
        self.grader, self.steps = packed.unpack()

    def known(self, submission_id: int) -> Sequence[CaseResult]:
        """What earlier gradings found out about a submission."""
        return self.store.case_results(submission_id, self.steps.runner)

    def keep(self, outcome: Outcome) -> None:
        """Adds the new steps of an outcome, and its result if there is one."""
        for each in outcome.new:
            self.store.add_case_result(outcome.submission_id, each)
        if outcome.is_final:
            self.store.add_result(outcome.result(self.grader, self.steps), outcome.card)


def grade_class(
    keeper: Keeper,
    submissions: Sequence[Submission],
    packed: PackedGrader,
    workers: Workers,
    jobs: int,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> dict[int, str]:
    """Grades the submissions, `jobs` at a time. Returns why some have no result: submission id -> failure.

    `workers` makes the executor, and `keeper` takes what comes back. InputError if the store or the executor fails.
    """
    run = _ClassRun(keeper, packed, on_progress, len(submissions))
    with workers() as executor:
        run.run(submissions, executor, jobs)
        while run.again:  # a worker that ends can bring a submission here a second time
            waiting = sorted(run.again, key=lambda each: each.id)
            run.again.clear()
            run.run(waiting, executor, 1)
    return run.failures


@dataclass
class _ClassRun:
    """The grading of a class, while it runs."""

    keeper: Keeper
    packed: PackedGrader
    on_progress: Callable[[Progress], None]
    total: int
    done: int = 0
    failures: dict[int, str] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    """The submissions during which a worker ended."""
    again: list[Submission] = field(default_factory=list)
    """The submissions that have to run again, alone."""

    def run(self, submissions: Sequence[Submission], executor: Executor, jobs: int) -> None:
        """Runs the jobs of submissions. With several at a time, each worker has one more that waits."""
        most = jobs if jobs == 1 else AHEAD * jobs
        waiting, running = deque(submissions), dict[Future[Outcome], Submission]()
        while waiting or running:
            while waiting and len(running) < most:
                submission = waiting.popleft()
                job = self._job(submission, is_alone=jobs == 1)
                running[executor.submit(run_job, self.packed, job)] = submission
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                self._finish(running.pop(future), future, is_alone=jobs == 1)

    def _job(self, submission: Submission, is_alone: bool) -> Job:
        files = self.keeper.store.files(submission.id)
        name = files.requested_file or submission.student.key
        return Job(submission.id, name, files, tuple(self.keeper.known(submission.id)), is_alone)

    def _finish(self, submission: Submission, future: Future[Outcome], is_alone: bool) -> None:
        """Takes the outcome of a job. A submission whose worker ended runs again alone, once."""
        try:
            outcome = future.result()
        except WorkerEnded:
            failure, runs_again = "its worker process ended twice before it was graded", submission.id not in self.lost
            self.lost.add(submission.id)
        else:
            self.keeper.keep(outcome)
            failure, runs_again = outcome.failure, bool(outcome.repeat or (outcome.failure and not is_alone))
        if runs_again:
            self.again.append(submission)
        else:
            if failure:
                self.failures[submission.id] = failure
            self.done += 1
        self.on_progress(Progress(self.done, self.total, len(self.again)))


def summary(
    submissions: Sequence[Submission],
    results: Mapping[int, Result],
    failures: Mapping[int, str],
    roster: Iterable[Student] = (),
    unread: Sequence[tuple[Student, str]] = (),
) -> list[str]:
    """The lines about these submissions. `results` and `failures` are by the ids of the submissions.

    `unread` are submissions that could not be taken into the store, by their students, with the reasons.
    """
    own = [results[each.id] for each in submissions if each.id in results]
    graded = [result for result in own if not result.reason]
    zero = [(each, results[each.id].reason) for each in submissions if each.id in results and results[each.id].reason]
    lines = [f"{counted(len(submissions) + len(unread), 'submission')}: {len(graded):,} graded"]
    if zero:
        lines[0] += f", {len(zero):,} not graded (0 points)"
        lines += [f"  {each.student.key}: 0 points: {reason}" for each, reason in zero]
    open_ones = [
        (each.student, failures.get(each.id, "not yet graded")) for each in submissions if each.id not in results
    ] + list(unread)
    if open_ones:
        lines[0] += f", {len(open_ones):,} without a result"
        lines += [f"  {student.key}: no result: {reason}" for student, reason in open_ones]
    handed_in = [*(each.student for each in submissions), *(student for student, _ in unread)]
    known = {compared(student.key): student for student in roster}
    lines += mismatches(handed_in, known)
    return [*lines, *(histogram([result.earned for result in graded], graded[0].points) if graded else [])]


def histogram(earned: Sequence[float], points: float) -> list[str]:
    """How many submissions earned how many points, one line for each tenth of the points and one for full marks.

    >>> for line in histogram([0, 1.5, 10, 10], 10): print(line)
    points
      0 to   1      1  ####################
      1 to   2      1  ####################
      2 to   3      0
      3 to   4      0
      4 to   5      0
      5 to   6      0
      6 to   7      0
      7 to   8      0
      8 to   9      0
      9 to  10      0
     10 or more     2  ########################################
    """
    counts = tenths(each / points for each in earned)
    most = max(counts) or 1
    lines = ["points"]
    for step, count in enumerate(counts):
        low, high = points_text(points * step / STEPS), points_text(points * (step + 1) / STEPS)
        label = f"{low:>3} to {high:>3}" if step < STEPS else f"{low:>3} or more"
        lines.append(f"{label:<12}{count:>5}  {'#' * round(WIDTH * count / most)}".rstrip())
    return lines


def tenths(shares: Iterable[float]) -> list[int]:
    """How many of these shares are in each tenth; the last number counts the shares of one or more.

    >>> tenths([0, 0.1, 0.15, 1, 1.2])
    [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    """
    counts = [0] * (STEPS + 1)
    for share in shares:
        counts[min(STEPS, int(STEPS * share + 1e-9))] += 1
    return counts
