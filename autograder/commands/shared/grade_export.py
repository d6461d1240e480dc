"""Grades the submissions of an export into a store, and prints how far it is; and makes the grader of a class."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from autograder.cases.case import Assignment
from autograder.commands.shared.report_file import open_key
from autograder.course.grade import Keeper, Progress, Workers, grade_class, note_version, summary
from autograder.course.intake import submissions as exported
from autograder.course.intake.roster import Student, compared, mismatches
from autograder.course.job import PackedGrader, Steps
from autograder.course.store import Result, Store, Submission
from autograder.course.workers import local_workers, problem_of_address
from autograder.grading.grade import Grader
from autograder.grading.submission import SEVERAL
from autograder.platforms import load_assignment
from autograder.sandbox import submission_files, unsafe_message
from autograder.sandbox.submission_files import COPY, SubmissionFiles
from pacman.core.errors import InputError, counted, nearest, printable

LINE_SECONDS = 10.0
"""The time between two lines of progress, where the standard error is not a terminal."""


def make_grader(
    assignment: str | None,
    api: str | None,
    key: Path | None,
    allow_unsafe: bool,
    about: str = "",
    helpers: Sequence[Path] = (),
    makes_key: bool = False,
) -> PackedGrader:
    """The grader that the options choose, as data that every worker can read.

    InputError if an option or the assignment is wrong, and if the sandbox is too weak and `allow_unsafe` is false;
    `about` stands before that message. With `makes_key`, a missing key is made. Every submission may import the files
    `helpers`.
    """
    loaded, chosen_api = load_assignment(assignment, api)
    grader = Grader.of(loaded, 1, chosen_api, open_key(key, makes_key) if key else None)
    if not (allow_unsafe or grader.check.level.is_safe):
        raise InputError(f"{about}{unsafe_message(grader.check)}")
    files = {name: content for helper in helpers for name, content in submission_files.read(helper).files.items()}
    if len(files) < len(helpers):
        raise InputError("--with: two files with the same name; rename one of them")
    return PackedGrader.of(grader, files)


def grade_export(
    store: Store,
    packed: PackedGrader,
    found: exported.Export,
    export: Path,
    students: dict[str, Student],
    chosen: Mapping[str, str],
    pool: Workers,
    count: int,
) -> tuple[bool, list[str]]:
    """Adds the submissions of an export to the store and grades those that have no result yet.

    `chosen` are the files to grade, by the compared keys of students. Returns true if every submission has a result
    now, and the lines of the summary.
    """
    grader, steps = packed.unpack()
    name = grader.assignment.name
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(f"{export}: {counted(len(found), 'submission')}, format {found.format}", markup=False)
    strays = (f"not a submission: {printable(stray)}" for stray in found.strays)
    for line in (*strays, *found.notes, *mismatches(found.students(), students)):
        console.print(f"  {printable(line)}", markup=False)
    if warning := note_version(store, grader, steps):
        console.print(f"  {warning}", markup=False)
    submissions, unread, copies = take_in(store, grader.assignment, found, students, chosen, steps, console)
    left = _without_result(store, name, steps, submissions, console)
    try:
        with _progress(console) as on_progress:
            failures = grade_class(Keeper(store, packed), left, packed, pool, count, on_progress)
    except (KeyboardInterrupt, SystemExit):
        done = store.graded(name, steps.assignment_digest, steps.grader)
        graded = sum(each.id in done for each in submissions)
        console.print(f"stopped: {graded} of {counted(len(submissions), 'submission')} have a result; start again")
        raise
    results = store.graded(name, steps.assignment_digest, steps.grader)
    store.add_event("grade-all", f"{name}: {len(submissions)} submissions, {len(left)} of them new")
    lines = summary(submissions, results, failures, students.values(), unread)
    lines += [f"{key}: {COPY}" for key in copies]
    if any(SEVERAL in results[each.id].reason for each in submissions if each.id in results):
        lines.append("to choose one of several files of a student: --file STUDENT=NAME")
    return not (failures or unread), lines


def chosen_files(options: Sequence[str], found: exported.Export) -> dict[str, str]:
    """The file to grade of each student that `--file` names, by compared keys. InputError for an unknown student."""
    keys = {compared(student.key): student.key for student in found.students()} if options else {}
    chosen = {}
    for option in options:
        student, sign, name = option.partition("=")
        if not (sign and student and name):
            raise InputError(f"--file {printable(option)}: expected STUDENT=NAME, as in ada=final.py")
        if compared(student) not in keys:
            raise InputError(f"--file: no student '{student}' in the export: {nearest(student, keys.values())}")
        chosen[compared(student)] = name
    return chosen


def _with_choice(entry: exported.Entry, name: str | None) -> SubmissionFiles | None:
    """The files of an entry, with the one to grade if it was chosen now. InputError if there is no such file."""
    if entry.files is None or name is None:
        return entry.files
    if name not in entry.files.files:
        raise InputError(f"--file {entry.student.key}={name}: no such file: {nearest(name, entry.files.files)}")
    return replace(entry.files, requested_file=name)


@contextmanager
def workers(cluster: str, jobs: int) -> Iterator[tuple[Workers, int]]:
    """What makes an executor with the workers of this machine, or of a cluster; and how many jobs it runs at a time."""
    if not cluster:
        count = jobs or os.cpu_count() or 1
        yield lambda: local_workers(count), count
        return
    if problem := problem_of_address(cluster):
        raise InputError(f"--cluster {cluster}: {problem}")
    try:
        from autograder.course.cluster import connect
    except ModuleNotFoundError:
        raise InputError(
            f"--cluster {cluster}: needs Dask; install it with: python -m pip install distributed"
        ) from None
    with connect(cluster) as connected:
        yield lambda: nullcontext(connected), jobs or connected.threads


def take_in(
    store: Store,
    assignment: Assignment,
    found: exported.Export,
    students: dict[str, Student],
    chosen: Mapping[str, str],
    steps: Steps,
    console: Console,
) -> tuple[list[Submission], list[tuple[Student, str]], list[str]]:
    """Adds the submissions of an export to the store, each with its result if it cannot be graded.

    Returns them, and the students of those that are not added, because this machine cannot read them or nobody knows
    whose they are, each with the reason; and the keys of students whose files are a copy of the sample answers.
    """
    if students:
        new, gone, changed = store.replace_roster(students.values())
        if new or gone or changed:
            text = f"{new} new, {gone} not in it any more, {changed} with another name, section or due time"
            console.print(f"  this roster replaces the one before: {counted(len(students), 'student')}, {text}")
    attempts = store.attempts(assignment.name)
    last = {compared(each.student.key): each.id for each in attempts}
    known = {each.id for each in store.submissions(assignment.name)}
    ids, unread, copies = set(), [], []
    own = (path for path in (assignment.solutions, *assignment.styles) if path)
    answers = {_without_blanks(path.read_bytes()) for path in own}
    for entry in found.entries():
        if entry.failure:
            unread.append((entry.student, entry.failure))
            continue
        key = compared(entry.student.key)
        files = _with_choice(entry, chosen.get(key))
        if files and (files.copies or any(_without_blanks(content) in answers for content in files.files.values())):
            copies.append(printable(entry.student.key))
        about = entry.received, printable(entry.source), entry.problem
        number = store.add_submission(entry.account or entry.student, assignment.name, files, *about, entry.other_keys)
        ids.add(number)
        if number in known and not entry.received and number != last[compared(entry.student.key)]:
            key = printable(entry.student.key)
            console.print(f"  {key}: the same files as an earlier attempt: now they are the last one", markup=False)
        if entry.earlier:
            earlier = ", ".join(map(printable, entry.earlier))
            key = printable(entry.student.key)
            console.print(f"  {key}: an earlier attempt does not count: {earlier}", markup=False)
        if entry.problem:
            store.add_result(
                Result(number, steps.assignment_digest, steps.grader, 0, assignment.points, reason=entry.problem), None
            )
    return [each for each in store.submissions(assignment.name) if each.id in ids], unread, copies


def _without_blanks(content: bytes) -> bytes:
    """The text of a file without spaces and line ends, as copies are compared."""
    return b"".join(content.split())


def _without_result(
    store: Store, assignment: str, steps: Steps, submissions: list[Submission], console: Console
) -> list[Submission]:
    """The submissions that have no result of this version yet. Prints how many there are of each kind."""
    done = store.graded(assignment, steps.assignment_digest, steps.grader)
    left = [each for each in submissions if each.id not in done]
    if problems := sum(bool(each.problem) for each in submissions):
        console.print(f"  {problems} cannot be graded; the summary says why")
    if done_before := len(submissions) - len(left) - problems:
        console.print(f"  {done_before} with a result already")
    last = store.last_results(assignment)
    if changing := sum(each.id in last and not each.problem for each in left):
        console.print(
            f"  {counted(changing, 'result')} of another version of the assignment or the grader: graded again; "
            "regrade --dry-run shows first what changes"
        )
    return left


@contextmanager
def _progress(console: Console) -> Iterator[Callable[[Progress], None]]:
    """A function to call with the progress: it is shown on the standard error, with the time that is left."""
    start = last = time.monotonic()
    if console.is_terminal:
        with console.status("starting") as status:
            yield lambda progress: status.update(_line(progress, time.monotonic() - start))
        return

    def print_line(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            print(_line(progress, last - start), file=sys.stderr, flush=True)

    yield print_line


def _line(progress: Progress, seconds: float) -> str:
    """How far the class is, in one line.

    >>> _line(Progress(100, 300, 2), 60)
    '100 of 300 graded, 2 to run again alone, about 2 min left'
    """
    left = seconds / max(1, progress.done) * (progress.total - progress.done)
    minutes = f"{left / 60:.0f} min" if left >= 60 else f"{left:.0f} s"
    alone = f", {progress.alone} to run again alone" if progress.alone else ""
    return f"{progress.done} of {progress.total} graded{alone}, about {minutes} left"
