"""The page from which the course staff reach the pages of all students, and the names of those pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from statistics import fmean

from autograder.course.intake.roster import Student
from autograder.course.marks.attempts import NO_SUBMISSION, Attempt
from autograder.judge.points_as_text import points_text, rounded_down
from autograder.judge.scorecard import Scorecard
from autograder.pages.page import page
from autograder.report.escape import line
from pacman.core.words import counted

_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_RESERVED = re.compile(r"index|con|prn|aux|nul|com\d|lpt\d|.*-[0-9a-f]{10}")
"""Names that are taken, that Windows does not allow, or that look like those with a digest."""


@dataclass(frozen=True)
class Entry:
    """A student in the index, with the scorecard if there is one. `page` is the file of its page; "" for none."""

    student: Student
    attempt: Attempt | None
    card: Scorecard | None
    page: str
    adjusted: float = 0.0

    @property
    def problem(self) -> str:
        """Why there is no scorecard; empty if there is one."""
        return "" if self.card else line(self.attempt.reason if self.attempt else NO_SUBMISSION)

    def points(self, question: str) -> str:
        """The points in a question; empty without a result."""
        rows = [each for each in self.card.questions if each.id == question] if self.card else []
        return points_text(rows[0].earned) if rows else ""


def page_name(key: str) -> str:
    """The file of a student's page: the key, if every system can have such a file, or else part of it and a digest.

    >>> page_name("ada"), page_name("../Ada")
    ('ada.html', 'ada-4e4af21652.html')
    """
    if _PLAIN.fullmatch(key) and not _RESERVED.fullmatch(key):
        return f"{key}.html"
    part = re.sub("[^a-z0-9]+", "-", key.lower()).strip("-")[:24].strip("-") or "student"
    return f"{part}-{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}.html"


def index_page(assignment: str, entries: Sequence[Entry]) -> str:
    """The text of the page with all students."""
    cards = [entry.card for entry in entries if entry.card]
    questions = list(dict.fromkeys(question.id for card in cards for question in card.questions))
    overview = f"{counted(len(entries), 'student')}, {len(cards)} with a result"
    if cards:
        average = points_text(rounded_down(fmean(card.earned for card in cards)))
        overview += f"; average {average} of {points_text(max(card.points for card in cards))} points"
    values = {
        "overview": overview,
        "questions": questions,
        "entries": entries,
        "has_names": any(entry.student.name for entry in entries),
        "has_sections": any(entry.student.section for entry in entries),
        "has_times": any(entry.attempt and entry.attempt.submission.received for entry in entries),
    }
    return page("index.html", f"{line(assignment)}: points of all students", values)
