"""`python -m autograder board`: shows what a class knows by now, and what to say in the next lecture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.course_options import (
    STDOUT,
    AssignmentOption,
    PseudonymsOption,
    StoreOption,
    check_new,
    write_new,
)


def board(
    store: StoreOption,
    assignment: AssignmentOption = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the board as JSON to this new file; - prints only that.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the board as a page to this new file.")
    ] = None,
    pseudonyms: PseudonymsOption = False,
) -> None:
    """Show what a class knows by now: mistakes, hard questions, and what to say in the next lecture.

    A mistake counts once for each student. It is overcome if the last submission that was graded does not have it.

    \b
    Examples:
      python -m autograder board --store class.db
      python -m autograder board --store class.db --html board.html
      python -m autograder board --store class.db --assignment multiagent --json board.json
    """
    if json is not None:
        check_new("--json", json)
    if html is not None:
        check_new("--html", html)
    from autograder.course.marks.attempts import single_assignment
    from autograder.course.marks.load_board import dump, load_board
    from autograder.course.marks.pseudonyms import naming
    from autograder.course.store import Store

    with Store.open(store) as opened:
        summary = load_board(opened, single_assignment(opened, assignment), naming(opened, pseudonyms))
    if json is not None:
        write_new("--json", json, dump(summary))
    if html is not None:
        from autograder.pages.class_board import class_board

        write_new("--html", html, class_board(summary))
    if STDOUT not in (json, html):
        from rich.console import Console

        from autograder.commands.board_tables import render

        render(summary, Console(highlight=False))
