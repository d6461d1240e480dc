"""The steps of a search: those of its trace, with true values, and words whose arithmetic is right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import inf, isclose
from random import Random

import pytest

from pacman.commands.options import kinds
from pacman.core.state import start
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.record.report import SearchReport, report_from_trace
from pacman.record.steps import Kind, Step, steps
from pacman.record.words import step_words
from pacman.search import constant_bounds, run_search
from pacman.search.algorithms import ALGORITHMS, STARS, Options
from pacman.search.bounds import natural

BOUNDS = constant_bounds(-3, 3)
SETTINGS = [
    *((name, Options(bounds=BOUNDS)) for name in ALGORITHMS),
    ("alphabeta", Options(strict=True)),
    ("star2.5", Options(bounds=BOUNDS, probes=2)),
    ("star2", Options(bounds=BOUNDS, order="killer")),
]
LEAVES = [Outline(None, value) for value in (0, 2)]
NUMBER = r"−?(?:[\d./]+|∞)"


def inner(kind: Layer, *children: Outline) -> Outline:
    branches = tuple((f"a{number}", child) for number, child in enumerate(children, 1))
    chances = (Fraction(1, len(children)),) * len(children) if kind is Layer.CHANCE else ()
    return Outline(kind, branches=branches, probabilities=chances)


def small_trees() -> Iterator[Outline]:
    """Every tree with two levels, two children at each inner node, and the leaves 0 and 2."""
    rows = [*LEAVES, *(inner(kind, *pair) for kind in Layer for pair in product(LEAVES, repeat=2))]
    return (inner(kind, *pair) for kind in Layer for pair in product(rows, repeat=2))


def random_trees(count: int) -> Iterator[Outline]:
    rng = Random(16)

    def grow(height: int) -> Outline:
        if not height:
            return Outline(None, rng.randint(-3, 3))
        tree = inner(rng.choice(list(Layer)), *(grow(rng.randrange(height)) for _ in range(rng.choice((1, 2, 3)))))
        return replace(tree, evaluation=rng.randint(-3, 3))

    return (grow(4) for _ in range(count))


def number_in(text: str) -> float:
    text = text.replace("−", "-")
    return inf if text == "∞" else -inf if text == "-∞" else float(Fraction(text))


def check_arithmetic(words: str, value: float | None = None) -> None:
    """Recomputes what the words of a step calculate; `value` is that of the step."""
    plain = re.sub(r"[()]|(?<=× \()[≤≥]", "", words)
    for terms, result in re.findall(rf"((?:{NUMBER} × {NUMBER}(?: \+ )?)+) = ({NUMBER})", plain):
        pairs = re.findall(rf"({NUMBER}) × ({NUMBER})", terms)
        total = sum(number_in(chance) * number_in(each) for chance, each in pairs)
        assert isclose(total, number_in(result), abs_tol=5e-3), words
    for extreme, terms, result in re.findall(r"(largest|smallest) of (.*) is (.*)", plain):
        values = [number_in(term.lstrip("≤≥")) for term in re.split(", | and ", terms)]
        assert (max if extreme == "largest" else min)(values) == number_in(result.lstrip("≤≥")), words
        assert value is None or number_in(result.lstrip("≤≥")) == pytest.approx(value, abs=5e-3), words
    for left, sign, right in re.findall(rf"({NUMBER}) (≤|≥) (?:alpha|beta) ({NUMBER})", plain):
        assert number_in(left) <= number_in(right) if sign == "≤" else number_in(left) >= number_in(right), words
    assert "but the search returned" not in words


def check_windows(report: SearchReport, order: Sequence[Step]) -> None:
    """A child of a MAX or MIN node is entered with the window that the last step of the node tells."""
    windows: dict[int, tuple[float, float]] = {}
    probed: set[int] = set()
    for step in order:
        parent = report.nodes[report.nodes[step.node].parent]
        if step.kind is Kind.PROBE:
            probed.add(step.node)
        elif step.kind is Kind.ENTER:
            if step.node and parent.layer is not Layer.CHANCE and parent.number not in probed:
                assert windows[parent.number] == (step.alpha, step.beta), step
            windows[step.node] = step.alpha, step.beta
            probed.discard(step.node)
        elif step.kind is Kind.WINDOW:
            assert windows[step.node] != (step.alpha, step.beta)
            windows[step.node] = step.alpha, step.beta


def check(name: str, root: Node, plies: int, options: Options) -> None:
    result = run_search(name, root, plies, options)
    report = report_from_trace(root, plies, result.trace, name)
    order = steps(report, name != "exhaustive", options.bounds if name in STARS else None)
    visits = result.trace.visits
    assert list(report.steps) == visits
    assert {step.visit for step in order if step.kind in (Kind.PROBE, Kind.VALUE)} == set(range(len(visits)))
    right = run_search("exhaustive", root, plies).trace
    values = {right.path(visit.number): visit.value for visit in right.visits}
    for step in order:
        visit = visits[step.visit]
        if step.kind in (Kind.ENTER, Kind.PROBE, Kind.VALUE):
            assert (step.alpha, step.beta) == (visit.alpha, visit.beta)
        if step.kind in (Kind.VALUE, Kind.BOUNDS):
            value = values[result.trace.path(visit.number)]
            assert value is not None
            assert step.interval[0] - 1e-9 <= value <= step.interval[1] + 1e-9
        words = step_words(report, step, name != "exhaustive")
        check_arithmetic(words, step.value if step.kind is Kind.VALUE else None)
        assert name != "exhaustive" or "window" not in words
    if name != "exhaustive":
        check_windows(report, order)


@pytest.mark.slow("that compare searches", keep=1)
@pytest.mark.parametrize(("name", "options"), SETTINGS)
def test_all_small_trees(name: str, options: Options) -> None:
    for tree in small_trees():
        check(name, tree, 2, options)


@pytest.mark.slow("that compare searches", keep=3)
@pytest.mark.parametrize(("name", "options"), SETTINGS)
def test_random_trees(name: str, options: Options) -> None:
    for number, tree in enumerate(random_trees(60)):
        check(name, tree, tree.height() - number % 2, options)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_position(name: str) -> None:
    check(name, start("nook", kinds("random")), 4, Options(bounds=natural))


def told(tree: str, name: str, plies: int = 3) -> list[str]:
    root = Outline.parse(tree)
    result = run_search(name, root, plies, Options(bounds=BOUNDS))
    report = report_from_trace(root, plies, result.trace, name)
    return [step_words(report, step) for step in steps(report, True, BOUNDS if name in STARS else None)]


def test_a_value_outside_the_window_is_exact_if_the_successors_say_so() -> None:
    """The window of b ends at -5, so a value of -3 would be only a bound; but no successor of b can be less."""
    words = told("min { a: -5; b: min { c: -3; d: max { e: 4; f: 9 } } }", "alphabeta")
    assert "MIN: the smallest of −3 and ≥4 is −3" in words


def test_what_a_star_search_says() -> None:
    words = told("max { a: 2; b: chance { x: min { p: -1; q: 3 }; y: min { p: 0; q: 3 } } }", "star2")
    assert words[words.index("Enter CHANCE node b, window (2, 3)") :] == [
        "Enter CHANCE node b, window (2, 3)",
        "Probe MIN node b > x, window (1, 3): search some moves; the node is worth at most the smallest of their "
        "values",
        "Enter leaf b > x > p, window (1, 3)",
        "Leaf b > x > p: utility −1",
        "CHANCE: the mean is at least 1/2 × (−3) + 1/2 × (−3) = −3, and at most 1/2 × (−1) + 1/2 × 3 = 1",
        "CHANCE: the probes give ≤1, not above alpha 2, so the rest is cut",
        "Leave CHANCE node b with 1: its value is ≤1",
        "MAX: the largest of 2 and ≤1 is 2",
    ]
