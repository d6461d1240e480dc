"""`python -m autograder board`: shows what a class knows by now, and what to say in the next lecture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.commands.shared.options import AssignmentOption, StoreOption
from autograder.commands.shared.report_file import check_new, write_new
from pacman.commands.output import STDOUT

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.course.marks.board import Board

MOST_MISTAKES = 10
MOST_CASES = 8


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
    for option, file in (("--json", json), ("--html", html), ("--lecture", lecture)):
        if file is not None:
            check_new(option, file)
    from autograder.course.marks.board import common_mistakes, dump, load_board
    from autograder.course.marks.marks import single_assignment
    from autograder.course.store import Store

    with Store.open(store) as opened:
        summary = load_board(opened, single_assignment(opened, assignment))
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

        _render(summary, Console(highlight=False))


def _render(summary: Board, console: Console) -> None:
    """Prints the board."""
    from rich.text import Text

    from autograder.report import escape
    from autograder.report.terminal import plain_table

    console.print(Text(escape.line(summary.assignment), style="bold"))
    console.print(Text(summary.overview))
    for title, headings, rows, more in _tables(summary):
        table = plain_table(*headings)
        for row in rows:
            table.add_row(*(Text(escape.line(cell)) for cell in row))
        console.print(Text(f"\n{title}", style="bold"))
        console.print(table if rows else Text("none", style="dim"))
        if more:
            console.print(Text(more, style="dim"))
    console.print(Text("\nto say in the next lecture", style="bold"))
    for number, saying in enumerate(summary.sayings, 1):
        console.print(Text(f"{number}. {escape.line(saying.text, 600)}"))
        console.print(Text(f"   (chosen: {saying.rule})", style="dim"))


def _tables(summary: Board) -> Iterator[tuple[str, Sequence[str], Sequence[Sequence[str]], str]]:
    """The tables of the board: the title, the headings, the rows, and how many more there are in words."""
    from autograder.judge.points_as_text import percent, points_text

    questions = [
        (row.question, row.title, points_text(row.points), percent(row.average), str(row.full), str(row.none))
        for row in summary.questions
    ]
    headings = ("", "question", "points>", "average>", "all points>", "no points>")
    yield "questions, the hardest first", headings, questions, ""
    mistakes = [
        (row.question or "all", row.title, str(row.students), str(row.now), str(row.overcome), row.since[:10])
        for row in summary.mistakes[:MOST_MISTAKES]
    ]
    more = len(summary.mistakes) - MOST_MISTAKES
    more_mistakes = f"and {more} more (see --json)" if more > 0 else ""
    headings = ("", "what", "had it>", "have it now>", "overcame it>", "since")
    yield "mistakes, facts and faults", headings, mistakes, more_mistakes
    cases = [(row.case, percent(row.earned)) for row in summary.flat_cases[:MOST_CASES]]
    if len(summary.flat_cases) > MOST_CASES:
        cases.append((f"and {len(summary.flat_cases) - MOST_CASES} more", ""))
    yield "cases that tell nobody apart", ("case", "everybody earns>"), cases, ""
