"""What each student of a class may see, and a folder of pages: one for each, and `index.html` for the course staff."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.commands.shared.whole_file import whole_file
from pacman.core.errors import InputError
from pacman.core.words import reason_of

if TYPE_CHECKING:
    from autograder.course.marks.attempts import Attempt, Rule, Work
    from autograder.course.store import Store
    from autograder.judge.scorecard import Scorecard

INDEX = "index.html"


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
        from autograder.report import escape, markdown

        if self.card is not None:
            return markdown.dump(self.card, self.adjusted, self.notes)
        title = f"# {escape.prose(self.assignment)}: not graded, {points_text(self.adjusted)} points"
        notes = map(markdown.adjustment, self.notes)
        return "\n\n".join([title, escape.prose(self.attempt.reason), *notes]) + "\n"


def feedback_of(store: Store, assignment: str, work: Work, rule: Rule = "last") -> Feedback | None:
    """What a student may see; None without a submission, or if it is not graded yet."""
    attempt = work.chosen(rule)
    if attempt is None or attempt.result is None:
        return None
    return Feedback(assignment, work, attempt, store.scorecard(attempt.result.id))


def write_pages(store: Store, assignment: str, folder: Path) -> int:
    """Writes the pages of all students of a store, each from the last attempt. Returns how many students have one.

    Who was not graded has a page that says why.

    Only their owner can read the files. InputError if they cannot be written.
    """
    from autograder.course.marks.attempts import load_works
    from autograder.pages.index import Entry, index_page, page_name

    entries = []
    try:
        folder.mkdir(exist_ok=True)
        for work in load_works(store, assignment):
            found = feedback_of(store, assignment, work)
            name = page_name(work.student.key) if found else ""
            if found:
                _write(folder / name, found.page())
            attempt = work.chosen("last")
            card = found.card.public() if found and found.card else None
            entries.append(Entry(work.student, attempt, card, name, work.adjusted(attempt)))
        _write(folder / INDEX, index_page(assignment, entries))
    except OSError as error:
        raise InputError(f"--html {folder}: cannot be written: {reason_of(error)}") from None
    return sum(bool(entry.page) for entry in entries)


def _write(path: Path, text: str) -> None:
    with whole_file(path, rights=0o600) as file:
        file.write(text.encode("utf-8"))
