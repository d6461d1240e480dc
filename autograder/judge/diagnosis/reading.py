"""How the values of visits are read: which number in what a function returns is the value of its node."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import nan

from autograder.judge.diagnosis.model_tree import MAX
from autograder.judge.diagnosis.visits import NodeCall, NodeVisit, WatchedTree, is_near, right_value
from pacman.core.layers import Layer
from pacman.record.watcher import EventKind

ALPHA = ("alpha", "alfa", "alph", "a", "low", "lower", "lo")
BETA = ("beta", "bet", "b", "high", "upper", "hi")
"""The names of parameters that hold a window."""
OWN_LAYER, OTHER_THAN_PARENT = -1, -2
"""Which side a negamax takes for a leaf, if no parameter says it."""
Parameter = tuple[int, int]
"""A function, and the place of one of its parameters."""


@dataclass(frozen=True)
class Reading:
    """For each function: where in its result the value of the node stands.

    `plies` are the parameters that hold the number of plies left, each as a function and a place. Functions in
    `evaluations` only evaluate a node. Functions in `negated` return values from the side of the mover, as a negamax
    does: with the place of the parameter that is 1 or -1 for this side, or OWN_LAYER or OTHER_THAN_PARENT for the side
    of a leaf.
    """

    places: Mapping[int, str]
    plies: frozenset[Parameter] = frozenset()
    stored: frozenset[tuple[int, int]] = frozenset()
    """The functions and their lines that return other numbers than the evaluation, without a look at successors."""
    evaluations: frozenset[int] = frozenset()
    negated: Mapping[int, int] = field(default_factory=dict)
    has_scouts: bool = False
    """True if some calls get a window without room, which only asks whether a value is better."""

    def apply(self, trees: Sequence[WatchedTree]) -> None:
        """Sets the values of all visits, and leaves out the visits that have none in any of their calls."""
        for tree in trees:
            for visit in tree.visits:
                visit.value = visit.value_frame = None
                if visit.read_at >= 0:
                    visit.value = visit.scores[0][1].numbers[0][1]
                    continue
                for frame in visit.frames:
                    number = self.number_in(frame)
                    if number is not None:
                        visit.value, visit.value_frame = number * self._sign(frame, visit), frame
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
        return value * self._sign(visit.frames[0], visit)

    def _sign(self, frame: NodeCall, visit: NodeVisit) -> int:
        """-1 for a call that returns values from the side of MIN."""
        place = self.negated.get(frame.call.function)
        if place is None:
            return 1
        if place >= 0:
            return -1 if dict(frame.call.numbers).get(place) == -1 else 1
        return _side(visit) if place == OTHER_THAN_PARENT else -1 if visit.layer is Layer.MIN else 1


def find_reading(trees: Sequence[WatchedTree]) -> Reading:
    """How the values are read: under this reading, most leaves have their evaluation."""
    working = _working(trees)
    reading = Reading(_places(trees, working), _plies(trees), evaluations=_evaluations(trees, working))
    reading = replace(reading, negated=_negated(trees, reading))
    reading.apply(trees)
    return replace(reading, stored=_stored(trees, reading), has_scouts=any(map(_has_scouts, trees)))


def _calls(trees: Sequence[WatchedTree]) -> Iterator[tuple[NodeVisit, NodeCall]]:
    """Each call with a node, and its visit."""
    return ((visit, frame) for tree in trees for visit in tree.visits for frame in visit.frames)


def _working(trees: Sequence[WatchedTree]) -> set[int]:
    """The functions in which a successor is made, or another node is visited."""
    works = set()
    for visit, frame in _calls(trees):
        starts = [each.start for each in visit.below] + [index for index, _ in visit.made]
        if any(frame.start < index < frame.end for index in starts):
            works.add(frame.call.function)
    return works


def _evaluations(trees: Sequence[WatchedTree], working: set[int]) -> frozenset[int]:
    """The functions that read the score of a node, and never work with other nodes."""
    return (
        frozenset(
            frame.call.function
            for visit, frame in _calls(trees)
            if any(frame.start < index < frame.end for index, _ in visit.scores)
        )
        - working
    )


def window_numbers(frame: NodeCall, tree: WatchedTree) -> tuple[float, float]:
    """The numbers that a call gets as alpha and beta; NaN where it has no such parameter."""
    names = tree.run.functions[frame.call.function].parameters
    numbers = {names[place].lower(): number for place, number in frame.call.numbers if place < len(names)}
    alpha, beta = (next((numbers[name] for name in known if name in numbers), nan) for known in (ALPHA, BETA))
    return alpha, beta


def _has_scouts(tree: WatchedTree) -> bool:
    windows = (window_numbers(frame, tree) for _, frame in _calls([tree]))
    return any(low != high and is_near(low, high) for low, high in windows)


def _stored(trees: Sequence[WatchedTree], reading: Reading) -> frozenset[tuple[int, int]]:
    return frozenset(
        (frame.call.function, frame.back.line)
        for visit, frame in _calls(trees)
        if not (visit.made or visit.below or visit.value is None or is_near(visit.value, visit.score))
        if frame.back and frame.call.function not in reading.evaluations
    )


def _side(visit: NodeVisit) -> int:
    """The side of a node, if the one who moves at a leaf is another one than at its parent: -1 for MIN."""
    if visit.is_leaf and visit.parent is not None:
        return -1 if visit.parent.layer is MAX else 1
    return -1 if visit.layer is Layer.MIN else 1


def _negated(trees: Sequence[WatchedTree], reading: Reading) -> dict[int, int]:
    """The functions that return values with the opposite sign, as a negamax does: at some leaves, or MIN nodes."""
    signs: dict[int, Counter[bool]] = defaultdict(Counter)
    at_min: dict[int, Counter[bool]] = defaultdict(Counter)
    by_layer: Counter[int] = Counter()
    sides: dict[Parameter, set[float]] = defaultdict(set)
    for visit, frame in _calls(trees):
        function = frame.call.function
        for place, given in frame.call.numbers:
            sides[function, place].add(given)
        number, score = reading.number_in(frame), visit.score
        if visit.is_leaf and number is not None and score and is_near(abs(number), abs(score)):
            signs[function][number * score < 0] += 1
            own = -1 if visit.layer is Layer.MIN else 1
            by_layer[function] += is_near(number, own * score) - is_near(number, _side(visit) * score)
        elif not visit.is_leaf and visit.layer is Layer.MIN and number:
            right = right_value(visit.node, visit.left)
            if is_near(abs(number), abs(right)):
                at_min[function][number * right < 0] += 1
    return {
        function: next(
            (place for (of, place), numbers in sides.items() if of == function and numbers == {1, -1}),
            OWN_LAYER if by_layer[function] > 0 else OTHER_THAN_PARENT,
        )
        for function, counts in signs.items()
        if (
            counts[True] >= 3
            and counts[True] > 0.2 * counts.total()
            and counts[False] > 0.1 * counts.total()
            and at_min[function][False] <= at_min[function][True] + 3
        )
        or at_min[function][True] > max(10, 3 * at_min[function][False])
    }


def _places(trees: Sequence[WatchedTree], working: set[int]) -> dict[int, str]:
    """For each function that works out values, the place of the value in what it returns.

    Such a function works with successors, or it returns the evaluation of the node. A function that returns another
    number of a node, for example the sign of its layer, or a frame of a stack with no value yet, is none.
    """
    right: dict[int, Counter[str]] = defaultdict(Counter)
    seen: dict[int, Counter[str]] = defaultdict(Counter)
    other: dict[int, Counter[str]] = defaultdict(Counter)
    for visit, frame in _calls(trees):
        function = frame.call.function
        for place, number in frame.back.numbers if frame.back and frame.back.kind is EventKind.RETURN else ():
            is_score = is_near(abs(number), abs(visit.score))
            seen[function][place] += 1
            right[function][place] += visit.is_leaf and is_score
            other[function][place] += not is_score
    order = {place: -index for index, place in enumerate(("", "[0]", "[1]", ".value"))}
    found: dict[int, str] = {}
    for function, counts in seen.items():
        best = max(counts, key=lambda place: (right[function][place], counts[place], order.get(place, -9)))
        if function in working or (right[function][best] and not other[function][best]):
            found[function] = best
    return found


def _plies(trees: Sequence[WatchedTree]) -> frozenset[Parameter]:
    """The parameters with the plies left: always at the root, or at most nodes above the last ply; all of one name."""
    values: dict[Parameter, set[float]] = defaultdict(set)
    at_root: dict[Parameter, set[float]] = defaultdict(set)
    wrong_at_root: set[Parameter] = set()
    below: dict[Parameter, list[bool]] = defaultdict(list)
    for visit, frame in _calls(trees):
        for place, number in frame.call.numbers:
            key = frame.call.function, place
            values[key].add(number)
            if visit.parent is None and frame is visit.frames[0]:
                at_root[key].add(number)
                if number != visit.left:
                    wrong_at_root.add(key)
            elif visit.left >= 2:  # the number of an agent is often equal to 0 or 1 plies left
                below[key].append(number == visit.left)
    functions = trees[0].run.functions if trees else ()
    names = {
        functions[function].parameters[place]
        for (function, place), numbers in values.items()
        if (function, place) not in wrong_at_root and len(numbers) > 1 and place < len(functions[function].parameters)
        if len(at_root[function, place]) > 1 or sum(below[function, place]) > 0.6 * len(below[function, place])
    }
    return frozenset(
        (number, place)
        for number, function in enumerate(functions)
        for place, name in enumerate(function.parameters)
        if name in names
    )
