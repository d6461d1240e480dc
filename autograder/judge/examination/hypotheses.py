"""What a wrong search may do, in the order in which it is tried.

The simplest and most frequent mistakes come first: if two rows foretell the same answers, the first one is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal

from autograder.judge.examination.action_rows import actions
from autograder.judge.examination.decider_rows import deciders
from autograder.judge.examination.end_rows import ends_and_evaluations
from autograder.judge.examination.horizon_rows import horizons, rare_horizons
from autograder.judge.examination.memory_rows import economy, memory
from autograder.judge.examination.mistake_row import Change, Hypothesis
from autograder.judge.examination.model_tree import CHANCE, MAX, MIN
from autograder.judge.examination.questions import Scope
from autograder.judge.examination.rule_phrases import FREQUENT_PLACES, FREQUENT_RULES, PLACE_PHRASES, RULE_PHRASES
from autograder.judge.examination.start_rows import starts
from autograder.judge.examination.window_rows import chance_stops, unasked_cuts, windows

__all__ = ["Change", "Hypothesis", "all_names", "hypotheses", "mistakes_by_name"]


@cache
def hypotheses(scope: Scope) -> tuple[Hypothesis, ...]:
    """All rows for parts of this scope, the most frequent mistakes first."""
    return tuple(_rows(scope))


def _rows(scope: Scope) -> Iterator[Hypothesis]:
    yield from horizons(scope)
    yield from ends_and_evaluations(scope)
    yield from deciders(scope, FREQUENT_PLACES, FREQUENT_RULES)
    yield from starts(scope)
    yield from actions(scope)
    if scope.prunes:
        yield from windows(scope)
    elif MIN in scope.layers:
        yield from unasked_cuts(scope)
    if CHANCE in scope.layers:
        yield from chance_stops()
    yield from memory(scope)
    yield from economy(scope)
    rare = deciders(scope, PLACE_PHRASES, RULE_PHRASES, but=(("everywhere",), FREQUENT_RULES))
    yield from rare_horizons()
    yield from rare


def mistakes_by_name(scope: Scope) -> dict[str, Hypothesis]:
    """The first row of each name, for parts of this scope."""
    rows: dict[str, Hypothesis] = {}
    for row in hypotheses(scope):
        rows.setdefault(row.name, row)
    return rows


RULES_FOR_CUTS: tuple[Literal["", "equal", "strict"], ...] = ("", "equal", "strict")


def all_names() -> list[str]:
    """The names of all mistakes."""
    scopes = (Scope((MAX, MIN, CHANCE), False, cuts) for cuts in RULES_FOR_CUTS)
    return list(dict.fromkeys(name for scope in scopes for name in mistakes_by_name(scope)))
