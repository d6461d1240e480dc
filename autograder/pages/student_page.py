"""The page of one student: the blocks of the report, those of a question or of a case beside their picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

from autograder.judge.points_as_text import points_phrase
from autograder.judge.scorecard import Scorecard
from autograder.pages.game_player import SCRIPT, STYLE
from autograder.pages.page import markup, page
from autograder.pages.pictures import LEGEND, Picture, picture
from autograder.report.blocks import ADJUSTED, Block, Form, Kind, blocks
from autograder.report.escape import line
from pacman.core.errors import counted

MOST_PICTURES, MOST_TEXT = 180_000, 70_000
"""The most bytes of pictures and of texts about single cases in a page: with its frame, it stays below 300 kB."""
MOST_WARNINGS = 21


@dataclass
class _Part:
    """A question or a case of the page: its first block, what is said, and its picture."""

    head: Block
    blocks: list[Block] = field(default_factory=list)
    picture: Picture | None = None
    legend: str = ""
    cases: list[_Part] = field(default_factory=list)
    end: list[Block] = field(default_factory=list)
    """Of a question: what stands below its cases."""

    @property
    def size(self) -> int:
        """The size of its texts in a page, in bytes."""
        texts = (text for block in (self.head, *self.blocks) for row in (block.lines, *block.rows) for text in row)
        return 500 + sum(len(escape(text).encode("utf-8", "replace")) for text in texts)


def student_page(card: Scorecard, student: str = "", adjusted: float = 0.0, adjustments: Sequence[str] = ()) -> str:
    """The text of the page for a student; `student` is the name, if it is known. Hidden cases stay hidden.

    The `adjustments` of the course staff, as texts, change the points by `adjusted`.
    """
    values = _values(card, student, adjusted, adjustments)
    has_game = any(case.picture.game for question in values["questions"] for case in question.cases if case.picture)
    scripts, styles = ([SCRIPT], [STYLE]) if has_game else ([], [])
    return page("student_page.html", values["title"], values, scripts=scripts, styles=styles)


def report_content(card: Scorecard) -> str:
    """The content of the page without a student's name, for another page."""
    return markup("student_page.html", _values(card))


def refused_page(
    assignment: str,
    reason: str,
    student: str = "",
    adjusted: float = 0,
    notes: Sequence[str] = (),
    is_refused: bool = True,
) -> str:
    """The text of the page for a student whose submission could not be graded, with the reason.

    `notes` are the adjustments of the course staff, which give the `adjusted` points. False `is_refused`: nothing was
    handed in.
    """
    facts = [line(f"{ADJUSTED}{each}", 600) for each in notes]
    values = {"student": line(student), "reason": line(reason, 600), "adjustments": facts, "is_refused": is_refused}
    return page("refused_page.html", f"{line(assignment)}: not graded, {points_phrase(adjusted)}", values)


def _values(
    card: Scorecard, student: str = "", adjusted: float = 0.0, adjustments: Sequence[str] = ()
) -> dict[str, Any]:
    """What the template shows: the blocks in their parts, each with its picture while there is room."""
    top: dict[Kind, list[Block]] = {kind: [] for kind in Kind}
    questions: list[_Part] = []
    room, without = [MOST_PICTURES, MOST_TEXT], 0
    for block in (each.cleaned() for each in blocks(card, Form.PAGE, False, adjusted, adjustments)):
        if block.kind is Kind.HEADING:
            questions.append(part := _Part(block))
        elif block.kind is Kind.CASE:
            questions[-1].cases.append(part := _Part(block))
        elif block.kind is Kind.PICTURE:
            part.picture = _picture(part, block)
        elif block.kind in (Kind.REST, Kind.HIDDEN):
            questions[-1].end.append(block)
        elif questions and block.kind is not Kind.CONDITIONS:
            part.blocks.append(block)
        else:
            top[Kind.WARNING if block.kind is Kind.REMARK else block.kind].append(block)
    is_told = False
    for question in questions:
        for number, part in enumerate([question, *question.cases]):
            if part is not question and part.size > room[1]:
                names = ", ".join(text for case in question.cases[number - 1 :] for text in _names(case))
                question.end.insert(0, Block(Kind.FACT, [f"More cases lost points: {line(names, 2_000)}."]))
                del question.cases[number - 1 :]
                room[1] = 0  # what comes later has no room either: the page does not skip over a case
                break
            room[1] -= part.size if part is not question else 0
            size = part.picture.size if part.picture else 0
            if part.picture and size > room[0]:
                without, part.picture = without + 1, replace(part.picture, svg="", game="", lines=())
            elif part.picture:
                room[0] -= size
                part.legend = LEGEND if part.picture.compares and not is_told else ""
                is_told = is_told or bool(part.legend)
    title, submission, earned, most = top[Kind.TITLE][0].lines
    are = "is" if without == 1 else "are"
    more = f"{counted(without, 'more picture')} {are} not drawn in this page. Run these cases to see them."
    return {
        "title": f"{title}: {earned} of {most} points",
        "muted": ", ".join(filter(None, (line(student), submission))),
        "points": top[Kind.POINTS][0].rows,
        "places": {each.head.lines[0]: number for number, each in enumerate(questions, 1)},
        "top": [*top[Kind.FACT], *top[Kind.WARNING][:MOST_WARNINGS]],
        "questions": questions,
        "not_drawn": more if without else "",
        "conditions": "; ".join(top[Kind.CONDITIONS][0].lines),
    }


def _names(case: _Part) -> list[str]:
    """The case, and those with the same fault."""
    return [case.head.lines[0], *(name for block in case.blocks if block.kind is Kind.SAME for name in block.lines)]


def _picture(part: _Part, block: Block) -> Picture:
    """The picture of a case; or of a question, whose last block says what is drawn."""
    if part.head.kind is Kind.CASE:
        name, shows, _ = part.head.lines
        return picture(block.diagram, block.lines, f"{name}: {shows}")
    caption = part.blocks.pop().lines[0]
    label = f"{part.head.lines[0]}: {caption.removesuffix(':')}"
    return picture(block.diagram, block.lines, label, caption)
