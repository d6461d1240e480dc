"""Which known mistake gives the same values as a student's search: for searches in which no single call is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.cases.truth import is_close
from autograder.judge.diagnosis.observation import Observation
from autograder.judge.diagnosis.questions import Scope
from autograder.judge.scorecard import Diagnosis
from autograder.judge.wrong_searches.mistakes import MISTAKES
from autograder.judge.wrong_searches.search_model import SearchModel
from autograder.judge.wrong_searches.simulation import TooManySimulated, simulate

LEAST_WRONG = 5
"""The fewest wrong values from which a mistake is concluded."""
MOST_SUCCESSORS = 5_000


def same_values(wrong: Sequence[Observation], right: Sequence[Observation], scope: Scope) -> Diagnosis | None:
    """The mistake with which a search returns all these values, the `wrong` ones and the `right` ones.

    None if there is no such mistake, if mistakes with different names do the same, or if too few values are wrong.
    """
    correct, seen = SearchModel(cuts=scope.cuts), (*wrong, *right)
    rows = [
        row
        for row in MISTAKES
        if len(wrong) >= LEAST_WRONG
        and row.can_happen(scope)
        and all(_returns_the_same(replace(correct, **row.change), each) for each in seen)
    ]
    if len({row.name for row in rows}) != 1:
        return None
    same = f"On all {len(seen)} small trees, your search returns the same values as one with this mistake."
    return Diagnosis((rows[0].sentence, same), rows[0].hint, (rows[0].name,))


def _returns_the_same(model: SearchModel, seen: Observation) -> bool:
    """True if a search that does what `model` says returns the value that was seen."""
    try:
        result = simulate(model, seen.tree, MOST_SUCCESSORS)
    except TooManySimulated:
        return False
    if seen.claim is None or result.error:
        return False
    if seen.claim.value is None:
        return seen.claim.value_text == str(result.value)
    return is_close(seen.claim.value, result.value)
