"""Reads replies of a student's process into claims. A reply must have exactly the expected types, within the limits."""

from __future__ import annotations

from typing import Any

from autograder.judge.submission_answer import Claim, clean
from autograder.student_process.native_api import MAX_VALUES
from autograder.student_process.request_handler import MAX_GENERATED
from autograder.student_process.transport import BadFrame
from pacman.core.trace import Path, Trace

MAX_DEPTH = 100
UNREADABLE = "the answer could not be read"


def read_claim(reply: dict[str, Any]) -> Claim:
    """The claim in a reply; BadFrame if any part of it has a wrong type."""
    value, action, generated = reply.get("value"), reply.get("action"), reply.get("generated")
    if type(value) not in (int, float, type(None)):
        raise BadFrame("the value is not a number")
    if type(action) not in (str, type(None)):
        raise BadFrame("the action is not a string")
    if type(generated) is not int:
        raise BadFrame("the number of generated nodes is not an integer")
    trace = read_trace(reply["trace"]) if "trace" in reply else None
    return Claim(
        value=value,
        value_text=clean(reply.get("value_text"), 100),
        action=action,
        choice=clean(reply.get("choice"), 100),
        generated=generated if trace is None else trace.generated,
        trace=trace,
        values=_read_values(reply.get("values", []), trace),
    )


def read_trace(report: Any) -> Trace:
    """The trace in a reply; BadFrame unless every parent comes before its children and every number is in range."""
    if type(report) is not dict:
        raise BadFrame("the trace is not a JSON object")
    names, parents, actions, made = (report.get(key, ()) for key in ("names", "parents", "actions", "made"))
    for part, kind in ((names, str), (parents, int), (actions, int), (made, int)):
        if type(part) is not list or len(part) > MAX_GENERATED + 1 or any(type(each) is not kind for each in part):
            items = "strings" if kind is str else "integers"
            raise BadFrame(f"a part of the trace is not a list of at most {MAX_GENERATED + 1} {items}")
    nodes = len(parents)
    is_tree = nodes and len(actions) == nodes and parents[0] == 0
    is_tree = is_tree and all(0 <= parent < number for number, parent in enumerate(parents[1:], 1))
    is_tree = is_tree and all(0 <= each < len(names) for each in actions) and all(0 < number < nodes for number in made)
    if not is_tree:
        raise BadFrame("the trace is not a tree")
    depths = [0]
    for parent in parents[1:]:
        depths.append(depths[parent] + 1)
    if max(depths) > MAX_DEPTH:
        raise BadFrame(f"the trace is deeper than {MAX_DEPTH} plies")
    trace = Trace()
    trace.parents, trace.successors = parents, made
    trace.actions = [clean(names[action], 40) for action in actions]
    return trace


def _read_values(pairs: Any, trace: Trace | None) -> tuple[tuple[Path, float], ...]:
    """The values in a reply, each with the path of its node; BadFrame for another type or an unknown node."""
    if trace is None:
        return ()
    if type(pairs) is not list or len(pairs) > MAX_VALUES:
        raise BadFrame(f"the values are not a list of at most {MAX_VALUES} pairs")
    values = []
    for pair in pairs:
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not int or type(pair[1]) not in (int, float):
            raise BadFrame("one of the values is not a pair of a node number and a value")
        if not 0 <= pair[0] < len(trace.parents):
            raise BadFrame("a value belongs to a node that is not in the trace")
        values.append((trace.path(pair[0]), pair[1]))
    return tuple(values)
