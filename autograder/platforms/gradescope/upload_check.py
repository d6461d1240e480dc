"""Fits an assignment to the platform: it must have its references and stay within the platform's time and memory.

The upload contains the settings of the person who builds it as one file, `SETTINGS`, and the key of the games as
another one, `KEY`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from autograder.cases import loading
from autograder.cases.case import Assignment, StrictSchema
from autograder.grading.early_stop import WAITING_SECONDS
from autograder.sandbox.run_case import MOST_WAITING
from pacman.core.errors import InputError
from pacman.core.words import counted

MEMORY_MB = 512
"""Memory for a student's process: the smallest machine has 768 MB, and the grader and the system need the rest."""
OVERHEAD = 60.0 + WAITING_SECONDS + MOST_WAITING
"""Seconds for all work besides the student's code: starting, drawing misses, examining wrong searches. And for waiting:
as long as all cases may wait, and as the last one of them may wait beyond that."""
LEAST_SHARE = 0.5
"""The smallest share of its time that a case may get."""
SETTINGS = "settings.json"
KEY = "games.key"


@dataclass(frozen=True)
class Settings(StrictSchema):
    """`assignment` is the name of its folder, `api` the submission API, `minutes` the platform's time-out.

    `allow_unsafe`: grade also in a weak sandbox.
    """

    assignment: str
    api: str
    minutes: float
    allow_unsafe: bool


def fit_to_platform(assignment: Assignment, minutes: float) -> Assignment:
    """The assignment with time limits such that all cases together end within `minutes`, even if each uses its limit.

    If the time is short, every case keeps the same share of its limit, at least half. So the result of a case never
    depends on an earlier case. InputError with the minutes that are needed if even half is too long, and for a
    reference that is missing or not up to date.
    """
    for case in assignment.cases:
        if case.has_reference:
            loading.load_reference(assignment, case)
    share = min(1.0, (minutes * 60 - OVERHEAD) / total_seconds(assignment))
    if share < LEAST_SHARE:
        needed = f"{counted(len(assignment.cases), 'case')} that may take {total_seconds(assignment):g} s together"
        expected = f"expected at least {minutes_needed(assignment, LEAST_SHARE)}"
        raise InputError(f"{minutes:g} minutes: too few for {needed}; {expected}")
    limits = replace(assignment.limits, memory_mb=min(assignment.limits.memory_mb, MEMORY_MB))
    cases = tuple(replace(case, seconds=round(case.seconds * share, 3)) for case in assignment.cases)
    return replace(assignment, limits=limits, cases=cases)


def total_seconds(assignment: Assignment) -> float:
    """The seconds that all cases together may take."""
    return sum(case.seconds for case in assignment.cases)


def minutes_needed(assignment: Assignment, share: float = 1.0) -> int:
    """The whole minutes in which every case gets `share` of its time limit."""
    return math.ceil((share * total_seconds(assignment) + OVERHEAD) / 60)
