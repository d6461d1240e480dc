"""`python -m autograder adjust`: the course staff gives a student other points in a question."""

from __future__ import annotations

from typing import Annotated

import typer

from autograder.commands.shared.options import AssignmentOption, StoreOption
from pacman.core.errors import InputError, nearest, printable


def adjust(
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student: the id in the store.")],
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="The question, as in q2.")],
    store: StoreOption,
    points: Annotated[
        str | None, typer.Argument(metavar="[POINTS]", help="The points that the question has now, as in 4.5.")
    ] = None,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why: it stands in tables and on the page.")] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Undo it: the points of the grader count again.")] = False,
    assignment: AssignmentOption = None,
) -> None:
    """Give a student other points in a question, whatever the grader says, and say why.

    The points stay when the class is graded again and in later attempts, until you adjust them again or undo it. The
    plain table of gradebook and the reports of feedback show them with the reason.

    \b
    Examples:
      python -m autograder adjust ada q2 4.5 --reason "right, but a ply short" --store class.db
      python -m autograder adjust ada q2 --undo --store class.db
    """
    if undo == (points is not None):
        raise InputError("choose one of POINTS and --undo")
    if points is not None and not reason.strip():
        raise InputError("adjust: give the --reason, as in --reason 'an appeal: the search is right'")
    from autograder.course.intake.roster import compared
    from autograder.course.marks.marks import find_student, single_assignment
    from autograder.course.store import Store
    from autograder.judge.points_as_text import points_text

    with Store.open(store) as opened:
        name = single_assignment(opened, assignment)
        known = find_student(opened, student)
        results = opened.last_results(name).values()
        most = {each: own[1] for result in results for each, own in result.questions.items()}
        if question not in most and not undo:
            raise InputError(f"store {opened.name}: no question '{question}' in {name}: {nearest(question, most)}")
        before = {each.question: each for each in opened.adjustments(name).get(compared(known.key), ())}
        if undo and question not in before:
            raise InputError(f"store {opened.name}: '{student}' has no adjustment in {question} of {name}")
        given = None if points is None else _number(points, question, most[question])
        opened.add_adjustment(known.key, name, question, given, " ".join(printable(reason).split()))
    what = "the points of the grader count again" if given is None else f"{points_text(given)} points"
    typer.echo(f"{printable(known.label)}, {name}, {question}: {what}")


def _number(text: str, question: str, most: float) -> float:
    """The points as a number. InputError if the question cannot have so many."""
    from autograder.judge.points_as_text import points_text

    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= most:
        raise InputError(
            f"POINTS {printable(text)}: expected a number from 0 to {points_text(most)}, as {question} has"
        )
    return number
