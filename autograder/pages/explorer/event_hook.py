"""The hook that notices the steps of a search while it runs: windows that change, outcomes that are narrowed, cuts.

It adds to a `TracingHook` what a trace does not have: the order of entries and exits, and between them what the search
knows at each node. The words of the steps come later, because they use the whole trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from autograder.pages.explorer.events import Kind
from pacman.core.tree import Layer, Line
from pacman.record.trace import ExitReason, Trace
from pacman.search.base import Step
from pacman.search.bounds import Bounds
from pacman.search.star1 import Branch, lower_bound, upper_bound
from pacman.search.tracing import TracingHook

Outcome = tuple[str, float, float, float]
"""An outcome of a CHANCE node: its action, its probability, and the least and the greatest value that it can have."""


@dataclass(frozen=True)
class HookStep:
    """One step, with the numbers of nodes in the trace.

    `entry` is the index of the entry in `Trace.visits`, `parent` that of the entry above it (-1: none). `children` are
    the followed actions, each with its entry. `outcomes` is what a *-minimax search knows at a CHANCE node. `rest` are
    the actions that the search of this node did not follow. `value` and `action` are those of the event.
    """

    kind: Kind
    number: int
    entry: int
    parent: int
    alpha: float
    beta: float
    value: float | None = None
    action: str | None = None
    children: tuple[tuple[str, int], ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    rest: tuple[str, ...] = ()


@dataclass
class _OpenNode:
    """A node that the search has entered and not yet left, with its present window."""

    node: Any
    entry: int
    parent: int
    alpha: float
    beta: float
    limits: tuple[float, float] | None
    """The window or, at a CHANCE node, the bounds of the mean, in the last step that tells it."""
    is_probe: bool = False
    best: float | None = None
    children: dict[str, int] = field(default_factory=dict)
    last: str | None = None
    """The action that the search followed last."""


class EventHook(TracingHook):
    """Fills `trace`, and `steps` in the order in which they happen.

    `bounds` are the bounds of a *-minimax search, None for another search. `has_windows` is False for a search without
    alpha and beta.
    """

    def __init__(self, trace: Trace, has_windows: bool = True, bounds: Bounds | None = None) -> None:
        super().__init__(trace)
        self.has_windows, self.bounds = has_windows, bounds
        self.steps: list[HookStep] = []
        self._open: list[_OpenNode] = []
        self._branches: dict[int, Sequence[Branch]] = {}
        """By the number of a CHANCE node: its outcomes, which the search narrows."""

    def visit(self, search: Step, node: Any, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        self._tell_changes()
        open_node = self._enter(node, alpha, beta)
        low, high = self.bounds(node, plies) if self.bounds else (-inf, inf)
        if node.layer is Layer.MAX:  # as Star1 does: no value is above U
            open_node.beta = min(beta, high)
        elif node.layer is Layer.MIN:
            open_node.alpha = max(alpha, low)
        self._add(Kind.ENTER, open_node, window=(alpha, beta))
        line = super().visit(search, node, plies, alpha, beta)
        self._open.pop()
        entry = self.trace.visits[open_node.entry]
        if (high <= alpha or low >= beta) and entry.why is not ExitReason.LEAF:
            entry.why = ExitReason.BOUND  # a tracing hook gives another reason if a probe has seen the successors
        elif entry.why is ExitReason.BOUND:
            entry.why = ExitReason.KNOWN  # from a table
        if entry.why in (ExitReason.ALPHA_CUT, ExitReason.BETA_CUT, ExitReason.PROBE_CUT):
            self._add(Kind.CUT, open_node, line.value, open_node.last)
        self._add(Kind.VALUE, open_node, line.value, line.action, window=(alpha, beta))
        self._learn_value(node, open_node.entry, line.value)
        return line

    def begin_probe(self, node: Any, plies: int, alpha: float, beta: float) -> None:
        self._tell_changes()
        open_node = self._enter(node, alpha, beta)
        open_node.is_probe = True
        super().begin_probe(node, plies, alpha, beta)
        self._add(Kind.PROBE, open_node)

    def end_probe(self, node: Any) -> None:
        super().end_probe(node)
        if len(self.trace.visits) == self._open.pop().entry:  # a probe that entered nothing
            self.steps.pop()

    def begin_chance(self, node: Any, branches: Sequence[Branch]) -> None:
        self._branches[node.number] = branches
        self._open[-1].limits = lower_bound(branches), upper_bound(branches)

    def recall(self, node: Any, plies: int, alpha: float, beta: float, value: float) -> None:
        self._tell_changes()
        entry = len(self.trace.visits)
        super().recall(node, plies, alpha, beta, value)
        parent = self._open[-1].entry if self._open else -1
        self.steps.append(HookStep(Kind.VALUE, node.number, entry, parent, alpha, beta, value))
        self._learn_value(node, entry, value)

    # ---- what the search knows

    def _enter(self, node: Any, alpha: float, beta: float) -> _OpenNode:
        parent = self._open[-1].entry if self._open else -1
        limits = None if node.layer is Layer.CHANCE else (alpha, beta)
        self._open.append(_OpenNode(node, len(self.trace.visits), parent, alpha, beta, limits))
        return self._open[-1]

    def _learn_value(self, node: Any, entry: int, value: float) -> None:
        """Updates the parent's window with the value of `node`, as alpha-beta does."""
        if not self._open:
            return
        parent = self._open[-1]
        parent.last = self.trace.actions[node.number]
        parent.children[parent.last] = entry
        if parent.is_probe or parent.node.layer is Layer.CHANCE or not self.has_windows:
            return
        if parent.node.layer is Layer.MAX and (parent.best is None or value > parent.best):
            parent.best, parent.alpha = value, max(parent.alpha, value)
        elif parent.node.layer is Layer.MIN and (parent.best is None or value < parent.best):
            parent.best, parent.beta = value, min(parent.beta, value)

    def _tell_changes(self) -> None:
        """Adds a step if the window of the innermost node or its knowledge has changed since the last step."""
        if not self._open:
            return
        node = self._open[-1]
        if node.node.layer is not Layer.CHANCE:
            kind, now = Kind.WINDOW, (node.alpha, node.beta)
        elif branches := self._branches.get(node.node.number):
            kind, now = Kind.BOUNDS, (lower_bound(branches), upper_bound(branches))
        else:
            return
        before, node.limits = node.limits, now
        if before not in (None, now):
            value = self.trace.visits[node.children[node.last]].value if node.last else None
            self._add(kind, node, value, node.last)

    def _add(
        self,
        kind: Kind,
        node: _OpenNode,
        value: float | None = None,
        action: str | None = None,
        window: tuple[float, float] | None = None,
    ) -> None:
        alpha, beta = window or (node.alpha, node.beta)
        is_chance = not node.node.is_terminal and node.node.layer is Layer.CHANCE
        outcomes = tuple(
            (branch.action, branch.probability, branch.lo, branch.hi)
            for branch in (self._branches.get(node.node.number, ()) if is_chance else ())
        )
        rest = tuple(each for each in node.node.actions() if each not in node.children) if kind is Kind.CUT else ()
        place = node.node.number, node.entry, node.parent
        children = tuple(node.children.items())
        self.steps.append(HookStep(kind, *place, alpha, beta, value, action, children, outcomes, rest))
