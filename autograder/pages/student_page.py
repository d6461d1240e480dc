"""The page of one student: the points, what is wrong first, and each case that lost points with its picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import count
from typing import Any

from autograder.judge.points_as_text import points_text
from autograder.judge.scorecard import CaseScore, Diagnosis, QuestionScore, Scorecard
from autograder.pages.game_player import SCRIPT, STYLE
from autograder.pages.page import markup, page
from autograder.pages.pictures import LEGEND, Picture, picture
from autograder.report.blocks import (
    costless_notes,
    general_faults,
    hidden_count,
    losses,
    misses,
    not_final_warning,
    numbered_code,
    shown_diagnosis,
    smallest_title,
)
from autograder.report.escape import cleaned, line
from pacman.core.errors import counted

MOST_PICTURES, MOST_TEXT = 180_000, 70_000
"""The most bytes of pictures and of texts about single cases in a page: with its frame, it stays below 300 kB."""
MOST_NOTES = 20


@dataclass(frozen=True)
class _Section:
    """What the page says about one question."""

    question: QuestionScore
    diagnosis: Diagnosis | None
    smallest: Picture | None
    misses: Sequence[tuple[CaseScore, str, Picture]]
    """Each case that lost points, with the ids of further cases with the same message, and its picture."""
    others: str
    """The ids of further cases that lost points, for which the page has no room."""

    @property
    def name(self) -> str:
        return f"{self.question.id} {self.question.title}" + " (extra)" * self.question.extra

    @property
    def losses(self) -> str:
        """What was lost, in one line, if no diagnosis found out what is wrong; else ""."""
        opened = replace(self.question, cases=tuple(case for case in self.question.cases if not case.hidden))
        lost = "" if self.diagnosis else losses(opened, in_words=True)
        return lost and f"Lost points: {lost}."

    @property
    def code(self) -> Sequence[tuple[str, str]]:
        """The lines of the wrong step with their numbers."""
        return [*numbered_code(self.diagnosis.step)] if self.diagnosis and self.diagnosis.step else []

    @property
    def notes(self) -> Sequence[str]:
        return costless_notes(self.question)

    @property
    def passed(self) -> str:
        """How many cases passed, in one sentence."""
        opened = [case for case in self.question.cases if not case.hidden]
        passed = sum(case.earned >= 1 for case in opened)
        sentences = [f"{passed} of {counted(len(opened), 'case')} passed."] if opened else []
        hidden = hidden_count(self.question)
        return " ".join([*sentences, *([f"{hidden}."] if hidden else [])])

    @property
    def is_shown(self) -> bool:
        has_hidden_loss = any(case.hidden and case.earned < 1 for case in self.question.cases)
        return bool(self.question.withheld or self.diagnosis or self.misses or self.notes or has_hidden_loss)


def student_page(card: Scorecard, student: str = "", adjusted: float = 0.0, adjustments: Sequence[str] = ()) -> str:
    """The text of the page for a student; `student` is the name, if it is known. Hidden cases stay hidden.

    The `adjustments` of the course staff, as texts, change the points by `adjusted`.
    """
    values = _values(card, student, adjusted, adjustments)
    has_game = any(picture.game for section in values["sections"] for _, _, picture in section.misses)
    scripts, styles = ([SCRIPT], [STYLE]) if has_game else ([], [])
    return page("student_page.html", values["title"], values, scripts=scripts, styles=styles)


def report_content(card: Scorecard) -> str:
    """The content of the page without a student's name, for another page."""
    return markup("student_page.html", _values(card))


def _values(
    card: Scorecard, student: str = "", adjusted: float = 0.0, adjustments: Sequence[str] = ()
) -> dict[str, Any]:
    """What the template shows."""
    warning = not_final_warning(card)
    card = cleaned(card.public())
    budget = _Budget()
    sections = [_section(question, budget) for question in card.questions]
    earned = f"{points_text(card.earned + adjusted)} of {points_text(card.points)} points"
    return {
        "title": f"{card.title}: {earned}",
        "card": card,
        "student": line(student),
        "warnings": [text for text in (warning, *general_faults(card)[:MOST_NOTES]) if text],
        "adjustments": [line(each, 400) for each in adjustments],
        "sections": sections,
        "legend": LEGEND,
        "not_drawn": budget.not_drawn,
        "seconds": f"{card.seconds:.1f} s",
    }


def refused_page(
    assignment: str, reason: str, student: str = "", adjusted: float = 0, notes: Sequence[str] = ()
) -> str:
    """The text of the page for a student whose submission could not be graded, with the reason.

    `notes` are the adjustments of the course staff, which give the `adjusted` points.
    """
    values = {"student": line(student), "reason": line(reason, 600), "adjustments": [line(each, 400) for each in notes]}
    return page("refused_page.html", f"{line(assignment)}: not graded, {points_text(adjusted)} points", values)


class _Budget:
    """Counts the bytes of pictures and texts, and the pictures that have no room."""

    def __init__(self) -> None:
        self.pictures, self.text, self.refused = MOST_PICTURES, MOST_TEXT, 0
        self.prefixes = (f"picture-{number}-" for number in count(1))
        """For the ids in each picture."""

    def with_room(self, drawn: Picture) -> Picture:
        """The picture; without its drawing if there is no room for it."""
        size = len(drawn.svg) + len(drawn.game) + _bytes(*drawn.lines)
        if size > self.pictures:
            self.refused += 1
            return replace(drawn, svg="", game="", lines=())
        self.pictures -= size
        return drawn

    def has_room(self, case: CaseScore) -> bool:
        """True if there is room for the texts about a case, which is then taken."""
        findings = (text for lost in case.lost for text in (lost.criterion, lost.expected, lost.got))
        texts = (case.id, case.shows, case.message, case.why, case.output, case.command, case.case_command)
        size = 500 + _bytes(*texts, *case.notes, *findings)
        if size > self.text:
            self.text = 0  # what comes later has no room either: the page does not skip over a case
            return False
        self.text -= size
        return True

    @property
    def not_drawn(self) -> str:
        """How many pictures are missing; empty for none."""
        if not self.refused:
            return ""
        verb = "is" if self.refused == 1 else "are"
        return f"{counted(self.refused, 'more picture')} {verb} not drawn in this page. Run these cases to see them."


def _bytes(*texts: str) -> int:
    """The size of texts in a page, in bytes."""
    return sum(len(escape(text).encode("utf-8", "replace")) for text in texts)


def _section(question: QuestionScore, budget: _Budget) -> _Section:
    diagnosis = shown_diagnosis(question)
    smallest = diagnosis.smallest if diagnosis else None
    drawn = None
    if diagnosis and smallest:
        label = f"{question.id}: the smallest tree on which it fails"
        title = smallest_title(diagnosis, smallest)
        drawn = picture(smallest.diagram, smallest.picture, label, next(budget.prefixes), title)
        drawn = budget.with_room(drawn)
    shown, others = [], []
    for case, *same in misses(question):
        if budget.has_room(case):
            drawn_case = picture(case.diagram, case.picture, f"{case.id}: {case.shows}", next(budget.prefixes))
            shown.append((case, ", ".join(each.id for each in same), budget.with_room(drawn_case)))
        else:
            others += [each.id for each in (case, *same)]
    return _Section(question, diagnosis, drawn, shown, ", ".join(others))
