"""The line of words about a node: each number in it is computed again from the tree."""

from __future__ import annotations

import re
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.analysis import analyse_node
from agents.base import SearchAgent
from pacman.core.tree import Line, Node
from pacman.core.tree_text import Outline
from pacman.record.report import Interval
from pacman.record.trace import CUTS, ExitReason
from pacman.record.words import Arithmetic, Successor, kind_and_name, node_in_words
from pacman.search.algorithms import ALGORITHMS
from pacman.search.exhaustive import exhaustive
from tests.record.test_report import FIGURE_5_2, tree_report, trees, watched
from tests.record.test_steps import check_arithmetic

NUMBER = r"[≤≥]?−?\d+(?:\.\d+)?(?:e-?\d+)?"


def number(text: str) -> float:
    return float(text.lstrip("≤≥").replace("−", "-"))


def test_the_tree_of_the_textbook() -> None:
    report = tree_report(FIGURE_5_2)
    words = {node.action or "root": node_in_words(report, node.number) for node in report.nodes}
    assert words["root"] == "MAX: the largest of 3, ≤2 and 2 is 3"
    assert words["a1"] == "MIN: the smallest of 3, 12 and 8 is 3"
    assert words["a2"] == "MIN: 2 ≤ alpha 3, so the rest is cut: c2 and c3"
    assert words["a3"] == "MIN: the smallest of 14, 5 and 2 is 2"
    assert words["b1"] == "utility: 3"


def test_the_line_while_the_search_is_at_the_node() -> None:
    report = tree_report(FIGURE_5_2)
    assert [node_in_words(report, 0, step) for step in (0, 1, 5)] == [
        "MAX so far: no value; still to search: a1, a2 and a3",
        "MAX so far: no value; now at a1; still to search: a2 and a3",
        "MAX so far: 3; now at a2; still to search: a3",
    ]
    assert node_in_words(report, 3, 0) == ""


@pytest.mark.slow("that compare searches")
@given(trees, st.sampled_from(ALGORITHMS))
def test_each_line_holds_in_the_whole_tree(tree: Outline, algorithm: str) -> None:
    """Each sum and each extreme is right; the value is true, and so is the end of the window that cuts."""
    report = tree_report(tree, algorithm)
    for node in report.nodes:
        words, entry = node_in_words(report, node.number), report.entry(node.number)
        assert bool(words) == (entry is not None)
        if entry is None or node.layer is None:
            continue
        assert words.startswith(f"{node.layer.name}: ")
        true = exhaustive(node.node, report.plies - node.depth).value
        check_arithmetic(words)
        if entry.why is ExitReason.VALUE and (result := re.search(r"(?: is |= )([≤≥]?)(−?[\d.]+)$", words)):
            is_true = {"≤": true <= number(result[2]) + 0.01, "≥": true >= number(result[2]) - 0.01}
            assert is_true.get(result[1], abs(true - number(result[2])) < 0.01), words
        if entry.why in CUTS and entry.unseen and entry.why is not ExitReason.BOUND:
            for sign, end in re.findall(rf"(alpha|beta) ({NUMBER})", words):
                assert true <= number(end) + 0.01 if sign == "alpha" else true >= number(end) - 0.01


class WrongMin(SearchAgent):
    """Takes the largest value at MIN nodes too."""

    def search(self, node: Node, plies: int) -> Line:
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return max(lines, key=lambda line: line.value)


def test_a_wrong_search_is_contradicted() -> None:
    report = analyse_node(watched("WrongMin", 1, __file__), FIGURE_5_2, 2)
    assert node_in_words(report, report.nodes[0].children[0]) == (
        "MIN: the smallest of 3, 12 and 8 is 3, but the search returned 12"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("chance\n  a @1/4: 8\n  b @3/4: -4", "CHANCE: 1/4 × 8 + 3/4 × (−4) = −1"),
        ("chance\n  a: 1\n  b: 2\n  c: 4", "CHANCE: 1/3 × 1 + 1/3 × 2 + 1/3 × 4 = 2.333"),
        ("max\n  a: 7", "MAX: the only successor gives 7"),
        ("max\n  a: 4\n  b: chance\n    x: 2\n    y: -1\n    z: 9", "MAX: the largest of 4 and 3.333 is 4"),
    ],
)
def test_examples(text: str, words: str) -> None:
    assert node_in_words(tree_report(Outline.parse(text)), 0) == words


def test_a_cut_at_a_chance_node() -> None:
    tree = Outline.parse("max\n  a: 4\n  b: chance\n    x: 2\n    y: -9\n    z: 9")
    report = tree_report(tree, "star1")
    assert node_in_words(report, 2) == "CHANCE: ≤1, not above alpha 4, so the rest is cut: z"
    assert report.interval(2) == (-inf, pytest.approx(1))


A, B = Successor("a", (3, 3)), Successor("b", (12, 12))
HALF_A, HALF_B = A._replace(probability=0.5), B._replace(probability=0.5)


@pytest.mark.parametrize(
    ("layer", "successors", "window", "interval", "why", "words"),
    [
        ("max", [A], (1, 3), (3, inf), "BETA_CUT", "MAX: 3 ≥ beta 3, so the rest is cut: b"),
        ("min", [A], (3, 9), (-inf, 3), "ALPHA_CUT", "MIN: 3 ≤ alpha 3, so the rest is cut: b"),
        ("chance", [HALF_A], (3, 9), (-inf, 3), "ALPHA_CUT", "CHANCE: ≤3, not above alpha 3, so the rest is cut: b"),
        ("chance", [HALF_A], (1, 3), (3, inf), "BETA_CUT", "CHANCE: ≥3, not below beta 3, so the rest is cut: b"),
        ("min", [A], (3, 9), (-inf, 3), "KNOWN", "MIN: ≤3, known from before"),
        ("min", [A], (3, 9), (-inf, 3), "STOPPED", "MIN: the search was stopped here"),
        ("min", [A], (3, 9), (-inf, 3), "PROBED", "MIN: a probe, which tried only some moves: ≤3"),
        (
            *("min", [A], (3, 9), (-inf, 3), "BOUND"),
            "MIN: the bounds [L, U] give ≤3, not above alpha 3: nothing to search",
        ),
        ("min", [A, B], (-inf, inf), (1, 1), "VALUE", "MIN: the smallest of 3 and 12 is 3, but the search returned 1"),
        ("min", [A, B], (-inf, inf), (3 - 1e-12,) * 2, "VALUE", "MIN: the smallest of 3 and 12 is 3"),
        ("min", [A, B], (-inf, inf), (3 + 1e-12,) * 2, "VALUE", "MIN: the smallest of 3 and 12 is 3"),
        ("max", [A, Successor("b", (-inf, 5))], (-inf, inf), (3, 3), "VALUE", "MAX: the largest of 3 and ≤5 is 3"),
        (
            *("chance", [HALF_A, HALF_B._replace(interval=(-inf, 5))], (-inf, inf), (-inf, 4), "VALUE"),
            "CHANCE: 1/2 × 3 + 1/2 × (≤5) is ≤4",
        ),
    ],
)
def test_the_words_of_each_end(
    layer: str, successors: list[Successor], window: Interval, interval: Interval, why: str, words: str
) -> None:
    names = [each.action for each in successors] if len(successors) > 1 else ["a", "b"]
    node = Outline.parse(f"{layer} {{ {'; '.join(f'{name}: 0' for name in names)} }}")
    assert Arithmetic(node, successors, window, interval, ExitReason[why]).words() == words


def test_a_node_below_the_horizon_is_named_so() -> None:
    tree = Outline.parse("max { a: min { x: max { y: 1 } } }")
    report = analyse_node(watched("WrongMin", 1, __file__), tree, 3)
    assert [kind_and_name(replace(report, plies=plies), 2) for plies in (1, 2, 3)] == [
        *("MAX node a > x, below the horizon", "MAX node a > x, at the horizon", "MAX node a > x")
    ]
