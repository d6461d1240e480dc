"""Which parts of a store are older than a date, so that they can be erased."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from autograder.course.intake.roster import compared
from autograder.course.marks.attempts import Work
from pacman.core.words import counted


@dataclass(frozen=True)
class Purge:
    """What is erased: submissions (with files, answers and results), and students who then have none left.

    `kept` submissions are younger; of `undated` ones nobody knows how old they are, so they stay too. `others` are
    students who never handed in anything.
    """

    submissions: tuple[int, ...]
    results: int
    students: tuple[str, ...]
    kept: int
    undated: int
    kept_students: int
    others: int

    def lines(self) -> list[str]:
        """What is erased and what stays, for people."""
        lines = [
            f"erase: {counted(len(self.submissions), 'submission')} with files, answers and "
            f"{counted(self.results, 'result')}",
            f"erase: {counted(len(self.students), 'student')} who then have no submission (id, name, section)",
            f"keep: {counted(self.kept, 'submission')} of that day or later, "
            f"{counted(self.kept_students, 'student')} with submissions",
            "keep: the versions of assignments, and the log, which names no student",
        ]
        if self.others:
            lines.append(f"keep: {counted(self.others, 'student')} who never handed in anything")
        if self.undated:
            lines.append(f"keep: {counted(self.undated, 'submission')} without any time")
        return lines


def plan(works: Iterable[Sequence[Work]], result_counts: dict[int, int], before: datetime) -> Purge:
    """What to erase of the works of all assignments. A submission is as old as its receipt, or else as its last
    attempt in the store, or its grading.
    """
    own: dict[str, dict[int, datetime | None]] = {}
    keys: dict[str, str] = {}
    for work in (each for group in works for each in group):
        name = compared(work.student.key)
        keys[name] = work.student.key
        # a submission that was handed in twice is as old as the last time
        own.setdefault(name, {}).update({each.submission.id: _time(each.time) for each in work.attempts})
    dated = [each for attempts in own.values() for each in attempts.items()]
    old = {number for number, time in dated if time is not None and time < before}
    gone = [name for name, attempts in own.items() if attempts and old.issuperset(attempts)]
    without = sum(not attempts for attempts in own.values())
    undated = sum(time is None for _, time in dated)
    return Purge(
        tuple(sorted(old)),
        sum(result_counts.get(number, 0) for number in old),
        tuple(keys[name] for name in gone),
        len(dated) - len(old) - undated,
        undated,
        len(own) - len(gone) - without,
        without,
    )


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time.replace(tzinfo=time.tzinfo or UTC)
