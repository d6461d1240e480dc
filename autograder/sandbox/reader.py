"""Reads replies of a student's process into claims and records of searches.

Nothing is believed: a reply must have exactly the expected types, within the limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any, Self

from autograder.cases.truth import RightMove
from autograder.judge.submission_answer import Claim, clean
from autograder.sandbox.submission_files import MAX_BYTES
from autograder.student_process.messages import BadFrame
from autograder.student_process.native_api import MAX_VALUES
from autograder.student_process.request_handler import MAX_GENERATED, MAX_KEPT
from pacman.core.tree import Node
from pacman.core.tree_text import Outline
from pacman.record.trace import Trace
from pacman.record.watcher import (
    MAX_EVENTS,
    MAX_NAMES,
    MAX_NUMBERS,
    MAX_STATEMENTS,
    MAX_TEXT,
    SPARE_EVENTS,
    Event,
    EventKind,
    Statement,
    StatementKind,
    WatchedFunction,
)

MAX_DEPTH = 100
MAX_NAME = 40  # characters of an action that the tree does not have
MAX_FUNCTIONS = 400
UNREADABLE = "the answer could not be read"
_INFINITE = {"inf": inf, "-inf": -inf}
_KINDS = {int(kind): kind for kind in EventKind}
_STATEMENTS = {int(kind): kind for kind in StatementKind}


@dataclass(frozen=True)
class TraceLimits:
    """The largest trace that the grader compares. A larger trace is only counted.

    `nodes` limits the different nodes. `characters` limits the paths of all nodes together, as text: so it also limits
    the sum of the depths. `generated` limits the generated nodes, repetitions included. The defaults are for a whole
    case. `actions` are the names of actions that a trace may contain in full, however long.
    """

    nodes: int = 10_000
    characters: int = 1_000_000
    generated: int = 100_000
    actions: frozenset[str] = frozenset()

    @classmethod
    def of(cls, root: Node, plies: int, right: RightMove, searches: int) -> Self:
        """The limits for one of the `searches` of a case: a share of the defaults, and four times the right trace."""
        most = max(each.generated for each in right.touched)
        characters, actions = most * plies * len("North/"), set[str]()
        if isinstance(root, Outline):
            characters, rows = 0, [(root, 0)]
            while rows:
                node, length = rows.pop()
                characters += length
                actions.update(node.actions())
                rows += [(branch, length + len(action) + 1) for action, branch in node.branches]
        return cls(
            cls.nodes // searches + 4 * most,
            cls.characters // searches + 4 * characters,
            cls.generated // searches + 40 * most,
            frozenset(actions),
        )


def read_claim(reply: dict[str, Any], limits: TraceLimits = TraceLimits()) -> Claim:
    """The claim in a reply; BadFrame if any part of it has a wrong type.

    Without the trace if that is larger than the limits.
    """
    generated = reply.get("generated")
    if type(generated) is not int:
        raise BadFrame("the number of generated nodes is not an integer")
    trace = None
    if "trace" in reply:
        trace = read_trace(reply["trace"], limits)
        generated = len(reply["trace"]["made"])
    values = [] if trace is None else _read_values(reply.get("values", []), len(trace.parents))
    value, action = reply.get("value"), reply.get("action")
    if type(value) not in (int, float, type(None)):
        raise BadFrame("the value is not a number")
    if type(action) not in (str, type(None)):
        raise BadFrame("the action is not a string")
    return Claim(
        value=value,
        value_text=clean(reply.get("value_text"), 100),
        # An action that the tree does not have is cut, so that it fills no report and no store.
        action=action if action is None or action in limits.actions else clean(action, MAX_NAME),
        choice=clean(reply.get("choice"), 100),
        generated=generated,
        trace=trace,
        values=tuple((trace.path(number), value) for number, value in values if trace),
    )


def read_trace(report: Any, limits: TraceLimits) -> Trace | None:
    """The trace in a reply, None if it is larger than the limits.

    BadFrame unless every parent comes before its children and every number is in range.
    """
    if type(report) is not dict:
        raise BadFrame("the trace is not a JSON object")
    names, parents, actions, successors = (report.get(key, ()) for key in ("names", "parents", "actions", "made"))
    for part, kind in ((names, str), (parents, int), (actions, int), (successors, int)):
        if type(part) is not list or len(part) > MAX_GENERATED + 1 or any(type(each) is not kind for each in part):
            items = "strings" if kind is str else "integers"
            raise BadFrame(f"a part of the trace is not a list of at most {MAX_GENERATED + 1} {items}")
    nodes = len(parents)
    is_tree = nodes and len(actions) == nodes and parents[0] == 0
    is_tree = is_tree and all(0 <= parent < number for number, parent in enumerate(parents[1:], 1))
    is_inside = all(0 <= each < len(names) for each in actions) and all(0 < number < nodes for number in successors)
    if not (is_tree and is_inside):
        raise BadFrame("the trace is not a tree")
    depths = [0]
    for parent in parents[1:]:
        depths.append(depths[parent] + 1)
    if max(depths) > MAX_DEPTH:
        raise BadFrame(f"the trace is deeper than {MAX_DEPTH} plies")
    if nodes > limits.nodes + 1 or len(successors) > limits.generated:
        return None
    trace = Trace()
    numbers = list(range(nodes))  # each number once in memory: a large trace has the same ones again and again
    trace.parents, trace.successors = ([numbers[number] for number in part] for part in (parents, successors))
    used = {number: names[number] for number in set(actions)}
    cleaned = {number: name if name in limits.actions else clean(name, MAX_NAME) for number, name in used.items()}
    trace.actions = [cleaned[action] for action in actions]
    lengths = [0]
    for parent, action in zip(parents[1:], trace.actions[1:], strict=True):
        lengths.append(lengths[parent] + len(action) + 1)
    return trace if sum(lengths) <= limits.characters else None


def _read_values(pairs: Any, nodes: int) -> list[list[Any]]:
    """The values in a reply, each with the number of its node; BadFrame for another type or an unknown node."""
    if type(pairs) is not list or len(pairs) > MAX_VALUES:
        raise BadFrame(f"the values are not a list of at most {MAX_VALUES} pairs")
    for pair in pairs:
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not int or type(pair[1]) not in (int, float):
            raise BadFrame("one of the values is not a pair of a node number and a value")
        if not 0 <= pair[0] < nodes:
            raise BadFrame("a value belongs to a node that is not in the trace")
    return pairs


def read_values(reply: dict[str, Any]) -> list[float]:
    """The values of the leaves in a reply; BadFrame unless they are a list of numbers.

    All numbers of a reply are finite: `messages.decode` refuses others.
    """
    values = reply.get("values")
    if type(values) is not list or any(type(value) not in (int, float) for value in values):
        raise BadFrame("the values of the leaves are not a list of numbers")
    return values


def read_record(record: Any, trace: Trace) -> tuple[tuple[Event, ...], tuple[WatchedFunction, ...], bool]:
    """The events of a watched search, the functions of its files, and whether these are all events.

    BadFrame unless they have the form that a watcher gives them, for a search with this trace.
    """
    if type(record) is not dict:
        raise BadFrame("the record is not a JSON object")
    generated = {0}
    for number in trace.successors:
        if trace.parents[number] not in generated:
            raise BadFrame("one of the generated nodes comes before its parent")
        generated.add(number)
    functions = []
    for row in _rows(record.get("functions"), MAX_FUNCTIONS, str, int, int, list, str, str):
        name, first, last, parameters, file, statements = row
        if not 0 <= first <= last <= MAX_BYTES:
            raise BadFrame("a function of the record is in no file")
        words = clean(" ".join(map(str, parameters[:MAX_FUNCTIONS])), 400).split()
        inside = _statements(statements)
        functions.append(WatchedFunction(clean(name, 60), first, last, tuple(words), clean(file, 100), inside))
    events = _read_events(record, trace, len(functions))
    return events, tuple(functions), record.get("is_complete") is True


def read_kept(rows: Any) -> tuple[tuple[str, int], ...]:
    """The names of what stays from one search to the next, each with a line; BadFrame for something else."""
    kept = _rows(rows, MAX_KEPT, str, int)
    if not all(0 <= line <= MAX_BYTES for _, line in kept):
        raise BadFrame("a line of what a search kept is in no file")
    return tuple((clean(name, MAX_TEXT), line) for name, line in kept)


@lru_cache(maxsize=MAX_FUNCTIONS)  # each search of a file sends the same ones
def _statements(text: str) -> tuple[Statement, ...]:
    """The statements of a function, each as six numbers and its names."""
    is_long = len(text) > MAX_STATEMENTS * MAX_NAMES * MAX_TEXT
    rows = [row.split(" ") for row in text.split(";")] if text and not is_long else []
    if is_long or len(rows) > MAX_STATEMENTS:
        raise BadFrame("a function of the record has too many statements")
    statements = []
    for row in rows:
        if len(row) < 6 or not all(each.isascii() and each.isdigit() and len(each) < 10 for each in row[:6]):
            raise BadFrame("a statement of the record has no six numbers")
        kind, first, last, end, loop, leaves = map(int, row[:6])
        if kind not in _STATEMENTS or not 0 < first <= last <= end <= MAX_BYTES:
            raise BadFrame("a statement of the record is in no file")
        names = tuple(clean(name, MAX_TEXT) for name in row[6 : 6 + MAX_NAMES])
        statements.append(Statement(_STATEMENTS[kind], first, last, end, loop, bool(leaves), names))
    return tuple(statements)


def _read_events(record: dict[str, Any], trace: Trace, functions: int) -> tuple[Event, ...]:
    events: list[Event] = []
    calls = made = 0
    places: dict[str, str] = {}
    """The cleaned names of places: there are few."""
    for row in _rows(record.get("events"), MAX_EVENTS + SPARE_EVENTS, int, int, int, int, int, list, list, str):
        kind, call, node, line, function, pairs, texts, action = row
        if not 0 <= line <= MAX_BYTES:  # no file has more lines
            raise BadFrame("a line of the record is in no file")
        is_call = kind == EventKind.CALL
        made += kind == EventKind.MADE
        if kind not in _KINDS or not -1 <= node < len(trace.parents) or not -1 <= function < functions:
            raise BadFrame("an event of the record has an unknown kind, node or function")
        if not (call == calls if is_call else -1 <= call < calls) or (is_call and function < 0):
            raise BadFrame("an event of the record belongs to no call")
        calls += is_call
        numbers = _read_numbers(pairs, places) if pairs else ()
        if kind == EventKind.SCORE and not numbers:
            raise BadFrame("a score of the record has no number")
        rows = _rows(texts, MAX_NAMES, str, str) if texts else ()
        variables = tuple((clean(name, MAX_TEXT), clean(text, MAX_TEXT)) for name, text in rows)
        action = clean(action, MAX_TEXT) if action else ""
        events.append(Event(_KINDS[kind], call, node, line, function, numbers, variables, action))
    if made > len(trace.successors):
        raise BadFrame("the record has more successors than the trace")
    return tuple(events)


def _read_numbers(pairs: Any, places: dict[str, str]) -> tuple[tuple[str, float], ...]:
    """The numbers of an event, each with its place, as a plain loop: a record has some thousand of them."""
    if type(pairs) is not list or len(pairs) > MAX_NUMBERS:
        raise BadFrame(f"an event of the record has no list of at most {MAX_NUMBERS} numbers")
    numbers = []
    for pair in pairs:
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not str:
            raise BadFrame("a number of the record is no pair of a place and a number")
        place, value = pair
        if place not in places:
            places[place] = clean(place, 60)
        numbers.append((places[place], _number(value)))
    return tuple(numbers)


def _number(value: Any) -> float:
    """A number of a record. JSON has no infinite ones, so they are texts."""
    if type(value) is str and value in _INFINITE:
        return _INFINITE[value]
    if type(value) not in (int, float):
        raise BadFrame("a number of the record is none")
    return float(value)


def _rows(rows: Any, most: int, *types: type) -> list[list[Any]]:
    """A list of at most `most` lists, each with a value of each type. Else BadFrame."""
    if type(rows) is not list or len(rows) > most:
        raise BadFrame(f"a part of the record is no list of at most {most} rows")
    expected = list(types)
    for row in rows:
        if type(row) is not list or len(row) != len(types):
            raise BadFrame("a row of the record has another length than expected")
        if list(map(type, row)) != expected:
            raise BadFrame("a value of the record has another type than expected")
    return rows
