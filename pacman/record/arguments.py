"""Which of the numbers that a function gets are the plies left, and which are the ends of its window."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import permutations
from math import isfinite

from pacman.record.calls import Calls, calls_of
from pacman.record.watcher import EventKind

ALPHA = ("alpha", "alfa", "alph", "a", "low", "lower", "lo", "best_max")
BETA = ("beta", "bet", "b", "high", "upper", "hi", "best_min")
"""The names of parameters that hold a window."""
Place = tuple[int, str]
"""A function, and a place in its arguments or in its result."""


def find_plies(records: Sequence[Calls]) -> frozenset[Place]:
    """The parameters with the plies left: always at the root, or at most nodes above the last ply; all of one name."""
    values: dict[Place, set[float]] = defaultdict(set)
    at_root: dict[Place, set[float]] = defaultdict(set)
    wrong_at_root: set[Place] = set()
    below: dict[Place, list[bool]] = defaultdict(list)
    for visit, frame in calls_of(records):
        for place, number in frame.call.numbers:
            key = frame.call.function, place
            values[key].add(number)
            if visit.parent is None and frame is visit.frames[0]:
                at_root[key].add(number)
                if number != visit.left:
                    wrong_at_root.add(key)
            elif visit.left >= 2:  # the number of an agent is often equal to 0 or 1 plies left
                below[key].append(number == visit.left)
    names = {
        key[1]
        for key, numbers in values.items()
        if key not in wrong_at_root and len(numbers) > 1
        if len(at_root[key]) > 1 or sum(below[key]) > 0.6 * len(below[key])
    }
    return frozenset(key for key in values if key[1] in names)


def find_windows(records: Sequence[Calls]) -> dict[int, tuple[str, str]]:
    """For each function that gets a window, the places of its lower and of its upper end.

    They have the usual names, or are a pair in one argument. At the first call of each search they are in order, and an
    end is beyond every value; in a pair both are. A counter is no end.
    """
    calls: dict[int, list[dict[str, float]]] = defaultdict(list)
    first: dict[int, list[tuple[dict[str, float], float]]] = defaultdict(list)
    for record in records:
        values = [event.numbers for event in record.events if event.kind in (EventKind.SCORE, EventKind.RETURN)]
        largest = max((abs(each) for numbers in values for _, each in numbers if isfinite(each)), default=0.0)
        began: set[int] = set()
        for event in record.events:
            if event.kind is EventKind.CALL and event.node >= 0:
                calls[event.function].append(dict(event.numbers))
                if event.function not in began:
                    began.add(event.function)
                    first[event.function].append((calls[event.function][-1], largest))
    windows: dict[int, tuple[str, str]] = {}
    for function, given in calls.items():
        pairs = [pair for pair in permutations(first[function][0][0], 2) if _begins(first[function], *pair)]
        if len(pairs) == 1 and sum({*pairs[0]} <= each.keys() for each in given) >= 0.9 * len(given):
            windows[function] = pairs[0]
    return windows


def _begins(first: Sequence[tuple[dict[str, float], float]], low: str, high: str) -> bool:
    """True if these arguments are ends by their names and by the first calls, each with the largest value there."""
    is_named = _name(low) in ALPHA and _name(high) in BETA
    is_pair = low.removesuffix("[0]") == high.removesuffix("[1]") != high
    return (is_named or is_pair) and all(
        {low, high} <= numbers.keys()
        and numbers[low] < numbers[high]
        and (-numbers[low] > largest) + (numbers[high] > largest) > (not is_named)
        for numbers, largest in first
    )


def _name(place: str) -> str:
    """The word of a place.

    >>> [_name(place) for place in ("alpha", "options['beta']", "window.low", "window[0]")]
    ['alpha', 'beta', 'low', '']
    """
    return re.split("[.\\[]", place)[-1].strip("]'0123456789").lower()
