"""`python -m autograder grade-all`: grades the submissions of a class into a store."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autograder.commands.options import GradedAssignmentOption, GraderOptions
from autograder.course.intake.roster import Roster, Student, compared, first_names, mismatches, named
from pacman.commands.app import arg, opt
from pacman.commands.output import aside, progress_bar
from pacman.core.errors import InputError, counted, printable

if TYPE_CHECKING:
    from autograder.course.grade import Intake, Progress, Workers
    from autograder.course.intake.submissions import Export
    from autograder.course.job import PackedGrader
    from autograder.course.records import Submission
    from autograder.course.store import Store

LINE_SECONDS = 10.0
"""The time between two lines of progress, where the standard error is not a terminal."""
TIMES = "the roster may say it in a column received, or a file received.csv (docs/course.md)"
ALL_GRADED, NOT_FINAL = 0, 2


def grade_all(
    export: Annotated[Path, arg("The submissions: a folder, or the zip that a platform exports.", "FOLDER")],
    store: Annotated[
        str, opt("Keep the results in this SQLite file, or at a URL: postgresql://USER@HOST/NAME.", "FILE")
    ],
    assignment: GradedAssignmentOption = None,
    roster_file: Annotated[
        Path | None,
        opt(
            "The students: a CSV file with the columns id, name and section, or the roster of Canvas, Moodle, "
            "Gradescope or GitHub Classroom.",
            "CSV",
            "--roster",
        ),
    ] = None,
    export_format: Annotated[
        str,
        opt(
            "Read the submissions in this layout: gradescope, moodle, canvas, github, plain. Necessary for what a "
            "platform exports. [default: plain]",
            "NAME",
        ),
    ] = "",
    main_files: Annotated[
        list[str] | None,
        opt(
            "Grade this file of a student whose submission has several with parts of the assignment, as in "
            "ada=final.py; can be repeated.",
            "STUDENT=NAME",
            "--file",
        ),
    ] = None,
    grading: GraderOptions = GraderOptions(),
    cluster: Annotated[
        str,
        opt(
            "Grade on the workers of this Dask cluster: tls://HOST:PORT, or tcp://127.0.0.1:PORT on this machine.",
            "ADDRESS",
        ),
    ] = "",
) -> None:
    """Grade the submissions of a class and keep the results in a store.

    Results are stored as they come. If the command is interrupted, start it again: it goes on where it was. After a
    change of the assignment it grades only what has no result yet; regrade changes the others.

    With a new store, --key FILE makes the key if it is missing.

    Exit status: 0 every submission has a result, 2 some have none.

    \b
    Examples:
      python -m autograder grade-all submissions/ --store class.db
      python -m autograder grade-all export.zip --export-format moodle --store class.db --roster roster.csv
      python -m autograder grade-all submissions/ --store class.db --key course.key --jobs 4
      python -m autograder grade-all submissions/ --store class.db --cluster tls://grader.example.org:8786
    """
    from autograder.course.intake import roster, submissions
    from autograder.course.store import Store, single_grading
    from autograder.platforms import load_assignment
    from autograder.sandbox.work_folder import exits_in_order

    content, _ = load_assignment(assignment, None, cases_of="")
    name, due = content.name, roster.parsed_time(content.due)
    listed = roster.read(roster_file, due.tzinfo if due else None) if roster_file else roster.Roster()
    if (export / "assignment.yaml").is_file():
        raise InputError(f"{export}: this is the folder of an assignment; expected the submissions of a class")
    submitted = submissions.find(export, export_format, listed.students, listed.received)
    check_known(f"--roster {roster_file}", listed.students, export, submitted)
    main_file_of = chosen_files(main_files or (), submitted)
    packed = grading.packed(assignment, f"{export}: ", makes_key="://" in store or not Path(store).exists())
    with (
        exits_in_order(),
        workers(cluster, grading.jobs) as (pool, count),
        single_grading(store, create=True),
        Store.open(store, create=True) as database,
    ):
        names = database.assignments()
        if assignment is None and names and name not in names:
            raise InputError(f"--store {store} has {', '.join(names)}, not {name}: choose one with --assignment")
        check_numbers(database, name, submitted)
        if not listed.students and (known := database.roster()):
            check_known(f"the roster of store {store}", known, export, submissions.find(export, export_format, known))
        aside(f"{export}: {counted(len(submitted.found), 'submission')}, format {submitted.format}")
        is_complete, lines = _grade(database, packed, submitted, listed, main_file_of, pool, count)
    for line in (*listed.notes, *lines):
        typer.echo(printable(line))
    raise typer.Exit(ALL_GRADED if is_complete else NOT_FINAL)


def check_known(place: str, students: Sequence[Student], export: Path, submitted: Export) -> None:
    """InputError if a roster has students, and none of those of an export: it is that of another course or folder."""
    if students and not any(each.is_listed for each in submitted.students()):
        own, known = (first_names([each.named for each in those]) for those in (submitted.students(), students))
        raise InputError(f"{place}: it has none of the students of {export}: {own}; it has {known}")


def check_numbers(database: Store, assignment: str, submitted: Export) -> None:
    """InputError if the store has another assignment from Moodle: its numbers of students are others there."""
    others = [each for each in database.assignments() if each != assignment]
    if submitted.format == "moodle" and any(database.fact(f"format {each}") == "moodle" for each in others):
        problem = "it has another assignment from Moodle, which numbers students anew in each assignment"
        raise InputError(f"store {database.name}: {problem}: grade each into a store of its own")


def _grade(
    database: Store,
    packed: PackedGrader,
    submitted: Export,
    listed: Roster,
    main_file_of: Mapping[str, str],
    pool: Workers,
    count: int,
) -> tuple[bool, list[str]]:
    """Takes an export in and grades what has no result yet. Returns whether all have one, and the summary."""
    from autograder.course import grade

    grader, steps = packed.unpack()
    name = grader.assignment.name
    dates = grade.note_dates(database, grader.assignment, has_roster=bool(listed.students))
    changes = [grade.note_version(database, grader, steps), dates]
    changes += new_roster(database, listed, name)
    if submitted.format != "plain" or database.fact(f"format {name}") is None:
        database.remember(f"format {name}", submitted.format)
    with progress("read") as on_progress:
        intake = grade.take_in(database, grader.assignment, submitted, main_file_of, on_progress)
    others = {*(database.fact(f"unread {name}") or ())} - {compared(each.key) for each in submitted.students()}
    database.remember(f"unread {name}", sorted(others | {compared(student.key) for student, _ in intake.unread}))
    strays = (f"not a submission: {stray}" for stray in submitted.strays)
    notes = [*strays, *submitted.notes, *mismatches(intake.students, database.roster()), *changes]
    untimed = [each.student.named for each in intake.submissions if not each.received]
    if grader.assignment.due and untimed:
        what = f"{counted(len(untimed), 'submission')} without a time of receipt: not late, whatever `due` says"
        notes.append(f"{what}; {TIMES}: {first_names(untimed)}")
    is_settled = settled(database, packed)
    left = [each for each in intake.submissions if each.work and not is_settled(each)]
    for line in (*filter(None, notes), *intake.notes, *_state(intake, left)):
        aside(f"  {printable(line)}")
    try:
        with progress() as on_progress:
            outcomes = grade.grade_class(database, packed, left, pool, count, on_progress)
    except (KeyboardInterrupt, SystemExit):
        ready = sum(bool(each.problem) or is_settled(each) for each in intake.with_results(database, name).submissions)
        aside(f"stopped: {ready} of {counted(len(intake.submissions), 'submission')} have a result; start again")
        raise
    database.add_event("grade-all", f"{name}: {len(intake.submissions)} submissions, {len(left)} of them new")
    failures = {work: each.failure for work, each in outcomes.items() if each.failure}
    intake = intake.with_results(database, name)
    lines = grade.summary(intake, failures, database.roster())
    lines += grade.lowered(database, intake, name, outcomes.keys() - failures.keys())
    graded = (each.result for each in intake.submissions if each.result and each.work not in failures)
    if old := sum(each.version != steps.version for each in graded):
        own = f"{counted(old, 'result')} of another version of the assignment or the grader, not changed here"
        lines.append(f"{own}: regrade --dry-run shows what would change, --apply changes it")
    return not (failures or intake.unread), lines


def settled(store: Store, packed: PackedGrader) -> Callable[[Submission], bool]:
    """Says which submissions have a result that only a regrade changes: also of another assignment or grader.

    But not one that was graded in another way. So points that students know do not move with a new submission, or
    another folder of the assignment.
    """
    own = packed.unpack()[1].assignment_digest

    @cache
    def way(digest: str) -> Any:
        return store.fact(f"version {digest}")

    return lambda each: each.result is not None and way(each.result.assignment_digest) == way(own)


def chosen_files(options: Sequence[str], submitted: Export) -> dict[str, str]:
    """The file to grade of each student that `--file` names, by compared keys. InputError for an unknown student."""
    main_file_of = {}
    for option in options:
        student, sign, name = option.partition("=")
        if not (sign and student and name):
            raise InputError(f"--file {printable(option)}: expected STUDENT=NAME, as in ada=final.py")
        main_file_of[compared(named(submitted.students(), student, "--file").key)] = name
    return main_file_of


@contextmanager
def workers(cluster: str, jobs: int) -> Iterator[tuple[Workers, int]]:
    """What makes an executor with the workers of this machine, or of a cluster; and how many jobs it runs at a time."""
    from autograder.course import workers as on_this_machine

    if not cluster:
        count = jobs or os.cpu_count() or 1
        yield lambda: on_this_machine.local_workers(count), count
        return
    if problem := on_this_machine.problem_of_address(cluster):
        raise InputError(f"--cluster {cluster}: {problem}")
    try:
        from autograder.course.cluster import connect
    except ModuleNotFoundError:
        advice = "needs Dask; install it with: python -m pip install distributed"
        raise InputError(f"--cluster {cluster}: {advice}") from None
    with connect(cluster) as connected:
        yield lambda: nullcontext(connected), jobs or connected.threads


def new_roster(store: Store, roster: Roster, assignment: str) -> Iterator[str]:
    """Takes a roster in; lines that say what is different from the one before, and what is odd about its due times."""
    from autograder.course.marks.marks import late_of

    if not roster.students:
        return
    for name, value in roster.facts.items():
        store.remember(name, value)
    students, stay, without = roster.after(store.roster())
    new, gone, changed = store.replace_roster(students)
    if new or gone or changed:
        text = f"{new} new, {gone} not in it any more, {changed} with another name, section or due time"
        yield f"this roster replaces the one before: {counted(len(roster.students), 'student')}, {text}"
    if stay:
        way = "to take one back, write the due time of all into that column"
        yield f"extensions of an earlier roster stay where this one says none: {', '.join(stay)}; {way}"
    if without:
        yield f"with an extension, and not in this roster: {', '.join(without)}"
    yield from late_of(store, assignment).warnings(students, assignment)
    names = {name for each in students for name, _ in each.due}
    if unknown := sorted(names - {"", *map(str.casefold, (assignment, *store.assignments()))}):
        columns = first_names([f"due {each}" for each in unknown])
        yield f"not used yet: {columns} of the roster: the store has no such assignment; due is for all"


def _state(intake: Intake, left: Sequence[Submission]) -> Iterator[str]:
    """How many submissions there are of each kind."""
    if problems := sum(bool(each.problem) for each in intake.submissions):
        yield f"{problems} cannot be graded and do not run: the summary gives the reasons"
    if done_before := len(intake.submissions) - len(left) - problems:
        yield f"{done_before} with a result already"
    if changing := sum(each.result is not None for each in left):
        yield f"{counted(changing, 'result')} with another --with: graded again"


@contextmanager
def progress(what: str = "graded") -> Iterator[Callable[[Progress], None]]:
    """A function to call with the progress: a bar with the time that is left, or lines where nobody sees a bar.

    `what` says what is done to a submission.
    """
    last = time.monotonic()
    with progress_bar(what) as update:

        def show(each: Progress) -> None:
            nonlocal last
            text = f"{what}, {each.alone} to run again alone" if each.alone else what
            update(completed=each.done, total=each.total, description=text)
            if not sys.stderr.isatty() and time.monotonic() - last >= LINE_SECONDS:
                last = time.monotonic()
                aside(f"{each.done} of {each.total} {text}")

        yield show
