"""The visits of a watched search: what the code does with one node, from a call until its return.

Functions that are called one after another with the same node are one visit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, nan

from autograder.judge.diagnosis.model_tree import MAX, ModelTree, Spot, TreeNode
from autograder.judge.diagnosis.rules import weighted
from autograder.judge.watched_run import WatchedRun
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.trace import Path
from pacman.core.watcher import Event, EventKind

ALPHA = ("alpha", "alfa", "alph", "a", "low", "lower", "lo")
BETA = ("beta", "bet", "b", "high", "upper", "hi")
"""The names of parameters that hold a window."""


OWN_LAYER, OTHER_THAN_PARENT = -1, -2
"""Which side a negamax takes for a leaf, if no parameter says it."""
MAX_NESTED = 300
"""The most visits inside one another. A search of a small tree has one for each ply."""


class UnreadableRecord(ValueError):
    """A record that no search of this tree gives: it names other nodes, or it is nested too deeply."""


@dataclass
class NodeCall:
    """One call of a function with the node of a visit. `start` and `end` are the numbers of its events."""

    start: int
    call: Event
    end: int = -1
    back: Event | None = None
    """The return, or the end by an exception."""


@dataclass
class NodeVisit:
    """What the code did with one node. `number` is that of the node in the trace."""

    number: int
    node: TreeNode
    spot: Spot
    parent: NodeVisit | None
    start: int
    line: int
    """The line that called: a line of the function around."""
    frames: list[NodeCall] = field(default_factory=list)
    below: list[NodeVisit] = field(default_factory=list)
    """The visits of other nodes that began inside this one, in order."""
    made: list[tuple[int, Event]] = field(default_factory=list)
    """The successors of this node, in the order in which they were made, with the numbers of the events."""
    scores: list[tuple[int, Event]] = field(default_factory=list)
    """When the score of this node was read."""
    value: float | None = None
    """What the code returned for the node, from MAX's side; None if that is no number."""
    value_frame: NodeCall | None = None
    """The call that returned the value: the outermost one with a number."""
    read_at: int = -1
    """The number of the event that read the score of the node without a call; -1 for a visit with calls."""

    @property
    def left(self) -> int:
        """The number of plies that are left here; negative below the horizon."""
        return int(self.spot.left)

    @property
    def path(self) -> Path:
        """The path from the root."""
        return self.node.tree.paths[self.node.number]

    @property
    def layer(self) -> Layer:
        """Who decides here."""
        return self.node.layer

    @property
    def is_leaf(self) -> bool:
        """True if a right search evaluates this node."""
        return self.node.is_terminal or self.left <= 0

    @property
    def end(self) -> int:
        """The number of the event with which the visit ends."""
        return self.read_at if self.read_at >= 0 else self.frames[0].end

    @property
    def has_raised(self) -> bool:
        """True if an exception ended the visit."""
        return bool(self.frames) and (self.frames[0].back is None or self.frames[0].back.kind is EventKind.RAISED)

    @property
    def score(self) -> float:
        """The evaluation of the node; NaN if the tree gives it none."""
        try:
            return float(self.node.node.score)
        except ValueError:
            return nan

    @property
    def successors(self) -> list[NodeVisit]:
        """The visits of successors; of one that is evaluated and also searched, only the search."""
        called = {visit.number for visit in self.below if visit.frames}
        return [
            visit
            for visit in self.below
            if visit.path[:-1] == self.path and (visit.read_at < 0 or visit.number not in called)
        ]

    def values_below(self) -> dict[str, NodeVisit]:
        """The last visit of each successor that has a value, by the action, in the order of the first visits."""
        found: dict[str, NodeVisit] = {}
        for visit in self.successors:
            if visit.value is not None:
                found[visit.path[-1]] = visit
        return found


class WatchedTree:
    """A tree, the record of its watched search, and the visits in it, in the order in which they ended.

    UnreadableRecord if the record is not one of this tree.
    """

    def __init__(self, tree: Outline, plies: int, run: WatchedRun, round_length: int = 0) -> None:
        self.tree, self.plies, self.run = tree, plies, run
        self.model = ModelTree(tree, plies, round_length=round_length)
        self.visits: list[NodeVisit] = []
        self.root: NodeVisit | None = None
        trace = run.claim.trace if run.claim else None
        if trace is not None:
            paths = [(), *trace.paths()]
            self._nodes = [self._node(path) for path in paths]
            self._spots: dict[int, Spot] = {}
            self._build(trace.parents)

    def _node(self, path: Path) -> TreeNode:
        node = self.model.root
        for action in path:
            if action not in node.actions:
                raise UnreadableRecord(f"no node {' > '.join(path)}")
            node = node.child(node.actions.index(action))
        return node

    def _spot(self, number: int, parents: Sequence[int]) -> Spot:
        if number not in self._spots:
            node = self._nodes[number]
            if number:
                above = self._spot(parents[number], parents)
                self._spots[number] = above.below(node, above.left - 1)
            else:
                self._spots[number] = self.model.spot
        return self._spots[number]

    def _build(self, parents: Sequence[int]) -> None:
        open_calls: list[tuple[int, NodeVisit | None, NodeCall | None]] = []
        """The number of each open call, the visit that it belongs to or is in, and its frame if it has a node."""
        events = self.run.events

        def visit_of(number: int, index: int, line: int) -> NodeVisit:
            around = open_calls[-1][1] if open_calls else None
            if len(open_calls) > MAX_NESTED:
                raise UnreadableRecord("nested too deeply")
            visit = NodeVisit(number, self._nodes[number], self._spot(number, parents), around, index, line)
            if around:
                around.below.append(visit)
            elif self.root is None and not number:
                self.root = visit
            return visit

        for index, event in enumerate(events):
            around = open_calls[-1][1] if open_calls else None
            if event.kind is EventKind.CALL:
                if event.node < 0:
                    open_calls.append((event.call, around, None))
                    continue
                is_same = around is not None and around.number == event.node
                visit = around if around is not None and is_same else visit_of(event.node, index, event.line)
                frame = NodeCall(index, event)
                visit.frames.append(frame)
                open_calls.append((event.call, visit, frame))
            elif event.kind is EventKind.MADE:
                parent = parents[event.node]
                owner = around
                while owner is not None and owner.number != parent:
                    owner = owner.parent
                if owner is not None:
                    owner.made.append((index, event))
            elif event.kind is EventKind.SCORE:
                if around is not None and around.number == event.node:
                    around.scores.append((index, event))
                elif around is not None:  # evaluated where it stands, without a call of the student's code
                    visit = visit_of(event.node, index, event.line)
                    visit.scores.append((index, event))
                    visit.read_at = index
                    self.visits.append(visit)
            else:
                while open_calls and open_calls[-1][0] > event.call:
                    open_calls.pop()
                if open_calls and open_calls[-1][0] == event.call:
                    _, ended, frame_of_call = open_calls.pop()
                    if ended and frame_of_call:
                        frame_of_call.end, frame_of_call.back = index, event
                        if frame_of_call is ended.frames[0]:
                            self.visits.append(ended)


@dataclass(frozen=True)
class Reading:
    """How what a function returns is read as a value: the place of the number, by the function.

    `plies` are the parameters that hold the number of plies left, each as a function and a place. Functions in
    `evaluations` only evaluate a node. Functions in `negated` return values from the side of the mover, as a negamax
    does: with the place of the parameter that is 1 or -1 for this side, or OWN_LAYER or OTHER_THAN_PARENT for the side
    of a leaf.
    """

    places: Mapping[int, str]
    plies: frozenset[tuple[int, int]] = frozenset()
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
    reading = Reading(_places(trees), _plies(trees), evaluations=_evaluations(trees))
    reading = replace(reading, negated=_negated(trees, reading))
    reading.apply(trees)
    return replace(reading, stored=_stored(trees, reading), has_scouts=any(map(_has_scouts, trees)))


def _has_scouts(tree: WatchedTree) -> bool:
    for visit in tree.visits:
        for frame in visit.frames:
            names = tree.run.functions[frame.call.function].parameters
            numbers = {names[place].lower(): number for place, number in frame.call.numbers if place < len(names)}
            low, high = (next((numbers[name] for name in known if name in numbers), nan) for known in (ALPHA, BETA))
            if low != high and is_near(low, high):
                return True
    return False


def _stored(trees: Sequence[WatchedTree], reading: Reading) -> frozenset[tuple[int, int]]:
    return frozenset(
        (frame.call.function, frame.back.line)
        for tree in trees
        for visit in tree.visits
        if not (visit.made or visit.below or visit.value is None or is_near(visit.value, visit.score))
        for frame in visit.frames
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
    sides: dict[tuple[int, int], set[float]] = defaultdict(set)
    for tree in trees:
        for visit in tree.visits:
            for frame in visit.frames:
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


def _places(trees: Sequence[WatchedTree]) -> dict[int, str]:
    """For each function that works out values, the place of the value in what it returns.

    Such a function works with successors, or it returns the evaluation of the node. A function that returns another
    number of a node, for example the sign of its layer, or a frame of a stack with no value yet, is none.
    """
    right: dict[int, Counter[str]] = defaultdict(Counter)
    seen: dict[int, Counter[str]] = defaultdict(Counter)
    other: dict[int, Counter[str]] = defaultdict(Counter)
    works: set[int] = set()
    for tree in trees:
        for visit in tree.visits:
            for frame in visit.frames:
                function = frame.call.function
                starts = [each.start for each in visit.below] + [index for index, _ in visit.made]
                if any(frame.start < index < frame.end for index in starts):
                    works.add(function)
                if frame.back is None or frame.back.kind is not EventKind.RETURN:
                    continue
                for place, number in frame.back.numbers:
                    seen[function][place] += 1
                    is_score = is_near(abs(number), abs(visit.score))
                    if visit.is_leaf and is_score:
                        right[function][place] += 1
                    other[function][place] += not is_score
    order = {place: -index for index, place in enumerate(("", "[0]", "[1]", ".value"))}
    found: dict[int, str] = {}
    for function, counts in seen.items():
        best = max(counts, key=lambda place: (right[function][place], counts[place], order.get(place, -9)))
        if function in works or (right[function][best] and not other[function][best]):
            found[function] = best
    return found


def _plies(trees: Sequence[WatchedTree]) -> frozenset[tuple[int, int]]:
    """The parameters that hold the plies left: at the root always, or in most calls; and all with the same name."""
    root: dict[tuple[int, int], set[bool]] = defaultdict(set)
    below: dict[tuple[int, int], list[bool]] = defaultdict(list)
    values: dict[tuple[int, int], set[float]] = defaultdict(set)
    at_root: dict[tuple[int, int], set[float]] = defaultdict(set)
    for tree in trees:
        for visit in tree.visits:
            for frame in visit.frames:
                for place, number in frame.call.numbers:
                    key = frame.call.function, place
                    values[key].add(number)
                    if visit.parent is None and frame is visit.frames[0]:
                        root[key].add(number == visit.left)
                        at_root[key].add(number)
                    else:
                        below[key].append(number == visit.left)
    found = {
        key
        for key, numbers in values.items()
        if root.get(key, {True}) == {True}
        and len(numbers) > 1
        and (len(at_root[key]) > 1 or sum(below[key]) >= 0.6 * len(below[key]))
    }
    functions = trees[0].run.functions if trees else ()
    names = {
        functions[function].parameters[place]
        for function, place in found
        if place < len(functions[function].parameters)
    }
    return frozenset(
        (number, place)
        for number, function in enumerate(functions)
        for place, name in enumerate(function.parameters)
        if name in names
    )


def _evaluations(trees: Sequence[WatchedTree]) -> frozenset[int]:
    """The functions that read the score of a node, and never make a successor or call for another node."""
    reads: set[int] = set()
    works: set[int] = set()
    for tree in trees:
        for visit in tree.visits:
            for frame in visit.frames:
                inside = [event.start for event in visit.below] + [index for index, _ in visit.made]
                if any(frame.start < index < frame.end for index in inside):
                    works.add(frame.call.function)
                elif any(frame.start < index < frame.end for index, _ in visit.scores):
                    reads.add(frame.call.function)
    return frozenset(reads - works)


def right_value(node: TreeNode, left: int) -> float:
    """The value of a node of a shared tree with so many plies left, by an exhaustive search."""
    if node.is_terminal or left <= 0:
        return float(node.node.score)
    values = [right_value(node.child(index), left - 1) for index in range(len(node.actions))]
    if node.layer is MAX:
        return max(values)
    return min(values) if node.layer is Layer.MIN else weighted(node.probabilities, values)


def is_near(one: float, other: float) -> bool:
    """True if two numbers are equal but for rounding."""
    return one == other or (
        isfinite(one) and isfinite(other) and abs(one - other) <= 1e-6 * max(1.0, abs(one), abs(other))
    )
