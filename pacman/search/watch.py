"""Watching a search from outside: every entry into a node, its window, and why it was left, written into a Trace."""

from __future__ import annotations

from math import inf
from typing import Any

from pacman.core.layers import Layer
from pacman.core.trace import Counted, Trace, Visit, Why
from pacman.core.tree import Line


def watch(search: Any, trace: Trace) -> None:
    """From now on `search`, given a `Counted` node of this trace, writes every entry into `trace.visits`.

    It works because a search calls itself by the name `visit`, and Star2 its probes and its table of probed moves
    by the names `probe` and `recall`.
    """
    inside = search.visit
    searched: set[int] = set()  # nodes entered for their own value, not for a probe

    def visit(node: Counted, plies: int, *window: float) -> Line:
        alpha, beta = window or (-inf, inf)
        entry = Visit(node.number, plies, alpha, beta, trace.generated)
        trace.visits.append(entry)
        searched.add(node.number)
        line: Line = inside(node, plies, *window)
        entry.value, entry.action = line
        _explain(entry, node, plies, searched, trace)
        return line

    search.visit = visit
    if hasattr(search, "probe"):
        _watch_probes(search, trace)
        _watch_recalls(search, trace)


def _watch_probes(search: Any, trace: Trace) -> None:
    inside = search.probe

    def probe(node: Counted, plies: int, branch: Any, alpha: float, beta: float, *how: Any) -> bool:
        before = trace.generated
        place = len(trace.visits)
        went: bool = inside(node, plies, branch, alpha, beta, *how)
        if went and len(trace.visits) > place:  # the node was entered, since one of its moves was
            trace.visits.insert(place, Visit(node.number, plies, alpha, beta, before, why=Why.PROBED))
        return went

    search.probe = probe


def _watch_recalls(search: Any, trace: Trace) -> None:
    inside = search.recall

    def recall(node: Counted, plies: int, move: Any, alpha: float, beta: float) -> float | None:
        value: float | None = inside(node, plies, move, alpha, beta)
        if value is not None:
            trace.visits.append(Visit(node.number, plies, alpha, beta, trace.generated, value, why=Why.KNOWN))
        return value

    search.recall = recall


def _explain(entry: Visit, node: Counted, plies: int, searched: set[int], trace: Trace) -> None:
    """Fills in why `node` was left, from what was searched below it by then."""
    if plies == 0 or node.is_terminal:
        entry.why = Why.LEAF
        return
    numbers = {action: trace.number(node.number, action) for action in node.actions()}
    entry.unseen = tuple(action for action, number in numbers.items() if number is None)
    value = entry.value
    assert value is not None
    if all(number in searched for number in numbers.values()):
        entry.why = Why.VALUE
    elif not any(number in searched for number in numbers.values()):
        probed = node.layer is Layer.CHANCE and len(entry.unseen) < len(numbers)
        outside = value <= entry.alpha or value >= entry.beta
        entry.why = Why.PROBE_CUT if probed else Why.BOUND if outside else Why.KNOWN
    elif node.layer is Layer.MIN or (node.layer is Layer.CHANCE and value <= entry.alpha):
        entry.why = Why.ALPHA_CUT
    else:
        entry.why = Why.BETA_CUT
