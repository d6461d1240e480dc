"""Traces: the entries into nodes in their order, with the window and the reason for leaving."""

from __future__ import annotations

import copy
from math import inf

import pytest

from pacman.core.tree_text import Outline
from pacman.record.trace import CountedNode, ExitReason, Trace
from pacman.search import constant_bounds, run_search
from pacman.search.algorithms import Options

TREE = Outline.parse(
    "max { a: 4; b: chance { x: min { p: 1; q: 9 }; y: min { p: 3; q: 9 } }; c: min { x: 5; y: 2; z: 8 } }"
)


def test_the_visits_of_alphabeta() -> None:
    trace = run_search("alphabeta", TREE, 3).trace
    assert [
        ("/".join(trace.path(visit.number)), visit.alpha, visit.beta, visit.why.value, visit.value)
        for visit in trace.visits
    ] == [
        ("", -inf, inf, "value", 4),
        ("a", -inf, inf, "leaf", 4),
        ("b", 4, inf, "value", 2),
        ("b/x", -inf, inf, "value", 1),
        ("b/x/p", -inf, inf, "leaf", 1),
        ("b/x/q", -inf, 1, "leaf", 9),
        ("b/y", -inf, inf, "value", 3),
        ("b/y/p", -inf, inf, "leaf", 3),
        ("b/y/q", -inf, 3, "leaf", 9),
        ("c", 4, inf, "alpha cut", 2),
        ("c/x", 4, inf, "leaf", 5),
        ("c/y", 4, 5, "leaf", 2),
    ]


def test_a_value_at_the_bound_ends_the_search_of_a_node() -> None:
    tree = Outline.parse("max\n  a: 10\n  b: min\n    x: 3\n    y: 4")
    result = run_search("star1", tree, 2, Options(bounds=constant_bounds(-10, 10)))
    assert result.statistics.nodes == 2  # no value is above 10
    assert result.trace.visits[0].why is ExitReason.BETA_CUT


def test_a_node_that_is_generated_twice_counts_twice() -> None:
    trace = Trace()
    root = CountedNode(TREE, trace)
    root.successor("a")
    root.successor("a")
    root.successor("b").successor("x")
    assert (trace.generated, trace.distinct, trace.expanded) == (4, 3, [0, 2])
    assert list(trace.paths()) == [("a",), ("b",), ("b", "x")]


def test_a_probed_move_is_not_searched_again() -> None:
    tree = Outline.parse("max { a: 1; b: chance { x: min { p: 1; q: 9 }; y: min { p: 3; q: 9 } } }")
    result = run_search("star2", tree, 3, Options(bounds=constant_bounds(-10, 10)))
    recalled = [result.trace.path(visit.number) for visit in result.trace.visits if visit.why is ExitReason.KNOWN]
    assert recalled == [("b", "x", "p"), ("b", "y", "p")]
    assert (result.statistics.nodes, result.statistics.entries, result.statistics.table_hits) == (9, 13, 2)


@pytest.mark.parametrize("copying", [copy.copy, copy.deepcopy], ids=lambda function: function.__name__)
def test_a_copy_is_the_same_node_of_the_trace(copying: object) -> None:
    assert callable(copying)
    trace = Trace()
    root = CountedNode(Outline.parse("max\n  a: min\n    x: 3\n  b: 5"), trace)
    copying(copying(root).successor("a")).successor("x")
    (inside,) = copying([root.successor("b")])
    assert inside.score == 5
    assert list(trace.paths()) == [("a",), ("a", "x"), ("b",)]
