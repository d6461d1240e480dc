"""What does this search do at this position? The nodes that it makes and enters, and their values."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import partial
from inspect import unwrap
from math import inf, isinf
from random import Random
from traceback import extract_tb
from typing import Any

from agents import load
from agents.base import SearchAgent
from agents.cs188.agent import AgentByDepth
from agents.searchers import Searcher
from pacman.core.errors import InputError, counted, error_line, nearest
from pacman.core.numbers import format_integer
from pacman.core.state import GameState
from pacman.core.tree import Evaluation, Node, score
from pacman.play.own_code import location, own_frames
from pacman.record.calls import UnreadableRecord
from pacman.record.reading import read
from pacman.record.report import Analyse, Interval, SearchReport, report_from_trace
from pacman.record.trace import CountedNode, Trace
from pacman.record.watcher import WATCHER, Event, WatchedTrace, Watcher, plain
from pacman.search.algorithms import ALGORITHMS
from pacman.search.alphabeta import AlphaBeta
from pacman.search.tracing import TracingHook

MAX_NODES = 20_000
"""If a search makes more successors, the report keeps only its first round, so that the window answers soon."""
MAX_SECONDS = 10.0
"""A search that takes longer is stopped."""

DEFAULT = "expectiminimax"
"""The search to show if the player does not search: a person, a reflex agent, a recording."""


def choose_search(text: str = "", rounds: int | None = None) -> Analyse:
    """The function that analyses positions with the search of that name, as in "minimax:rounds=3"; "" is `DEFAULT`.

    That is the search of a new agent, not of the one that plays, or an algorithm, which takes each ghost as its model
    says. InputError for an unknown name, for wrong options, and for an agent that does not search. The function raises
    InputError if the search fails.
    """
    text = text or DEFAULT
    name, options = load.name_and_options(text)
    if name in ALGORITHMS and name not in load.PACMEN:
        depth = [] if rounds is None else [f"rounds={rounds}"]
        searcher = load.create(partial(Searcher, evaluation=score), name, [*depth, *options])
        searcher.algorithm = name
        return partial(_analyse_position, searcher, name)
    if name not in load.PACMEN and not load.file_and_class(name)[0]:
        raise InputError(f"no search '{name}': {nearest(name, searches())} (or FILE.py:CLASS)")
    analysis = _analysis_of_player(text, rounds)
    if analysis is None:
        raise InputError(f"{name} does not search; known: {', '.join(searches())}")
    return analysis


def search_of_player(text: str, rounds: int | None = None) -> Analyse:
    """The function that analyses positions with the search of the Pacman that plays, or with the default one.

    A report of the default one says that it is not the code of a user's file.
    """
    own, default = _analysis_of_player(text, rounds), choose_search(rounds=rounds)
    if own is None and load.file_and_class(load.name_and_options(text)[0])[0]:
        return partial(_analyse_like, *default.args)  # type: ignore[attr-defined]
    return own or default


def _analysis_of_player(text: str, rounds: int | None) -> Analyse | None:
    agent = load.make_pacman(text, rounds=rounds, load=load.load_watched)
    name, _ = load.name_and_options(text)
    if isinstance(agent, AgentByDepth):
        kind = agent.kind
        return partial(_analyse_like, agent.like(load.PACMEN[kind]), kind) if kind else None
    return partial(_analyse_position, agent, name) if isinstance(agent, SearchAgent) else None


def shown_instead(analyse: Analyse) -> str:
    """The right search that is shown of a user's agent that does not search, or cannot be read; else ""."""
    is_like = isinstance(analyse, partial) and analyse.func is _analyse_like
    return f"{analyse.args[1]}, {counted(analyse.args[0].rounds, 'round')}" if is_like else ""  # type: ignore[attr-defined]


def searches() -> tuple[str, ...]:
    """The names that `choose_search` knows."""
    searching = (key for key, kind in load.PACMEN.items() if issubclass(kind, SearchAgent))
    return tuple(dict.fromkeys([*searching, *ALGORITHMS]))


def _analyse_position(agent: SearchAgent, name: str, state: GameState) -> SearchReport:
    try:
        agent.begin(Random(0))  # some agents draw random numbers; the same position gets the same report
        return analyse(agent, state, f"{name.rpartition(':')[2]}, {counted(agent.rounds, 'round')}")
    except (InputError, KeyboardInterrupt):
        raise
    except BaseException as error:  # a student's search may raise anything; the user gets one line
        raise InputError(f"{name}: {error_line(error)}") from None


def _analyse_like(agent: SearchAgent, name: str, state: GameState) -> SearchReport:
    report = _analyse_position(agent, name, state)
    return replace(report, title=f"not your code: a right {report.title}")


class TooManyNodes(BaseException):
    """The search made too many nodes, and is stopped. An agent's `except Exception` does not catch this error."""


class SearchTimeout(BaseException):
    """The search took too long, and is stopped. An agent's `except Exception` does not catch this error."""


class TimedTrace(WatchedTrace):
    """A trace with limits: raises TooManyNodes after `max_nodes` successors, SearchTimeout after MAX_SECONDS."""

    def __init__(self, clock: Callable[[], float], max_nodes: float) -> None:
        super().__init__()
        self._max_nodes, self._clock = max_nodes, clock
        self.begin()
        self.watcher = Watcher([], lambda value: None)
        self.events: list[Event] = []

    def begin(self) -> None:
        """The search begins now."""
        self._start = self._clock()

    def generate(self, parent: int, action: str) -> int:
        """The number of the successor, recorded as in `Trace`; TooManyNodes or SearchTimeout beyond a limit."""
        if len(self.successors) >= self._max_nodes:
            raise TooManyNodes
        self._check_time()
        return super().generate(parent, action)

    def recorded(self, evaluate: Evaluation) -> Evaluation:
        """The same evaluation of the node inside, with its score in the record, and with nothing that it calls."""
        watcher = self.watcher

        def recorded(node: Any) -> float:
            self._check_time()
            was_on, watcher.is_on = watcher.is_on, False
            try:
                value = evaluate(node.inside if isinstance(node, CountedNode) else node)
            finally:
                watcher.is_on = was_on
            if was_on and isinstance(node, CountedNode) and (number := plain(value)) is not None:
                watcher.read_score(node.number, number)
            return value

        return recorded

    def _check_time(self) -> None:
        if self._clock() - self._start > MAX_SECONDS:
            raise SearchTimeout(f"stopped after {MAX_SECONDS:g} s")


class TopNode(CountedNode):
    """A counted node: its successors are counted nodes for `plies` more plies, and plain nodes below that."""

    __slots__ = ("_plies",)

    def __init__(self, node: Node, trace: Trace, number: int = 0, plies: int = 0) -> None:
        super().__init__(node, trace, number)
        self._plies = plies

    def successor(self, action: str) -> Any:
        """The node after `action`: a `TopNode`, or a plain node below the last counted ply."""
        if not self._plies:
            return self.inside.successor(action)
        successor = super().successor(action)
        return TopNode(successor.inside, self._trace, successor.number, self._plies - 1)


def analyse(
    agent: SearchAgent, state: GameState, title: str = "", clock: Callable[[], float] = time.perf_counter
) -> SearchReport:
    """The report of the agent's search at `state`, as by `analyse_node`: it takes the ghosts as the agent does."""
    node = state if agent.assumes is None else state.assuming(agent.assumes)
    round_plies = len(state.layers)
    return analyse_node(agent, node, agent.rounds * round_plies, title, round_plies, clock)


def analyse_node(
    agent: SearchAgent,
    node: Node,
    plies: int,
    title: str = "",
    top_plies: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> SearchReport:
    """The report of the agent's search of a node: every node that the search makes, and what it learns about each.

    A search of `pacman.search` reports its entries into nodes through a hook. For an agent with its own search, the
    code of its file reports each call, if `load_watched` loaded it; `pacman.record.reading` finds the values and
    windows in these calls, and says none where it is not sure. A call of `evaluate` is a leaf. So the report shows what
    a student's search really does, right or wrong. If it has windows, the report also has those of alpha-beta. Of an
    agent from another place the report has the nodes, and no value.

    If the search makes more than MAX_NODES nodes, a second search records only `top_plies` plies. After MAX_SECONDS
    each search is stopped. If the agent raises an error after its first successor, the report has what came before.
    The report's `note` names these limits and this error. A copy of `agent` searches and shares the objects in the
    agent's attributes, so `agent` must not play at the same time. Any other error that the agent raises is not caught.
    """
    trace, note, has_failed = TimedTrace(clock, MAX_NODES), "", False
    result: Any = None
    try:
        try:
            result = _search(agent, CountedNode(node, trace), plies, trace)
        except TooManyNodes:
            trace = TimedTrace(clock, inf)
            note = f"shows only the first {counted(top_plies, 'ply')}: "
            note += f"the whole search has more than {format_integer(MAX_NODES)} nodes"
            result = _search(agent, TopNode(node, trace, plies=top_plies), plies, trace)
    except SearchTimeout as error:
        note = str(error)
    except Exception as error:  # a student's search may raise anything; the tree so far shows how it came to that
        if not trace.generated or isinstance(error, InputError):
            raise
        where = location(own_frames(agent, extract_tb(error.__traceback__)))
        has_failed, note = True, f"stopped by an error{f' at {where}' if where else ''}: {error_line(error)}"
    entered: Trace = trace
    if not isinstance(agent, Searcher):
        with suppress(UnreadableRecord):  # then the report has the nodes without their values
            entered = read(node, plies, trace, trace.events, trace.watcher.functions)
    choice = result[1:] if isinstance(result, tuple) and len(result) == 2 else ()
    report = report_from_trace(node, plies, entered, title, note=note, choice=choice)
    if note or isinstance(agent, Searcher):
        return replace(report, has_failed=has_failed)
    windows = _reference_windows(agent, node, plies, entered, TimedTrace(clock, MAX_NODES))
    return replace(report, reference_windows=windows)


def _search(agent: SearchAgent, root: CountedNode, plies: int, trace: TimedTrace) -> Any:
    """What the agent's search of `root` returns. A search of the project writes its entries into `trace`."""
    if isinstance(agent, Searcher):
        return agent.engine(trace.recorded(agent.evaluate), [TracingHook(trace)]).visit(root, plies)
    copied = copy(agent)
    trace.watcher = getattr(unwrap(type(agent).search), "__globals__", {}).get(WATCHER, trace.watcher)
    vars(copied).update({name: trace.recorded(getattr(copied, name)) for name in ("evaluate", "evaluation")})
    trace.begin()
    trace.watcher.start(trace)
    try:
        return copied.search(root, plies)
    finally:
        trace.watcher.stop()
        trace.events = trace.watcher.events


def _reference_windows(
    agent: SearchAgent, node: Node, plies: int, own: Trace, other: Trace
) -> tuple[Interval | None, ...] | None:
    """For each node of `own` the last window of alpha-beta there; None for a node that alpha-beta does not enter.

    The result is None if the agent's search has no windows. `other` is a new trace; it may have limits, and its
    exceptions end the comparison without a result, as does any exception of the evaluation.
    """
    if all(isinf(visit.alpha) and isinf(visit.beta) for visit in own.visits):
        return None
    try:
        AlphaBeta(agent.evaluate, hooks=[TracingHook(other)]).visit(CountedNode(node, other), plies)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the limits of a trace are no Exception, so that a student's code does not catch them
        return None
    windows = {visit.number: (visit.alpha, visit.beta) for visit in other.visits}
    numbers: list[int | None] = [0]
    for parent, action in own.edges():
        above = numbers[parent]
        numbers.append(None if above is None else other.number(above, action))
    return tuple(None if number is None else windows.get(number) for number in numbers)
