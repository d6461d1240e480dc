"""Writes the pages of a class to a folder: one for each student, and `index.html` for the course staff."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.commands.whole_file import whole_file
from pacman.core.errors import InputError

if TYPE_CHECKING:
    from autograder.course.store import Store

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


def write_pages(store: Store, assignment: str, folder: Path) -> int:
    """Writes the pages of all students of a store, each from the last attempt. Returns how many students have one.

    Who was not graded has a page that says why.

    Only their owner can read the files. InputError if they cannot be written.
    """
    from autograder.course.marks.attempts import load_works
    from autograder.pages.index import Entry, index_page, page_name
    from autograder.pages.student_page import refused_page, student_page

    entries = []
    try:
        folder.mkdir(exist_ok=True)
        for work in load_works(store, assignment):
            attempt = work.attempts[-1] if work.attempts else None
            card = store.scorecard(attempt.result.id) if attempt and attempt.result else None
            name = page_name(work.student.key) if attempt and attempt.result else ""
            adjusted, notes = work.adjusted(attempt), [each.text for each in work.adjustments]
            student = work.student.name or work.student.key
            if card:
                _write(folder / name, student_page(card, student, adjusted, notes))
            elif attempt and name:
                _write(folder / name, refused_page(assignment, attempt.reason, student, adjusted, notes))
            entries.append(Entry(work.student, attempt, card and card.public(), name, adjusted))
        _write(folder / INDEX, index_page(assignment, entries))
    except OSError as error:
        raise InputError(f"--html {folder}: cannot be written: {(error.strerror or str(error)).lower()}") from None
    return sum(bool(entry.page) for entry in entries)


def _write(path: Path, text: str) -> None:
    with whole_file(path, rights=0o600) as file:
        file.write(text.encode("utf-8"))
