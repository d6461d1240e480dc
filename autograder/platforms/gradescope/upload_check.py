"""An assignment as the platform can grade it: with its references, and within the time and memory that are there.

What whoever builds an upload decides travels in it as one file, `SETTINGS`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from autograder.cases import loading
from autograder.cases.case import Assignment, StrictSchema
from pacman.core.errors import InputError

MEMORY_MB = 512
"""For a student's process: the smallest machine has 768, and the grader and the system want their part."""
OVERHEAD = 60.0
"""Seconds for all but the student's code: starting, drawing misses, naming mistakes."""
LEAST = 0.5
SETTINGS = "settings.json"


@dataclass(frozen=True)
class Settings(StrictSchema):
    """`assignment` is its folder's name, `api` what submissions are written for, `minutes` the platform's time-out.

    `allow_unsafe`: grade behind whatever walls there are.
    """

    assignment: str
    api: str
    minutes: float
    allow_unsafe: bool


def ready(assignment: Assignment, minutes: float) -> Assignment:
    """The assignment such that even if every case uses up its time, all of them end within `minutes`.

    Where the time is short every case gives up the same part of its own, at most half of it: so the result of a
    case never depends on what an earlier case did. InputError where that is not enough, with the minutes that would
    do, and where a reference is missing or not up to date.
    """
    for case in assignment.cases:
        if case.has_reference:
            loading.load_reference(assignment, case)
    share = min(1.0, (minutes * 60 - OVERHEAD) / wanted(assignment))
    if share < LEAST:
        raise InputError(
            f"{minutes:g} minutes: too few for {len(assignment.cases)} cases that may take {wanted(assignment):g} s "
            f"together; expected at least {enough(assignment, LEAST)}"
        )
    limits = replace(assignment.limits, memory_mb=min(assignment.limits.memory_mb, MEMORY_MB))
    cases = tuple(replace(case, seconds=round(case.seconds * share, 3)) for case in assignment.cases)
    return replace(assignment, limits=limits, cases=cases)


def wanted(assignment: Assignment) -> float:
    """Seconds that all cases may take together."""
    return sum(case.seconds for case in assignment.cases)


def enough(assignment: Assignment, share: float = 1.0) -> int:
    """Minutes in which every case gets that share of its time."""
    return math.ceil((share * wanted(assignment) + OVERHEAD) / 60)
