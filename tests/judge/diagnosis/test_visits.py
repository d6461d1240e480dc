"""The visits in the record of a watched search, also in a record that no search gives."""

from __future__ import annotations

import sys
from typing import Any

from autograder.judge.diagnosis.visits import WatchedTree
from autograder.judge.submission_answer import Claim
from autograder.judge.watched_run import MOST_VARIABLES, WatchedRun
from pacman.core.outline import Outline
from pacman.core.trace import Trace
from pacman.core.watcher import Event, EventKind, WatchedFunction

TREE = Outline.parse("max { West: 3; East: 5 }")


def test_many_open_calls_without_a_node_cost_no_more_time_than_few() -> None:
    """A forged record of 6,000 such calls for each tree held the grader for half a minute, for each question."""
    trace = Trace()
    trace.generate(0, "West")
    claim = Claim(3, "3", "West", "West", 1, trace, ())
    deep = 500
    events = [Event(EventKind.CALL, 0, 0, 2, 0)]
    events += [Event(EventKind.CALL, call, -1, 3, 0) for call in range(1, deep)]
    events += [Event(EventKind.MADE, deep - 1, 1, 4) for _ in range(deep)]
    events += [Event(EventKind.RETURN, call, -1, 5, -1, (("", 3.0),)) for call in reversed(range(deep))]
    run = WatchedRun(claim, tuple(events), (WatchedFunction("search", 1, 9, ("node",), ""),), True, None)
    lines = 0

    def count(*_: Any) -> Any:
        nonlocal lines
        lines += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        tree = WatchedTree(TREE, 1, run)
    finally:
        sys.settrace(before)
    assert tree.root is not None
    assert [(visit.number, len(visit.made)) for visit in tree.visits] == [(0, deep)]
    assert lines < 50 * len(events)


def test_a_record_with_many_variables_needs_little_memory() -> None:
    many = tuple((f"x{number}", "1") for number in range(1000))
    events = [Event(EventKind.MADE, -1, 1, 4, variables=many), Event(EventKind.MADE, -1, 1, 4)]
    events.append(Event(EventKind.MADE, -1, 1, 4, variables=(("x1", "2"), ("y", "3"))))
    first, second, third = WatchedRun(None, tuple(events)).variables
    assert (len(first), first["x1"], len(third), third["x1"]) == (MOST_VARIABLES, "1", MOST_VARIABLES, "2")
    assert second is first
