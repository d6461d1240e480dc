"""What each student of a class may see, and a folder with a page for each."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.core.errors import InputError, reason_of
from pacman.core.files import whole_file

if TYPE_CHECKING:
    from autograder.course.marks.attempts import Attempt, Rule, Work
    from autograder.course.store import Store
    from autograder.judge.scorecard import Scorecard

_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_RESERVED = re.compile(r"index|con|prn|aux|nul|com\d|lpt\d|.*-[0-9a-f]{10}")
"""Names that are taken, that Windows does not allow, or that look like those with a digest."""


def check_folder(option: str, folder: Path) -> None:
    """InputError if pages cannot be written to this folder, which need not be there yet."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{option} {folder}: cannot be written: it is a file; expected a folder")
    place = folder if folder.exists() else folder.parent
    if not place.is_dir():
        raise InputError(f"{option} {folder}: cannot be written: no folder {place}")
    if not os.access(place, os.W_OK):
        raise InputError(f"{option} {folder}: cannot be written: no permission")


@dataclass(frozen=True)
class Feedback:
    """What a student may see about the attempt that counts; without a `card` it could not be graded."""

    assignment: str
    work: Work
    attempt: Attempt
    card: Scorecard | None

    @property
    def adjusted(self) -> float:
        """The points that the course staff gave or took."""
        return self.work.adjusted(self.attempt)

    @property
    def notes(self) -> list[str]:
        """What the course staff adjusted, as texts."""
        return [each.text for each in self.work.adjustments]

    def page(self) -> str:
        """The text of the page for a browser."""
        from autograder.pages.student_page import refused_page, student_page

        student = self.work.student.name or self.work.student.key
        if self.card is None:
            return refused_page(self.assignment, self.attempt.reason, student, self.adjusted, self.notes)
        return student_page(self.card, student, self.adjusted, self.notes)

    def markdown(self) -> str:
        """The same as Markdown."""
        from autograder.judge.points_as_text import points_text
        from autograder.report import blocks, escape, markdown

        if self.card is not None:
            return markdown.dump(self.card, self.adjusted, self.notes)
        title = f"# {escape.prose(self.assignment)}: not graded, {points_text(self.adjusted)} points"
        notes = (escape.prose(f"{blocks.ADJUSTED}{note}") for note in self.notes)
        return "\n\n".join([title, escape.prose(self.attempt.reason), *notes]) + "\n"


def page_name(key: str) -> str:
    """The file of a student's page: the key, if every system can have such a file, or else part of it and a digest.

    >>> page_name("ada"), page_name("../Ada")
    ('ada.html', 'ada-4e4af21652.html')
    """
    if _PLAIN.fullmatch(key) and not _RESERVED.fullmatch(key):
        return f"{key}.html"
    part = re.sub("[^a-z0-9]+", "-", key.lower()).strip("-")[:24].strip("-") or "student"
    return f"{part}-{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}.html"


def feedback_of(store: Store, assignment: str, work: Work, rule: Rule = "last") -> Feedback | None:
    """What a student may see; None without a submission, or if it is not graded yet."""
    attempt = work.chosen(rule)
    if attempt is None or attempt.result is None:
        return None
    return Feedback(assignment, work, attempt, store.scorecard(attempt.result.id))


def write_pages(store: Store, assignment: str, folder: Path) -> int:
    """Writes the pages of all students of a store, each from the last attempt. Returns how many students have one.

    Who could not be graded has a page that says why; who has no submission has none. Only their owner can read the
    files. InputError if they cannot be written.
    """
    from autograder.course.marks.attempts import load_works

    count = 0
    try:
        folder.mkdir(exist_ok=True)
        for work in load_works(store, assignment):
            if found := feedback_of(store, assignment, work):
                with whole_file(folder / page_name(work.student.key), rights=0o600) as file:
                    file.write(found.page().encode("utf-8"))
                count += 1
    except OSError as error:
        raise InputError(f"--html {folder}: cannot be written: {reason_of(error)}") from None
    return count
