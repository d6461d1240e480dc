"""Tests of explanations: the first difference and its drawing, for trees (values, windows, cuts) and for positions."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from autograder.cases import loading, right_answer, truth
from autograder.judge import compare
from autograder.judge.explain import Explanation, MissedSearch, explain
from autograder.judge.scorecard import Diagram, NodeRow
from autograder.judge.submission_answer import Answer, Claim
from autograder.report.drawing import FOLDED_LINES, drawing_lines, near_paths
from pacman.core.state import GameState
from pacman.core.tree_text import Outline
from pacman.record.trace import Trace
from tests.simulated_search import simulated_claim

CASES = {case.id: case for case in loading.load("multiagent").cases if case.has_truth}


def explained(case_id: str, mistake: str, values: dict[tuple[str, ...], float] | None = None) -> Explanation:
    """The explanation for a search with this mistake that reports the values of some nodes."""
    case = CASES[case_id]
    right = right_answer.derive(case)
    claims = []
    for root, plies in truth.searched_roots(case, right):
        claim = simulated_claim(case.question, mistake, root, plies)
        claims.append(replace(claim, values=tuple((values or {}).items())))
    answer = Answer(tuple(claims))
    return explain(case, right, answer, compare.judge(case, right, answer))


def test_a_drawn_tree_shows_windows_and_pruned_nodes() -> None:
    explanation = explained("q3/01-figure", "no-cut")
    assert explanation.sentence == "your search generated node b > b, but it cannot change the result any more"
    picture = "\n".join(drawing_lines(explanation.diagram))
    for line in (r"window +expected +got", r"b: min +\(3, inf\) +<=2 +seen", r"    b: leaf +pruned +seen  <-- here"):
        assert re.search(line, picture)
    rows = {row.path: row for row in explanation.diagram.rows}
    assert explanation.diagram.marked == ("b", "b")
    assert rows["b", "b"] == NodeRow(("b", "b"), "pruned", "seen", "", True, "leaf")
    assert rows["b",] == NodeRow(("b",), "<=2", "seen", "(3, inf)", False, "min")
    assert len(rows) == Outline.parse(explanation.diagram.start).size()
    less = "\n".join(drawing_lines(explained("q3/02-cut-at-equality", "window-swapped").diagram))
    assert re.search(r"pruned +pruned", less)
    assert "not seen" in less


@pytest.mark.parametrize(
    ("node", "value", "sentence"),
    [
        *(("b", value, "your search generated node b > b") for value in (2, 3, -5)),
        ("b", 4, "at node b in the window (3, inf): expected <=2, got 4"),
        ("a", 4, "at node a: expected 3, got 4"),
    ],
)
def test_a_value_is_exact_in_its_window_and_a_bound_outside(node: str, value: float, sentence: str) -> None:
    """With alpha = 3, a value of 3 (fail-hard), 2 (fail-soft) or less is right; a larger value is wrong."""
    assert explained("q3/01-figure", "no-cut", {(node,): value}).sentence.startswith(sentence)


def test_plain_searches_are_compared_value_by_value() -> None:
    explanation = explained("q4/01-mean", "sum-for-mean", {("a",): 20, ("b",): 109})
    assert explanation.sentence == "at node a: expected 10, got 20"
    picture = drawing_lines(explanation.diagram)
    assert any(re.search(r"a: chance +10 +20 +<-- here", line) for line in picture)
    assert "window" not in picture[0]


def test_a_position_shows_the_board_the_moves_so_far_and_two_lines() -> None:
    explanation = explained("q2/08-one-ghost", "ply-short")
    assert explanation.sentence.startswith("Pacman's move 2 (4 plies deep): your search never generated node ")
    picture = "\n".join(drawing_lines(explanation.diagram))
    assert "%P%%% %" in picture
    assert "moves so far: North\n" in picture
    assert re.search(r"expected line of play: Pacman North, ghost 1 \w+, Pacman \w+, ghost 1 \w+ = -?\d+\n", picture)
    assert re.search(r"your line of play: Pacman \w+ = -?\d+\n", picture)
    assert picture.endswith("<-- here")
    notes = explained("q4/09-random-ghost", "ply-short").diagram.notes
    by_chance = [line for line in notes if " line of play: " in line]
    line = r"(expected|your) line of play: Pacman \w+, ghost 1 by chance = \S+"
    assert [bool(re.fullmatch(line, each)) for each in by_chance] == [True, True]


def test_a_later_miss_shows_the_moves_before_it() -> None:
    """Only the second search of the line is wrong, and it reports the value of one node."""
    case = CASES["q2/08-one-ghost"]
    right = right_answer.derive(case)
    claims = [simulated_claim(case.question, "", root, plies) for root, plies in truth.searched_roots(case, right)]
    claims[1] = replace(claims[1], value=100.0, action="North", values=((("North",), 100.0),))
    answer = Answer(tuple(claims))
    explanation = explain(case, right, answer, compare.judge(case, right, answer))
    assert explanation.sentence.startswith("Pacman's move 2 (4 plies deep): at node North: ")
    assert "moves so far: North" in explanation.diagram.notes
    assert "your line of play: Pacman North = 100" in explanation.diagram.notes


def test_every_missed_case_has_a_sentence() -> None:
    for case in CASES.values():
        mistake = "ply-deep" if case.question.reference == "alphabeta" else "made-twice"
        right = right_answer.derive(case)
        for each in (mistake, "sign-changed"):
            roots = truth.searched_roots(case, right)
            answer = Answer(tuple(simulated_claim(case.question, each, root, plies) for root, plies in roots))
            verdict = compare.judge(case, right, answer)
            assert not verdict.missed_searches or explain(case, right, answer, verdict).sentence, case.id


def test_two_thousand_values_cost_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The values are right, so none of them ends the comparison."""
    case = CASES["q3/10-two-ghosts"]
    right = right_answer.derive(case)
    positions = 0
    successor = GameState.successor

    def counted(state: GameState, action: str) -> GameState:
        nonlocal positions
        positions += 1
        return successor(state, action)

    monkeypatch.setattr(GameState, "successor", counted)

    def cost(values: int) -> int:
        """How many positions an explanation generates."""
        nonlocal positions
        claims = [Claim(move.value, "", None, "", 0, Trace(), (((), move.value),) * values) for move in right.moves]
        answer = Answer(tuple(claims))
        verdict = compare.judge(case, right, answer)
        positions = 0
        assert "your search never generated" in explain(case, right, answer, verdict).sentence
        return positions

    assert cost(2000) == cost(1)


LEAVES = "{ a: 1; b: 2; c: 3 }"
TREE = Outline.parse(f"max {{ a: min {LEAVES}; b: min {LEAVES}; c: min {LEAVES}; d: min {LEAVES} }}")


def rows(tree: Outline, path: tuple[str, ...] = ()) -> list[NodeRow]:
    below = [row for action, branch in tree.branches for row in rows(branch, (*path, action))]
    return [NodeRow(path, "1", "2", kind=tree.kind.value if tree.kind else "leaf"), *below]


def table(tree: Outline, marked: str, is_short: bool = False) -> list[str]:
    return drawing_lines(Diagram("", rows=tuple(rows(tree)), marked=(marked,)), is_short)


def test_a_large_tree_is_folded_around_its_mark() -> None:
    lines = table(TREE, "c", is_short=True)
    assert len(table(TREE, "c")) == 1 + len(rows(TREE))
    assert [line.split("  1")[0].rstrip() for line in lines[1:]] == [
        "max", "  a: min ...", "  b: min ...", "  c: min", "    a: leaf", "    b: leaf", "    c: leaf", "  d: min ...",
    ]  # fmt: skip
    assert [line.startswith("  c: min ") for line in lines if line.endswith("<-- here")] == [True]
    assert near_paths([row.path for row in rows(TREE)], ()) == {(), ("a",), ("b",), ("c",), ("d",)}
    wide = Outline.parse("max { " + "; ".join(f"n{number}: min {LEAVES}" for number in range(40)) + " }")
    kept = near_paths([row.path for row in rows(wide)], ("n39", "c"))
    assert len(kept) == FOLDED_LINES
    assert {(), ("n39",), ("n39", "c"), ("n39", "a")} <= kept
    small = Outline.parse(f"max {{ a: min {LEAVES} }}")
    assert table(small, "a", is_short=True) == table(small, "a")
    large = Outline.parse("max { " + "; ".join(f"n{number}: min {LEAVES}" for number in range(40)) + " }")
    claim = simulated_claim(CASES["q2/01-figure"].question, "", large, 2)
    diagram = MissedSearch(CASES["q2/01-figure"].question, large, 2, claim, "none").diagram(("n39", "c"))
    assert (diagram.start, len(diagram.rows), diagram.rows[0].path) == ("", 61, ())


def test_a_node_below_the_horizon_is_named_so() -> None:
    case = next(case for case in CASES.values() if case.question.id == "q2" and case.id.endswith("horizon"))
    extra = explained(case.id, "ply-deep").sentence
    assert extra.startswith("your search generated node ")
    assert extra.endswith(", but it is below the horizon")
    root = Outline.parse("max { a: 3; b: 5 }")
    right = right_answer.derive(replace(case, root=root, input=replace(case.input, plies=1))).moves[0]
    claim = simulated_claim(case.question, "", root, 1)
    assert claim.trace is not None
    claim.trace.generate(0, "c")
    got = compare.compare_search(case, root, 1, right, claim)["touched"].got
    assert got == "4, some of them not in the right tree"


@pytest.mark.parametrize(
    ("text", "node", "values", "sentence"),
    [
        ("max { a: 3; b: min { x: 3; y: 9 } }", "b", (2, 3), "at node b in the window (3, inf): expected <=3, got 4"),
        ("min { a: 3; b: max { x: 3; y: 1 } }", "b", (4, 3), "at node b in the window (-inf, 3): expected >=3, got 2"),
    ],
)
def test_a_bound_that_is_equal_to_the_window(text: str, node: str, values: tuple[int, ...], sentence: str) -> None:
    """A right value equal to alpha or to beta is only a bound: fail-soft may return less, or more."""
    question, root = CASES["q3/01-figure"].question, Outline.parse(text)
    right = simulated_claim(question, "", root, 2)

    def difference(value: float) -> str:
        claim = replace(right, values=(((node,), value),))
        found = MissedSearch(question, root, 2, claim, "equal").first_difference()
        return found.why if found else ""

    assert [difference(value) for value in values] == ["", ""]
    assert difference(float(sentence[-1])) == sentence


def test_values_are_drawn_only_if_it_is_known_that_they_are_for_max() -> None:
    question, root = CASES["q2/08-one-ghost"].question, Outline.parse("max { a: min { x: 1; y: 2 } }")
    right = simulated_claim(question, "", root, 2)

    def drawn(root_value: float) -> float | None:
        """The value that is drawn at a, where the search returned -1; for the root it returned `root_value`."""
        claim = replace(right, values=((("a",), -1.0), ((), root_value)))
        return MissedSearch(question, root, 2, claim, "none").values.get(("a",))

    assert [drawn(1), drawn(-1)] == [None, -1]
    assert MissedSearch(question, root, 2, right, "none", values={("a",): -1}).values["a",] == -1


def test_a_fail_hard_value_may_differ_from_the_window_by_the_tolerance() -> None:
    question = CASES["q3/01-figure"].question
    soft = {"max { a: 3; b: min { x: 2; y: 9 } }": 3 + 1e-9, "min { a: 3; b: max { x: 4; y: 1 } }": 3 - 1e-9}
    for text, value in soft.items():
        root = Outline.parse(text)
        claim = replace(simulated_claim(question, "", root, 2), values=((("b",), value),))
        assert MissedSearch(question, root, 2, claim, "equal").first_difference() is None
