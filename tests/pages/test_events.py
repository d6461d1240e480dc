"""The events of a recorded search, as a page shows them: closed nodes, the data of the script, iterative deepening."""

from __future__ import annotations

import json

import pytest

from autograder.pages.explorer import values_and_data
from autograder.pages.search import START, Recording, record
from pacman.commands.options import kinds
from pacman.core.state import start
from pacman.search import run_search
from pacman.search.algorithms import ALGORITHMS, DEEPENING, Options
from pacman.search.bounds import natural
from tests.pages.explorer_events import events_in
from tests.record.test_steps import BOUNDS, SETTINGS, check_arithmetic, random_trees


def check(recording: Recording) -> None:
    """Each node that the search never entered is closed once, or a node above it is; and nothing enters it later."""
    entered = {event.node for event in recording.events}
    closed: set[int] = set()
    for event in recording.events:
        assert event.node not in closed
        assert closed.isdisjoint(event.closed)
        closed.update(event.closed)
    for number, node in enumerate(recording.nodes):
        assert (number in entered) + (number in closed) + (node.parent not in entered) == 1
    check_data(recording)


def check_data(recording: Recording) -> None:
    """A page reads the same words, labels and nodes from its data."""
    read = events_in(json.loads(json.dumps(values_and_data([recording])[1], allow_nan=False)), 0)
    rows = [(event["kind"], event["words"], event["label"], event["node"], tuple(event["closed"])) for event in read]
    assert rows == [(each.kind, each.words, each.label, each.node, each.closed) for each in recording.events]


@pytest.mark.slow("of pages", keep=3)
@pytest.mark.parametrize(("name", "options"), [each for each in SETTINGS if each[1].order == "given"])
def test_the_events_of_random_trees(name: str, options: Options) -> None:
    for number, tree in enumerate(random_trees(30)):
        check(record(name, tree, tree.height() - number % 2, options))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_events_of_a_position(name: str) -> None:
    check(record(name, start("nook", kinds("random")), 4, Options(bounds=natural)))


def test_the_events_of_iterative_deepening() -> None:
    """Its last search has the right result."""
    for tree in random_trees(20):
        recording = record(DEEPENING, tree, tree.height(), Options(bounds=BOUNDS))
        assert [event.kind for event in recording.events].count(START) == tree.height()
        for event in recording.events:
            check_arithmetic(event.words)
        assert recording.value == pytest.approx(run_search("exhaustive", tree, tree.height()).value)
