"""Tests of how the grader reads a trace: a trace that is too large is only counted, and names are kept in full."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autograder.cases.truth import RightMove, RightNodes
from autograder.grading.grade import grade
from autograder.sandbox.reply_reader import MAX_NAME, TraceLimits, read_claim
from pacman.core.tree_text import Outline
from tests.paths import SOLUTIONS
from tests.written_assignment import written_assignment

LIMITS = TraceLimits(nodes=10, characters=60, generated=30, actions=frozenset({"a"}))


def reply(parents: list[int], names: list[str], made: list[int] | None = None) -> dict[str, Any]:
    """A reply with a trace: every node but the root has the last name."""
    nodes = len(parents)
    actions = [0] + [len(names) - 1] * (nodes - 1)
    trace = {"names": names, "parents": parents, "actions": actions, "made": made or list(range(1, nodes))}
    return {"value": 1, "value_text": "1", "action": "a", "choice": "a", "generated": 7, "trace": trace}


def test_a_trace_with_too_many_nodes_is_only_counted() -> None:
    assert read_claim(reply([0] * 11, ["", "a"]), LIMITS).trace is not None
    claim = read_claim(reply([0] * 12, ["", "a"]), LIMITS)
    assert (claim.trace, claim.generated, claim.nodes) == (None, 11, "")


def test_a_trace_with_too_many_repetitions_is_only_counted() -> None:
    assert read_claim(reply([0, 0], ["", "a"], [1] * 30), LIMITS).trace is not None
    claim = read_claim(reply([0, 0], ["", "a"], [1] * 31), LIMITS)
    assert (claim.trace, claim.generated) == (None, 31)


def test_a_trace_with_long_paths_is_only_counted() -> None:
    """Both traces have ten nodes. In the first one each is below the root, in the second one below the one before."""
    assert read_claim(reply([0, *[0] * 10], ["", "a"]), LIMITS).trace is not None
    assert read_claim(reply([0, *range(10)], ["", "a"]), LIMITS).trace is None
    assert read_claim(reply([0, *[0] * 10], ["", "much longer"]), LIMITS).trace is None


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
