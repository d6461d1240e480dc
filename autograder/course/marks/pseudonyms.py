"""Names that stand for students, so that a table or a folder can be passed on: the same ones for the whole store."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from autograder.course.intake.roster import Student, compared
from autograder.course.store import Store

LETTERS = 10
"""The length of a pseudonym: with 50 bits, two of 10,000 students share one with a probability of 1 : 20,000,000."""

Naming = Callable[[Student], Student]
"""Gives a student as a report may name him: by his own key and name, or by a pseudonym."""


@dataclass(frozen=True)
class Pseudonyms:
    """Gives each student a pseudonym, by a keyed hash: nobody can compute it from a name without the key."""

    key: str

    def __call__(self, student: Student) -> Student:
        """The student with a pseudonym as key, and without name and section."""
        whole = hmac.digest(self.key.encode(), compared(student.key).encode("utf-8", "replace"), hashlib.sha256)
        return Student(base64.b32encode(whole).decode()[:LETTERS].lower())

    def table(self, students: Iterable[Student]) -> list[list[str]]:
        """The rows of a table that says who is who, with the names of the columns."""
        rows = sorted([self(each).key, each.key, each.name, each.section] for each in students)
        return [["pseudonym", "id", "name", "section"], *rows]


def naming(store: Store, pseudonyms: bool) -> Naming:
    """How a report names the students of a store."""
    return Pseudonyms(store.secret("pseudonyms")) if pseudonyms else _same


def _same(student: Student) -> Student:
    return student
