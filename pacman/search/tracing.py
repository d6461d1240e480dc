"""The hook that traces a search: every entry into a node, its window, and the reason for leaving it."""

from __future__ import annotations

from math import inf
from typing import Any

from pacman.core.tree import Layer, Line
from pacman.record.trace import CountedNode, ExitReason, Trace, Visit
from pacman.search.base import Hook, Step


class TracingHook(Hook):
    """Records in `trace.visits` every entry into a `CountedNode` of `trace`. It ignores other nodes."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._searched: set[int] = set()  # the nodes that were searched, and not only probed

    def visit(self, search: Step, node: Any, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        if not isinstance(node, CountedNode):
            return search(node, plies, alpha, beta)
        entry = self.trace.enter(node.number, plies, alpha, beta)
        self._searched.add(node.number)
        line = search(node, plies, alpha, beta)
        entry.value, entry.action = line
        if plies == 0 or node.is_terminal:
            entry.why = ExitReason.LEAF
        else:
            self._explain(entry, node, line.value)
        return line

    def begin_probe(self, node: Any, plies: int, alpha: float, beta: float) -> None:
        if isinstance(node, CountedNode):
            self.trace.enter(node.number, plies, alpha, beta).why = ExitReason.PROBED

    def end_probe(self, node: Any) -> None:
        """Removes the entry of a probe that generated no successor, because it entered nothing."""
        last = self.trace.visits[-1]
        if (
            isinstance(node, CountedNode)
            and last.why is ExitReason.PROBED
            and last.generated_before == self.trace.generated
        ):
            self.trace.visits.pop()

    def recall(self, node: Any, plies: int, alpha: float, beta: float, value: float) -> None:
        if isinstance(node, CountedNode):
            entry = self.trace.enter(node.number, plies, alpha, beta)
            entry.value, entry.why = value, ExitReason.KNOWN

    def _explain(self, entry: Visit, node: CountedNode, value: float) -> None:
        """Sets the reason for leaving the inner `node`, from the successors that were searched below it."""
        actions = node.actions()
        numbers = [self.trace.number(node.number, action) for action in actions]
        entry.unseen = tuple(action for action, number in zip(actions, numbers, strict=True) if number is None)
        count = sum(number in self._searched for number in numbers)
        if count == len(actions):
            entry.why = ExitReason.VALUE
        elif count:
            is_low = node.layer is Layer.MIN or (node.layer is Layer.CHANCE and value <= entry.alpha)
            entry.why = ExitReason.ALPHA_CUT if is_low else ExitReason.BETA_CUT
        elif node.layer is Layer.CHANCE and len(entry.unseen) < len(actions):
            entry.why = ExitReason.PROBE_CUT
        else:
            entry.why = ExitReason.BOUND if value <= entry.alpha or value >= entry.beta else ExitReason.KNOWN
