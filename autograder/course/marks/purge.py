"""Which parts of a store are older than a date, so that they can be erased."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from autograder.course.intake.roster import compared
from autograder.course.marks.attempts import Work
from autograder.course.marks.late import stored_time
from pacman.core.words import counted


@dataclass(frozen=True)
class Purge:
    """What is erased: submissions (with files, answers and results), and students who then have none left.

    `lines` say what is erased and what stays, for people.
    """

    submissions: tuple[int, ...]
    students: tuple[str, ...]
    lines: tuple[str, ...]


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
        own.setdefault(name, {}).update({each.submission.id: stored_time(each.time) for each in work.attempts})
    dated = [each for attempts in own.values() for each in attempts.items()]
    old = {number for number, time in dated if time is not None and time < before}
    gone = [name for name, attempts in own.items() if attempts and old.issuperset(attempts)]
    others = sum(not attempts for attempts in own.values())
    undated = sum(time is None for _, time in dated)
    results = sum(result_counts.get(number, 0) for number in old)
    kept = counted(len(dated) - len(old) - undated, "submission")
    lines = [
        f"erase: {counted(len(old), 'submission')} with files, answers and {counted(results, 'result')}",
        f"erase: {counted(len(gone), 'student')} who then have no submission (id, name, section)",
        f"keep: {kept} of that day or later, {counted(len(own) - len(gone) - others, 'student')} with submissions",
        "keep: the versions of assignments, and the log, which names no student",
    ]
    lines += [f"keep: {counted(others, 'student')} who never handed in anything"] if others else []
    lines += [f"keep: {counted(undated, 'submission')} without any time"] if undated else []
    return Purge(tuple(sorted(old)), tuple(keys[name] for name in gone), tuple(lines))
