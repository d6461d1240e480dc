"""Iterative deepening: the best answer that a time budget allows, and always an answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from pacman.core.tree import Line, Node
from pacman.search.algorithms import AUTO, DEFAULT, Options, make_search, recommended_algorithm
from pacman.search.base import Hook, Step
from pacman.search.bounds import ConstantBounds
from pacman.search.ordering import Killer, Order, OrderedNode, Previous
from pacman.search.table import Table

DEEPEST = 200
"""Plies beyond which no budget looks: a deeper recursion would leave Python's own limit."""


@dataclass(frozen=True)
class DeepeningResult:
    """The line of the deepest search that was finished, its plies, and whether it saw every end of the game."""

    line: Line
    plies: int
    complete: bool


class _TimeIsUp(Exception):
    pass


def deepening(
    node: Node,
    seconds: float,
    options: Options = DEFAULT,
    algorithm: str = AUTO,
    order: Order | None = None,
    deepest: int = DEEPEST,
    clock: Callable[[], float] = time.perf_counter,
) -> DeepeningResult:
    """Value and action of `node` as deep as `seconds` allow: plies 1, 2, 3, ... until the time is up.

    Each search tries the previous one's best actions first, then `order` (killers by default), with a
    transposition table of its own. The first always ends, so there is always an answer; it overruns by at most
    one evaluation otherwise. Stops early once no leaf was at the horizon (`complete`). Of equal actions any may
    win, since the order changes. Inner nodes are evaluated too, at the horizons on the way. ValueError if `seconds`
    is negative or not a number, or `deepest` below 1.
    Slate & Atkin 1977.

    >>> from pacman.core.outline import Outline
    >>> deepening(Outline.parse("max\\n  a: 3\\n  b: min ~9\\n    x: 2\\n    y: 100"), seconds=60)
    DeepeningResult(line=Line(value=3, action='a'), plies=2, complete=True)
    """
    if not seconds >= 0:
        raise ValueError(f"a time budget is 0 seconds or more, not {seconds}")
    if deepest < 1:
        raise ValueError(f"iterative deepening looks 1 or more plies ahead, not {deepest}")
    deadline = clock() + seconds
    if node.is_terminal:
        return DeepeningResult(Line(options.evaluate(node), None), 0, True)
    orders = Previous(order or Killer())
    answer: DeepeningResult | None = None
    for plies in range(1, deepest + 1):
        name = recommended_algorithm(node, plies, options.bounds) if algorithm == AUTO else algorithm
        horizon = _Horizon(inf if answer is None else deadline, clock)
        try:
            line = make_search(name, options, [Table(), orders, horizon]).visit(OrderedNode(node, orders), plies)
        except _TimeIsUp:
            break
        # Bounds that look only as far as the horizon may have answered in place of leaves beyond it.
        answer = DeepeningResult(line, plies, not horizon.is_met and isinstance(options.bounds, ConstantBounds | None))
        if answer.complete or clock() >= deadline:
            break
    assert answer is not None
    return answer


class _Horizon(Hook):
    """Stops a search at the deadline, and sees whether it met the horizon."""

    def __init__(self, deadline: float, clock: Callable[[], float]) -> None:
        self.deadline, self.clock = deadline, clock
        self.is_met = False

    def visit(self, search: Step, node: Any, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        if self.clock() >= self.deadline:
            raise _TimeIsUp
        self.is_met |= plies == 0 and not node.is_terminal
        return search(node, plies, alpha, beta)
