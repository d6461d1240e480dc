"""The class board in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.course.marks.board_rows import Board, overview, row_title
from autograder.judge.points_as_text import percent, points_text
from autograder.report import escape
from autograder.report.terminal import plain_table

MOST_MISTAKES = 10
MOST_CASES = 8


def render(summary: Board, console: Console) -> None:
    """Prints the board."""
    console.print(Text(escape.line(summary.assignment), style="bold"))
    console.print(Text(overview(summary)))
    _print(console, "questions, the hardest first", _questions(summary))
    _print(console, "mistakes, facts and faults", _mistakes(summary))
    more = len(summary.mistakes) - MOST_MISTAKES
    if more > 0:
        console.print(Text(f"and {more} more (see --json)", style="dim"))
    _print(console, "cases that tell nobody apart", _flat_cases(summary))
    _print(console, "slowest submissions", _slowest(summary))
    console.print(Text("\nto say in the next lecture", style="bold"))
    for number, saying in enumerate(summary.sayings, 1):
        console.print(Text(f"{number}. {escape.line(saying.text, 600)}"))
        console.print(Text(f"   (chosen: {saying.rule})", style="dim"))


def _print(console: Console, title: str, table: Table) -> None:
    console.print(Text(f"\n{title}", style="bold"))
    console.print(table if table.row_count else Text("none", style="dim"))


def _row(table: Table, *cells: str) -> None:
    table.add_row(*(Text(escape.line(cell)) for cell in cells))


def _questions(summary: Board) -> Table:
    table = plain_table("", "question", "points>", "average>", "all points>", "no points>")
    for row in summary.questions:
        numbers = (points_text(row.points), percent(row.average), str(row.full), str(row.none))
        _row(table, row.question, row.title, *numbers)
    return table


def _mistakes(summary: Board) -> Table:
    table = plain_table("", "what", "had it>", "have it now>", "overcame it>", "since")
    for row in summary.mistakes[:MOST_MISTAKES]:
        numbers = (str(row.students), str(row.now), str(row.overcome))
        _row(table, row.question or "all", row_title(row), *numbers, row.since[:10])
    return table


def _flat_cases(summary: Board) -> Table:
    table = plain_table("case", "everybody earns>")
    for row in summary.flat_cases[:MOST_CASES]:
        _row(table, row.case, percent(row.earned))
    if len(summary.flat_cases) > MOST_CASES:
        _row(table, f"and {len(summary.flat_cases) - MOST_CASES} more", "")
    return table


def _slowest(summary: Board) -> Table:
    table = plain_table("student", "seconds>", "points>")
    for row in summary.slowest:
        _row(table, row.student, f"{row.seconds:.1f}", points_text(row.earned))
    return table
