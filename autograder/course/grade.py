"""Grades the submissions of a class that have no result yet, some at the same time.

First all submissions run, as many at a time as there are workers. Then those whose answers depend on how busy the
machine was run again, one by one: so the results do not depend on the number of workers.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from autograder.cases.case import Assignment, MatchInput
from autograder.course.intake.roster import Student, compared, mismatches
from autograder.course.intake.submissions import Export
from autograder.course.job import Job, Outcome, PackedGrader, Steps, run_job
from autograder.course.records import Result, Step, Submission
from autograder.course.store import Store
from autograder.grading.grade import Grader
from autograder.grading.submission import SEVERAL
from autograder.judge.points_as_text import points_text
from autograder.sandbox.submission_files import COPY
from pacman.core.errors import InputError, counted, nearest, printable
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
    """Keeps what people want to know later about this version of an assignment; returns a warning, or an empty text.

    InputError if the store was graded with another key (see `check_key`).
    """
    warning = check_key(store, grader, remembers_key)
    about = {"api": grader.api.name, "with": sorted(steps.helpers)}
    store.remember(f"version {steps.assignment_digest}", about)
    return warning


def check_key(store: Store, grader: Grader, remembers: bool = True) -> str:
    """A warning if games are drawn without a key for the first time, else an empty text; `remembers` the key then.

    InputError if the store was graded with another key, without one, or with one that is missing now.
    """
    assignment = grader.assignment
    if not any(isinstance(case.input, MatchInput) for case in assignment.cases):
        return ""
    digest = grader.key.digest if grader.key else ""
    known = store.fact(f"key {assignment.name}")
    if known is None:
        if remembers:
            store.remember(f"key {assignment.name}", digest)
        return "" if digest else NO_KEY
    if known == digest:
        return ""
    problem = "the games are practice games; start again without --key, or grade into a new store"
    if known:
        own = f"--key is the key {digest[:12]}" if digest else "there is no --key"
        problem = f"the games are drawn from the key {known[:12]}, and {own}; name the file of the first key with --key"
    raise InputError(f"store {store.name}: '{assignment.name}': {problem}")


def saving(store: Store, packed: PackedGrader) -> Callable[[Outcome], None]:
    """A function that adds what an outcome has to the store. Only the command itself writes to a store."""
    grader, steps = packed.unpack()

    def keep(outcome: Outcome) -> None:
        store.add_steps(outcome.work, outcome.new)
        if outcome.is_final:
            store.add_result(outcome.result(grader, steps), outcome.card)

    return keep


def print_nothing(progress: Progress) -> None:
    """Shows no progress."""


@dataclass
class ClassRun:
    """Grades the submissions of a class, and gives each outcome to `keep`.

    `known` says what earlier gradings found out about a work: without it, what the store has.
    """

    store: Store
    packed: PackedGrader
    keep: Callable[[Outcome], None]
    on_progress: Callable[[Progress], None] = print_nothing
    known: Callable[[int], Sequence[Step]] | None = None
    done: int = 0
    failures: dict[int, str] = field(default_factory=dict)
    """Why works have no result."""
    lost: set[int] = field(default_factory=set)
    """The works during which a worker ended."""
    total: int = 0
    again: list[Submission] = field(default_factory=list)
    """The submissions that have to run again, alone."""

    def run(self, submissions: Iterable[Submission], workers: Workers, jobs: int) -> dict[int, str]:
        """Grades each work once, `jobs` at a time. Returns why some have no result: work -> failure.

        `workers` makes the executor. InputError if the store or the executor fails.
        """
        waiting = list({each.work: each for each in submissions}.values())
        self.total = len(waiting)
        with workers() as executor:
            self._run(waiting, executor, jobs)
            while self.again:  # a worker that ends can bring a submission here a second time
                waiting = sorted(self.again, key=lambda each: each.id)
                self.again.clear()
                self._run(waiting, executor, 1)
        return self.failures

    def _run(self, submissions: Sequence[Submission], executor: Executor, jobs: int) -> None:
        """Runs the jobs of submissions. With several at a time, each worker has one more that waits."""
        most = jobs if jobs == 1 else AHEAD * jobs
        waiting, running = deque(submissions), dict[Future[Outcome], Submission]()
        while waiting or running:
            while waiting and len(running) < most:
                submission = waiting.popleft()
                running[executor.submit(run_job, self.packed, self._job(submission, jobs == 1))] = submission
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                self._finish(running.pop(future), future, is_alone=jobs == 1)

    def _job(self, submission: Submission, is_alone: bool) -> Job:
        work, files, runner = submission.work, self.store.files(submission.work), self.packed.unpack()[1].runner
        known = self.known(work) if self.known else self.store.steps(work, runner)
        return Job(work, files.requested_file or submission.student.key, files, tuple(known), is_alone)

    def _finish(self, submission: Submission, future: Future[Outcome], is_alone: bool) -> None:
        """Takes the outcome of a job. A submission whose worker ended runs again alone, once."""
        work = submission.work
        try:
            outcome = future.result()
        except WorkerEnded:
            failure, runs_again = "its worker process ended twice before it was graded", work not in self.lost
            self.lost.add(work)
        else:
            self.keep(outcome)
            failure, runs_again = outcome.failure, bool(outcome.repeat or (outcome.failure and not is_alone))
        if runs_again:
            self.again.append(submission)
        else:
            if failure:
                self.failures[work] = failure
            self.done += 1
        self.on_progress(Progress(self.done, self.total, len(self.again)))


@dataclass(frozen=True)
class Intake:
    """What an export brought: its submissions, and those that nobody can read or that are nobody's, with the reason.

    `copies` are the students whose files are a copy of the sample answers.
    """

    submissions: tuple[Submission, ...]
    unread: tuple[tuple[Student, str], ...]
    copies: tuple[Student, ...]
    notes: tuple[str, ...]


def take_in(store: Store, assignment: Assignment, export: Export, chosen: Mapping[str, str]) -> Intake:
    """Adds the submissions of an export to the store. `chosen` are the files to grade, by the keys of students."""
    unread, copies, notes, ids = list[tuple[Student, str]](), list[Student](), list[str](), set[int]()
    before = {each.id for each in store.attempts(assignment.name)}
    own = (path for path in (assignment.solutions, *assignment.styles) if path)
    answers = {_without_blanks(path.read_bytes()) for path in own}
    for entry in export.entries():
        if entry.failure:
            unread.append((entry.student, entry.failure))
            continue
        files, name = entry.files, chosen.get(compared(entry.student.key))
        if files is not None and name is not None:
            if name not in files.files:
                problem = f"no such file: {nearest(name, files.files)}"
                raise InputError(f"--file {entry.student.key}={name}: {problem}")
            files = replace(files, requested_file=name)
        if files and (files.copies or any(_without_blanks(content) in answers for content in files.files.values())):
            copies.append(entry.student)
        account, source = entry.account or entry.student, printable(entry.source)
        about = entry.received, source, entry.problem, entry.other_keys
        ids.add(store.add_attempt(account, assignment.name, files, *about))
        if entry.earlier:
            notes.append(f"{entry.student.label}: an earlier attempt does not count: {', '.join(entry.earlier)}")
    attempts = store.attempts(assignment.name)
    works = Counter(each.work for each in attempts if each.work)
    for each in attempts:
        if each.id in ids - before and not each.received and works[each.work] > 1:
            notes.append(f"{each.student.label}: the same files as an earlier attempt: now they are the last one")
    submissions = tuple(each for each in attempts if each.id in ids)
    return Intake(submissions, tuple(unread), tuple(copies), tuple(notes))


def _without_blanks(content: bytes) -> bytes:
    """The text of a file without spaces and line ends, as copies are compared."""
    return b"".join(content.split())


def summary(
    intake: Intake, results: Mapping[int, Result], failures: Mapping[int, str], roster: Iterable[Student] = ()
) -> list[str]:
    """The lines about these submissions. `results` and `failures` are by the works of the submissions."""
    graded, zero, left = list[Result](), list[str](), list[str]()
    for each in intake.submissions:
        result = results.get(each.work)
        reason = each.problem or (result.reason if result else "")
        if reason:
            zero.append(f"  {each.student.label}: 0 points: {reason}")
        elif result:
            graded.append(result)
        else:
            left.append(f"  {each.student.label}: no result: {failures.get(each.work, 'not yet graded')}")
    left += [f"  {student.label}: no result: {reason}" for student, reason in intake.unread]
    first = f"{counted(len(intake.submissions) + len(intake.unread), 'submission')}: {len(graded):,} graded"
    first += f", {len(zero):,} not graded (0 points)" if zero else ""
    first += f", {len(left):,} without a result" if left else ""
    students = [*(each.student for each in intake.submissions), *(student for student, _ in intake.unread)]
    lines = [first, *zero, *left, *mismatches(students, roster)]
    lines += histogram([result.earned for result in graded], graded[0].points) if graded else []
    lines += [f"{student.label}: {COPY}" for student in intake.copies]
    if any(SEVERAL in line for line in zero):
        lines.append("to choose one of several files of a student: --file STUDENT=NAME")
    return lines


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
