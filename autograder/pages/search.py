"""Searches that a page steps through: those of the project, and a student's as its watched run tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isinf, nan

from autograder.cases.case import TOLERANCE, Question
from autograder.judge.diagnosis.first_step import first_step_of
from autograder.judge.diagnosis.run import Run
from autograder.judge.explain import MissedSearch
from autograder.report.escape import line
from autograder.sandbox.runner import Runner
from autograder.sandbox.watch import watch_search
from autograder.student_process.fault_kind import FaultKind
from pacman.core.errors import InputError, counted
from pacman.core.numbers import format_interval, format_window
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.record.calls import Calls, NodeVisit, UnreadableRecord
from pacman.record.reading import as_trace, find_reading
from pacman.record.report import UNKNOWN, SearchReport, report_from_trace
from pacman.record.steps import Kind, Step, last_steps, steps
from pacman.record.trace import CountedNode, ExitReason, Trace, Visit
from pacman.record.watcher import EventKind
from pacman.record.words import kind_and_name, step_words
from pacman.search.algorithms import (
    DEEPENING,
    STARS,
    Options,
    Statistics,
    make_search,
    recommended_algorithm,
    run_search,
)
from pacman.search.bounds import Bounds, ConstantBounds, constant_bounds
from pacman.search.ordering import OrderedNode, PreviousBest
from pacman.search.table import Table
from pacman.search.tracing import TracingHook

PATH = " > "
"""What stands between the actions of a path in the words of an event."""
START, STOP = "start", "stop"
"""Kinds of events besides those of `record.steps`: a search of iterative deepening begins; a search ends early."""
MOST_WORDS = 200
"""The most characters of what is said about a node that is not in the drawing: its name can be long."""
SAME = "the value and the action of the root and the generated nodes are right"


@dataclass(frozen=True)
class DrawnNode:
    """A node of the drawing: its parent, its action, and its layer (None at an end and at the horizon)."""

    parent: int
    action: str
    layer: Layer | None


@dataclass(frozen=True)
class Event:
    """One step as a page shows it. `node` is a number in the drawing, `visit` an index of `SearchReport.steps`.

    `label` is what the drawing shows at the node from now on: the value, or the window; "" if nothing new. `closed` are
    the nodes that the search cannot enter any more. `line` is that of the student's file that runs (0: not known), and
    `variables` is what its variables hold there.
    """

    kind: str
    node: int
    words: str
    label: str = ""
    why: str = ""
    closed: tuple[int, ...] = ()
    action: str | None = None
    visit: int = -1
    line: int = 0
    variables: str = ""


@dataclass(frozen=True)
class Recording:
    """A search that can be stepped through; `report` is what the picture draws.

    `counts` is what the command `solve` counts. `note` says what is missing. `is_claim` is True for a student's search:
    what its process sent is known, and nothing else. `code` has the lines of the student's file.
    """

    title: str
    algorithm: str
    nodes: tuple[DrawnNode, ...]
    events: tuple[Event, ...]
    report: SearchReport
    value: float
    action: str | None
    counts: Mapping[str, int]
    note: str = ""
    is_claim: bool = False
    code: tuple[str, ...] = ()


@dataclass(frozen=True)
class Difference:
    """The first difference between a student's search, which is the first of a page, and the right one.

    `label` stands before the sentence; `is_right` is True if there is no difference.
    """

    sentence: str
    node: int | None = None
    label: str = "First difference"
    is_right: bool = False


def drawn_nodes(root: Node, plies: int) -> Iterator[DrawnNode]:
    """Every node of the drawing of `root`, `plies` deep, in the order of their numbers."""
    count = 0

    def walk(node: Node, parent: int, action: str, depth: int) -> Iterator[DrawnNode]:
        nonlocal count
        number, count = count, count + 1
        is_leaf = node.is_terminal or depth == plies
        yield DrawnNode(parent, action, None if is_leaf else node.layer)
        for each in () if is_leaf else node.actions():
            yield from walk(node.successor(each), number, each, depth + 1)

    return walk(root, 0, "", 0)


def node_names(nodes: Sequence[DrawnNode]) -> list[str]:
    """The name of each node of the drawing, as the words of a step have it: "b > x"; "the root" for the root."""
    names = ["the root"]
    for node in nodes[1:]:
        names.append(f"{names[node.parent]}{PATH}{node.action}" if node.parent else node.action)
    return names


def numbers_below(nodes: Sequence[DrawnNode]) -> dict[tuple[int, str], int]:
    """The number of each node but the root, by the number of its parent and its action."""
    return {(node.parent, node.action): number for number, node in enumerate(nodes) if number}


def bounds_of_tree(tree: Outline) -> ConstantBounds:
    """The range of the numbers in a tree, as the bounds [L, U] of a search."""

    def numbers(part: Outline) -> Iterator[float]:
        yield from (number for number in (part.utility, part.evaluation) if number is not None)
        for _, branch in part.branches:
            yield from numbers(branch)

    every = [*numbers(tree)] or [0.0]
    return constant_bounds(min(every), max(every))


# ---- searches of the project


def record(name: str, root: Node, plies: int, options: Options, title: str = "") -> Recording:
    """The recording of the search `name` (as `run_search` takes it, or DEEPENING) of `root`, with the same errors."""
    nodes, bounds = tuple(drawn_nodes(root, plies)), options.bounds
    if name == DEEPENING:
        return _record_deepening(nodes, root, plies, options, title or name)
    result = run_search(name, root, plies, options)
    report = report_from_trace(root, plies, result.trace, result.algorithm, result.line)
    events = _search_events(report, nodes, result.algorithm, bounds)
    counts = result.statistics.as_json()
    title = title or result.algorithm
    return Recording(title, result.algorithm, nodes, tuple(events), report, result.value, result.action, counts)


def _record_deepening(nodes: tuple[DrawnNode, ...], root: Node, plies: int, options: Options, title: str) -> Recording:
    """The searches of iterative deepening, one after the other; the result is that of the last one."""
    best_first = PreviousBest()
    events: list[Event] = []
    for depth in range(1, max(plies, 1) + 1):
        algorithm = recommended_algorithm(root, depth, options.bounds)
        trace = Trace()
        search = make_search(algorithm, options, [Table(), best_first, TracingHook(trace)])
        value, action = search.visit(CountedNode(OrderedNode(root, best_first), trace), min(depth, plies))
        nodes_made = trace.nodes(root)
        for visit in trace.visits:  # what the bounds do not answer without a look at a successor, the table does
            if visit.why is ExitReason.BOUND:
                bounds = options.bounds if algorithm in STARS else None
                low, high = bounds(nodes_made[visit.number], visit.plies) if bounds else UNKNOWN
                visit.why = visit.why if high <= visit.alpha or low >= visit.beta else ExitReason.KNOWN
        report = report_from_trace(root, min(depth, plies), trace, algorithm)
        start = f"Search {counted(depth, 'ply')} deep with {algorithm}"
        start += ", first the actions that were best before" if depth > 1 else ""
        events += [Event(START, 0, start), *_search_events(report, nodes, algorithm, options.bounds)]
    counts = Statistics.of(trace).as_json()
    return Recording(title, DEEPENING, nodes, tuple(events), report, value, action, counts)


def _search_events(
    report: SearchReport, nodes: Sequence[DrawnNode], algorithm: str, bounds: Bounds | None
) -> list[Event]:
    has_windows = algorithm != "exhaustive"
    order = steps(report, has_windows, bounds if algorithm in STARS else None)
    return _events(report, nodes, order, lambda visit: has_windows)


def _events(
    report: SearchReport,
    nodes: Sequence[DrawnNode],
    order: list[Step],
    has_window: Callable[[int], bool],
    closes: bool = True,
) -> list[Event]:
    """The steps as a page shows them; `has_window` says of a visit whether its window is known."""
    below = numbers_below(nodes)
    places = [0]
    """For each node of the report that of the drawing, or the nearest one above it."""
    is_drawn = [True]
    for node in report.nodes[1:]:
        place = below.get((places[node.parent], node.action)) if is_drawn[node.parent] else None
        is_drawn.append(place is not None)
        places.append(places[node.parent] if place is None else place)
    ends = _closed(report, nodes, order, places) if closes else {}
    events = []
    for index, step in enumerate(order):
        visit, is_known = report.steps[step.visit], has_window(step.visit)
        words, label = step_words(report, step, is_known), ""
        if step.kind is Kind.VALUE and visit.value is not None:
            label = format_interval(*step.interval)
        elif step.kind in (Kind.ENTER, Kind.WINDOW, Kind.PROBE) and is_known:
            label = format_window(step.alpha, step.beta)
        why = visit.why.value if step.kind in (Kind.CUT, Kind.VALUE) else ""
        if not is_drawn[step.node]:
            words, label = line(words, MOST_WORDS), ""
        kind = step.kind if is_drawn[step.node] or step.kind is not Kind.VALUE else Kind.WINDOW
        events.append(Event(kind, places[step.node], words, label, why, ends.get(index, ()), step.action, step.visit))
    return events


def _closed(
    report: SearchReport, nodes: Sequence[DrawnNode], order: list[Step], places: Sequence[int]
) -> dict[int, tuple[int, ...]]:
    """For each step the nodes that the search can never enter from then on, although it entered their parents."""
    last = {places[number]: index for number, index in last_steps(report, order).items()}
    ends: dict[int, tuple[int, ...]] = {}
    depths: list[int] = []
    for number, node in enumerate(nodes):
        depths.append(depths[node.parent] + 1 if number else 0)
        if number not in last and node.parent in last and depths[-1] <= report.plies:
            index = last[node.parent]
            ends[index] = (*ends.get(index, ()), number)
    return ends


# ---- a student's search


def compared_search(
    runner: Runner, question: Question, cut: str, root: Node, plies: int, rounds: int = 1
) -> tuple[Recording, Difference]:
    """The recording of the search in a student's file, which runs now, and its first difference from the right one.

    InputError if the file has no such search.
    """
    nodes = tuple(drawn_nodes(root, plies))
    run = watch_search(runner, question, root, plies, rounds, [node.action for node in nodes])
    if run.fault and run.fault.kind == FaultKind.MISSING_PART:
        raise InputError(run.fault.text)
    code = tuple(map(line, runner.submission.lines(runner.main_file)))
    recording = _recording(run, root, plies, nodes, question.part, code)
    if run.fault:
        return recording, Difference(run.fault.text, recording.events[-1].node, "The search ended early")
    assert run.claim is not None
    cut = cut if question.reference == "alphabeta" else "none"
    missed = MissedSearch(question, root, plies, run.claim, cut, TOLERANCE)
    difference = missed.first_difference()
    if difference is None:
        has_windows = any(event.label for event in recording.events if event.kind is Kind.ENTER)
        words = f"{SAME}; windows are not compared" if has_windows else SAME
        return recording, Difference(words, label="No difference", is_right=True)
    path, sentence, costs_only = difference
    is_again, step = costs_only and path is not None and path in missed.trace.paths(), None
    if isinstance(root, Outline) and not is_again:
        step = first_step_of(run, root, plies, "" if cut == "none" else cut)
    path, sentence = step or (path, sentence)
    place: int | None = None if path is None else 0
    below = numbers_below(nodes)
    for action in path or ():
        place = below.get((place or 0, action), place)
    return recording, Difference(sentence, place, "Right, with more work" if is_again else "First difference")


def _recording(
    run: Run, root: Node, plies: int, nodes: tuple[DrawnNode, ...], name: str, code: tuple[str, ...]
) -> Recording:
    """The recording of the search that `run` describes; `name` is that of the student's class."""
    claim, note = run.claim, ""
    if claim is None:
        note = "Its process sent no answer, so nothing is known about the steps before."
    elif claim.trace is None:
        note = "The search made too many nodes to show."
    trace, visits = watched_trace(run, root, plies)
    report = report_from_trace(root, plies, trace, name, choice=choice_of(run))
    known = [visit is not None and visit.window is not None for visit in visits]
    order = steps(report, narrows=False)
    events = _events(report, nodes, order, lambda index: known[index], closes=not (run.fault or note))
    events = _with_code(run, report, visits, events)
    value = nan if claim is None or claim.value is None else claim.value
    counts = {"nodes": len({event.node for event in events})}
    action = claim.action if claim else None
    return Recording(f"Your {name}", name, nodes, tuple(events), report, value, action, counts, note, True, code)


def choice_of(run: Run) -> tuple[str | None, ...]:
    """The action that a search returned, if it returned."""
    return (run.claim.action,) if run.claim and not run.fault else ()


def watched_trace(run: Run, root: Node, plies: int) -> tuple[Trace, list[NodeVisit | None]]:
    """The trace of a watched run, and to each of its visits the one of the record.

    A node that was made, and never visited, also has a visit in the trace, from which the search learns nothing.
    """
    empty = Trace()
    empty.enter(0, plies, -inf, inf)
    from_process, claimed = (run.claim and run.claim.trace) or Trace(), Trace()
    try:
        for number in from_process.successors:
            claimed.generate(from_process.parents[number], from_process.actions[number])
        if (claimed.parents, claimed.actions) != (from_process.parents, from_process.actions):
            raise UnreadableRecord("the nodes are not in the order of their first appearance")
        record = Calls(claimed.nodes(root), plies, claimed, run.events, run.functions)
    except ValueError:  # a forged record, which names other nodes or is nested too deeply
        return empty, [None]
    find_reading([record])
    trace = as_trace(record)
    rows: list[tuple[int, Visit, NodeVisit | None]] = []
    for read, visit in zip(sorted(record.visits, key=lambda each: each.start), trace.visits, strict=True):
        rows.append((read.start, visit, read))
    with_visit = {visit.number for visit in trace.visits}
    moments = [(-1, 0), *((index, each.node) for index, each in enumerate(run.events) if each.kind is EventKind.MADE)]
    moments += [(len(run.events), number) for number in claimed.successors]
    for count, (index, number) in enumerate(moments):
        if number not in with_visit:
            with_visit.add(number)
            rows.append((index, Visit(number, plies - len(trace.path(number)), -inf, inf, count), None))
    rows.sort(key=lambda row: row[0])
    trace.visits = [visit for _, visit, _ in rows]
    return trace, [read for _, _, read in rows]


def _with_code(
    run: Run, report: SearchReport, visits: Sequence[NodeVisit | None], events: Sequence[Event]
) -> list[Event]:
    """The events with the line of the file that runs, with repeated successors, and at last the fault."""
    texts = {pair for variables in run.variables for pair in variables.items()}
    changing = {name for name, count in Counter(name for name, _ in texts).items() if count > 1}

    def at(index: int, event: Event) -> Event:
        """An event of the page that happens with an event of the record."""
        if not 0 <= index < len(run.events):
            return event
        event_of_line = run.events[index]
        variables = (f"{name} = {text}" for name, text in run.variables[index].items() if name in changing)
        first = run.functions[event_of_line.function].first if event_of_line.kind is EventKind.CALL else 0
        return replace(event, line=event_of_line.line or first, variables=", ".join(variables))

    generations = [(index, each.node) for index, each in enumerate(run.events) if each.kind is EventKind.MADE]
    first_places = {number: index for index, number in reversed(generations)}
    places = {report.steps[event.visit].number: event.node for event in events}
    again = [(index, number) for index, number in generations if index > first_places[number] and number in places]
    result = []
    for event in events:
        visit, number = visits[event.visit], report.steps[event.visit].number
        if visit is None:
            index = first_places.get(number, -1)
            verb = "Generate" if number else "Enter"
            event = replace(event, words=event.words.replace("Enter", verb, 1))
        else:
            index = visit.start if event.kind is Kind.ENTER else visit.end
            if not event.label and any(isinf(value) for _, value in run.events[index].numbers) and index == visit.end:
                event = replace(event, words=f"{kind_and_name(report, number)} returns no finite number")
        while again and again[0][0] < index:
            place, number = again.pop(0)
            words = f"Generate again {kind_and_name(report, number)}"
            result.append(at(place, Event(Kind.WINDOW, places[number], line(words, MOST_WORDS))))
        result.append(at(index, event))
    if run.fault:
        open_nodes = [visit.number for visit in visits if visit is not None and visit.has_raised]
        last = places.get(open_nodes[-1], 0) if open_nodes else result[-1].node
        index = len(run.events) - 1
        while index > 0 and run.events[index - 1].kind is EventKind.RAISED:  # the innermost of the calls that it left
            index -= 1
        result.append(at(index, Event(STOP, last, f"Stopped: {run.fault.text}")))
    return result
