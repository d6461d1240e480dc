"""The mistakes that a search can make, by name: each with a sentence, a hint and the search that makes it."""

from __future__ import annotations

from functools import cache

from autograder.judge.diagnosis.questions import Scope
from autograder.judge.wrong_searches.search_mistakes import SEARCH_MISTAKES
from autograder.judge.wrong_searches.search_model import Mistake
from autograder.judge.wrong_searches.window_mistakes import WINDOW_MISTAKES

MISTAKES: tuple[Mistake, ...] = (*SEARCH_MISTAKES, *WINDOW_MISTAKES)


@cache
def mistakes_by_name(scope: Scope | None = None) -> dict[str, Mistake]:
    """The first mistake of each name that can happen in parts of this scope, or in any part."""
    rows: dict[str, Mistake] = {}
    for row in MISTAKES:
        if scope is None or row.can_happen(scope):
            rows.setdefault(row.name, row)
    return rows
