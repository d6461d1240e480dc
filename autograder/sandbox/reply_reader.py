"""Replies from a student's process, read into claims: exactly the types that were agreed on, within the limits."""

from __future__ import annotations

from typing import Any

from autograder.judge.submission_answer import Claim, clean
from autograder.student_process.native_api import MAX_VALUES
from autograder.student_process.student import MAX_MADE
from autograder.student_process.transport import BadFrame
from pacman.core.trace import Path, Trace

MAX_DEPTH = 100


def read_claim(reply: dict[str, Any]) -> Claim:
    """The claim in a reply; BadFrame unless it has exactly the types that were agreed on."""
    value, action, generated = reply.get("value"), reply.get("action"), reply.get("generated")
    if type(value) not in (int, float, type(None)):
        raise BadFrame("a value that is no number")
    if type(action) not in (str, type(None)) or type(generated) is not int:
        raise BadFrame("an action or a count of another type")
    trace = read_trace(reply["trace"]) if "trace" in reply else None
    return Claim(
        value=value,
        value_text=clean(reply.get("said"), 100),
        action=action,
        choice=clean(reply.get("choice"), 100),
        generated=generated if trace is None else trace.generated,
        trace=trace,
        values=_read_values(reply.get("values", []), trace),
    )


def read_trace(sent: Any) -> Trace:
    """The trace in a reply; BadFrame unless every node's parent comes before it and every number is in range."""
    if type(sent) is not dict:
        raise BadFrame("a trace of another type")
    names, parents, actions, made = (sent.get(key, ()) for key in ("names", "parents", "actions", "made"))
    for flat, kind in ((names, str), (parents, int), (actions, int), (made, int)):
        if type(flat) is not list or len(flat) > MAX_MADE + 1 or any(type(item) is not kind for item in flat):
            raise BadFrame("a trace of another type")
    nodes = len(parents)
    fits = nodes and len(actions) == nodes and parents[0] == 0
    fits = fits and all(0 <= parent < number for number, parent in enumerate(parents[1:], 1))
    fits = fits and all(0 <= action < len(names) for action in actions) and all(0 < number < nodes for number in made)
    if not fits:
        raise BadFrame("a trace that is no tree")
    depths = [0]
    for parent in parents[1:]:
        depths.append(depths[parent] + 1)
    if max(depths) > MAX_DEPTH:
        raise BadFrame(f"a trace deeper than {MAX_DEPTH} plies")
    trace = Trace()
    trace.parents, trace.successors = parents, made
    trace.actions = [clean(names[action], 40) for action in actions]
    return trace


def _read_values(sent: Any, trace: Trace | None) -> tuple[tuple[Path, float], ...]:
    if trace is None:
        return ()
    if type(sent) is not list or len(sent) > MAX_VALUES:
        raise BadFrame("values of another type")
    values = []
    for pair in sent:
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not int or type(pair[1]) not in (int, float):
            raise BadFrame("values of another type")
        if not 0 <= pair[0] < len(trace.parents):
            raise BadFrame("a value of a node that is not there")
        values.append((trace.path(pair[0]), pair[1]))
    return tuple(values)
