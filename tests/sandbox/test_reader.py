"""Tests of what the grader reads in a reply: every part needs its type, and what is too large is only counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograder.cases.case import Limits
from autograder.cases.truth import RightMove, RightNodes
from autograder.grading.grade import grade
from autograder.sandbox.reader import MAX_NAME, TraceLimits, read_claim, read_record, read_values
from autograder.sandbox.runner import read_fault
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.messages import BadFrame
from pacman.core.tree_text import Outline
from pacman.record.trace import Trace
from tests.paths import SOLUTIONS
from tests.written_assignment import written_assignment

LIMITS = TraceLimits(nodes=10, characters=60, generated=30, actions=frozenset({"a"}))


def reply(parents: list[int], names: list[str], made: list[int] | None = None) -> dict[str, Any]:
    """A reply with a trace: every node but the root has the last name."""
    nodes = len(parents)
    actions = [0] + [len(names) - 1] * (nodes - 1)
    trace = {"names": names, "parents": parents, "actions": actions, "made": made or list(range(1, nodes))}
    return {
        "value": 1,
        "value_text": "1",
        "action": "a",
        "choice": "a",
        "generated": 7,
        "trace": trace,
        "values": [[0, 3]],
    }


@pytest.mark.parametrize(
    ("parents", "names", "made", "generated"),
    [
        ([0] * 11, ["", "a"], None, None),
        ([0] * 12, ["", "a"], None, 11),  # too many nodes
        ([0, 0], ["", "a"], [1] * 30, None),
        ([0, 0], ["", "a"], [1] * 31, 31),  # too many repetitions
        ([0, *range(10)], ["", "a"], None, 10),  # long paths: each node is below the one before
        ([0] * 11, ["", "much longer"], None, 10),
    ],
)
def test_a_trace_that_is_too_large_is_only_counted(
    parents: list[int], names: list[str], made: list[int] | None, generated: int | None
) -> None:
    claim = read_claim(reply(parents, names, made), LIMITS)
    assert (claim.trace is None) == (generated is not None)
    assert claim.generated == (generated or len(made or parents[1:]))


def test_the_limits_follow_the_right_answer() -> None:
    root = Outline.parse("max\n  North: min\n    West: 1\n  a: 2")
    right = RightMove(value=2, best=("a",), touched=(RightNodes(cut="none", expanded=2, generated=3, nodes=""),))
    limits = TraceLimits.of(root, 2, right, searches=5)
    paths = len("North/") + len("North/West/") + len("a/")
    assert limits == TraceLimits(2_000 + 4 * 3, 200_000 + 4 * paths, 20_000 + 40 * 3, frozenset({"North", "West", "a"}))


def test_only_names_that_the_tree_has_are_kept_in_full() -> None:
    long, other = "b" * 400, "c" * 400
    limits = TraceLimits(actions=frozenset({long}))
    for name, kept in ((long, long), (other, "c" * (MAX_NAME - 3) + "...")):
        trace = read_claim(reply([0, 0], ["", name]), limits).trace
        assert trace is not None
        assert trace.actions == ["", kept]


LONG_NAMES = """\
title: Long names
questions:
  - {id: q1, title: Minimax, part: MinimaxAgent, points: 3, role: search, reference: exhaustive,
     criteria: {value: 1, action: 1, touched: 1, expanded: 1, generated: 1}}
"""


def test_long_names_of_actions_cost_no_points(tmp_path: Path) -> None:
    same = "a" * 400  # the names differ only at their ends
    tree = f"  max\n    {same}1: min\n      {same}x: 1\n      {same}y: 5\n    {same}2: min\n      {same}x: 3\n"
    case = f"kind: tree\nshows: long names\nplies: 2\ntree: |\n{tree}"
    card = grade(SOLUTIONS, written_assignment(tmp_path, LONG_NAMES, {"q1/long": case}), jobs=1)
    assert card.is_full, card.questions[0].cases


BAD = {
    "no nodes": {"made": None},
    "a text": {"made": ["1"]},
    "a truth value": {"made": [True]},
    "the root": {"made": [0]},
    "a negative number": {"made": [-1]},
    "a node that the trace does not have": {"made": [9]},
    "a parent after its child": {"parents": [0, 2, 0]},
    "an action without a name": {"actions": [0, 9, 1]},
    "a column that is too short": {"parents": [0, 0]},
    "no values": {"values": None},
    "a value of no node": {"values": [[9, 1]]},
    "a text as value": {"values": [[1, "1"]]},
    "too many values": {"values": [[1, 1]] * 3000},
    "a wrong result": {"value": [1]},
    "a wrong action": {"action": 3},
    "no number of nodes": {"generated": "2"},
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_a_hostile_reply_is_refused(change: dict[str, Any]) -> None:
    right = reply([0, 0, 1], ["", "x"])
    assert read_claim(right).generated == 2
    trace = {**right["trace"], **{key: value for key, value in change.items() if key in right["trace"]}}
    with pytest.raises(BadFrame):
        read_claim({**right, **change, "trace": trace})


@pytest.mark.parametrize("values", [None, 3, "33", {"0": 1}, ["3"], [True], [None], [[3]], [3, {}]], ids=repr)
def test_values_that_are_no_list_of_numbers_are_refused(values: object) -> None:
    with pytest.raises(BadFrame, match=r"^the values of the leaves are not a list of numbers$"):
        read_values({"values": values})


CALL, MADE, RETURN = [0, 0, 0, 3, 0, [["plies", 1]], []], [1, 0, 1, 4, -1, [], []], [3, 0, 0, 5, -1, [["", "inf"]], []]
FUNCTION = ["search", 1, 9, ["self", "node"], ""]
BAD_EVENTS = {
    "no list": 3,
    "no rows": [3],
    "a short row": [CALL[:6]],
    "a text as a line": [[*CALL[:3], "3", *CALL[4:]]],
    "a truth value": [[*CALL[:3], True, *CALL[4:]]],
    "a line in no file": [[*CALL[:3], -5, *CALL[4:]]],
    "an unknown kind": [[7, *CALL[1:]]],
    "an unknown node": [[*CALL[:2], 9, *CALL[3:]]],
    "an unknown function": [[*CALL[:4], 1, *CALL[5:]]],
    "a call of no function": [[*CALL[:4], -1, *CALL[5:]]],
    "a call out of order": [CALL, CALL],
    "only a return": [RETURN],
    "a score without a number": [[2, -1, 0, 1, -1, [], []]],
    "a number that is none": [[*CALL[:5], [["plies", "nan"]], []]],
    "a number that is true": [[*CALL[:5], [["plies", True]], []]],
    "a pair that is no list": [[*CALL[:5], [5], []]],
    "a pair of one": [[*CALL[:5], [["plies"]], []]],
    "a pair of three": [[*CALL[:5], [["plies", 1, 2]], []]],
    "a number without a place": [[*CALL[:5], [[1, 1]], []]],
    "too many numbers": [[*CALL[:5], [["plies", 1]] * 9, []]],
    "a variable that is no text": [[*CALL[:6], [["best", 3]]]],
    "more successors than the trace": [CALL, MADE, MADE],
    "more events than a watcher records": [[0, n, 0, 1, 0, [], []] for n in range(6_101)],
}


def record(**changes: Any) -> Any:
    """What is read in the record of a search that made one node."""
    trace = Trace()
    trace.generate(0, "a")
    return read_record({"is_complete": True, "functions": [FUNCTION], "events": [CALL, MADE, RETURN], **changes}, trace)


def test_a_record_is_read() -> None:
    events, functions, is_complete = record()
    assert [(each.kind.name, each.numbers) for each in events] == [
        *(("CALL", (("plies", 1.0),)), ("MADE", ()), ("RETURN", (("", float("inf")),)))
    ]
    assert (functions[0].name, functions[0].parameters, is_complete) == ("search", ("self", "node"), True)


def test_eight_numbers_are_read_as_floats_with_clean_places() -> None:
    numbers = [["\x1b[2J", 1], ["p" * 99, "-inf"], *(["plies", 2] for _ in range(6))]
    (event,), _, _ = record(events=[[*CALL[:5], numbers, []]])
    assert [number for _, number in event.numbers] == [1, float("-inf"), *[2] * 6]
    assert {type(number) for _, number in event.numbers} == {float}
    (first, second), others = (place for place, _ in event.numbers[:2]), event.numbers[2:]
    assert ("\x1b" in first, len(second), {place for place, _ in others}) == (False, 60, {"plies"})


@pytest.mark.parametrize("events", BAD_EVENTS.values(), ids=BAD_EVENTS)
def test_a_hostile_record_is_refused(events: object) -> None:
    with pytest.raises(BadFrame):
        record(events=events)


def test_other_parts_of_a_record_have_their_form_too() -> None:
    for functions in ("f", [FUNCTION[:4]], [["f", -5, 9, [], ""]], [FUNCTION] * 401):
        with pytest.raises(BadFrame):
            record(functions=functions)
    with pytest.raises(BadFrame, match="not a JSON object"):
        read_record([], Trace())
    trace = Trace()
    trace.generate(trace.generate(0, "a"), "x")
    trace.successors = [2]
    with pytest.raises(BadFrame, match="one of the generated nodes comes before its parent"):
        read_record({"functions": [], "events": []}, trace)


@pytest.mark.parametrize(
    ("reported", "kind"),
    [
        ("exit", FaultKind.EXIT),
        *((each, FaultKind.RAISED) for each in ("raised", "time", "died", "unheard of", 3, None)),
    ],
)
def test_a_process_reports_only_faults_that_it_can_know(reported: object, kind: FaultKind) -> None:
    """Only the grader knows that the time is up, or that a process died."""
    assert read_fault({"kind": reported, "type": "E", "message": "m"}, Limits()).kind is kind
