"""The visits in the record of a watched search, also in a record that no search gives."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autograder.judge.diagnosis.extent import EVERYWHERE, PLACES, RULES, Children, Extent
from autograder.judge.diagnosis.judge_visits import VisitJudge
from autograder.judge.diagnosis.run import MOST_VARIABLES, Run, Search, WatchedTree
from autograder.judge.diagnosis.steps import Breach, Step
from autograder.judge.submission_answer import Claim
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.record.calls import NodeVisit
from pacman.record.reading import find_reading
from pacman.record.trace import Trace
from pacman.record.watcher import Event, EventKind, WatchedFunction

TREE = Outline.parse("max { West: 3; East: 5 }")


def lines_of(work: Callable[[], object]) -> int:
    """How many lines of Python a call runs: a measure of its time that does not depend on the machine."""
    lines = 0

    def count(*_: Any) -> Any:
        nonlocal lines
        lines += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines


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
    run = Run(claim, tuple(events), (WatchedFunction("search", 1, 9, ("node",), ""),), True, None)
    trees: list[WatchedTree] = []
    lines = lines_of(lambda: trees.append(WatchedTree(Search(TREE, 1), run)))
    (tree,) = trees
    assert tree.root is not None
    assert [(visit.number, len(visit.made)) for visit in tree.visits] == [(0, deep)]
    assert lines < 50 * len(events)


def test_a_record_with_many_variables_needs_little_memory() -> None:
    many = tuple((f"x{number}", "1") for number in range(1000))
    events = [Event(EventKind.MADE, -1, 1, 4, variables=many), Event(EventKind.MADE, -1, 1, 4)]
    events.append(Event(EventKind.MADE, -1, 1, 4, variables=(("x1", "2"), ("y", "3"))))
    first, second, third = Run(None, tuple(events)).variables
    assert (len(first), first["x1"], len(third), third["x1"]) == (MOST_VARIABLES, "1", MOST_VARIABLES, "2")
    assert second is first


def test_many_visits_are_judged_in_time_proportional_to_their_number() -> None:
    """A forged record of 3,000 calls for a successor cost the grader two seconds for each tree."""
    tree = Outline.parse("max { West: min { a: 3; b: 4 }; East: 5 }")
    trace = Trace()
    trace.generate(0, "West")
    function = WatchedFunction("search", 1, 9, ("node", "plies"), "")

    def judged(visits: int) -> int:
        events = [Event(EventKind.CALL, 0, 0, 2, 0, (("plies", 2.0),))]
        for call in range(1, visits):
            events.append(Event(EventKind.CALL, call, 1, 3, 0, (("plies", 1.0),)))
            events.append(Event(EventKind.RETURN, call, 1, 4, -1, (("", float(call)),)))
        events.append(Event(EventKind.RETURN, 0, 0, 5, -1, (("", 3.0),)))
        claim = Claim(3, "3", "West", "West", 1, trace, ())
        watched = WatchedTree(Search(tree, 2), Run(claim, tuple(events), (function,), True, None))
        judge = VisitJudge(find_reading([watched]), "")
        return lines_of(lambda: judge.judge(watched))

    assert judged(400) < 6 * judged(100)


def test_a_rule_rounds_a_mean_as_code_does_that_adds_whole_numbers() -> None:
    """Ten tenths are 0.9999999999999999."""
    tenths = Children(dict.fromkeys("abcdefghij", 1.0), [0.1] * 10, 1)
    assert [RULES[name].of(tenths) for name in ("mean rounded down", "mean cut off")] == [1, 1]


def test_a_count_says_where_it_shows_only_if_it_shows_everywhere_there() -> None:
    step = Step(Breach.RESULT, NodeVisit(0, TREE, (), 1, None, 0, 1), 1, 1)
    extent = Extent(3, 7, Layer.MAX)
    assert extent.sentence(step) == "It shows at 3 of 7 MAX nodes."
    assert (
        replace(extent, place=EVERYWHERE).sentence(step) == "It shows at 3 of 7 MAX nodes where it changes the value."
    )
    assert replace(extent, place=PLACES[3]).sentence(step).startswith("It shows at 3 of 7 such MAX nodes")
    assert extent.sentence(replace(step, breach=Breach.WINDOW)) == ""
    below = extent.sentence(replace(step, breach=Breach.BELOW_HORIZON))
    assert below == "It shows at 3 of 7 MAX nodes with no plies left."
