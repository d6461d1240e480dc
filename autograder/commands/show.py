"""`python -m autograder show`: says what a store knows about one student."""

from __future__ import annotations

from typing import Annotated

import typer

from autograder.commands.shared.options import AssignmentOption, StoreOption
from pacman.commands.app import as_started


def show(
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student: the id in the store.")],
    store: StoreOption,
    assignment: AssignmentOption = None,
) -> None:
    """Show what a store knows about one student: the name, the attempts, the points, and what the staff adjusted.

    \b
    Examples:
      python -m autograder show ada --store class.db
      python -m autograder show ada --store class.db --assignment multiagent
    """
    import shlex

    from autograder.course.intake.roster import compared
    from autograder.course.marks.feedback import page_name
    from autograder.course.marks.marks import chosen_assignments, find_student, load_works, marks
    from autograder.course.store import Store
    from autograder.judge.points_as_text import points_text
    from pacman.core.errors import printable

    with Store.open(store) as opened:
        known = find_student(opened, student)
        lines = [", ".join(filter(None, (known.key, known.name, known.section)))]
        for name in chosen_assignments(opened, assignment):
            every = marks(name, load_works(opened, name), "last")
            row = next(each for each in every if compared(each.student.key) == compared(known.key))
            lines.append(f"{name}: {points_text(row.before)} of {points_text(row.most)} points")
            for number, each in enumerate(row.work.attempts, 1):
                when = f", handed in {each.submission.received}" if each.submission.received else ""
                most = each.result.points if each.result else row.most
                said = each.reason or f"{points_text(each.earned)} of {points_text(most)} points by the grader"
                lines.append(f"  attempt {number}: {said}, from {each.submission.source}{when}")
            lines += [f"  adjusted by the course staff: {note}" for note in row.work.notes(row.attempt)]
            if row.attempt is None:
                lines.append("  no submission")
                continue
            place = f"--store {shlex.quote(store)} --assignment {shlex.quote(name)} --out pages"
            command = as_started(f"python -m autograder feedback {place}")
            lines.append(f"  the report: {command} ({page_name(known.key)})")
    for line in lines:
        typer.echo(printable(line))
