"""A search agent at work on one position, watched: what its own `search` made, entered and found, as a `Study`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import Signature, getattr_static, isfunction, signature
from math import inf
from typing import Any

from agents.base import SearchAgent
from agents.searchers import Searcher
from pacman.core.layers import Layer
from pacman.core.state import GameState
from pacman.core.trace import Counted, Visit, Why
from pacman.search.capped import Capped, traced
from pacman.search.watch import watch
from pacman.view.insight.look import look
from pacman.view.insight.study import Study

MOST = 20_000
"""Of a search with more successors only the first round is kept: nobody looks at more, and a window answers soon."""
SECONDS = 10.0
"""After so long it is stopped."""
GIVEN = ("choose", "begin", "evaluate", "evaluation")
"""What an agent does beside its search."""


def watched(
    agent: SearchAgent,
    state: GameState,
    title: str = "",
    most: int = MOST,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> Study:
    """What `agent` searches at `state`: every node that it makes, with what its methods say of it.

    Each call of a method of its own with a node and something more is an entry into that node, its arguments `alpha`
    and `beta` the window, what it returns the value (a number, or a `Line`); a call of `evaluate` is a leaf. So the
    tree shows what a student's search does, right or wrong. Of more than `most` nodes only those of the first round
    are kept, and after `seconds` the search is stopped; the study's note says so. `agent` must not be playing
    meanwhile. Whatever it raises comes through.
    """
    node = state if agent.assumes is None else state.assuming(agent.assumes)
    plies = agent.rounds * len(state.layers)

    def search(root: Counted, trace: Capped) -> None:
        if isinstance(agent, Searcher):
            _followed(agent, trace).visit(root, plies)
            return
        with _spied(agent, trace, plies):
            agent.search(root, plies)

    trace, note = traced(search, node, len(state.layers), most, seconds, clock)
    return look(node, plies, trace, title, note=note)


def _followed(agent: Searcher, trace: Capped) -> Any:
    """The library's search behind `agent`, which writes its entries into `trace` itself."""
    search: Any = agent.engine(trace.evaluation(agent.evaluate))
    plain = {step: getattr(search, step) for step in ("visit", "probe", "recall") if hasattr(search, step)}
    watch(search, trace)
    for step, method in plain.items():
        setattr(search, step, _either(getattr(search, step), method))
    return search


def _either(counted: Callable[..., Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    """A step of a search, watched at the nodes that are on record."""
    return lambda node, *how: (counted if isinstance(node, Counted) else plain)(node, *how)


@contextmanager
def _spied(agent: SearchAgent, trace: Capped, plies: int) -> Iterator[None]:
    """While it lasts, the agent's methods write their entries into `trace`."""
    spy = _Spy(trace, plies)
    names = [name for name in dir(type(agent)) if not name.startswith("__") and name not in GIVEN]
    methods = {name: getattr(agent, name) for name in names if isfunction(getattr_static(type(agent), name))}
    spied = {name: spy.entering(method) for name, method in methods.items()}
    spied["evaluate"] = spy.evaluating(agent.evaluate)
    for name, method in spied.items():
        setattr(agent, name, method)
    try:
        yield
    finally:
        for name in spied:
            delattr(agent, name)


class _Spy:
    """Writes down who calls what with which node. Calls within an evaluation are its own affair."""

    def __init__(self, trace: Capped, plies: int) -> None:
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
            if self.is_evaluating or not isinstance(node, Counted) or len(given) < 2:
                return method(*arguments, **named)
            visit = self.enter(node, given)
            answer = method(*arguments, **named)
            self.leave(visit, node, answer)
            return answer

        return spied

    def enter(self, node: Counted, given: dict[str, Any]) -> Visit:
        """The entry into `node`; that of the method around if it only hands the node on to another one."""
        alpha, beta = (_number(given.get(name), end) for name, end in (("alpha", -inf), ("beta", inf)))
        if self.open and self.open[-1].number == node.number:
            visit = self.open[-1]
            visit.alpha, visit.beta = alpha, beta
        else:
            depth = len(self.trace.path(node.number))
            visit = Visit(node.number, self.plies - depth, alpha, beta, self.trace.generated)
            self.trace.visits.append(visit)
        self.open.append(visit)
        return visit

    def leave(self, visit: Visit, node: Counted, answer: Any) -> None:
        self.open.pop()
        value = answer[0] if isinstance(answer, tuple) and answer else answer
        visit.value = _number(value, None)
        if isinstance(answer, tuple) and len(answer) > 1 and isinstance(answer[1], str):
            visit.action = answer[1]
        if visit.why is not Why.LEAF:
            actions = () if node.is_terminal else node.actions()
            visit.unseen = tuple(action for action in actions if self.trace.number(node.number, action) is None)
            visit.why = _why(node, len(visit.unseen), len(actions))

    def evaluating(self, evaluate: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """`evaluate`, whose calls are leaves."""

        @wraps(evaluate)
        def spied(node: Any) -> Any:
            self.trace.look_at_clock()
            if self.is_evaluating or not isinstance(node, Counted):
                return evaluate(node)
            self.is_evaluating = True
            try:
                value = evaluate(node)
            finally:
                self.is_evaluating = False
            if self.open and self.open[-1].number == node.number:
                self.open[-1].why = Why.LEAF
            else:
                plies = self.plies - len(self.trace.path(node.number))
                leaf = Visit(node.number, plies, -inf, inf, self.trace.generated, _number(value, None), why=Why.LEAF)
                self.trace.visits.append(leaf)
            return value

        return spied


def _bound(takes: Signature, arguments: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call by name, defaults too; none if the call is wrong, which the method itself will say."""
    try:
        found = takes.bind(*arguments, **named)
    except TypeError:
        return {}
    found.apply_defaults()
    return found.arguments


def _number(value: Any, otherwise: Any) -> Any:
    """`value` if it is a number."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and value == value
    return value if known else otherwise


def _why(node: Counted, unseen: int, actions: int) -> Why:
    """Why a method came back from `node`, by what it never made there."""
    if not actions or unseen == actions:
        return Why.LEAF
    if not unseen:
        return Why.VALUE
    return Why.ALPHA_CUT if node.layer is Layer.MIN else Why.BETA_CUT
