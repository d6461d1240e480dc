"""Watches a search of a submission: asks its process for one search and reads the record of its steps."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

from autograder.cases.case import Question
from autograder.judge.diagnosis.run import Run
from autograder.judge.submission_answer import clean
from autograder.sandbox.reply_reader import TraceLimits, read_claim
from autograder.sandbox.runner import Runner, Session, SessionBroken, ends_if_unreadable, read_fault
from autograder.sandbox.submission_files import MAX_BYTES
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.messages import BadFrame, tree_as_text
from pacman.core.tree import Node
from pacman.core.tree_text import Outline
from pacman.record.trace import Trace
from pacman.record.watcher import (
    MAX_EVENTS,
    MAX_NAMES,
    MAX_NUMBERS,
    MAX_TEXT,
    SPARE_EVENTS,
    Event,
    EventKind,
    WatchedFunction,
)

SECONDS = 30.0
"""The time for one search, which is much more than a slow machine needs.

A search that hangs ends earlier, when it has used `tree_questions.SECONDS` of processor time.
"""
MAX_FUNCTIONS = 400
_INFINITE = {"inf": inf, "-inf": -inf}
_KINDS = {int(kind): kind for kind in EventKind}


def most_successors(nodes: int) -> int:
    """The number of successors that a search of a tree with some nodes may make: each four times, and some more."""
    return 4 * nodes + 1_000


def watch_search(
    sandbox: Runner, question: Question, root: Node, plies: int, rounds: int, nodes: int, actions: frozenset[str]
) -> Run:
    """The search of `root` by the part that `question` grades, with the values of variables.

    `nodes` and `actions` are those of the whole tree.
    """
    limits = search_limits(nodes, actions)
    request = {**search_request(question.part, root, plies, rounds, limits), "keeps_variables": True}
    try:
        with sandbox.session(SECONDS) as session:
            sandbox.load_part(session, question.role, question.part, rounds)
            return read_run(session.ask("watch", **request), session, limits)
    except SessionBroken as broken:
        return Run(None, fault=broken.fault)


def search_request(part: str, root: Node, plies: int, rounds: int, limits: TraceLimits) -> dict[str, Any]:
    """The request for one search of `root`, a tree or a position, by a new part."""
    is_tree = isinstance(root, Outline)
    return {
        "tree" if is_tree else "position": tree_as_text(root) if isinstance(root, Outline) else str(root),
        "plies": plies,
        "part": part,
        "rounds": rounds,
        "seed": "0/0",
        "evaluation_shift": 0,
        "keeps_part": False,
        "most_successors": limits.generated,
        "paths": [],
        "places": [],
        "numbers": [],
        "keeps_variables": False,
    }


def search_limits(nodes: int, actions: frozenset[str]) -> TraceLimits:
    """The limits of the trace of such a search."""
    most = most_successors(nodes)
    return TraceLimits(nodes=most, generated=most, actions=actions)


def read_run(reply: dict[str, Any], session: Session, limits: TraceLimits) -> Run:
    """The run in a reply; SessionBroken if it has another form than expected."""
    with ends_if_unreadable():
        claim = read_claim(reply, limits)
        if type(reply.get("raised", {})) is not dict:
            raise BadFrame("the fault is not a JSON object")
        fault = read_fault(reply["raised"], session.limits) if "raised" in reply else None
        if fault and reply["raised"].get("kind") == FaultKind.TIME:
            fault = replace(fault, kind=FaultKind.TIME)
        if claim.trace is None:
            return Run(claim, (), (), False, fault)
        _check_order(claim.trace)
        record = reply.get("record")
        if type(record) is not dict:
            raise BadFrame("the record is not a JSON object")
        functions = _functions(record)
        events = _events(record, claim.trace, len(functions))
    return Run(claim, events, functions, record.get("is_complete") is True, fault)


def _check_order(trace: Trace) -> None:
    """BadFrame unless each node is generated after its parent."""
    generated = {0}
    for number in trace.successors:
        if trace.parents[number] not in generated:
            raise BadFrame("one of the generated nodes comes before its parent")
        generated.add(number)


def _column(record: dict[str, Any], name: str, most: int, *types: type) -> list[Any]:
    column = record.get(name)
    if type(column) is not list or len(column) > most or any(type(each) not in types for each in column):
        raise BadFrame(f"'{name}' of the record is no list of at most {most} values of the right type")
    return column


def _check_lines(lines: list[int]) -> None:
    """BadFrame unless a file of a submission can have lines with these numbers."""
    if not all(0 <= line <= MAX_BYTES for line in lines):
        raise BadFrame("a line of the record is in no file")


def _functions(record: dict[str, Any]) -> tuple[WatchedFunction, ...]:
    names, parameters, files = (_column(record, name, MAX_FUNCTIONS, str) for name in ("names", "parameters", "files"))
    spans = _column(record, "spans", 2 * MAX_FUNCTIONS, int)
    if not len(names) == len(parameters) == len(files) == len(spans) // 2:
        raise BadFrame("the functions of the record have columns of different lengths")
    _check_lines(spans)
    return tuple(
        WatchedFunction(clean(name, 60), first, last, tuple(clean(text, 400).split()), clean(file, 100))
        for name, first, last, text, file in zip(names, spans[::2], spans[1::2], parameters, files, strict=True)
    )


def _events(record: dict[str, Any], trace: Trace, functions: int) -> tuple[Event, ...]:
    """The events of a record. BadFrame unless they have the form that a watcher gives them."""
    columns = [
        _column(record, name, MAX_EVENTS + SPARE_EVENTS, int)
        for name in ("kinds", "calls", "nodes", "lines", "functions")
    ]
    count = len(columns[0])
    if any(len(column) != count for column in columns):
        raise BadFrame("the columns of the record have different lengths")
    _check_lines(columns[3])
    numbers = _triples(record, "numbers", MAX_NUMBERS, count, int, int, float, str)
    variables = _triples(record, "variables", MAX_NAMES, count, int, str)
    places = [clean(place, 60) for place in _column(record, "places", 1_000, str)]
    events: list[Event] = []
    calls = made = 0
    for index, (kind, call, node, line, function) in enumerate(zip(*columns, strict=True)):
        is_call = kind == EventKind.CALL
        made += kind == EventKind.MADE
        if kind not in _KINDS or not -1 <= node < len(trace.parents) or not -1 <= function < functions:
            raise BadFrame("an event of the record has an unknown kind, node or function")
        if not (call == calls if is_call else -1 <= call < calls) or (is_call and function < 0):
            raise BadFrame("an event of the record belongs to no call")
        calls += is_call
        found: list[tuple[str, float]] = []
        for place, number in numbers.get(index, ()):
            if type(place) is not int or (type(number) is str and number not in _INFINITE):
                raise BadFrame("a number of the record is none")
            if not 0 <= place < len(places):
                raise BadFrame("a number of the record has no place")
            found.append((places[place], _INFINITE[number] if type(number) is str else number))
        if kind == EventKind.SCORE and not found:
            raise BadFrame("a score of the record has no number")
        texts = ((clean(name, MAX_TEXT), clean(text, MAX_TEXT)) for name, text in variables.get(index, ()))
        events.append(Event(_KINDS[kind], call, node, line, function, tuple(found), tuple(texts)))
    if made > len(trace.successors):
        raise BadFrame("the record has more successors than the trace")
    return tuple(events)


def _triples(
    record: dict[str, Any], name: str, most: int, count: int, *types: type
) -> dict[int, list[tuple[Any, Any]]]:
    """The second and third values of the triples in a column, by the first one: the number of an event.

    An event has at most `most` of them.
    """
    column = _column(record, name, 3 * most * count, *types)
    found: dict[int, list[tuple[Any, Any]]] = {}
    for index, first, second in zip(column[::3], column[1::3], column[2::3], strict=False):
        if type(index) is not int or not 0 <= index < count:
            raise BadFrame(f"'{name}' of the record names no event")
        found.setdefault(index, []).append((first, second))
    if any(len(each) > most for each in found.values()):
        raise BadFrame(f"'{name}' of the record has too many values for one event")
    return found
