"""Iterative deepening: the result of the deepest search that a time budget allows."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from pacman.core.tree import Line, Node
from pacman.search.algorithms import DEFAULT, Options, make_search, recommended_algorithm
from pacman.search.base import Hook, Step
from pacman.search.bounds import ConstantBounds
from pacman.search.ordering import OrderedNode, PreviousBest
from pacman.search.table import Table

DEEPEST = 200
"""The most plies of iterative deepening. A deeper recursion would exceed Python's limit."""


@dataclass(frozen=True)
class DeepeningResult:
    """The result of the deepest finished search, and its plies. `complete` is True if it searched to every end."""

    line: Line
    plies: int
    complete: bool


class _TimeIsUp(Exception):
    pass


def deepening(
    node: Node,
    seconds: float,
    options: Options = DEFAULT,
    deepest: int = DEEPEST,
    clock: Callable[[], float] = time.perf_counter,
) -> DeepeningResult:
    """The value and action of `node`, as deep as `seconds` allow: it searches 1, 2, 3, ... plies until time is up.

    Each search tries the best actions of the previous search first, and then the killers.
    Each search has a new transposition table. The first search always ends, so there is always an answer. A later
    search can exceed the time by one evaluation at most. The loop stops early when a search met no horizon
    (`complete`). Any of several equal actions can win, because the order changes. The evaluation is called at inner
    nodes too, because they are at the horizon of an earlier search. ValueError if `seconds` is negative or not a
    number, or if `deepest` is below 1. Slate & Atkin 1977.

    >>> from pacman.core.tree_text import Outline
    >>> deepening(Outline.parse("max\\n  a: 3\\n  b: min ~9\\n    x: 2\\n    y: 100"), seconds=60)
    DeepeningResult(line=Line(value=3, action='a'), plies=2, complete=True)
    """
    if not seconds >= 0:
        raise ValueError(f"the time budget must be 0 seconds or more, not {seconds}")
    if deepest < 1:
        raise ValueError(f"deepest (the greatest depth): expected at least 1 ply, got {deepest}")
    deadline = clock() + seconds
    if node.is_terminal:
        return DeepeningResult(Line(options.evaluate(node), None), 0, True)
    best_first = PreviousBest()
    answer: DeepeningResult | None = None
    for plies in range(1, deepest + 1):
        name = recommended_algorithm(node, plies, options.bounds)
        horizon = _Horizon(inf if answer is None else deadline, clock)
        try:
            search = make_search(name, options, [Table(), best_first, horizon])
            line = search.visit(OrderedNode(node, best_first), plies)
        except _TimeIsUp:
            break
        # Bounds that depend on the plies left may have answered in place of leaves beyond the horizon.
        complete = not horizon.is_reached and isinstance(options.bounds, ConstantBounds | None)
        answer = DeepeningResult(line, plies, complete)
        if answer.complete or clock() >= deadline:
            break
    assert answer is not None
    return answer


class _Horizon(Hook):
    """Stops a search at the deadline, and notices if it reaches the horizon."""

    def __init__(self, deadline: float, clock: Callable[[], float]) -> None:
        self.deadline, self.clock = deadline, clock
        self.is_reached = False

    def visit(self, search: Step, node: Any, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        if self.clock() >= self.deadline:
            raise _TimeIsUp
        self.is_reached |= plies == 0 and not node.is_terminal
        return search(node, plies, alpha, beta)
