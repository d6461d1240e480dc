"""The events of a recorded search: they are those of its trace, and their arithmetic is right."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import inf, isclose
from random import Random

import pytest

from autograder.case_strength.distinguishing_tree import random_tree
from autograder.pages.explorer.events import Event, Kind, Recording
from autograder.pages.explorer.page_data import page_data
from autograder.pages.explorer.record import record
from pacman.commands.shared.options import kinds
from pacman.core.state import start
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.search import constant_bounds, run_search
from pacman.search.algorithms import ALGORITHMS, DEEPENING, Options
from pacman.search.bounds import natural
from tests.pages.explorer_events import events_in

BOUNDS = constant_bounds(-3, 3)
SETTINGS = [
    *((name, Options(bounds=BOUNDS)) for name in ALGORITHMS),
    ("alphabeta", Options(strict=True)),
    ("star2.5", Options(bounds=BOUNDS, probes=2)),
    ("star2", Options(bounds=BOUNDS, order="killer")),
    ("auto", Options(bounds=BOUNDS)),
]
LEAVES = [Outline(None, value) for value in (0, 2)]


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
    for _ in range(count):
        yield random_tree(rng, list(Layer), rng.choice((3, 4)), 3, rng.choice(list(Layer)))


def number_in(text: str) -> float:
    text = text.replace("−", "-")
    return inf if text == "∞" else -inf if text == "-∞" else float(Fraction(text))


NUMBER = r"−?(?:[\d./]+|∞)"


def check_arithmetic(event: Event) -> None:
    """Recomputes what the words of an event calculate."""
    words = re.sub(r"[()]", "", event.words)
    for terms, result in re.findall(rf"((?:{NUMBER} × {NUMBER}(?: \+ )?)+) = ({NUMBER})", words):
        total = sum(
            number_in(chance) * number_in(value) for chance, value in re.findall(rf"({NUMBER}) × ({NUMBER})", terms)
        )
        assert isclose(total, number_in(result), abs_tol=5e-3), event.words
    for extreme, terms, result in re.findall(r"(largest|smallest) of (.*) is (.*)", event.words):
        best = max if extreme == "largest" else min
        values = [number_in(term.lstrip("≤≥")) for term in re.split(", | and ", terms)]
        assert best(values) == number_in(result.lstrip("≤≥")) == pytest.approx(event.value, abs=5e-3), event.words
    for left, sign, right in re.findall(rf"({NUMBER}) (≤|≥|<|>) (?:alpha|beta) ({NUMBER})", event.words):
        first, second = number_in(left), number_in(right)
        holds = {"≤": first <= second, "≥": first >= second, "<": first < second, ">": first > second}
        assert holds[sign], event.words


def check_windows(recording: Recording) -> None:
    """A child of a MAX or MIN node is entered with the window that the last step of the node tells."""
    windows: dict[int, tuple[float, float]] = {}
    probed: set[int] = set()
    for event in recording.events:
        parent = recording.nodes[event.node].parent
        layer = recording.nodes[parent].layer
        if event.kind is Kind.PROBE:
            probed.add(event.node)
        elif event.kind is Kind.ENTER:
            if event.node and layer is not Layer.CHANCE and parent not in probed:
                assert windows[parent] == (event.alpha, event.beta), event
            windows[event.node] = event.alpha, event.beta
            probed.discard(event.node)
        elif event.kind is Kind.WINDOW:
            assert windows[event.node] != (event.alpha, event.beta)
            windows[event.node] = event.alpha, event.beta


def check_closed(recording: Recording) -> None:
    """Each node that the search never entered is closed once, or a node above it is; and nothing enters it later."""
    entered = {event.node for event in recording.events}
    closed: set[int] = set()
    for event in recording.events:
        assert event.node not in closed
        assert closed.isdisjoint(event.closed)
        closed.update(event.closed)
    for number, node in enumerate(recording.nodes):
        assert (number in entered) + (number in closed) + (node.parent not in entered) == 1


def check_data(recording: Recording) -> None:
    """A page reads the same words, labels and nodes from its data."""
    read = events_in(json.loads(json.dumps(page_data([recording]), allow_nan=False)), 0)
    rows = [(event["kind"], event["words"], event["label"], event["node"], tuple(event["closed"])) for event in read]
    assert rows == [(each.kind, each.words, each.label, each.node, each.closed) for each in recording.events]


def check(recording: Recording, root: Node, plies: int, options: Options) -> None:
    result = recording.result
    assert result is not None
    visits = result.trace.visits
    entries = [event for event in recording.events if event.kind in (Kind.ENTER, Kind.PROBE)]
    exits = [event for event in recording.events if event.kind is Kind.VALUE]
    assert {event.visit for event in (*entries, *exits)} == set(range(len(visits)))
    for event in entries:
        assert (event.alpha, event.beta) == (visits[event.visit].alpha, visits[event.visit].beta)
    right = run_search("exhaustive", root, plies).trace
    values = {right.path(visit.number): visit.value for visit in right.visits}
    for event in exits:
        visit = visits[event.visit]
        assert (event.value, event.why, event.alpha, event.beta) == (visit.value, visit.why, visit.alpha, visit.beta)
        value = values[result.trace.path(visit.number)]
        assert value is not None
        assert event.interval[0] - 1e-9 <= value <= event.interval[1] + 1e-9
    for event in recording.events:
        if event.kind is Kind.CUT:
            assert event.unseen == visits[event.visit].unseen
        if event.kind is Kind.BOUNDS:
            value = values[result.trace.path(visits[event.visit].number)]
            assert value is not None
            assert event.interval[0] - 1e-9 <= value <= event.interval[1] + 1e-9
        check_arithmetic(event)
    if recording.has_windows:
        check_windows(recording)
    else:
        assert "window" not in "".join(event.words for event in recording.events)
    if options.order == "given":
        check_closed(recording)


@pytest.mark.slow("of pages", keep=1)
@pytest.mark.parametrize(("name", "options"), SETTINGS)
def test_the_events_of_all_small_trees(name: str, options: Options) -> None:
    for tree in small_trees():
        check(record(name, tree, 2, options), tree, 2, options)


@pytest.mark.slow("of pages", keep=3)
@pytest.mark.parametrize(("name", "options"), SETTINGS)
def test_the_events_of_random_trees(name: str, options: Options) -> None:
    for number, tree in enumerate(random_trees(60)):
        plies = tree.height() - number % 2
        recording = record(name, tree, plies, options)
        check(recording, tree, plies, options)
        check_data(recording)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_events_of_a_position(name: str) -> None:
    state, options = start("nook", kinds("random")), Options(bounds=natural)
    recording = record(name, state, 4, options)
    check(recording, state, 4, options)
    check_data(recording)


def test_the_events_of_iterative_deepening() -> None:
    """Each of its searches knows only true values of its depth, and the last one has the right result."""
    for tree in random_trees(20):
        recording = record(DEEPENING, tree, tree.height(), Options(bounds=BOUNDS))
        starts = [index for index, event in enumerate(recording.events) if event.kind is Kind.START]
        assert len(starts) == tree.height()
        for depth, (first, last) in enumerate(pairwise([*starts, len(recording.events)]), 1):
            right = run_search("exhaustive", tree, depth).trace
            values = {right.path(visit.number): visit.value for visit in right.visits}
            for event in recording.events[first:last]:
                check_arithmetic(event)
                if event.kind in (Kind.VALUE, Kind.BOUNDS):
                    value = values[path_of(recording, event.node)]
                    assert value is not None
                    assert event.interval[0] - 1e-9 <= value <= event.interval[1] + 1e-9
        assert recording.result is not None
        assert recording.result.value == pytest.approx(run_search("exhaustive", tree, tree.height()).value)


def path_of(recording: Recording, node: int) -> tuple[str, ...]:
    return (*path_of(recording, recording.nodes[node].parent), recording.nodes[node].action) if node else ()


def test_a_value_outside_the_window_is_exact_if_the_successors_say_so() -> None:
    """The window of b ends at -5, so a value of -3 would be only a bound; but no successor of b can be less."""
    tree = Outline.parse("min { a: -5; b: min { c: -3; d: max { e: 4; f: 9 } } }")
    words = [event.words for event in record("alphabeta", tree, 3, Options()).events]
    assert "MIN: the smallest of −3 and ≥4 is −3" in words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("star2", "search one move; the node is worth at most what this move is worth"),
        ("star2.5", "search up to 3 moves; the node is worth at most the smallest of their values"),
    ],
)
def test_a_probe_says_how_many_moves_it_searches(name: str, words: str) -> None:
    tree = Outline.parse("max { a: 2; b: chance { x: min { p: -1; q: 3 }; y: min { p: 0; q: 3 } } }")
    recording = record(name, tree, 3, Options(bounds=BOUNDS))
    probe = next(event for event in recording.events if event.kind is Kind.PROBE)
    assert probe.words == f"Probe MIN node b > x, window (1, 3): {words}"
