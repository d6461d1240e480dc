"""The search of an agent is recorded by another agent from a second start of its file; the first one stays as it is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from agents import load
from agents.analysis import analyse_node
from pacman.core.tree_text import Outline
from pacman.record.report import SearchReport
from tests.course.small_class import MINIMAX

TREE = Outline.parse("max { a: min { a: 3; b: 12 }; b: min { a: 2; b: 8 }; c: min { a: 14; b: 1 } }")
HELPED = """
from enum import Enum

import ways
from agents.base import SearchAgent


class Kind(Enum):
    MINIMAX = 1


class Counter:
    calls = 0

    def value(self, agent, node, plies):
        Counter.calls += 1
        return ways.value(agent, node, plies)


class MinimaxAgent(SearchAgent):
    def __init__(self, rounds=2):
        super().__init__(rounds)
        self.kind, self.counter = Kind.MINIMAX, Counter()

    def search(self, node, plies):
        assert self.kind is Kind.MINIMAX
        values = {a: self.counter.value(self, node.successor(a), plies - 1) for a in node.actions()}
        action = max(values, key=values.get)
        return values[action], action
"""
WAYS = """
from pacman import Layer


def value(agent, node, plies):
    if plies == 0 or node.is_terminal:
        return agent.evaluate(node)
    values = [value(agent, node.successor(a), plies - 1) for a in node.actions()]
    return max(values) if node.layer is Layer.MAX else min(values)
"""


def made(path: Path, text: str) -> Any:
    """The agent of a new file with this text."""
    path.write_text(text, encoding="utf-8")
    return load.make_pacman(f"{path}:MinimaxAgent", ["rounds=1"], load=load.load_watched)


def values(report: SearchReport) -> list[float | None]:
    """The value of each node, in the order of the visits."""
    return [visit.value for visit in report.steps]


RIGHT = [3, 3, 3, 12, 2, 2, 8, 1, 14, 1]


def test_the_code_of_the_folder_is_watched_and_the_first_start_stays(tmp_path: Path) -> None:
    (tmp_path / "ways.py").write_text(WAYS, encoding="utf-8")
    (tmp_path / "helped.py").write_text(HELPED, encoding="utf-8")
    first = load.load_module(tmp_path / "helped.py")
    modules, finders, folders = sys.modules["ways"], list(sys.meta_path), list(sys.path)
    agent = made(tmp_path / "helped.py", HELPED)
    report = analyse_node(agent, TREE, 2)
    assert values(report) == RIGHT
    assert report.action == "a"
    assert (sys.modules["ways"], sys.meta_path, sys.path) == (modules, finders, folders)
    assert first.Counter.calls == 0
    assert vars(agent).keys() == {"rounds", "evaluation", "kind", "counter"}


INLINE = """
from agents.base import SearchAgent
from pacman import Layer


class MinimaxAgent(SearchAgent):
    def evaluate(self, node):
        return 20 - node.score

    def search(self, node, plies):
        below = [node.successor(a) for a in node.actions()]
        values = [self.evaluate(each) if plies == 1 else self.search(each, plies - 1)[0] for each in below]
        value = (max if node.layer is Layer.MAX else min)(values)
        return value, node.actions()[values.index(value)]
"""


def test_a_leaf_has_the_value_of_the_evaluation_where_no_other_code_is_called(tmp_path: Path) -> None:
    report = analyse_node(made(tmp_path / "inline.py", INLINE), TREE, 2)
    assert values(report) == [12, 8, 17, 8, 12, 18, 12, 6, 6, 19]


def test_a_class_without_a_source_has_nodes_and_no_values() -> None:
    names: dict[str, Any] = {"__name__": "nowhere"}
    exec(MINIMAX, names)
    report = analyse_node(names["MinimaxAgent"](), TREE, 2)
    assert len(report.nodes) == 10
    assert set(values(report)) == {None}


def test_a_large_search_of_a_student_has_the_values_of_its_first_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = made(tmp_path / "large.py", MINIMAX)
    monkeypatch.setattr("agents.analysis.MAX_NODES", 5)
    monkeypatch.setattr("agents.load.MAX_EVENTS", 40)
    report = analyse_node(agent, TREE, 2, top_plies=1)
    assert report.note == "shows only the first 1 ply: the whole search has more than 5 nodes"
    assert values(report) == [3, 3, 2, 1]
