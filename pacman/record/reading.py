"""Which number in a watched search is the value of a node, which are its plies, and which is its window.

A reading is found from the record alone, and from no name of a function. Where two readings explain the record equally
well and say different numbers, it says nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from math import inf, isfinite

from pacman.core.tree import Layer, Node, NodeWrapper
from pacman.record.calls import Calls, NodeCall, NodeVisit, calls_of, is_near
from pacman.record.trace import ExitReason, Trace, Visit
from pacman.record.watcher import IN_A_PAIR, Event, EventKind, WatchedFunction

Side = Callable[[NodeVisit, NodeCall], int]
"""1 if a call returns the value of its node from MAX's side, -1 for the other side."""
ALPHA = ("alpha", "alfa", "alph", "al", "a", "low", "lower", "lo", "best_max")
BETA = ("beta", "bet", "be", "b", "high", "upper", "hi", "best_min")
"""The names of parameters that hold a window."""
Place = tuple[int, str]
"""A function, and a place in its arguments or in its result."""
MOST_EXCEPTIONS = 0.02
"""The share of leaves that may have the other sign: those whose value is another number by chance."""


def _mover(visit: NodeVisit, frame: NodeCall) -> int:
    return -1 if visit.layer is Layer.MIN else 1


def _max_side(visit: NodeVisit, frame: NodeCall) -> int:
    return 1


def _other_side(visit: NodeVisit, frame: NodeCall) -> int:
    return -1


SIDES: tuple[Side, ...] = (_max_side, _mover, _other_side)
"""From whose side a function may return values: always MAX's, the mover's (as a negamax), or the opponent's."""


def _by_parameter(place: str, opponents: Container[float]) -> Side:
    """The side that a parameter says: a sign, or the number of an agent."""
    return lambda visit, frame: -1 if dict(frame.call.numbers).get(place) in opponents else 1


@dataclass(frozen=True)
class Reading:
    """For each function where the value stands in its result, from whose side it is, and which arguments are what.

    `evaluations` are the functions that only evaluate a node. `stored` are functions and their lines that return other
    numbers than the evaluation, without a look at successors. Without a side, no value of a function is known.
    """

    places: Mapping[int, str]
    sides: Mapping[int, Side | None] = field(default_factory=dict)
    plies: frozenset[Place] = frozenset()
    windows: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    evaluations: frozenset[int] = frozenset()
    stored: frozenset[tuple[int, int]] = frozenset()
    has_scouts: bool = False
    """True if some calls get a window without room, which only asks whether a value is better."""

    def apply(self, records: Sequence[Calls]) -> None:
        """Sets value, plies and window of all visits."""
        for record in records:
            for visit in record.visits:
                self.read_value(visit)
                numbers = (number for frame in visit.frames for _, number in self.given_plies(frame))
                visit.plies = next(numbers, None)
                windows = (self.window_of(visit, frame) for frame in visit.frames)
                visit.window = next((window for window in windows if window), None)

    def read_value(self, visit: NodeVisit) -> None:
        """Sets the value of a visit."""
        visit.value = visit.value_frame = None
        if visit.read_at >= 0:
            visit.value = visit.scores[0][1].numbers[0][1]
            return
        for frame in visit.frames:
            number = self.number_in(frame)
            if number is not None:
                sign = self.sign(visit, frame)
                visit.value, visit.value_frame = (number * sign, frame) if sign else (None, None)
                break

    def number_in(self, frame: NodeCall) -> float | None:
        """The number that a call returned, as the code has it; None if there is none."""
        if frame.back is None or frame.back.kind is not EventKind.RETURN:
            return None
        place = self.places.get(frame.call.function)
        return None if place is None else dict(frame.back.numbers).get(place)

    def place(self, visit: NodeVisit) -> str | None:
        """The place of the value in what the outermost call of a visit returns; None if there is no value."""
        frame = visit.value_frame
        return self.places.get(frame.call.function) if frame and frame is visit.frames[0] else None

    def number(self, visit: NodeVisit, value: float) -> float:
        """What the code would return for this value."""
        return value * (self.sign(visit, visit.frames[0]) or 1)

    def sign(self, visit: NodeVisit, frame: NodeCall) -> int:
        """1 or -1: what turns the number that a call returned into the value for MAX. 0 if it is not known."""
        side = self.sides.get(frame.call.function, _max_side)
        return side(visit, frame) if side else 0

    def is_turned(self, function: int) -> bool:
        """True if a function may return values from another side than MAX's."""
        return self.sides.get(function, _max_side) is not _max_side

    def given_plies(self, frame: NodeCall) -> list[tuple[str, float]]:
        """The numbers of plies that a call gets, with the names of their parameters."""
        if frame.is_moved:
            return []
        return [(place, number) for place, number in frame.call.numbers if (frame.call.function, place) in self.plies]

    def window_of(self, visit: NodeVisit, frame: NodeCall) -> tuple[float, float] | None:
        """The window that a call gets, from MAX's side; None if it has none, or if its side is not known."""
        places = self.windows.get(frame.call.function)
        numbers, sign = dict(frame.call.numbers), self.sign(visit, frame)
        if places is None or not sign or not numbers.keys() >= {*places}:
            return None
        low, high = numbers[places[0]], numbers[places[1]]
        if self.is_turned(frame.call.function) and low > high:
            return None
        return (low, high) if sign > 0 else (-high, -low)


def find_reading(records: Sequence[Calls]) -> Reading:
    """How a program is read: the reading under which leaves have their evaluation, and values follow from values."""
    calls = [*calls_of(records)]
    working = {frame.call.function for visit, frame in calls if not visit.is_flat(frame)}
    reads_score = {frame.call.function for visit, frame in calls if any(frame.has(index) for index, _ in visit.scores)}
    reading = Reading(_places(calls, working), evaluations=frozenset(reads_score - working))
    reading = replace(_with_sides(records, reading), plies=find_plies(records), windows=find_windows(records))
    reading.apply(records)
    return replace(
        reading,
        stored=frozenset(
            (frame.call.function, frame.back.line)
            for visit, frame in calls
            if not (visit.made or visit.below or visit.value is None or is_near(visit.value, visit.score))
            if frame.back and frame.call.function not in reading.evaluations
        ),
        has_scouts=any(
            visit.window is not None and visit.window[0] != visit.window[1] and is_near(*visit.window)
            for record in records
            for visit in record.visits
        ),
    )


def read(root: Node, plies: int, trace: Trace, events: Sequence[Event], functions: Sequence[WatchedFunction]) -> Trace:
    """A watched search as a trace with visits. Where it is not sure of a value, it says none.

    A visit without known plies has those of its path; one without a known window has (-inf, inf). `trace` has the
    successors that the search made; the new trace has them too. A node whose score was read has this score, which may
    be another evaluation than that of `root`. UnreadableRecord as `Calls`.
    """
    nodes = trace.nodes(root)
    for event in events:
        if event.kind is EventKind.SCORE:
            nodes[event.node] = _EvaluatedNode(nodes[event.node], event.numbers[0][1])
    record = Calls(nodes, plies, trace, events, functions)
    find_reading([record])
    return as_trace(record)


class _EvaluatedNode(NodeWrapper):
    """A node with the score that was read in a search."""

    __slots__ = ("score",)

    def __init__(self, node: Node, score: float) -> None:
        super().__init__(node.inside if isinstance(node, _EvaluatedNode) else node)
        self.score = score


def as_trace(record: Calls) -> Trace:
    """A record whose visits were read, as a trace: its successors, and its visits in the order of their beginnings."""
    trace = Trace()
    for number in record.trace.successors:
        trace.generate(record.trace.parents[number], record.trace.actions[number])
    made = [index for index, event in enumerate(record.events) if event.kind is EventKind.MADE]
    for visit in sorted(record.visits, key=lambda each: each.start):
        alpha, beta = visit.window or (-inf, inf)
        plies = visit.left if visit.plies is None else int(visit.plies)
        entry = Visit(visit.number, plies, alpha, beta, bisect_left(made, visit.start), visit.value)
        actions = () if visit.node.is_terminal else tuple(visit.node.actions())
        entry.unseen = tuple(action for action in actions if record.trace.number(visit.number, action) is None)
        if visit.scores and not (visit.has_raised or visit.made or visit.below):
            entry.why = ExitReason.LEAF
        elif not visit.has_raised:
            backs = (frame.back.action for frame in visit.frames if frame.back)
            entry.action = next((action for action in backs if action in actions), None)
            entry.why = ExitReason.by_unseen(visit.layer, len(actions), len(entry.unseen))
        trace.visits.append(entry)
    return trace


def _places(calls: Sequence[tuple[NodeVisit, NodeCall]], working: set[int]) -> dict[int, str]:
    """For each function that works out values, the place of the value in what it returns.

    Such a function works with successors, or it returns the evaluation of the node. A function that returns another
    number of a node, for example the sign of its layer, or a frame of a stack with no value yet, is none.
    """
    right: dict[int, Counter[str]] = defaultdict(Counter)
    places: dict[int, Counter[str]] = defaultdict(Counter)
    other: dict[int, Counter[str]] = defaultdict(Counter)
    for visit, frame in calls:
        numbers = frame.back.numbers if frame.back and frame.back.kind is EventKind.RETURN else ()
        for place, number in numbers if IN_A_PAIR not in dict(numbers) else ():
            is_score = is_near(abs(number), abs(visit.score))
            places[frame.call.function][place] += 1
            right[frame.call.function][place] += is_score and visit.is_leaf
            other[frame.call.function][place] += not is_score
    order = {place: -index for index, place in enumerate(("", "[0]", "[1]", ".value"))}
    best_places: dict[int, str] = {}
    for function, counts in places.items():
        best = max(counts, key=lambda place: (right[function][place], counts[place], order.get(place, -9)))
        if function in working or (right[function][best] and not other[function][best]):
            best_places[function] = best
    return best_places


# From whose side.


def _with_sides(records: Sequence[Calls], reading: Reading) -> Reading:
    """The reading with the side of each function: of those that fit its leaves, the one that explains most values.

    If another one explains nearly all, and that one few, the leaves have the wrong sign. If none explains half of them,
    only MAX's side is sure enough.
    """
    leaves, inner, parameters = _samples(records, reading)
    fitting = {
        function: _fitting(leaves.get(function, []), (*SIDES, *parameters.get(function, ())))
        for function in reading.places
    }

    def explained(sides: Mapping[int, Side]) -> dict[int, tuple[int, int]]:
        """By function: how many values follow from those of the successors with these sides, and of how many."""
        changed = replace(reading, sides=sides)
        for record in records:
            for visit in record.visits:
                changed.read_value(visit)
        follow: dict[int, tuple[int, int]] = {}
        for function, side in sides.items():
            tests = [(each, values) for each in inner[function] if (values := _values_inside(*each[:2]))]
            right = (_follows(visit.layer, number * side(visit, frame), each) for (visit, frame, number), each in tests)
            follow[function] = sum(right), len(tests)
        return follow

    counts = {
        side: explained({function: side if side in sides else sides[0] for function, sides in fitting.items()})
        for side in dict.fromkeys(side for sides in fitting.values() for side in sides)
    }
    others = {function: _mover if sides == (_max_side,) else _max_side for function, sides in fitting.items()}
    of_others = explained(others)
    side_of: dict[int, Side | None] = {}
    for function, sides in fitting.items():
        best = max(sides, key=lambda side: counts[side][function])
        (count, total), (other, all_others) = counts[best][function], of_others[function]
        side_of[function] = best
        if count < 0.6 * total and other > 0.9 * all_others:
            side_of[function] = others[function]
        elif count <= 0.5 * total and total and best is not _max_side and _max_side in sides:
            side_of[function] = None
    return replace(reading, sides=side_of)


Sample = tuple[NodeVisit, NodeCall, float]


def _samples(
    records: Sequence[Calls], reading: Reading
) -> tuple[dict[int, list[Sample]], dict[int, list[Sample]], dict[int, list[Side]]]:
    """By function: the calls that returned the evaluation or its opposite, those with nodes below, sides of parameters.

    Of the calls with nodes below, those that return the value of their visit. A parameter that is 1 or -1 is a side. So
    is one that is 0 at all MAX nodes, and another number at all others: also a leaf has such an agent.
    """
    leaves: dict[int, list[Sample]] = defaultdict(list)
    inner: dict[int, list[Sample]] = defaultdict(list)
    values: dict[Place, set[float]] = defaultdict(set)
    no_agents: set[Place] = set()
    outermost: NodeVisit | None = None
    for visit, frame in calls_of(records):
        number, function = reading.number_in(frame), frame.call.function
        for place, argument in frame.call.numbers:
            values[function, place].add(argument)
            if not visit.is_leaf and (argument == 0) is not (visit.layer is Layer.MAX):
                no_agents.add((function, place))
        if number is None:
            continue
        if not visit.is_flat(frame):
            if visit is not outermost:
                inner[function].append((visit, frame, number))
            outermost = visit
        elif visit.score and is_near(abs(number), abs(visit.score)):
            leaves[function].append((visit, frame, number))
    parameters: dict[int, list[Side]] = defaultdict(list)
    for (function, place), numbers in values.items():
        opponents = numbers - {0, 1} if numbers == {1, -1} else numbers - {0}
        if numbers == {1, -1} or (numbers != opponents != set() and (function, place) not in no_agents):
            parameters[function].append(_by_parameter(place, opponents))
    return leaves, inner, parameters


def _fitting(leaves: Sequence[Sample], sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """The sides that explain the signs of the leaves, but for a few; all if there are no leaves."""
    wrong = [sum(number * side(visit, frame) * visit.score < 0 for visit, frame, number in leaves) for side in sides]
    most = max(min(wrong), MOST_EXCEPTIONS * len(leaves))
    if min(wrong) > 0.2 * len(leaves):
        return sides  # the code changes the evaluation in its own way
    return tuple(side for side, count in zip(sides, wrong, strict=True) if count <= most)


def _values_inside(visit: NodeVisit, frame: NodeCall) -> list[float]:
    """The values of the successors that were visited in a call; none if one of them has no value."""
    below = [each for each in visit.successors if frame.has(each.start)]
    values = {each.number: each.value for each in below if each.value is not None}
    return list(values.values()) if len(values) == len({each.number for each in below}) else []


def _follows(layer: Layer, value: float, values: Sequence[float]) -> bool:
    """True if a layer may take this value of those of its successors."""
    if layer is Layer.CHANCE:
        room = 1e-6 * max(1.0, abs(value))
        return min(values) - room <= value <= max(values) + room
    return is_near(value, (max if layer is Layer.MAX else min)(values))


# The plies and the window.


def find_plies(records: Sequence[Calls]) -> frozenset[Place]:
    """The parameters with the plies left: always at the root, or at most nodes above the last ply; all of one name."""
    given: dict[Place, list[tuple[float, int, bool]]] = defaultdict(list)
    for visit, frame in calls_of(records):
        is_root = visit.parent is None and frame is visit.frames[0]
        for place, number in frame.call.numbers:
            given[frame.call.function, place].append((number, visit.left, is_root))

    def are_plies(found: Sequence[tuple[float, int, bool]]) -> bool:
        at_root = {(number, left) for number, left, is_root in found if is_root}
        if any(number != left for number, left in at_root) or len({number for number, *_ in found}) < 2:
            return False
        # the number of an agent is often equal to 0 or 1 plies left
        below = [number == left for number, left, is_root in found if not is_root and left >= 2]
        return len(at_root) > 1 or sum(below) > 0.6 * len(below)

    names = {place for (_, place), found in given.items() if are_plies(found)}
    return frozenset(key for key in given if key[1] in names)


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
