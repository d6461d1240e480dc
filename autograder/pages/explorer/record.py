"""Runs a search of the project on a node, and returns its recording."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from autograder.pages.explorer.event_hook import EventHook, HookStep
from autograder.pages.explorer.event_words import StepWords
from autograder.pages.explorer.events import DrawnNode, Event, Kind, Recording, drawn_nodes, numbers_below
from pacman.core.errors import counted
from pacman.core.tree import Node
from pacman.core.tree_text import Outline
from pacman.record.report import UNKNOWN, Interval, SearchReport
from pacman.record.report_from_trace import report_from_trace
from pacman.record.trace import CountedNode, ExitReason, Trace, Visit
from pacman.search.algorithms import (
    AUTO,
    DEEPENING,
    STAR25_PROBES,
    STARS,
    Options,
    SearchResult,
    Statistics,
    make_search,
    recommended_algorithm,
    run_search,
)
from pacman.search.bounds import ConstantBounds, constant_bounds, declared_bounds
from pacman.search.ordering import Killer, OrderedNode, PreviousBest
from pacman.search.table import Table


def bounds_of_tree(tree: Outline) -> ConstantBounds:
    """The range of the numbers in a tree, as the bounds [L, U] of a search."""
    numbers = [*_numbers(tree)] or [0.0]
    return constant_bounds(min(numbers), max(numbers))


def _numbers(tree: Outline) -> Iterator[float]:
    """Every utility and evaluation in a tree."""
    yield from (number for number in (tree.utility, tree.evaluation) if number is not None)
    for _, branch in tree.branches:
        yield from _numbers(branch)


def record(name: str, root: Node, plies: int, options: Options, title: str = "") -> Recording:
    """The recording of the search `name` (as `run_search` takes it, or DEEPENING) of `root`, with the same errors."""
    bounds = options.bounds or declared_bounds(options.evaluate)
    if name == DEEPENING:
        return _record_deepening(root, plies, replace(options, bounds=bounds), title)
    algorithm = recommended_algorithm(root, plies, bounds) if name == AUTO else name
    has_windows = algorithm != "exhaustive"
    hooks: list[EventHook] = []

    def tracing(trace: Trace) -> EventHook:
        hooks.append(EventHook(trace, has_windows, bounds if algorithm in STARS else None))
        return hooks[0]

    result = run_search(algorithm, root, plies, options, tracing)
    nodes = tuple(drawn_nodes(root, plies))
    report = report_from_trace(root, plies, result.trace, algorithm, result.line)
    events = _events(report, result.trace, hooks[0], nodes, options, algorithm)
    return _recording(title or algorithm, nodes, events, result, has_windows)


def _record_deepening(root: Node, plies: int, options: Options, title: str) -> Recording:
    """The searches of iterative deepening, one after the other; the result is that of the last one."""
    best_first = PreviousBest(Killer())
    nodes = tuple(drawn_nodes(root, plies))
    events: list[Event] = []
    for depth in range(1, max(plies, 1) + 1):
        algorithm = recommended_algorithm(root, depth, options.bounds)
        trace = Trace()
        hook = EventHook(trace, bounds=options.bounds if algorithm in STARS else None)
        search = make_search(algorithm, options, [Table(), best_first, hook])
        value, action = search.visit(CountedNode(OrderedNode(root, best_first), trace), min(depth, plies))
        report = report_from_trace(root, min(depth, plies), trace, algorithm)
        start = f"Search {counted(depth, 'ply')} deep with {algorithm}"
        start += ", first the actions that were best before" if depth > 1 else ""
        events.append(Event(Kind.START, 0, words=start, has_window=False))
        events += _events(report, trace, hook, nodes, options, algorithm)
    result = SearchResult(DEEPENING, value, action, report.line, Statistics.of(trace), trace, root)
    return _recording(title or DEEPENING, nodes, events, result, True)


def _recording(
    title: str, nodes: tuple[DrawnNode, ...], events: Sequence[Event], result: SearchResult, has_windows: bool
) -> Recording:
    counts = result.statistics.as_json()
    return Recording(title, result.algorithm, nodes, tuple(events), counts, "", has_windows, result)


def _events(
    report: SearchReport, trace: Trace, hook: EventHook, nodes: Sequence[DrawnNode], options: Options, name: str
) -> list[Event]:
    """The events of one search with this name, whose `hook` has filled `trace`."""
    numbers = drawing_numbers(nodes, trace)
    probes = options.probes or (STAR25_PROBES if name == "star2.5" else 1)
    words = StepWords(report, hook.has_windows, options.strict, probes)
    closed = _closed(nodes, numbers, trace.visits, hook.steps, report.plies)
    intervals: dict[Kind, Callable[[HookStep], Interval]]
    intervals = {Kind.VALUE: lambda step: report.claims[step.entry], Kind.BOUNDS: _interval}
    return [
        Event(
            *(step.kind, numbers[step.number], step.alpha, step.beta, step.value, step.action),
            words=words.words(step),
            why=trace.visits[step.entry].why if step.kind in (Kind.CUT, Kind.VALUE) else None,
            interval=intervals[step.kind](step) if step.kind in intervals else UNKNOWN,
            unseen=trace.visits[step.entry].unseen if step.kind is Kind.CUT else (),
            closed=closed.get(index, ()),
            visit=step.entry,
            has_window=hook.has_windows,
        )
        for index, step in enumerate(hook.steps)
    ]


def drawing_numbers(nodes: Sequence[DrawnNode], trace: Trace) -> list[int]:
    """For each node of a trace its number in the drawing."""
    below = numbers_below(nodes)
    numbers = [0]
    for parent, action in trace.edges():
        numbers.append(below[numbers[parent], action])
    return numbers


def _interval(step: HookStep) -> tuple[float, float]:
    low = high = 0.0
    for _, probability, lo, hi in step.outcomes:
        low, high = low + probability * lo, high + probability * hi
    return low, high


def _closed(
    nodes: Sequence[DrawnNode], numbers: Sequence[int], visits: Sequence[Visit], steps: Sequence[HookStep], plies: int
) -> dict[int, tuple[int, ...]]:
    """For each step the nodes that the search can never enter from then on, although it entered their parents.

    The search leaves a node for the last time at the end of its last entry. A probe, or a value that is known already,
    does not count as the end: a probe may come back as long as the node above is open.
    """
    ends: dict[int, int] = {}
    parents: dict[int, int] = {}
    for index, step in enumerate(steps):
        parents[step.entry] = step.parent
        if step.kind in (Kind.CUT, Kind.VALUE):
            ends.setdefault(step.entry, index)
    last: dict[int, int] = {}
    for entry, visit in enumerate(visits):
        number = numbers[visit.number]
        if visit.why is not ExitReason.KNOWN or number not in last:
            last[number] = entry
    closed: dict[int, tuple[int, ...]] = {}
    depths: list[int] = []
    for number, node in enumerate(nodes):
        depths.append(depths[node.parent] + 1 if number else 0)
        if number in last or node.parent not in last or depths[-1] > plies:
            continue
        entry = last[node.parent]
        while visits[entry].why is ExitReason.PROBED:
            entry = parents[entry]
        closed[ends[entry]] = (*closed.get(ends[entry], ()), number)
    return closed
