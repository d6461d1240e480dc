"""`python -m autograder board`: shows what a class knows by now, and what to say in the next lecture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import AssignmentOption, PseudonymsOption, StoreOption
from autograder.commands.report_file import STDOUT, check_new, write_new


def board(
    store: StoreOption,
    assignment: AssignmentOption = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the board as JSON to this new file; - prints only that.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the board as a page to this new file.")
    ] = None,
    lecture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page to show in a lecture, without names, to this new file."),
    ] = None,
    pseudonyms: PseudonymsOption = False,
) -> None:
    """Show what a class knows by now: mistakes, hard questions, and what to say in the next lecture.

    A mistake counts once for each student. It is overcome if the last submission that was graded does not have it.

    \b
    Examples:
      python -m autograder board --store class.db
      python -m autograder board --store class.db --html board.html
      python -m autograder board --store class.db --lecture monday.html
      python -m autograder board --store class.db --assignment multiagent --json board.json
    """
    if json is not None:
        check_new("--json", json)
    for option, file in (("--html", html), ("--lecture", lecture)):
        if file is not None:
            check_new(option, file)
    from autograder.course.marks.attempts import naming, single_assignment
    from autograder.course.marks.board import common_mistakes, dump, load_board
    from autograder.course.store import Store

    with Store.open(store) as opened:
        summary = load_board(opened, single_assignment(opened, assignment), naming(opened, pseudonyms))
        common = common_mistakes(opened, summary) if lecture else []
    if json is not None:
        write_new("--json", json, dump(summary))
    if html is not None:
        from autograder.pages.class_board import class_board

        write_new("--html", html, class_board(summary))
    if lecture is not None:
        from autograder.pages.class_board import lecture_board

        write_new("--lecture", lecture, lecture_board(summary, common))
    if STDOUT not in (json, html, lecture):
        from rich.console import Console

        from autograder.commands.board_tables import render

        render(summary, Console(highlight=False))
