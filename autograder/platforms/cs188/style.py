"""This project's files as the grader meets them. Only an action comes back from a search: no value is compared."""

from __future__ import annotations

from autograder.grading.style import Style
from autograder.platforms.cs188.remark import remark
from autograder.platforms.cs188.terms import advised, advised_import

STYLE = Style(
    api="cs188",
    assignment="classic",
    unanswered=frozenset({"value"}),
    advised=advised,
    advised_syntax=advised_import,
    remark=remark,
)
