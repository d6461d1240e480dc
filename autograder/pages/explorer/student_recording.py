"""The recording of a student's search, from what its process has sent. It shows only what is known.

Known are the generated nodes and their order, and of the calls what the reader of a record is sure of: the values of
their nodes, and their windows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite, isinf, nan

from autograder.cases.case import TOLERANCE, Question
from autograder.judge.diagnosis.first_step import first_step_of
from autograder.judge.diagnosis.run import Run
from autograder.judge.explain_miss import MissedSearch
from autograder.pages.explorer.events import DrawnNode, Event, Kind, Recording, numbers_below, subtree_ends
from autograder.pages.explorer.page_of_search import Difference
from autograder.report.escape import line
from pacman.core.numbers import format_number, format_window
from pacman.core.tree import Node
from pacman.core.tree_text import Outline
from pacman.record.calls import Calls, NodeVisit
from pacman.record.reading import find_reading
from pacman.record.trace import ExitReason, Trace, Visit
from pacman.record.watcher import EventKind
from pacman.search.algorithms import SearchResult, Statistics

MAX_PATH = 100
"""The most characters of the path of a node that is not in the drawing: the student chooses its names."""
SAME = "the value, the action and the generated nodes are right"


def compared_run(
    run: Run,
    question: Question,
    cut: str,
    root: Node,
    plies: int,
    nodes: tuple[DrawnNode, ...],
    code: Sequence[str] = (),
) -> tuple[Recording, Difference]:
    """The recording of the search that `run` describes, and its first difference from the right one.

    `code` are the lines of the student's file.
    """
    recording = _recording(run, root, nodes, question.part, tuple(map(line, code)))
    if run.fault:
        return recording, Difference(run.fault.text, recording.events[-1].node, "The search ended early")
    assert run.claim is not None
    cut = cut if question.reference == "alphabeta" else "none"
    difference = MissedSearch(question, root, plies, run.claim, cut, TOLERANCE).difference_if_any()
    if difference is None:
        words = f"{SAME}; windows are not compared" if recording.has_windows else SAME
        return recording, Difference(words, label="No difference", is_right=True)
    path, sentence, _ = difference
    step = first_step_of(run, root, plies, "" if cut == "none" else cut) if isinstance(root, Outline) else None
    if step:
        path, sentence = step
    place: int | None = None if path is None else 0
    below = numbers_below(nodes)
    for action in path or ():
        place = below.get((place or 0, action), place)
    return recording, Difference(sentence, place)


def _recording(run: Run, root: Node, nodes: tuple[DrawnNode, ...], name: str, code: tuple[str, ...]) -> Recording:
    """The recording of the search that `run` describes; `name` is that of the student's class."""
    claim, note = run.claim, ""
    if claim is None:
        note = "Its process sent no answer, so nothing is known about the steps before."
    elif claim.trace is None:
        note = "The search made too many nodes to show."
    timeline = _Timeline((claim and claim.trace) or Trace(), nodes)
    timeline.read(run, _visits_by_call(run, root))
    if not (run.fault or note):
        timeline.close_nodes()
    events, trace = timeline.events, timeline.drawn_trace()
    value = nan if claim is None or claim.value is None else claim.value
    result = SearchResult(name, value, claim.action if claim else None, (), Statistics.of(trace), trace, root)
    counts = {"nodes": len({event.node for event in events})}
    has_windows = any(event.has_window for event in events)
    return Recording(
        f"Your {name}", name, nodes, tuple(events), counts, note, has_windows, result, is_claim=True, code=code
    )


def _visits_by_call(run: Run, root: Node) -> dict[int, tuple[NodeVisit, bool]]:
    """By the number of each call with a node: the visit that it belongs to, and whether it begins the visit."""
    trace = run.claim and run.claim.trace
    if not trace:
        return {}
    try:
        record = Calls(trace.nodes(root), 0, trace, run.events, run.functions)
    except ValueError:  # a forged record, which names other nodes or is nested too deeply
        return {}
    find_reading([record])
    return {frame.call.call: (visit, frame is visit.frames[0]) for visit in record.visits for frame in visit.frames}


class _Timeline:
    """Puts the generated nodes and the calls in one order."""

    def __init__(self, trace: Trace, nodes: Sequence[DrawnNode]) -> None:
        self.trace, self.nodes = trace, nodes
        self.children: dict[int, dict[str, int]] = {}
        for number, node in enumerate(nodes[1:], 1):
            self.children.setdefault(node.parent, {})[node.action] = number
        self.places = [0]
        """For each node of the trace the node of the drawing, or the nearest one above it."""
        self.is_drawn = [True]
        for parent, action in trace.edges():
            above = self.places[parent]
            place = self.children.get(above, {}).get(action) if self.is_drawn[parent] else None
            self.is_drawn.append(place is not None)
            self.places.append(above if place is None else place)
        self.open: list[int] = []
        """The numbers of the nodes that are visited now."""
        self.events: list[Event] = []
        self.line, self.variables = 0, ""
        self.generated: set[int] = {0}

    def read(self, run: Run, visits: Mapping[int, tuple[NodeVisit, bool]]) -> None:
        """Adds all events in order, and at the end that of the fault, if there was one."""
        called = {visit.number for visit, _ in visits.values()}
        if 0 not in called:
            self._enter(0, None, "Start at")
        texts = {pair for variables in run.variables for pair in variables.items()}
        changing = {name for name, count in Counter(name for name, _ in texts).items() if count > 1}
        for event, variables in zip(run.events, run.variables, strict=True):
            shown = (f"{name} = {text}" for name, text in variables.items() if name in changing)
            self.line, self.variables = event.line, ", ".join(shown)
            visit, is_first = visits.get(event.call, (None, False))
            if event.kind is EventKind.CALL and visit and is_first:
                self.line = self.line or run.functions[event.function].first
                self.open.append(visit.number)
                self._enter(visit.number, visit.window, "Enter")
            elif event.kind is EventKind.MADE:
                place = self.places[event.node]
                is_again = place in self.generated and self.is_drawn[event.node]
                self.generated.add(place)
                if event.node not in called or is_again:
                    self._enter(event.node, None, "Generate again" if is_again else "Generate")
            elif event.kind is EventKind.RETURN and visit and is_first:
                self.open.pop()
                self._leave(visit.number, visit.value, any(isinf(number) for _, number in event.numbers))
        self.line, self.variables = 0, ""
        if run.fault:
            last = self.places[self.open[-1]] if self.open else self.events[-1].node
            self._add(Event(Kind.STOP, last, words=f"Stopped: {run.fault.text}", has_window=False))

    def _enter(self, number: int, window: tuple[float, float] | None, verb: str) -> None:
        shown = f", window {format_window(*window)}" if window else ""
        alpha, beta = window or (-inf, inf)
        has_window = window is not None and self.is_drawn[number]
        words = f"{verb} {self._name(number)}{shown}"
        event = Event(Kind.ENTER, self.places[number], alpha, beta, words=words, has_window=has_window)
        self._add(event)

    def _leave(self, number: int, value: float | None, has_infinity: bool) -> None:
        place, value = self.places[number], value if value is not None and isfinite(value) else None
        words = f"{self._name(number)} returns no finite number" if has_infinity else f"{self._name(number)} is left"
        words = words if value is None else f"{self._name(number)} returns {format_number(value)}"
        children = self.children.get(place, {})
        unseen = [action for action, child in children.items() if child not in self.generated]
        if 0 < len(unseen) < len(children):
            words += f"; never generated: {', '.join(unseen)}"
        if value is None or not self.is_drawn[number]:
            self._add(Event(Kind.WINDOW, place, words=words, has_window=False))
        else:
            is_leaf = self.nodes[place].layer is None
            why = ExitReason.LEAF if is_leaf else ExitReason.VALUE
            event = Event(Kind.VALUE, place, value=value, words=words, why=why, interval=(value, value))
            self._add(replace(event, unseen=tuple(unseen), has_window=False))

    def _add(self, event: Event) -> None:
        self.events.append(replace(event, line=self.line, variables=self.variables))

    def _name(self, number: int) -> str:
        path = " > ".join(self.trace.path(number)) or "the root"
        layer = self.nodes[self.places[number]].layer
        if not self.is_drawn[number]:
            return f"{line(path, MAX_PATH)}, which is below the horizon or no node of the tree"
        return path if layer is None or not number else f"{layer.name} node {path}"

    def drawn_trace(self) -> Trace:
        """A trace of the drawn nodes only, with the entries that the events tell."""
        trace = Trace()
        numbers = {0: 0}
        for number in self.trace.successors:
            if self.is_drawn[number]:
                place = self.places[number]
                numbers[place] = trace.generate(numbers[self.nodes[place].parent], self.nodes[place].action)
        depths = [0]
        for node in self.nodes[1:]:
            depths.append(depths[node.parent] + 1)
        last: dict[int, Visit] = {}
        for event in self.events:
            if event.kind is Kind.ENTER and event.node in numbers:
                plies = max(depths) - depths[event.node]
                last[event.node] = trace.enter(numbers[event.node], plies, event.alpha, event.beta)
                if self.nodes[event.node].layer is None:
                    last[event.node].why = ExitReason.LEAF
            elif event.kind is Kind.VALUE and event.node in last:
                visit, node = last[event.node], self.nodes[event.node]
                visit.value, visit.unseen = event.value, event.unseen
                if node.layer is not None:
                    count = len(self.children.get(event.node, ()))
                    visit.why = ExitReason.by_unseen(node.layer, count, len(event.unseen))
        return trace

    def close_nodes(self) -> None:
        """Closes each node that was never generated, at the end of the last event of its parent."""
        ends = subtree_ends(self.nodes)
        own = {event.node: index for index, event in enumerate(self.events)}
        for number, node in enumerate(self.nodes):
            if number in self.generated or node.parent not in self.generated:
                continue
            index = own.get(node.parent, -1)
            if index < 0 or self.events[index].kind is not Kind.VALUE:
                index = max(own.get(below, -1) for below in range(node.parent, ends[node.parent] + 1))
            event = self.events[index]
            self.events[index] = replace(event, closed=(*event.closed, number))
