"""Runs a search of the project on a node, and returns its recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.pages.explorer.event_hook import EventHook, HookStep
from autograder.pages.explorer.events import DrawnNode, Event, Kind, Recording, drawn_nodes
from autograder.pages.explorer.words import StepWords
from pacman.core.trace import ExitReason, Trace, Visit
from pacman.core.tree import Node
from pacman.search.algorithms import AUTO, STARS, Options, recommended_algorithm, run_search
from pacman.search.bounds import declared_bounds
from pacman.view.analysis.report_from_trace import report_from_trace
from pacman.view.analysis.search_report import UNKNOWN


def record(name: str, root: Node, plies: int, options: Options, title: str = "") -> Recording:
    """The recording of the search `name` (as `run_search` takes it) of `root`. Its errors are those of `run_search`."""
    bounds = options.bounds or declared_bounds(options.evaluate)
    algorithm = recommended_algorithm(root, plies, bounds) if name == AUTO else name
    has_bounds, has_windows = algorithm in STARS, algorithm != "exhaustive"
    hooks: list[EventHook] = []

    def tracing(trace: Trace) -> EventHook:
        hooks.append(EventHook(trace, has_windows, bounds if has_bounds else None))
        return hooks[0]

    result = run_search(algorithm, root, plies, options, tracing)
    report = report_from_trace(root, plies, result.trace, algorithm, result.line)
    nodes = tuple(drawn_nodes(root, plies))
    numbers = drawing_numbers(nodes, result.trace)
    words = StepWords(report, has_windows, has_bounds, options.strict)
    visits, steps = result.trace.visits, hooks[0].steps
    events = []
    for step in steps:
        is_exit = step.kind is Kind.VALUE
        events.append(
            Event(
                step.kind,
                numbers[step.number],
                step.alpha,
                step.beta,
                step.value,
                step.action,
                words.words(step),
                visits[step.entry].why if is_exit or step.kind is Kind.CUT else None,
                _interval(step) if step.kind is Kind.BOUNDS else report.claims[step.entry] if is_exit else UNKNOWN,
                visits[step.entry].unseen if step.kind is Kind.CUT else (),
                visit=step.entry,
                has_window=has_windows,
            )
        )
    closed = _closed(nodes, numbers, visits, steps)
    events = [replace(event, closed=closed.get(index, ())) for index, event in enumerate(events)]
    return Recording(
        title or algorithm,
        algorithm,
        str(root),
        nodes,
        tuple(events),
        result.line,
        result.statistics.as_json(),
        has_windows=has_windows,
        result=result,
    )


def drawing_numbers(nodes: Sequence[DrawnNode], trace: Trace) -> list[int]:
    """For each node of a trace its number in the drawing."""
    below = {(node.parent, node.action): number for number, node in enumerate(nodes) if number}
    numbers = [0]
    for parent, action in zip(trace.parents[1:], trace.actions[1:], strict=True):
        numbers.append(below[numbers[parent], action])
    return numbers


def _interval(step: HookStep) -> tuple[float, float]:
    low = high = 0.0
    for _, probability, lo, hi in step.outcomes:
        low, high = low + probability * lo, high + probability * hi
    return low, high


def _closed(
    nodes: Sequence[DrawnNode], numbers: Sequence[int], visits: Sequence[Visit], steps: Sequence[HookStep]
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
    for number, node in enumerate(nodes):
        if number in last or node.parent not in last:
            continue
        entry = last[node.parent]
        while visits[entry].why is ExitReason.PROBED:
            entry = parents[entry]
        closed[ends[entry]] = (*closed.get(ends[entry], ()), number)
    return closed
