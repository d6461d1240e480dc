"""`python -m autograder grade-all`: grades the submissions of a class into a store."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.cases.case import Assignment
from autograder.commands.course_options import AllowUnsafeOption, ApiOption, JobsOption, KeyOption, make_grader
from autograder.commands.page_folder import INDEX, check_folder, write_pages
from autograder.course.grade_class import Progress, Workers, grade_class
from autograder.course.intake import roster
from autograder.course.intake import submissions as exported
from autograder.course.intake.roster import Student
from autograder.course.job import Steps
from autograder.course.local_workers import local_workers
from autograder.course.regrade_class import version_content
from autograder.course.store import Result, Store, Submission, single_grading
from autograder.course.summary import summary
from autograder.judge.points_as_text import counted
from autograder.sandbox.stop_signals import exits_in_order
from pacman.core.errors import InputError, printable

ALL_GRADED, NOT_FINAL = 0, 2
LINE_SECONDS = 10.0
"""The time between two lines of progress, where the standard error is not a terminal."""


def grade_all(
    export: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The submissions: a folder, or the zip that a platform exports.")
    ],
    store: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Keep the results in this SQLite file, or at a URL: postgresql://USER@HOST/NAME."
        ),
    ],
    assignment: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Grade with this assignment: multiagent, or a folder with assignment.yaml."),
    ] = None,
    roster_file: Annotated[
        Path | None,
        typer.Option("--roster", metavar="CSV", help="The students: a CSV file with the columns key, name, section."),
    ] = None,
    export_format: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Read the submissions in this layout: gradescope, canvas, moodle, github or plain. Without it, the "
            "layout is recognised.",
        ),
    ] = "",
    api: ApiOption = "native",
    key: KeyOption = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write a page for each student of the store to this folder, and index.html for the course staff.",
        ),
    ] = None,
    allow_unsafe: AllowUnsafeOption = False,
    jobs: JobsOption = 0,
    cluster: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Grade on the workers of this Dask cluster: tls://HOST:PORT, or tcp://127.0.0.1:PORT on this machine.",
        ),
    ] = "",
) -> None:
    """Grade the submissions of a class and keep the results in a store.

    Results are stored as they come. If the command is interrupted, start it again: it goes on where it was. It also
    grades again after a change of the assignment, but only what the change touches.

    Exit status: 0 every submission has a result, 2 some have none.

    \b
    Examples:
      python -m autograder grade-all submissions/ --store class.db
      python -m autograder grade-all export.zip --store class.db --roster roster.csv
      python -m autograder grade-all export.zip --store class.db --html pages
      python -m autograder grade-all export.zip --store class.db --key course.key --jobs 4
      python -m autograder grade-all export.zip --store class.db --cluster tls://grader.example.org:8786
    """
    if html is not None:
        check_folder("--html", html)
    packed = make_grader(assignment, api, key, allow_unsafe, jobs, f"{export}: ")
    grader, steps = packed.unpack()
    loaded = grader.assignment
    students = roster.read(roster_file) if roster_file else {}
    found = exported.find(export, export_format)
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    with (
        exits_in_order(),
        single_grading(store, create=True),
        _workers(cluster, jobs) as (workers, count, machines),
        Store.open(store, create=True) as opened,
    ):
        console.print(f"{export}: {counted(len(found), 'submission')}, format {found.format}", markup=False)
        for line in (*(f"not a submission: {printable(stray)}" for stray in found.strays), *found.notes):
            console.print(f"  {printable(line)}", markup=False)
        opened.add_assignment(loaded.name, steps.assignment_digest, version_content(grader))
        submissions = _take_in(opened, loaded, found, students, steps, console)
        left = _without_result(opened, loaded.name, steps, submissions, console)
        try:
            with _progress(console) as on_progress:
                where = "" if cluster else store
                failures = grade_class(opened, left, packed, workers, count, where, on_progress, machines)
        except (KeyboardInterrupt, SystemExit):
            done = opened.graded(loaded.name, steps.assignment_digest, steps.grader)
            graded = sum(each.id in done for each in submissions)
            console.print(f"stopped: {graded} of {counted(len(submissions), 'submission')} have a result; start again")
            raise
        results = opened.graded(loaded.name, steps.assignment_digest, steps.grader)
        opened.add_event("grade-all", f"{loaded.name}: {len(submissions)} submissions, {len(left)} of them new")
    for line in summary(submissions, results, failures, students.values()):
        typer.echo(printable(line))
    if html is not None:
        with Store.open(store) as opened:
            count = write_pages(opened, loaded.name, html)
        typer.echo(f"{counted(count, 'page')} in {printable(str(html))}: open {INDEX} there")
    raise typer.Exit(NOT_FINAL if failures else ALL_GRADED)


@contextmanager
def _workers(cluster: str, jobs: int) -> Iterator[tuple[Workers, int, int]]:
    """What makes an executor, how many submissions it grades at the same time, and on how many machines."""
    if not cluster:
        count = jobs or os.cpu_count() or 1
        yield lambda: local_workers(count), count, 1
        return
    try:
        from autograder.course.cluster import connect
    except ModuleNotFoundError:
        raise InputError(
            f"--cluster {cluster}: needs Dask; install it with: python -m pip install distributed"
        ) from None
    with connect(cluster) as connected:
        yield lambda: nullcontext(connected.executor), jobs or connected.threads, connected.machines


def _take_in(
    store: Store,
    assignment: Assignment,
    found: exported.Export,
    students: dict[str, Student],
    steps: Steps,
    console: Console,
) -> list[Submission]:
    """Adds the submissions of an export to the store, each with its result if it cannot be graded."""
    store.add_students(students.values())
    points = sum(question.points for question in assignment.questions if not question.extra)
    ids = set()
    for entry in found.entries(students):
        about = entry.received, printable(entry.source), entry.problem
        number = store.add_submission(entry.student, assignment.name, entry.files, *about)
        ids.add(number)
        if entry.earlier:
            earlier = ", ".join(map(printable, entry.earlier))
            console.print(f"  {entry.student.key}: an earlier attempt does not count: {earlier}", markup=False)
        if entry.problem:
            store.add_result(
                Result(number, steps.assignment_digest, steps.grader, 0, points, reason=entry.problem), None
            )
    return [each for each in store.submissions(assignment.name) if each.id in ids]


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
