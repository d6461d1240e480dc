"""Counts of expanded states in the terms of the Berkeley project."""

from __future__ import annotations

from autograder.cases.right_answer import derive
from autograder.judge import compare
from autograder.judge.submission_answer import Answer, Fault
from autograder.platforms.cs188 import API, statement, touched
from pacman.core.state import start
from pacman.core.tree_text import Outline
from pacman.record.trace import CountedNode, Trace
from pacman.search import alphabeta, exhaustive
from tests.platforms.cs188_grading import RIGHT, answer, search_cases
from tests.platforms.cs188_mistakes import SLIPS

TREE = Outline.parse("max\n  a: min\n    x: 5\n    y: 12\n  b: min\n    x: 2\n    y: 4\n    z: 9")


def test_a_tree_counts_parents_and_children_once() -> None:
    full, cut, none = Trace(), Trace(), Trace()
    exhaustive(CountedNode(TREE, full), 2)
    alphabeta(CountedNode(TREE, cut), 2)
    assert (len(full.expanded), full.generated, touched(TREE, full)) == (3, 7, 8)
    assert (len(cut.expanded), cut.generated, touched(TREE, cut)) == (3, 5, 6)
    assert touched(TREE, none) == 0


def test_a_successor_that_is_made_again_counts_once() -> None:
    trace = Trace()
    root = CountedNode(TREE, trace)
    root.successor("a").successor("x")
    root.successor("a").successor("x")
    assert (trace.generated, touched(TREE, trace)) == (4, 3)


def test_positions_that_are_reached_twice_count_once() -> None:
    state = start("%%%%%\n%P .%\n%   %\n%%%%%", [])
    trace = Trace()
    exhaustive(CountedNode(state, trace), 2)
    places = {
        state.successor(first).successor(second)
        for first in state.actions()
        for second in state.successor(first).actions()
    }
    assert trace.distinct > touched(state, trace)
    assert touched(state, trace) == 1 + 3 + len(places)


def test_a_move_out_of_turn_counts_too() -> None:
    state = start("%%%%%%\n%P  G%\n%.   %\n%%%%%%", ["random"])
    trace = Trace()
    trace.generate(0, "North")  # a ghost's or a wrong action, whatever it was
    assert touched(state, trace) == 2


def test_a_miss_has_a_note_in_the_terms_of_that_project() -> None:
    slip = next(slip for slip in SLIPS if slip.name == "round-deep" and slip.part == "MinimaxAgent")
    case = next(case for case in search_cases("q2") if case.name == "07-depth-a")
    expected = derive(case)
    wrong = answer(slip.source, case, expected)
    (right,) = expected.moves[0].touched
    note = API.count_note(case, expected, wrong, compare.judge(case, expected, wrong))
    assert note == statement(right.generated + 1, case.root.size())
    good = answer(next(iter(RIGHT)).read_text(encoding="utf-8"), case, expected)
    assert API.count_note(case, expected, good, compare.judge(case, expected, good)) == ""
    fault = Answer(fault=Fault("raised", "x"))
    assert API.count_note(case, expected, fault, compare.judge(case, expected, fault)) == ""
