"""The search of an agent at one position, recorded: the nodes it made and entered, and its values."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import copy
from functools import wraps
from inspect import Signature, getattr_static, isfunction, signature
from math import inf
from typing import Any

from agents.base import SearchAgent
from agents.searchers import Searcher
from pacman.core.state import GameState
from pacman.core.trace import CountedNode, ExitReason, Trace, Visit
from pacman.core.tree import Evaluation, Node
from pacman.search.tracing import TracingHook
from pacman.view.analysis.report_from_trace import report_from_trace
from pacman.view.analysis.search_report import SearchReport

MOST = 20_000
"""Of a search with more successors only the first round is kept: nobody looks at more, and a window answers soon."""
SECONDS = 10.0
"""After so long it is stopped."""
GIVEN = ("choose", "begin", "evaluation")
"""What an agent does beside its search."""


class TooManyNodes(BaseException):
    """A search has made too many nodes, and is stopped. No `except Exception` holds it up."""


class SearchTimeout(BaseException):
    """A search has taken too long, and is stopped."""


class LimitedTrace(Trace):
    """A trace with limits: raises `TooManyNodes` after `most` successors, `SearchTimeout` after `seconds`."""

    def __init__(self, most: float, seconds: float, clock: Callable[[], float]) -> None:
        super().__init__()
        self._most, self._seconds, self._clock = most, seconds, clock
        self._began = clock()

    def generate(self, parent: int, action: str) -> int:
        if len(self.successors) >= self._most:
            raise TooManyNodes
        self.look_at_clock()
        return super().generate(parent, action)

    def timed(self, evaluate: Evaluation) -> Evaluation:
        """`evaluate`, which looks at the clock each time."""

        def timed(node: Any) -> float:
            self.look_at_clock()
            return evaluate(node)

        return timed

    def look_at_clock(self) -> None:
        if self._clock() - self._began > self._seconds:
            raise SearchTimeout(f"stopped after {self._seconds:g} s")


class TopLevels(CountedNode):
    """A counted node whose successors are counted for `left` plies more, and plain nodes below that."""

    __slots__ = ("_left",)

    def __init__(self, node: Node, trace: Trace, number: int = 0, left: int = 0) -> None:
        super().__init__(node, trace, number)
        self._left = left

    def successor(self, action: str) -> Any:
        if not self._left:
            return self.inside.successor(action)
        successor = super().successor(action)
        return TopLevels(successor.inside, self._trace, successor.number, self._left - 1)


def analyse(
    agent: SearchAgent,
    state: GameState,
    title: str = "",
    most: int = MOST,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> SearchReport:
    """What `agent` searches at `state`: every node that it makes, with what its search says of it.

    A search of `pacman.search` tells of its entries itself. In an agent with a search of its own, each call of one
    of its methods with a node and something more is an entry into that node, its arguments `alpha`
    and `beta` the window, what it returns the value (a number, or a `Line`); a call of `evaluate` is a leaf. So the
    tree shows what a student's search does, right or wrong. Of more than `most` nodes only those of the first round
    are kept, by a second search, and after `seconds` each search is stopped; the study's note says so. `agent` must
    not be playing meanwhile: a copy of it searches, and shares what its attributes hold. Whatever it raises comes
    through.
    """
    node = state if agent.assumes is None else state.assuming(agent.assumes)
    top = len(state.layers)
    plies = agent.rounds * top
    trace, note = LimitedTrace(most, seconds, clock), ""
    try:
        try:
            _search(agent, CountedNode(node, trace), plies, trace)
        except TooManyNodes:
            trace, note = LimitedTrace(inf, seconds, clock), f"only the first {top} plies: more than {most:,} nodes"
            _search(agent, TopLevels(node, trace, left=top), plies, trace)
    except SearchTimeout as late:
        note = str(late)
    return report_from_trace(node, plies, trace, title, note=note.replace(",", " "))


def _search(agent: SearchAgent, root: CountedNode, plies: int, trace: LimitedTrace) -> None:
    """Runs the agent's search on `root`; meanwhile its methods write their entries into `trace`."""
    if isinstance(agent, Searcher):
        agent.engine(trace.timed(agent.evaluate), [TracingHook(trace)]).visit(root, plies)
    else:
        _spied(agent, trace, plies).search(root, plies)


def _spied(agent: SearchAgent, trace: LimitedTrace, plies: int) -> SearchAgent:
    """A copy of the agent whose methods write their entries into `trace`."""
    spy, agent = _Spy(trace, plies), copy(agent)
    for name in dir(type(agent)):
        if name == "evaluate":
            setattr(agent, name, spy.evaluating(agent.evaluate))
        elif not name.startswith("__") and name not in GIVEN and isfunction(getattr_static(type(agent), name)):
            setattr(agent, name, spy.entering(getattr(agent, name)))
    return agent


class _Spy:
    """Writes down who calls what with which node. Calls within an evaluation are its own affair."""

    def __init__(self, trace: LimitedTrace, plies: int) -> None:
        self.trace, self.plies = trace, plies
        self.open: list[Visit] = []
        self.is_evaluating = False

    def entering(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """`method`, whose calls with a node and something more are entries into that node."""
        takes = signature(method)

        @wraps(method)
        def spied(*arguments: Any, **named: Any) -> Any:
            given = _bound(takes, arguments, named)
            node = next(iter(given.values()), None)
            if self.is_evaluating or not isinstance(node, CountedNode) or len(given) < 2:
                return method(*arguments, **named)
            visit = self.entry(node)
            visit.alpha, visit.beta = _number(given.get("alpha"), -inf), _number(given.get("beta"), inf)
            self.open.append(visit)
            answer = method(*arguments, **named)
            self.open.pop()
            self.leave(visit, node, answer)
            return answer

        return spied

    def entry(self, node: CountedNode) -> Visit:
        """The entry into `node`: that of the method around if it only hands the node on, or else a new one."""
        if self.open and self.open[-1].number == node.number:
            return self.open[-1]
        return self.trace.enter(node.number, self.plies - len(self.trace.path(node.number)), -inf, inf)

    def leave(self, visit: Visit, node: CountedNode, answer: Any) -> None:
        value, action, *_ = (*answer, None, None) if isinstance(answer, tuple) else (answer, None)
        visit.value = _number(value, None)
        if isinstance(action, str):
            visit.action = action
        if visit.why is not ExitReason.LEAF:
            actions = () if node.is_terminal else node.actions()
            visit.unseen = tuple(action for action in actions if self.trace.number(node.number, action) is None)
            visit.why = ExitReason.by_unseen(node.layer, len(actions), len(visit.unseen))

    def evaluating(self, evaluate: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """`evaluate`, whose calls are leaves."""

        @wraps(evaluate)
        def spied(node: Any) -> Any:
            self.trace.look_at_clock()
            if self.is_evaluating or not isinstance(node, CountedNode):
                return evaluate(node)
            self.is_evaluating = True
            try:
                value = evaluate(node)
            finally:
                self.is_evaluating = False
            visit = self.entry(node)
            visit.why = ExitReason.LEAF
            if visit not in self.open[-1:]:
                visit.value = _number(value, None)
            return value

        return spied


def _bound(takes: Signature, arguments: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call by name, defaults too; none if the call is wrong, which the method itself will say."""
    try:
        call = takes.bind(*arguments, **named)
    except TypeError:
        return {}
    call.apply_defaults()
    return call.arguments


def _number(value: Any, otherwise: Any) -> Any:
    """`value` if it is a number."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and value == value
    return value if known else otherwise
