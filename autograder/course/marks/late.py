"""What a late submission costs: the due time of each student, the late days, and the share that they leave."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from autograder.course.intake.roster import Student, compared, first_names, read_table
from pacman.core.errors import InputError, counted, nearest, printable


@dataclass(frozen=True)
class LateRule:
    """Each late day takes the share `per_day` of the points.

    `extensions` maps compared keys and names of assignments ("" for every one) to later due times.
    """

    due: datetime | None = None
    per_day: float = 0.0
    extensions: Mapping[tuple[str, str], datetime] = field(default_factory=dict)

    @classmethod
    def read(cls, due: str | None, per_day: str | None) -> Self:
        """The rule that the options --due and --late-per-day give. InputError if one cannot be read."""
        rule = cls(read_time("--due", due) if due else None, read_share("--late-per-day", per_day) if per_day else 0.0)
        if rule.costs and rule.due is None:
            raise InputError("--late-per-day: say with --due from when on, as in --due 2026-11-22T23:59+01:00")
        return rule

    @property
    def costs(self) -> bool:
        """True if a late day changes points."""
        return bool(self.per_day)

    def extension(self, student: Student, assignment: str) -> datetime | None:
        """The later due time of a student; None if there is none."""
        key = compared(student.key)
        return self.extensions.get((key, assignment)) or self.extensions.get((key, ""))

    def days(self, received: str, student: Student, assignment: str) -> int | None:
        """The late days of a submission; None if its time or the due time is not known."""
        due = self.extension(student, assignment) or self.due
        return late_days(received, due) if due else None

    def warnings(self) -> list[str]:
        """A line that names the students whose extension is before the due time of all; none if there are none."""
        early = [key for (key, _), time in self.extensions.items() if self.due and time < self.due]
        what = f"{counted(len(early), 'extension')} before the due time of --due"
        return [f"{what}: {first_names(early)}"] if early else []

    def kept(self, days: int | None) -> float:
        """The share of the points that so many late days leave.

        >>> [LateRule(per_day=0.1).kept(days) for days in (None, 0, 2, 5, 11)]
        [1.0, 1.0, 0.8, 0.5, 0.0]
        """
        if not days:
            return 1.0
        return max(0.0, round(1 - self.per_day * days, 6))


def read_share(option: str, text: str) -> float:
    """A share of the points, as in 10%. InputError for anything else.

    >>> read_share("--late-per-day", "10%"), read_share("--late-per-day", "12.5 %")
    (0.1, 0.125)
    """
    try:
        share = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        share = -1.0
    if not (0 < share <= 1 and text.strip().endswith("%")):
        raise InputError(f"{option} {printable(text)}: expected a share of the points, as in 10%")
    return share


def read_extensions(
    path: Path, students: Iterable[Student], assignments: Iterable[str]
) -> dict[tuple[str, str], datetime]:
    """The due times in a CSV file with the columns id, due and, if it is not for all assignments, assignment.

    InputError names the line of the first problem: a student or an assignment that is not known, or no time.
    """
    columns, lines = read_table(path)
    own = "key" if "key" in columns and "id" not in columns else "id"
    for needed in (own, "due"):
        if needed not in columns:
            raise InputError(f"{path}:1: no column '{needed}'; expected the columns id, due and perhaps assignment")
    known, names = {compared(each.key): each.key for each in students}, list(assignments)
    found: dict[tuple[str, str], datetime] = {}
    for number, cells in lines:
        key, name = cells.get(own, ""), cells.get("assignment", "")
        if compared(key) not in known:
            raise InputError(f"{path}:{number}: no student '{key[:80]}' in the store: {nearest(key, known.values())}")
        if name and name not in names:
            raise InputError(f"{path}:{number}: no assignment '{name[:80]}' in the store: {nearest(name, names)}")
        place = compared(key), name
        if place in found:
            raise InputError(f"{path}:{number}: a second extension of '{key[:80]}'; expected one")
        found[place] = read_time(f"{path}:{number}:", cells.get("due", ""))
    return found


def read_time(option: str, text: str) -> datetime:
    """A time with its zone. InputError for anything else."""
    time = _parsed(text)
    if time is None or time.tzinfo is None:
        raise InputError(
            f"{option} {text}: expected a time with its zone, as in 2026-11-22T23:59+01:00 or 2026-11-22T23:59Z"
        )
    return time.astimezone(UTC)


def late_days(received: str, due: datetime) -> int | None:
    """The days by which a submission came too late, each begun day counted; None if its time is not known.

    >>> due = read_time("--due", "2026-11-22T23:59+01:00")
    >>> [late_days(text, due) for text in ("2026-11-22T22:59:00Z", "2026-11-22T22:59:01Z", "2026-11-24T00:00:00Z", "")]
    [0, 1, 2, None]
    """
    time = stored_time(received)
    return None if time is None else max(0, math.ceil((time - due) / timedelta(days=1)))


def stored_time(text: str) -> datetime | None:
    """A time that a store knows, in UTC if it names no zone; None if it is none."""
    time = _parsed(text)
    return time and time.replace(tzinfo=time.tzinfo or UTC)


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None
