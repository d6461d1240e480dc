"""The store of a class: what was handed in, what the grader found out about it, and the results.

store        opens, adds and erases             tables       the tables of the database
reader       finds what is there                connection   opens SQLite or PostgreSQL
records      what is kept, as frozen data
"""

from autograder.course.store.connection import single_grading
from autograder.course.store.records import (
    FAULT,
    UNNAMED,
    Adjustment,
    CaseResult,
    Result,
    Submission,
    adjusted,
    adjusted_questions,
    adjustment_notes,
    result_of,
)
from autograder.course.store.store import Store

__all__ = [
    "FAULT",
    "UNNAMED",
    "Adjustment",
    "CaseResult",
    "Result",
    "Store",
    "Submission",
    "adjusted",
    "adjusted_questions",
    "adjustment_notes",
    "result_of",
    "single_grading",
]
