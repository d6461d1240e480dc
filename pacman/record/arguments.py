"""Which of the numbers that a function gets are the plies left, and which are the ends of its window."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import isfinite
from typing import NamedTuple

from pacman.record.calls import Calls, calls_of
from pacman.record.watcher import EventKind

ALPHA = ("alpha", "alfa", "alph", "a", "low", "lower", "lo")
BETA = ("beta", "bet", "b", "high", "upper", "hi")
"""The names of parameters that hold a window. Other names need more proof."""
Place = tuple[int, str]
"""A function, and a place in its arguments or in its result."""
MOST_PAIRS = 8
"""The most pairs of arguments of a function that are looked at for a window."""


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


class _Given(NamedTuple):
    """The numbers that a call gets, the places of those that the search had before, and the largest value of it."""

    numbers: dict[str, float]
    seen: set[str]
    largest: float

    def is_outer(self, place: str, sign: int) -> bool:
        """True if a number is beyond every value, on this side."""
        return sign * self.numbers[place] > self.largest


def find_windows(records: Sequence[Calls]) -> dict[int, tuple[str, str]]:
    """For each function that gets a window, the places of its lower and of its upper end.

    At the first call of a search an end is as far out as every value. Later ones are values that the search had before,
    or numbers next to one, or their opposites; with the usual names they may be others. A counter is no end.
    """
    calls: dict[int, list[_Given]] = defaultdict(list)
    first: dict[int, list[_Given]] = defaultdict(list)
    for record in records:
        began: set[int] = set()
        for function, arguments in _given(record):
            calls[function].append(arguments)
            if function not in began:
                began.add(function)
                first[function].append(arguments)
    windows: dict[int, tuple[str, str]] = {}
    for function, all_calls in calls.items():
        pairs = [pair for pair in permutations(first[function][0].numbers, 2) if _begins(first[function], *pair)]
        if len(pairs) <= MOST_PAIRS:
            pairs = [pair for pair in pairs if _is_window(all_calls, *pair)]
            pairs = [pair for pair in pairs if _is_named(*pair)] or pairs
            if len(pairs) == 1:
                windows[function] = pairs[0]
    return windows


def _given(record: Calls) -> Iterator[tuple[int, _Given]]:
    """Each call with a node: its function, and the numbers that it gets. No call if none has two, as a window."""
    if not any(event.kind is EventKind.CALL and len(event.numbers) > 1 for event in record.events):
        return
    values = [
        [number for _, number in event.numbers if isfinite(number)]
        if event.kind in (EventKind.SCORE, EventKind.RETURN)
        else []
        for event in record.events
    ]
    largest = max((abs(number) for numbers in values for number in numbers), default=0.0)
    known: set[int] = set()
    for event, numbers in zip(record.events, values, strict=True):
        known.update(int(abs(number)) for number in numbers)
        if event.kind is EventKind.CALL and event.node >= 0:
            near = {
                place
                for place, number in event.numbers
                if isfinite(number) and not known.isdisjoint(int(abs(number)) + step for step in (-1, 0, 1))
            }
            yield event.function, _Given(dict(event.numbers), near, largest)


def _begins(first: Sequence[_Given], low: str, high: str) -> bool:
    """True if these arguments may be ends at the first call of each search: in order, and one of them far out."""
    return all(
        {low, high} <= each.numbers.keys()
        and each.numbers[low] < each.numbers[high]
        and (each.is_outer(low, -1) or each.is_outer(high, 1))
        for each in first
    )


def _is_window(calls: Sequence[_Given], low: str, high: str) -> bool:
    """True if these two arguments are the ends of a window in the calls of a function."""
    ends = [each for each in calls if {low, high} <= each.numbers.keys()]
    if _is_named(low, high):
        return len(ends) >= 0.9 * len(calls)
    in_order = sum(each.numbers[low] <= each.numbers[high] for each in ends)
    inner = [(each, place) for each in ends for place in (low, high) if not _is_far(each, place)]
    known = sum(place in each.seen for each, place in inner)
    is_in_use = known > 0.05 * len(ends) and len(inner) - known <= 0.1 * len(ends)
    return len(ends) >= 0.9 * len(calls) and in_order >= 0.9 * len(ends) and is_in_use


def _is_far(arguments: _Given, place: str) -> bool:
    return arguments.is_outer(place, 1) or arguments.is_outer(place, -1)


def _is_named(low: str, high: str) -> bool:
    return _name(low) in ALPHA and _name(high) in BETA


def _name(place: str) -> str:
    """The word of a place.

    >>> [_name(place) for place in ("alpha", "options['beta']", "window.low", "window[0]")]
    ['alpha', 'beta', 'low', '']
    """
    return re.split("[.\\[]", place)[-1].strip("]'0123456789").lower()
