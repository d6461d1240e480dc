"""The windows of the project's alpha-beta at the nodes that a student's search made, to compare with his own."""

from __future__ import annotations

from math import isinf

from agents.base import SearchAgent
from agents.searchers import Searcher
from pacman.core.trace import CountedNode, Trace
from pacman.core.tree import Node
from pacman.search.alphabeta import AlphaBeta
from pacman.search.tracing import TracingHook
from pacman.view.analysis.search_report import Interval

Windows = tuple[Interval | None, ...] | None


def reference_windows(agent: SearchAgent, node: Node, plies: int, own: Trace, other: Trace) -> Windows:
    """For each node of `own` the last window of alpha-beta there; None for a node that alpha-beta does not enter.

    The result is None if the agent's search has no windows, or is one of the project's. `other` is a new trace; it may
    have limits, and its exceptions end the comparison without a result, as does any exception of the evaluation.
    """
    has_windows = any(not (isinf(visit.alpha) and isinf(visit.beta)) for visit in own.visits)
    if isinstance(agent, Searcher) or not has_windows:
        return None
    try:
        AlphaBeta(agent.evaluate, hooks=[TracingHook(other)]).visit(CountedNode(node, other), plies)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the limits of a trace are no Exception, so that a student's code does not catch them
        return None
    windows = {visit.number: (visit.alpha, visit.beta) for visit in other.visits}
    numbers: list[int | None] = [0]
    for parent, action in zip(own.parents[1:], own.actions[1:], strict=True):
        above = numbers[parent]
        numbers.append(None if above is None else other.number(above, action))
    return tuple(None if number is None else windows.get(number) for number in numbers)
