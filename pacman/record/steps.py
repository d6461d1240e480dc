"""The steps of a search, folded from its report: in what order it entered nodes, narrowed windows, cut and left.

`steps(report)` needs no hook of its own: whoever wrote the trace, the order of the visits says the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pacman.core.tree import Layer
from pacman.record.report import UNKNOWN, Interval, SearchReport, interval_of_successors
from pacman.record.trace import CUTS, ExitReason

BoundsOfNode = Callable[[Any, int], Interval]
"""What a search knows of a node before it looks: all values, at most so many plies below it, lie between the two."""


class Kind(StrEnum):
    """What happens in a step."""

    ENTER = "enter"
    """The search enters `node` with the window (alpha, beta)."""
    WINDOW = "window"
    """The window of `node` is now (alpha, beta): because of `value`, that of `action`, or because of the bounds."""
    BOUNDS = "bounds"
    """The mean of the CHANCE node `node` is now known to lie in `interval`. The last outcome was `action`."""
    PROBE = "probe"
    """The search begins to probe `node`: it searches some of its moves in the window (alpha, beta)."""
    CUT = "cut"
    """The search leaves `node` after `action`, and does not follow the other actions."""
    VALUE = "value"
    """The search leaves `node` with `value`. Its true value lies in `interval`."""


@dataclass(frozen=True)
class Step:
    """One step of a search. `node` is a number in `SearchReport.nodes`, `visit` an index of `SearchReport.steps`.

    `outcomes` are the intervals of the outcomes of a CHANCE node, in a step of kind BOUNDS.
    """

    kind: Kind
    node: int
    visit: int
    alpha: float
    beta: float
    value: float | None = None
    action: str | None = None
    interval: Interval = UNKNOWN
    outcomes: tuple[Interval, ...] = ()


@dataclass
class _Open:
    """A visit that has begun and not ended, with the window that its node has now."""

    visit: int
    alpha: float
    beta: float
    told: Interval | None
    """The window or, at a CHANCE node, the bounds of the mean, in the last step that tells it."""
    value: float | None = None
    """The value of the successor that the search left last, and the action that leads there."""
    action: str | None = None
    known: dict[int, Interval] = field(default_factory=dict)
    """At a CHANCE node of a search with bounds: by the number of an outcome, what the visits of it have shown."""


def steps(report: SearchReport, narrows: bool = True, bounds: BoundsOfNode | None = None) -> list[Step]:
    """All steps of the search. It `narrows` windows as alpha-beta does; `bounds` are those of a *-minimax search."""
    return list(_Fold(report, narrows, bounds).steps())


class _Fold:
    def __init__(self, report: SearchReport, narrows: bool, bounds: BoundsOfNode | None) -> None:
        self.report, self.narrows, self.bounds = report, narrows, bounds
        self.open: list[_Open] = []

    def steps(self) -> Iterator[Step]:
        """The steps in order."""
        for index, visit in enumerate(self.report.steps):
            node = self.report.nodes[visit.number]
            while self.open and self.report.nodes[self._number(self.open[-1])].depth >= node.depth:
                yield from self._leave()
            if self.open:
                yield from self._changes(self.open[-1])
            alpha, beta, is_probe = visit.alpha, visit.beta, visit.why is ExitReason.PROBED
            if visit.why is not ExitReason.KNOWN:
                yield Step(Kind.PROBE if is_probe else Kind.ENTER, visit.number, index, alpha, beta)
            now = _Open(index, alpha, beta, None if node.node.layer is Layer.CHANCE else (alpha, beta))
            if self.bounds and not is_probe:  # as Star1 does: no value is above U or below L
                low, high = self.bounds(node.node, visit.plies)
                if node.node.layer is Layer.MAX:
                    now.beta = min(beta, high)
                elif node.node.layer is Layer.MIN:
                    now.alpha = max(alpha, low)
            self.open.append(now)
        while self.open:
            yield from self._leave()

    def _number(self, now: _Open) -> int:
        return self.report.steps[now.visit].number

    def _changes(self, now: _Open) -> Iterator[Step]:
        """A step if the window of a node, or what is known of its outcomes, has changed since the last one."""
        number = self._number(now)
        outcomes: tuple[Interval, ...] = ()
        if self.report.nodes[number].node.layer is not Layer.CHANCE:
            kind, present = Kind.WINDOW, (now.alpha, now.beta)
        elif self.bounds:
            kind, outcomes = Kind.BOUNDS, self._outcomes(now)
            weights = [probability for _, probability in self.report.nodes[number].node.outcomes()]
            present = interval_of_successors(Layer.CHANCE, outcomes, weights, is_complete=True)
        else:
            return
        before, now.told = now.told, present
        if before not in (None, present):
            interval = present if outcomes else UNKNOWN
            yield Step(kind, number, now.visit, now.alpha, now.beta, now.value, now.action, interval, outcomes)

    def _outcomes(self, now: _Open) -> tuple[Interval, ...]:
        """What the bounds and the visits say about each outcome of a CHANCE node."""
        assert self.bounds is not None
        visit = self.report.steps[now.visit]
        node, children = self.report.nodes[visit.number].node, self.report.children(visit.number)
        low, high = self.bounds(node, visit.plies)
        intervals = []
        for action, _ in node.outcomes():
            lower, upper = self.bounds(node.successor(action), visit.plies - 1)
            known = now.known.get(children.get(action, -1), UNKNOWN)
            intervals.append((max(low, lower, known[0]), min(high, upper, known[1])))
        return tuple(intervals)

    def _leave(self) -> Iterator[Step]:
        """The steps with which the search leaves the innermost node."""
        now = self.open.pop()
        visit, claim = self.report.steps[now.visit], self.report.claims[now.visit]
        if visit.why is not ExitReason.PROBED:
            if visit.why is ExitReason.STOPPED:
                return
            if visit.why in CUTS and visit.why is not ExitReason.BOUND:
                if self.report.nodes[visit.number].node.layer is Layer.CHANCE:
                    yield from self._changes(now)
                yield Step(Kind.CUT, visit.number, now.visit, now.alpha, now.beta, visit.value, now.action)
            window = visit.alpha, visit.beta
            yield Step(Kind.VALUE, visit.number, now.visit, *window, visit.value, visit.action, claim)
        if self.open:
            self._learn(self.open[-1], visit.number, visit.value, claim)

    def _learn(self, above: _Open, number: int, value: float | None, claim: Interval) -> None:
        """Tells the node above what a visit of its successor has shown."""
        known = above.known.get(number, UNKNOWN)
        above.known[number] = max(known[0], claim[0]), min(known[1], claim[1])
        if value is None:
            return
        above.value, above.action = value, self.report.nodes[number].action
        visit = self.report.steps[above.visit]
        if not self.narrows or visit.why is ExitReason.PROBED:
            return
        layer = self.report.nodes[visit.number].node.layer
        above.alpha = max(above.alpha, value) if layer is Layer.MAX else above.alpha
        above.beta = min(above.beta, value) if layer is Layer.MIN else above.beta


def last_steps(report: SearchReport, order: list[Step]) -> dict[int, int]:
    """For each node that was entered, the index of the step after which the search never comes back to it.

    A probe, or a value that is known already, is no end.
    """
    leaving = [(step.visit, index) for index, step in enumerate(order) if step.kind in (Kind.CUT, Kind.VALUE)]
    ends = dict(reversed(leaving))
    last: dict[int, int] = {}
    for index, visit in enumerate(report.steps):
        if visit.why is not ExitReason.KNOWN or visit.number not in last:
            last[visit.number] = index
    places: dict[int, int] = {}
    for number, index in last.items():
        while report.steps[index].why is ExitReason.PROBED:  # the search may come back while the node above is open
            parent = report.nodes[report.nodes[report.steps[index].number].parent]
            index = max(each for each in parent.steps if each < index)
        places[number] = ends.get(index, len(order) - 1)
    return places
