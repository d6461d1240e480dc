"""The visits of a watched search: what the code does with one node, from a call until its return.

Functions that are called one after another with the same node are one visit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite, nan

from autograder.judge.diagnosis.model_tree import MAX, ModelTree, Spot, TreeNode
from autograder.judge.diagnosis.rules import weighted
from autograder.judge.watched_run import WatchedRun
from pacman.core.layers import Layer
from pacman.core.tree_text import Outline
from pacman.record.trace import Path
from pacman.record.watcher import Event, EventKind

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
        self._open: list[tuple[int, NodeVisit | None, NodeCall | None]] = []
        """The number of each open call, the visit that it belongs to or is in, and the call if it has a node."""
        trace = run.claim.trace if run.claim else None
        if trace is None:
            return
        nodes = self.model.nodes_of(trace)
        if nodes is None:
            raise UnreadableRecord("a node is not in the tree")
        self._nodes, self._parents, self._spots = nodes, trace.parents, [self.model.spot]
        for parent, node in zip(trace.parents[1:], nodes[1:], strict=True):
            above = self._spots[parent]
            self._spots.append(above.below(node, above.left - 1))
        for index, event in enumerate(run.events):
            around = self._open[-1][1] if self._open else None
            if event.kind is EventKind.CALL:
                self._begin(index, event, around)
            elif event.kind is EventKind.MADE:
                while around is not None and around.number != self._parents[event.node]:
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
        visit = NodeVisit(number, self._nodes[number], self._spots[number], around, index, line)
        if around:
            around.below.append(visit)
        elif self.root is None and not number:
            self.root = visit
        return visit

    def _begin(self, index: int, event: Event, around: NodeVisit | None) -> None:
        if event.node < 0:
            self._open.append((event.call, around, None))
            return
        visit = around
        if visit is None or visit.number != event.node:
            visit = self._visit(event.node, index, event.line, around)
        frame = NodeCall(index, event)
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
