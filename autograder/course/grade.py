"""Grades the submissions of a class that have no result yet, some at the same time.

First all submissions run, as many at a time as there are workers. Then those whose answers depend on how busy the
machine was run again, one by one: so the results do not depend on the number of workers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Literal

from autograder.cases.case import Assignment
from autograder.cases.hidden import draws_from_key, has_drawn_cases, has_matches
from autograder.course.intake.roster import Student, compared, first_names, mismatches, parsed_time
from autograder.course.intake.submissions import Export
from autograder.course.job import Job, Outcome, PackedGrader, run_job
from autograder.course.records import NOT_GRADED, Result, Submission, by_student
from autograder.course.store import Store
from autograder.course.versions import Steps
from autograder.grading.grade import Grader
from autograder.grading.submission import BERKELEY, SEVERAL
from autograder.judge.points_as_text import points_text
from autograder.judge.scorecard import PRACTICE_NOTE
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
    """Keeps what people want to know later about this version of an assignment.

    Returns a warning if games or cases are drawn without a key for the first time, else an empty text; with
    `remembers_key`, the store knows the key then. InputError if it was graded with another API, with another key,
    without one, or with one that is missing.
    """
    assignment = grader.assignment
    if (api := how_graded(store, assignment.name).get("api", grader.api.name)) != grader.api.name:
        problem = f"was graded with api: {api}; write that into assignment.yaml, or grade into a new store"
        raise InputError(f"store {store.name}: '{assignment.name}' {problem}")
    warning = ""
    if draws_from_key(assignment):
        digest, known = grader.key.digest if grader.key else "", store.fact(f"key {assignment.name}")
        has_games = has_matches(assignment)
        what, practice = ("games", "practice games") if has_games else ("hidden cases", "drawn for practice")
        if known not in (None, digest):
            own = f"--key is the key {digest[:12]}" if digest else "there is no --key"
            keyed = f"drawn from the key {known[:12]}, and {own}; name the file of the first key with --key"
            problem = keyed if known else f"{practice}; start again without --key, or grade into a new store"
            raise InputError(f"store {store.name}: '{assignment.name}': the {what} are {problem}")
        if known is None and remembers_key:
            store.remember(f"key {assignment.name}", digest)
        if known is None and not digest:
            warnings = ((has_matches, NO_KEY), (has_drawn_cases, PRACTICE_NOTE))
            warning = "; ".join(text for has, text in warnings if has(assignment))
    store.remember(f"version {steps.assignment_digest}", {"api": grader.api.name, "with": sorted(steps.helpers)})
    return warning


def how_graded(store: Store, assignment: str) -> Mapping[str, Any]:
    """The API ("api") and the files of the course ("with") of the newest result; empty if there is none."""
    newest = max(store.last_results(assignment).values(), key=lambda result: result.id, default=None)
    return (store.fact(f"version {newest.assignment_digest}") if newest else None) or {}


def note_dates(store: Store, assignment: Assignment, applies: bool = True, has_roster: bool = False) -> str:
    """Keeps the due time and the late rule of an assignment if they apply now; a line about new ones, else empty.

    With `has_roster` the times of a Moodle worksheet, which have no zone, were just read in that of the new due time.
    """
    dates, before = [assignment.due, assignment.late_per_day], store.fact(f"late {assignment.name}")
    if applies:
        store.remember(f"late {assignment.name}", dates)
    if before in (None, dates):
        return ""
    when = "now, for all students" if applies else "after --apply"
    line = f"new dates: {', '.join(filter(None, dates)) or 'none'}; gradebook and feedback use them {when}"
    times = [parsed_time(text or "") for text in (before[0], assignment.due)]
    old, new = (time and time.utcoffset() for time in times)
    if has_roster or old is None or new is None or old == new or not store.fact("worksheet"):
        return line
    return f"{line}; grade-all with --roster again: times of Moodle's worksheet are still those of the old zone"


def grade_class(
    store: Store,
    packed: PackedGrader,
    submissions: Iterable[Submission],
    workers: Workers,
    jobs: int,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    keeps: Literal["results", "steps", "nothing"] = "results",
) -> dict[int, Outcome]:
    """Grades each work once, `jobs` at a time, and adds what comes to the store: only this process writes to it.

    Returns what came of each work. A trial `keeps` only the steps; or nothing, and then all runs as if nothing were
    known. `workers` makes the executor. InputError if the store or the executor fails.
    """
    runner, lost, found = packed.unpack()[1].runner, set[int](), dict[int, Outcome]()
    waiting = deque({each.work: each for each in submissions}.values())
    total, is_alone, again = len(waiting), jobs == 1, dict[int, Submission]()
    running, none = dict[Future[Outcome], Submission](), Outcome(0)
    with workers() as executor:
        while waiting or running or again:
            if not (waiting or running):  # those whose answers depend on the load, one by one
                waiting, is_alone, again = deque(sorted(again.values(), key=lambda each: each.id)), True, {}
            while waiting and len(running) < (1 if is_alone else AHEAD * jobs):
                each = waiting.popleft()
                files = store.files(each.work)
                name = files.requested_file or each.student.key
                known = store.steps(each.work, runner) if keeps != "nothing" else found.get(each.work, none).new
                running[executor.submit(run_job, packed, Job(each.work, name, files, tuple(known), is_alone))] = each
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                each = running.pop(future)
                try:
                    outcome = future.result()
                    runs_again = outcome.repeat or bool(outcome.failure and not is_alone)
                except WorkerEnded:
                    outcome = Outcome(each.work, failure="its worker process ended twice before it was graded")
                    runs_again = each.work not in lost
                    lost.add(each.work)
                if runs_again:
                    again[each.work] = each
                if keeps != "nothing":
                    store.add_steps(each.work, outcome.new)
                if keeps == "results" and outcome.result:
                    store.add_result(outcome.result, outcome.card)
                    outcome = replace(outcome, card=None, new=())  # a class of these is large
                found[each.work] = replace(outcome, new=(*found.get(each.work, none).new, *outcome.new))
                on_progress(Progress(total - len(waiting) - len(running) - len(again), total, len(again)))
    return found


@dataclass(frozen=True)
class Intake:
    """What an export brought: its submissions, and those that nobody can read or that are nobody's, with the reason.

    `copies` are the students whose files are a copy of the sample answers.
    """

    submissions: tuple[Submission, ...]
    unread: tuple[tuple[Student, str], ...]
    copies: tuple[Student, ...]
    notes: tuple[str, ...]

    @property
    def students(self) -> list[Student]:
        """Whose submissions these are."""
        return [*(each.student for each in self.submissions), *(student for student, _ in self.unread)]

    def with_results(self, store: Store, assignment: str) -> Intake:
        """The same, with the results that the store has now."""
        ids = {each.id for each in self.submissions}
        return replace(self, submissions=tuple(each for each in store.attempts(assignment) if each.id in ids))


def take_in(
    store: Store,
    assignment: Assignment,
    export: Export,
    chosen: Mapping[str, str],
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Intake:
    """Adds the submissions of an export to the store. `chosen` are the files to grade, by the keys of students."""
    unread, copies, notes = list[tuple[Student, str]](), list[Student](), list[str]()
    ids, untimed = set[int](), set[int]()
    before = {each.id for each in store.attempts(assignment.name)}
    own = (path for path in (assignment.solutions, *assignment.styles) if path)
    answers = {_without_blanks(path.read_bytes()) for path in own}
    for number, entry in enumerate(export.entries(), 1):
        on_progress(Progress(number, len(export.found), 0))
        if entry.failure:
            unread.append((entry.student, entry.failure))
            continue
        files, file = entry.files, chosen.get(compared(entry.student.key))
        if files and file:
            if file not in files.files:
                raise InputError(f"--file {entry.student.key}={file}: no such file: {nearest(file, files.files)}")
            files = replace(files, requested_file=file)
        if files and (files.copies or any(_without_blanks(content) in answers for content in files.files.values())):
            copies.append(entry.student)
        about = entry.received, printable(entry.source), entry.problem, entry.other_keys
        ids.add(attempt := store.add_attempt(entry.account, assignment.name, files, *about))
        untimed |= set() if entry.received else {attempt}
        no_zips = (note for note in (files.notes if files else ()) if note.startswith("ignored: "))
        notes += [f"{entry.student.label}: {note}" for note in no_zips]
        if entry.earlier:
            notes.append(f"{entry.student.label}: an earlier attempt does not count: {', '.join(entry.earlier)}")
    attempts = store.attempts(assignment.name)
    for *earlier, last in by_student(attempts).values():
        if last.id in ids - before and (last.work, last.problem) in [(each.work, each.problem) for each in earlier]:
            notes.append(f"{last.student.label}: the same files as an earlier attempt: now they are the last one")
    submissions = tuple(each for each in attempts if each.id in ids)
    if kept := [each.student.named for each in submissions if each.id in untimed and each.received]:
        notes.append(f"no time of receipt now, so the one that was known before counts: {first_names(kept)}")
    return Intake(submissions, tuple(unread), tuple(copies), tuple(notes))


def lowered(store: Store, intake: Intake, assignment: str, works: Collection[int]) -> list[str]:
    """A line about students with new results of these works who have fewer points in a question by an adjustment."""
    adjustments, names = store.adjustments(assignment), list[str]()
    for each in intake.submissions:
        earned = each.result.questions if each.result and each.work in works else {}
        own = adjustments.get(compared(each.student.key), ())
        less = [one.question for one in own if one.question in earned and one.points < earned[one.question][0]]
        names += [f"{each.student.key} in {', '.join(less)}"] if less else []
    what = "with fewer points by an adjustment than by the grader"
    who = f"{counted(len(names), 'student')} {what}: {first_names(names)}"
    return [f"{who}; adjust --undo takes it back"] if names else []


def _without_blanks(content: bytes) -> bytes:
    """The text of a file without spaces and line ends, as copies are compared."""
    return b"".join(content.split())


def summary(intake: Intake, failures: Mapping[int, str], roster: Iterable[Student] = ()) -> list[str]:
    """The lines about these submissions with their results. `failures` are by works: these have no new result."""
    graded, zero, none, left = list[Result](), list[str](), list[str](), list[str]()
    for each in intake.submissions:
        if not each.problem and (each.work in failures or not each.result):
            left.append(f"  {each.student.label}: no result: {failures.get(each.work, NOT_GRADED)}")
        elif each.reason:
            zero.append(f"  {each.student.label}: 0 points: {each.reason}")
        elif each.result:
            graded.append(each.result)
            none += [f"  {each.student.label}: graded, 0 points: {each.result.why_none}"] if not each.earned else []
    left += [f"  {student.label}: no result: {reason}" for student, reason in intake.unread]
    first = f"{counted(len(intake.submissions) + len(intake.unread), 'submission')}: {len(graded):,} graded"
    first += f", {len(zero):,} not graded (0 points)" if zero else ""
    first += f", {len(left):,} without a result" if left else ""
    lines = [first, *zero, *none, *left, *mismatches(intake.students, roster)]
    if graded:
        lines += histogram([each.earned / each.points for each in graded], max(each.points for each in graded))
    lines += [f"{student.label}: {COPY}" for student in intake.copies]
    advice = {
        SEVERAL: "to choose one of several files of a student: --file STUDENT=NAME",
        BERKELEY: "to grade a Berkeley-style file: the command grade, with --api cs188",
    }
    lines += [what for problem, what in advice.items() if any(problem in line for line in zero)]
    return lines


def histogram(shares: Sequence[float], points: float) -> list[str]:
    """How many submissions earned these shares of the points, one line for each tenth and one for full marks.

    >>> for line in histogram([0, 0.15, 1, 1], 10): print(line)
    points by the grader
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
    counts = tenths(shares)
    most = max(counts) or 1
    lines = ["points by the grader"]
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
