"""Tests of explanations: the first difference and its drawing, for trees (values, windows, cuts) and for positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from autograder.cases import loading, right_answer, truth
from autograder.judge import compare, explain_miss
from autograder.judge.explain_miss import Explanation
from autograder.judge.scorecard import CaseScore, Diagnosis, NodeRow, QuestionScore, Scorecard, SmallestTree
from autograder.judge.submission_answer import Answer, Claim
from autograder.judge.tree_table import FOLDED_LINES, folded, folded_table, table
from pacman.core.state import GameState
from pacman.core.tree_text import Outline
from pacman.record.trace import Trace
from tests.every_report import terminal_text
from tests.simulated_search import simulated_claim

MULTIAGENT = loading.load("multiagent")
CASES = {case.id: case for case in MULTIAGENT.cases if case.has_truth}


def explained(case_id: str, mistake: str, values: dict[tuple[str, ...], float] | None = None) -> Explanation:
    """The explanation for a search with this mistake that reports the values of some nodes."""
    case = CASES[case_id]
    right = right_answer.derive(case)
    claims = []
    for root, plies in truth.searched_roots(case, right):
        claim = simulated_claim(case.question, mistake, root, plies)
        claims.append(replace(claim, values=tuple((values or {}).items())))
    answer = Answer(tuple(claims))
    return explain_miss.explain(case, right, answer, compare.judge(case, right, answer))


def all_nodes(tree: Outline, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Outline]]:
    """The nodes of a tree with their paths, parents first: in the order of a drawing."""
    yield path, tree
    for action, branch in tree.branches:
        yield from all_nodes(branch, (*path, action))


def test_a_drawn_tree_shows_windows_and_pruned_nodes() -> None:
    explanation = explained("q3/01-figure", "no-cut")
    assert explanation.sentence == "your search generated node b > b, but it cannot change the result any more"
    picture = "\n".join(explanation.picture)
    assert re.search(r"window +expected +got", picture)
    assert re.search(r"b: min +\(3, inf\) +<=2 +seen", picture)
    assert re.search(r"    b: leaf +pruned +seen  <-- here", picture)
    assert explanation.diagram
    rows = {row.path: row for row in explanation.diagram.rows}
    assert explanation.diagram.marked == ("b", "b")
    assert rows["b", "b"] == NodeRow(("b", "b"), "pruned", "seen")
    assert rows["b",] == NodeRow(("b",), "<=2", "seen", "(3, inf)")
    assert list(rows) == [path for path, _ in all_nodes(Outline.parse(explanation.diagram.start))]
    less = "\n".join(explained("q3/02-cut-at-equality", "window-swapped").picture)
    assert re.search(r"pruned +pruned", less)
    assert "not seen" in less


@pytest.mark.parametrize(("value", "is_wrong"), [(2, False), (3, False), (-5, False), (4, True)])
def test_a_value_in_a_window_may_be_a_bound(value: float, is_wrong: bool) -> None:
    """With alpha = 3, a value of 3 (fail-hard), 2 (fail-soft) or less is right; a larger value is wrong."""
    explanation = explained("q3/01-figure", "no-cut", {("b",): value})
    assert ("node b in the window (3, inf): expected <=2" in explanation.sentence) == is_wrong
    assert ("got 4" in explanation.sentence) == is_wrong


def test_inside_its_window_a_value_is_exact() -> None:
    explanation = explained("q3/01-figure", "no-cut", {("a",): 4})
    assert explanation.sentence == "at node a: expected 3, got 4"


def test_plain_searches_are_compared_value_by_value() -> None:
    explanation = explained("q4/01-mean", "sum-for-mean", {("a",): 20, ("b",): 109})
    assert explanation.sentence == "at node a: expected 10, got 20"
    assert any(re.search(r"a: chance +10 +20 +<-- here", line) for line in explanation.picture)
    assert "window" not in explanation.picture[0]


def test_a_position_shows_the_board_the_moves_so_far_and_two_lines() -> None:
    explanation = explained("q2/08-one-ghost", "ply-short")
    assert explanation.sentence.startswith("Pacman's move 2 (4 plies deep): your search never generated node ")
    picture = "\n".join(explanation.picture)
    assert "%P%%% %" in picture
    assert "moves so far: North\n" in picture
    assert re.search(r"expected line of play: Pacman North, ghost 1 \w+, Pacman \w+, ghost 1 \w+ = -?\d+\n", picture)
    assert re.search(r"your line of play: Pacman \w+ = -?\d+\n", picture)
    assert picture.endswith("<-- here")


def test_a_later_miss_shows_the_moves_before_it() -> None:
    """Only the second search of the line is wrong, and it reports the values of the root's children."""
    case = CASES["q2/08-one-ghost"]
    right = right_answer.derive(case)
    claims = [simulated_claim(case.question, "", root, plies) for root, plies in truth.searched_roots(case, right)]
    second = claims[1]
    after = ("North", "West")
    values = ((("North",), 100.0), (after, 100.0), ((*after, "North"), 50.0), ((*after, "South"), 100.0))
    claims[1] = replace(second, value=100.0, action="North", values=values)
    answer = Answer(tuple(claims))
    explanation = explain_miss.explain(case, right, answer, compare.judge(case, right, answer))
    assert explanation.sentence.startswith("Pacman's move 2 (4 plies deep): at node North: ")
    assert "moves so far: North" in explanation.picture
    assert "your line of play: Pacman North, ghost 1 West, Pacman South = 100" in explanation.picture


def test_a_line_ends_at_a_chance_node() -> None:
    explanation = explained("q4/09-random-ghost", "ply-short")
    lines = [line for line in explanation.picture if " line of play: " in line]
    assert all(
        re.fullmatch(r"(expected|your) line of play: Pacman \w+, ghost 1 by chance = \S+", line) for line in lines
    )
    assert len(lines) == 2


def report(diagnosis: Diagnosis | None) -> str:
    cases = (CaseScore("q1/a", "tree", "a tree", 1, 0.5, message="lost"),)
    card = Scorecard("s", "S", "mine.py", "", (QuestionScore("q1", "Search", 4, cases, diagnosis),), 0.1)
    return re.sub(r" +\n", "\n", terminal_text(card))


def test_a_diagnosis_is_above_the_cases() -> None:
    sentences = ("Your search stops one ply too early.", "There is more.")
    smallest = SmallestTree("max\n  a: 3\n", 1, ("max  3  got 0", "  a: 3"))
    full = report(Diagnosis(sentences, "Draw a tree.", ("ply-short",), smallest))
    assert (
        "  Your search stops one ply too early.\n  There is more.\n    Draw a tree.\n\n"
        "  The smallest tree on which it fails, 1 ply deep:\n    max  3  got 0\n      a: 3\n"
    ) in full
    assert full.index("The smallest tree") < full.index("q1/a")
    assert "smallest tree" not in report(Diagnosis(sentences, "Draw a tree.", ()))
    assert "smallest tree" not in report(None)


def test_every_case_of_the_assignment_can_be_explained() -> None:
    """For every missed case there is a sentence."""
    for case in CASES.values():
        mistake = "ply-deep" if case.question.reference == "alphabeta" else "made-twice"
        right = right_answer.derive(case)
        for each in (mistake, "root-evaluated"):
            roots = truth.searched_roots(case, right)
            claims = [simulated_claim(case.question, each, root, plies) for root, plies in roots]
            answer = Answer(tuple(claims))
            verdict = compare.judge(case, right, answer)
            if verdict.missed_searches:
                assert explain_miss.explain(case, right, answer, verdict).sentence, case.id


def test_two_thousand_values_cost_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The values are right, so none of them ends the comparison."""
    case = CASES["q3/10-two-ghosts"]
    right = right_answer.derive(case)
    made = 0
    successor = GameState.successor

    def counted(state: GameState, action: str) -> GameState:
        nonlocal made
        made += 1
        return successor(state, action)

    monkeypatch.setattr(GameState, "successor", counted)

    def explain(values: int) -> int:
        """How many positions an explanation generates."""
        nonlocal made
        answer = Answer(
            tuple(Claim(move.value, "", None, "", 0, Trace(), (((), move.value),) * values) for move in right.moves)
        )
        verdict = compare.judge(case, right, answer)
        made = 0
        sentence = explain_miss.explain(case, right, answer, verdict).sentence
        assert "your search never generated" in sentence
        return made

    assert explain(2000) == explain(1)


# ---- large trees are folded


LEAVES = "{ a: 1; b: 2; c: 3 }"
TREE = Outline.parse(f"max {{ a: min {LEAVES}; b: min {LEAVES}; c: min {LEAVES}; d: min {LEAVES} }}")


def rows(tree: Outline, path: tuple[str, ...] = ()) -> list[NodeRow]:
    below = [row for action, branch in tree.branches for row in rows(branch, (*path, action))]
    return [NodeRow(path, "1", "2"), *below]


def test_a_small_tree_is_not_folded() -> None:
    small = Outline.parse(f"max {{ a: min {LEAVES} }}")
    assert folded_table(small, rows(small), ("a",), has_windows=False) == ()


def test_the_path_its_neighbours_and_the_successors_of_its_end_stay() -> None:
    lines = folded_table(TREE, rows(TREE), ("c",), has_windows=False)
    assert [line.split("  1")[0].rstrip() for line in lines[1:]] == [
        "max", "  a: min ...", "  b: min ...", "  c: min", "    a: leaf", "    b: leaf", "    c: leaf", "  d: min ...",
    ]  # fmt: skip
    (marked,) = [line for line in lines if line.endswith("<-- here")]
    assert marked.startswith("  c: min ")


def test_without_a_mark_the_root_and_its_successors_stay() -> None:
    assert [row.path for row in folded(rows(TREE), ())] == [(), ("a",), ("b",), ("c",), ("d",)]


def test_a_wide_tree_keeps_the_whole_path() -> None:
    wide = Outline.parse("max { " + "; ".join(f"n{number}: min {LEAVES}" for number in range(40)) + " }")
    kept = [row.path for row in folded(rows(wide), ("n39", "c"))]
    assert len(kept) == FOLDED_LINES
    assert {(), ("n39",), ("n39", "c"), ("n39", "a")} <= set(kept)


def test_the_whole_table_has_every_node() -> None:
    assert len(table(TREE, rows(TREE), ("c",), has_windows=True)) == 1 + len(rows(TREE))
