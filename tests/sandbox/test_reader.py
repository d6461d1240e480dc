"""What the grader reads in a message of a student's process: limits and encodings, and each part with its type."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.cases.case import Limits
from autograder.cases.truth import RightMove, RightNodes
from autograder.grading.grade import grade
from autograder.sandbox.reader import MAX_NAME, TraceLimits, read_claim, read_kept, read_record, read_values
from autograder.sandbox.runner import read_fault
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.messages import (
    MAX_BRACKETS,
    MAX_ITEMS,
    MAX_VARIABLES,
    BadFrame,
    decode,
    record_reply,
    restore,
    shorten,
)
from pacman import GameState, start
from pacman.core.tree_text import Outline
from pacman.record.trace import Trace
from pacman.record.watcher import Event, EventKind, Statement, StatementKind
from tests.paths import ROOT, SOLUTIONS
from tests.written_files import written_assignment

WATCHDOG_SECONDS = 120

# Each of these has almost 8 MiB. A scanner that starts again at every quote or backslash needs hours for some of them.
LARGE_FRAMES = """
from autograder.student_process.messages import BadFrame, decode
SIZE = 8_000_000
FRAMES = (
    b'{"x":"' + b'\\\\"' * (SIZE // 2),
    b'{"x":"' + b"\\\\" * SIZE,
    b'"' * SIZE,
    b'"a' * (SIZE // 2),
    b"[" * SIZE,
    b'{"":' * (SIZE // 4),
    b"[" + b"0," * (SIZE // 2),
    b" " * SIZE,
    b'{"x":' + b"9" * SIZE + b"}",
)
for frame in FRAMES:
    try:
        decode(frame)
    except BadFrame:
        print("refused")
"""


def test_large_hostile_frames_are_refused_in_linear_time() -> None:
    command = [sys.executable, "-c", LARGE_FRAMES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=WATCHDOG_SECONDS, check=True)
    assert done.stdout.split() == ["refused"] * 9


ENCODINGS = "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-8-sig", "latin-1"
FRAMES: list[tuple[str | bytes, str]] = [
    ('{"x":' + "[" * 8 + "]" * 8 + "}", "nested too deeply"),
    ('{"x":[' + "[]," * (MAX_BRACKETS // 2) + "0]}", "more values than"),
    ("{" + ",".join(f'"{key}":0' for key in range(MAX_BRACKETS)) + "}", "more values than"),
    *(('{"x":[' + part * (MAX_ITEMS + 1) + end, "more values than") for part, end in (("0,", "0]}"), ('""', "]}"))),
    ('["a"]', "not a JSON object"),
    *((f'{{"x":[0,{sign}{"9" * 31}]}}', "too many digits") for sign in ("", "-")),
    (f'{{"x":0.{"3" * 399}}}', "too many digits"),
    *((f'{{"x":{number}}}', f"{number} is not a finite number") for number in ("NaN", "-Infinity", "1e999")),
    *(('{"n":1,"x":"é"}'.encode(encoding), "") for encoding in ENCODINGS),
]


@pytest.mark.parametrize(("frame", "problem"), FRAMES, ids=range(len(FRAMES)))
def test_a_frame_above_a_limit_or_in_another_encoding_is_refused(frame: str | bytes, problem: str) -> None:
    with pytest.raises(BadFrame, match=problem or None):
        decode(frame.encode() if isinstance(frame, str) else frame)


strings = st.text('"\\[]{},:a\né', max_size=12)


@settings(max_examples=15)
@given(st.dictionaries(strings, st.one_of(strings, st.integers(-9, 9), st.lists(strings, max_size=3)), max_size=4))
def test_what_is_in_strings_does_not_count_and_all_below_the_limits_is_read(message: dict[str, object]) -> None:
    more = {**message, "long": '[{,:"\\' * MAX_BRACKETS, "0": [0, int("9" * 30), int("-" + "9" * 30)]}
    more |= {"1": [[[[[[[]]]]]]], "2": float("9" * 31 + ".5"), "3": 1 / 3}
    for is_ascii in (True, False):
        assert decode(json.dumps(more, ensure_ascii=is_ascii).encode()) == more
    assert decode(f'{{"x":0.{"3" * 398}}}'.encode())


@pytest.mark.parametrize("layout", ["pantry", "smallish"])
def test_a_restored_position_is_the_same_as_one_that_is_read_from_text(layout: str) -> None:
    rng, first = Random(layout), GameState.parse(str(start(layout, ["random", "directional"])))
    for _ in range(5):
        state = first
        for _ in range(200):
            if state.is_terminal:
                break
            restored = restore(json.loads(json.dumps(shorten(state))), first)
            assert restored == state == GameState.parse(str(state))
            assert (str(restored), restored.layers) == (str(state), state.layers)
            state = state.successor(rng.choice(state.actions()))


LIMITS = TraceLimits(nodes=10, characters=60, generated=30, actions=frozenset({"a"}))


def reply(parents: list[int], names: list[str], made: list[int] | None = None) -> dict[str, Any]:
    """A reply with a trace: every node but the root has the last name."""
    nodes = len(parents)
    actions = [0] + [len(names) - 1] * (nodes - 1)
    trace = {"names": names, "parents": parents, "actions": actions, "made": made or list(range(1, nodes))}
    claim = {"value": 1, "value_text": "1", "action": "a", "choice": "a", "generated": 7}
    return {**claim, "trace": trace, "values": [[0, 3]]}


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


def test_a_trace_has_each_number_once_in_memory() -> None:
    claim = read_claim(json.loads(json.dumps(reply([0] * 600, ["", "a"], [500] * 600))))
    assert claim.trace
    assert len(set(map(id, claim.trace.successors))) == 1


def test_the_limits_follow_the_right_answer() -> None:
    """And only names that the tree has are kept in full."""
    root = Outline.parse("max\n  North: min\n    West: 1\n  a: 2")
    right = RightMove(value=2, best=("a",), touched=(RightNodes(cut="none", expanded=2, generated=3, nodes=""),))
    limits, paths = TraceLimits.of(root, 2, right, searches=5), len("North/") + len("North/West/") + len("a/")
    assert limits == TraceLimits(2_000 + 4 * 3, 200_000 + 4 * paths, 20_000 + 40 * 3, frozenset({"North", "West", "a"}))
    for name, kept in (("b" * 400, "b" * 400), ("c" * 400, "c" * (MAX_NAME - 3) + "...")):
        trace = read_claim(reply([0, 0], ["", name]), TraceLimits(actions=frozenset({"b" * 400}))).trace
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


BAD: dict[str, dict[str, Any]] = {
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


def test_a_hostile_reply_is_refused() -> None:
    right = reply([0, 0, 1], ["", "x"])
    assert read_claim(right).generated == 2
    for name, change in BAD.items():
        trace = {**right["trace"], **{key: value for key, value in change.items() if key in right["trace"]}}
        with pytest.raises(BadFrame):
            pytest.fail(f"{name}: {read_claim({**right, **change, 'trace': trace})}")
    for values in (None, 3, "33", {"0": 1}, ["3"], [True], [None], [[3]], [3, {}]):
        with pytest.raises(BadFrame, match=r"^the values of the leaves are not a list of numbers$"):
            read_values({"values": values})


CALL, MADE = [0, 0, 0, 3, 0, [["plies", 1]], [], ""], [1, 0, 1, 4, -1, [], [], ""]
RETURN = [3, 0, 0, 5, -1, [["", "inf"]], [], "West"]
STATEMENT = "0 3 4 6 2 1 plies"
FUNCTION = ["search", 1, 9, ["self", "node"], "", STATEMENT]
BAD_EVENTS: dict[str, Any] = {
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
    "a score without a number": [[2, -1, 0, 1, -1, [], [], ""]],
    "a number that is none": [[*CALL[:5], [["plies", "nan"]], [], ""]],
    "a number that is true": [[*CALL[:5], [["plies", True]], [], ""]],
    "a pair that is no list": [[*CALL[:5], [5], [], ""]],
    "a pair of one": [[*CALL[:5], [["plies"]], [], ""]],
    "a pair of three": [[*CALL[:5], [["plies", 1, 2]], [], ""]],
    "a number without a place": [[*CALL[:5], [[1, 1]], [], ""]],
    "too many numbers": [[*CALL[:5], [["plies", 1]] * 9, [], ""]],
    "a variable that is no text": [[*CALL[:6], [["best", 3]], ""]],
    "more successors than the trace": [CALL, MADE, MADE],
    "more events than a watcher records": [[0, n, 0, 1, 0, [], [], ""] for n in range(6_101)],
}


def record(**changes: Any) -> Any:
    """What is read in the record of a search that made one node."""
    trace = Trace()
    trace.generate(0, "a")
    return read_record({"is_complete": True, "functions": [FUNCTION], "events": [CALL, MADE, RETURN], **changes}, trace)


@pytest.mark.parametrize("kept", [3, [3], [["a", "b"]], [["a", -1]], [["a", 1 << 40]], [["a", 1]] * 4])
def test_what_a_search_keeps_is_a_short_list_of_names_and_lines(kept: Any) -> None:
    assert read_kept([["\x1b[2J", 7]]) == ((" [2J", 7),)
    with pytest.raises(BadFrame):
        read_kept(kept)


def test_a_record_is_read() -> None:
    """Its numbers become floats with clean places."""
    events, functions, is_complete = record()
    assert [(each.kind.name, each.numbers) for each in events] == [
        *(("CALL", (("plies", 1.0),)), ("MADE", ()), ("RETURN", (("", float("inf")),)))
    ]
    assert (functions[0].name, functions[0].parameters, is_complete) == ("search", ("self", "node"), True)
    assert functions[0].statements == (Statement(StatementKind.TEST, 3, 4, 6, 2, True, ("plies",)),)
    assert [each.action for each in events] == ["", "", "West"]
    numbers = [["\x1b[2J", 1], ["p" * 99, "-inf"], *(["plies", 2] for _ in range(6))]
    (event,), _, _ = record(events=[[*CALL[:5], numbers, [], ""]])
    assert [number for _, number in event.numbers] == [1, float("-inf"), *[2] * 6]
    assert {type(number) for _, number in event.numbers} == {float}
    (first, second), others = (place for place, _ in event.numbers[:2]), event.numbers[2:]
    assert ("\x1b" in first, len(second), {place for place, _ in others}) == (False, 60, {"plies"})


def test_a_record_that_is_sent_has_few_variables() -> None:
    texts = [tuple((f"v{n}", str(m)) for n in range(12)) for m in range(300)]
    events = [Event(EventKind.MADE, 0, 1, 1, 0, (), each) for each in texts]
    watcher: Any = SimpleNamespace(events=events, functions=[], is_complete=True)
    assert sum(len(row[-2]) for row in record_reply(watcher)["events"]) == MAX_VARIABLES < 300 * 12


def test_a_hostile_record_is_refused() -> None:
    changes = [(name, {"events": events}) for name, events in BAD_EVENTS.items()]
    bad = (
        "0 3 4",
        f"9{STATEMENT[1:]}",
        "0 0 4 6 2 1",
        ";".join([STATEMENT] * 61),
        "0 3 4 6 2 x",
        [STATEMENT],
        "0" * 30_000,
    )
    wrong = [[*FUNCTION[:5], statements] for statements in bad]
    for functions in ("f", [FUNCTION[:4]], [["f", -5, 9, [], "", []]], [FUNCTION] * 401, *([each] for each in wrong)):
        changes.append((str(functions)[:80], {"functions": functions}))
    for name, change in changes:
        with pytest.raises(BadFrame):
            pytest.fail(f"{name}: {record(**change)}")
    with pytest.raises(BadFrame, match="not a JSON object"):
        read_record([], Trace())
    trace = Trace()
    trace.generate(trace.generate(0, "a"), "x")
    trace.successors = [2]
    with pytest.raises(BadFrame, match="one of the generated nodes comes before its parent"):
        read_record({"functions": [], "events": []}, trace)


def test_a_process_reports_only_faults_that_it_can_know() -> None:
    """Only the grader knows that the time is up, or that a process died."""
    reports: list[Any] = ["exit", "raised", "time", "died", "unheard of", 3, None]
    kinds = [read_fault({"kind": each, "type": "E", "message": "m"}, Limits()).kind for each in reports]
    assert kinds == [FaultKind.EXIT, *[FaultKind.RAISED] * 6]
