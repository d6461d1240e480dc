"""`python -m autograder regrade`: grades a class again after a change, and shows first what changes for whom."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.commands.options import GraderOptions, StoreOption
from autograder.course.intake.roster import compared
from autograder.judge.points_as_text import points_text
from autograder.report import escape
from pacman.commands.app import opt
from pacman.core.errors import InputError, counted

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.course.regrade import Regrade
    from autograder.course.store import Store

COMPLETE, NOT_FINAL = 0, 2
NO_WRAP = 10_000
"""The width of what goes to a file or a pipe: no cell is wrapped."""
MOST_NAMED = 3
"""How many reasons of a change the table names."""


def regrade(
    store: StoreOption,
    assignment: Annotated[
        str | None,
        opt(
            "Grade again with this assignment as it is now: a name, or its folder. [default: the one of the "
            "store, if it has only one]",
            "NAME",
        ),
    ] = None,
    dry_run: Annotated[
        bool, opt("Only show who would get how many points more or less, and why.", None, "--dry-run")
    ] = False,
    apply: Annotated[bool, opt("Show it, and then add the new results.", None, "--apply")] = False,
    reason: Annotated[str, opt("With --apply: say why (required); it goes into the log of the store.", "TEXT")] = "",
    student: Annotated[
        list[str] | None, opt("Run all cases of this student only, also without a change; can be repeated.", "ID")
    ] = None,
    grading: GraderOptions = GraderOptions(),
) -> None:
    """Grade a class again after a change of a case, a weight or the grader, and show what changes for whom.

    Only what the change touches runs again; with --student, every case of that student. Results are added: the old
    ones stay in the store. Everybody whose points change is listed, those who lose points first.

    Exit status: 0 every submission was graded again, 2 some were not.

    \b
    Examples:
      python -m autograder regrade --store class.db --assignment multiagent --dry-run
      python -m autograder regrade --store class.db --assignment multiagent --apply --reason "q2/03-figure was wrong"
      python -m autograder regrade --store class.db --student ada --dry-run
    """
    if dry_run == apply:
        raise InputError("choose one of --dry-run and --apply; a dry run changes no points")
    if apply and not reason.strip():
        raise InputError("--apply: give the --reason, as in --reason 'the case q2/03-figure was wrong'")

    from rich.console import Console

    from autograder.commands.grade_all import progress, workers
    from autograder.course.grade import note_dates
    from autograder.course.marks.marks import chosen_assignments, find_student
    from autograder.course.regrade import regrade_class
    from autograder.course.store import Store, single_grading
    from autograder.sandbox.work_folder import exits_in_order

    console = Console(highlight=False)
    console.width = console.width if console.is_terminal else NO_WRAP
    with (
        exits_in_order(),
        workers("", grading.jobs) as (pool, jobs),
        single_grading(store),
        Store.open(store) as database,
    ):
        packed = grading.packed(_chosen(database, assignment))
        grader, steps = packed.unpack()
        name = grader.assignment.name
        chosen_assignments(database, name)
        keys = {compared(find_student(database, each).key) for each in student or ()}
        with progress() as on_progress:
            result = regrade_class(database, packed, pool, jobs, on_progress, keys)
        new_dates = note_dates(database, grader.assignment, applies=apply)
        if apply:  # before anything is printed: who pipes the table into `head` ends the program there
            whom = f"only {', '.join(sorted(keys))}; " if keys else ""
            why = f"{whom}reason: {' '.join(reason.split())}"
            database.add_event("regrade", f"{name}, version {steps.assignment_digest}: {result.overview}; {why}")
            added = result.apply(database)
    _print(result, name, console)
    if result.changes and grader.assignment.due:
        console.print("These are the points before late days; gradebook takes those off.")
    if new_dates:
        console.print(new_dates)
    if apply:
        console.print(f"added: {counted(added, 'result')}; the old ones stay in the store")
    else:
        console.print("no points are changed yet; to change them, use --apply instead of --dry-run")
    raise typer.Exit(NOT_FINAL if result.failures else COMPLETE)


def _chosen(database: Store, assignment: str | None) -> str:
    """The name or folder to grade again with: the only assignment of the store, if none is named. InputError else."""
    from autograder.cases import loading
    from autograder.course.marks.marks import single_assignment

    chosen = assignment or single_assignment(database, None)
    if chosen in database.assignments() and chosen not in loading.names() and not Path(chosen).is_dir():
        raise InputError(f"--assignment {chosen}: the store knows only its name; give its folder")
    return chosen


def _print(result: Regrade, assignment: str, console: Console) -> None:
    """Prints who changes, by how much and why, and what else somebody should know before the results count."""
    from rich.text import Text

    from autograder.course.regrade import signed
    from autograder.report.terminal import plain_table

    console.print(Text(f"{escape.line(assignment)}: {result.overview}", style="bold"))
    steps = sum(len(outcome.new) for outcome in result.outcomes)
    console.print(f"ran: {counted(steps, 'step')} (cases, imports, diagnoses); the rest was judged again")
    if result.up_to_date:
        console.print(f"{counted(result.up_to_date, 'submission')} had a result of this version already")
    if result.waiting:
        console.print(f"{counted(result.waiting, 'submission')} without a result: start grade-all")
    for student, problem in result.failures:
        console.print(Text(escape.line(f"not graded again: {student.label}: {problem}"), style="yellow"))
    if not result.changes:
        return
    rows = []
    for change in result.changes:
        more = f" and {len(change.reasons) - MOST_NAMED} more" if len(change.reasons) > MOST_NAMED else ""
        points = points_text(change.before), points_text(change.after), signed(change.difference)
        why = f"{'; '.join(change.reasons[:MOST_NAMED])}{more}"
        rows.append((change.student.label, change.received[:10], *points, why))
    table = plain_table("student", "handed in", "before>", "after>", "change>", "why", rows=rows)
    for column in table.columns[:-1]:
        column.no_wrap = True
    console.print("", table, sep="\n")
