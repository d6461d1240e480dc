"""The page of a class: what to say in the next lecture, its mistakes, its hard questions."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.course.marks.board import FEW, Board, MistakeRow
from autograder.judge.points_as_text import points_text
from autograder.judge.scorecard import Diagram
from autograder.pages.page import page
from autograder.pages.pictures import picture
from autograder.report.drawing import drawing_lines
from autograder.report.escape import line

MOST_MISTAKES, MOST_CASES, MOST_IMPROVED = 25, 40, 5


def class_board(board: Board) -> str:
    """The text of the page of a board. A student is named only as the board names him."""
    values = {"board": board, "most_mistakes": MOST_MISTAKES, "most_cases": MOST_CASES}
    return page("class_board.html", f"{line(board.assignment)}: the class", values)


def lecture_board(board: Board, common: Sequence[tuple[MistakeRow, Diagram | None]]) -> str:
    """The text of the page to show in a lecture: it names no student.

    The most common mistakes in large type, each beside a tree, the histogram of the points, and what has improved.
    Nothing about a mistake of a single student.
    """
    mistakes = []
    for number, (row, tree) in enumerate(common, 1):
        label = f"a small tree on which a search with this mistake is wrong ({number})"
        drawing = picture(tree, drawing_lines(tree), label) if tree else None
        mistakes.append((row, _sentence(row), drawing))
    several = [row for row in board.mistakes if row.overcome and row.students >= FEW]
    improved = sorted(several, key=lambda row: -row.overcome)
    values = {
        "overview": board.overview,
        "histogram": _histogram(board),
        "mistakes": mistakes,
        "improved": [(row, _sentence(row)) for row in improved[:MOST_IMPROVED]],
    }
    return page("lecture_board.html", f"{line(board.assignment)}: the next lecture", values)


def _sentence(row: MistakeRow) -> str:
    return f"The mistake {row.name}" if row.sentence == row.name else row.sentence


def _histogram(board: Board) -> list[tuple[str, int, float]]:
    """For each tenth of the points: which points these are, how many students have them, and the share of the most."""
    most, steps = max(board.histogram, default=0) or 1, len(board.histogram) - 1
    rows = []
    for step, count in enumerate(board.histogram):
        low, high = (points_text(board.points * each / steps) for each in (step, step + 1))
        rows.append((f"{low} to {high}" if step < steps else f"all {low}", count, count / most))
    return rows
