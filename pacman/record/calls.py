"""Which call belongs to which node: the visits of a watched search, from its events.

A visit is what the code does with one node, from a call until its return. Functions that are called one after another
with the same node, each inside the one before, are one visit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, isfinite, nan
from operator import attrgetter, itemgetter
from typing import Any

from pacman.core.tree import Layer
from pacman.record.trace import Path, Trace
from pacman.record.watcher import Event, EventKind, WatchedFunction

MAX_NESTED = 300
"""The most visits inside one another. A search of a small tree has one for each ply."""


class UnreadableRecord(ValueError):
    """A record that no search of this root gives: it names other nodes, or it is nested too deeply."""


@dataclass
class NodeCall:
    """One call of a function with the node of a visit. `start` and `end` are the numbers of its events."""

    start: int
    call: Event
    end: int = -1
    back: Event | None = None
    """The return, or the end by an exception."""
    is_moved: bool = False
    """True if the call got the node above and an action: its other arguments are those of the node above."""

    def has(self, index: int) -> bool:
        """True if an event happens inside the call."""
        return self.start < index < self.end


@dataclass(eq=False)
class NodeVisit:
    """What the code did with one node. `number` is that of the node in the trace, `left` the plies left by its path."""

    number: int
    node: Any
    path: Path
    left: int
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
    read_at: int = -1
    """The number of the event that read the score of the node without a call; -1 for a visit with calls."""
    value: float | None = None
    """What the code returned for the node, from MAX's side; None if that is no number, or not known."""
    value_frame: NodeCall | None = None
    """The call that returned the value: the outermost one with a number."""
    plies: float | None = None
    """The plies left that the code was called with; None if they are not known."""
    window: tuple[float, float] | None = None
    """The window (alpha, beta) that the code was called with, from MAX's side; None if it is not known."""

    @property
    def layer(self) -> Layer:
        """Who decides here."""
        return self.node.layer  # type: ignore[no-any-return]

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

    @cached_property
    def score(self) -> float:
        """The evaluation of the node; NaN if the tree gives it none."""
        try:
            return float(self.node.score)
        except ValueError:
            return nan

    @cached_property
    def successors(self) -> list[NodeVisit]:
        """The visits of successors; of one that is evaluated and also searched, only the search. After all visits."""
        called_nodes = {visit.number for visit in self.below if visit.frames}
        return [
            visit
            for visit in self.below
            if visit.path[:-1] == self.path and (visit.read_at < 0 or visit.number not in called_nodes)
        ]

    def values_below(self) -> dict[str, float]:
        """The last value of each successor that has one, by the action, in the order of the first visits.

        What the code does after it has worked out the value of the node is not in it: in a call inside the one that
        returned it, if this also returned it and has a value of each of these successors.
        """
        ends = [self.value_frame.end if self.value_frame else inf]
        inner = next((frame for frame in reversed(self.frames) if not self.is_flat(frame)), None)
        if inner and inner.back and self.value_frame and self.value_frame.back:
            given = {number for _, number in self.value_frame.back.numbers}
            ends += [inner.end] if any(number in given for _, number in inner.back.numbers) else []
        valued = [(visit.start, visit.path[-1], visit.value) for visit in self.successors if visit.value is not None]
        whole, *parts = ({action: value for start, action, value in valued if start < end} for end in ends)
        return next((part for part in parts if part.keys() == whole.keys()), whole)

    def is_flat(self, frame: NodeCall) -> bool:
        """True if a call of this visit made no successor, and no other node was visited in it."""
        first_made = bisect_right(self.made, frame.start, key=itemgetter(0))
        below = bisect_right(self.below, frame.start, key=attrgetter("start"))
        return not (
            (first_made < len(self.made) and frame.has(self.made[first_made][0]))
            or (below < len(self.below) and frame.has(self.below[below].start))
        )


class Calls:
    """The visits of one watched search, in the order in which they ended.

    `nodes` are those of the trace, by their numbers. UnreadableRecord if the visits are nested too deeply.
    """

    def __init__(
        self,
        nodes: Sequence[Any],
        plies: int,
        trace: Trace,
        events: Sequence[Event],
        functions: Sequence[WatchedFunction],
    ) -> None:
        self.nodes, self.plies, self.trace, self.events, self.functions = nodes, plies, trace, events, functions
        self.visits: list[NodeVisit] = []
        self.root: NodeVisit | None = None
        self._open: list[tuple[int, NodeVisit | None, NodeCall | None]] = []
        """The number of each open call, the visit that it belongs to or is in, and the call if it has a node."""
        self._paths: list[Path] = [(), *trace.paths()]
        self._moved = _nodes_behind_actions(trace, events)
        for index, event in enumerate(events):
            around = self._open[-1][1] if self._open else None
            if event.kind is EventKind.CALL:
                self._begin(index, event, around)
            elif event.kind is EventKind.MADE:
                while around is not None and around.number != trace.parents[event.node]:
                    around = around.parent
                if around is not None:
                    around.made.append((index, event))
            elif event.kind is EventKind.SCORE:
                self._score(index, event, around)
            else:
                self._end(index, event)

    def _visit(self, number: int, index: int, line: int, around: NodeVisit | None) -> NodeVisit:
        """A new visit of a node."""
        if len(self._open) > MAX_NESTED:
            raise UnreadableRecord("nested too deeply")
        path = self._paths[number]
        visit = NodeVisit(number, self.nodes[number], path, self.plies - len(path), around, index, line)
        if around:
            around.below.append(visit)
        elif self.root is None and not number:
            self.root = visit
        return visit

    def unread_visit(self, number: int, index: int, line: int) -> NodeVisit | None:
        """A visit of a node without a recorded call, as in a generator; None if there is no such node."""
        if not 0 <= number < len(self.nodes):
            return None
        path = self._paths[number]
        return NodeVisit(number, self.nodes[number], path, self.plies - len(path), None, index, line)

    def _begin(self, index: int, event: Event, around: NodeVisit | None) -> None:
        number = self._moved.get(event.call, event.node)
        if number < 0:
            self._open.append((event.call, around, None))
            return
        visit = around
        if visit is None or visit.number != number:
            visit = self._visit(number, index, event.line, around)
        frame = NodeCall(index, event, is_moved=event.call in self._moved)
        visit.frames.append(frame)
        self._open.append((event.call, visit, frame))

    def _score(self, index: int, event: Event, around: NodeVisit | None) -> None:
        if around is not None and around.number == event.node:
            around.scores.append((index, event))
        elif around is not None:  # evaluated where it stands, without a call of the student's code
            visit = self._visit(event.node, index, event.line, around)
            visit.scores.append((index, event))
            visit.read_at = index
            self.visits.append(visit)

    def _end(self, index: int, event: Event) -> None:
        while self._open and self._open[-1][0] > event.call:
            self._open.pop()
        if self._open and self._open[-1][0] == event.call:
            _, visit, frame = self._open.pop()
            if visit and frame:
                frame.end, frame.back = index, event
                if frame is visit.frames[0]:
                    self.visits.append(visit)


def calls_of(records: Sequence[Calls]) -> Iterator[tuple[NodeVisit, NodeCall]]:
    """Each call with a node, and its visit."""
    return ((visit, frame) for record in records for visit in record.visits for frame in visit.frames)


def _nodes_behind_actions(trace: Trace, events: Sequence[Event]) -> dict[int, int]:
    """For calls that get a node and one of its actions, the node behind the action: what they return is its value.

    A function gets a node and an action if each of its calls makes at most one successor of its node, and if the same
    caller calls it for several successors of one node.
    """
    calls: dict[int, Event] = {}
    successors: dict[int, set[int]] = defaultdict(set)
    around: dict[int, int] = {}
    is_open: list[int] = []
    for event in events:
        if event.kind is EventKind.CALL:
            around[event.call] = is_open[-1] if is_open else -1
            is_open.append(event.call)
            if event.node >= 0:
                calls[event.call] = event
        elif event.kind in (EventKind.RETURN, EventKind.RAISED):
            while is_open and is_open[-1] >= event.call:
                is_open.pop()
        elif (
            event.kind is EventKind.MADE and event.call in calls and trace.parents[event.node] == calls[event.call].node
        ):
            successors[event.call].add(event.node)
    several = {calls[call].function for call, nodes in successors.items() if len(nodes) > 1}
    nodes_of: dict[tuple[int, int, int], set[int]] = defaultdict(set)
    for call, nodes in successors.items():
        nodes_of[calls[call].function, around[call], calls[call].node] |= nodes
    not_actions = {function for (function, _, _), nodes in nodes_of.items() if len(nodes) > 1} - several
    return {call: min(nodes) for call, nodes in successors.items() if calls[call].function in not_actions}


def is_near(one: float, other: float) -> bool:
    """True if two numbers are equal but for rounding.

    >>> is_near(0.1 + 0.2, 0.3), is_near(1, 2), is_near(float("inf"), float("inf"))
    (True, False, True)
    """
    return one == other or (
        isfinite(one) and isfinite(other) and abs(one - other) <= 1e-6 * max(1.0, abs(one), abs(other))
    )
