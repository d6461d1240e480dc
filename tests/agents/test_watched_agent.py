"""The search of an agent is recorded by a copy from a second start of its file, which changes nothing of the first."""

from __future__ import annotations

import linecache
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from agents import load
from agents.analysis import analyse_node
from agents.base import SearchAgent
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
    return load.make_pacman(f"{path}:MinimaxAgent", ["rounds=1"])


def values(report: SearchReport) -> list[float | None]:
    """The value of each node, in the order of the visits."""
    return [visit.value for visit in report.steps]


RIGHT = [3, 3, 3, 12, 2, 2, 8, 1, 14, 1]


def test_the_code_of_the_folder_is_watched_and_the_first_start_stays(tmp_path: Path) -> None:
    (tmp_path / "ways.py").write_text(WAYS, encoding="utf-8")
    agent = made(tmp_path / "helped.py", HELPED)
    modules, finders, folders = sys.modules["ways"], list(sys.meta_path), list(sys.path)
    report = analyse_node(agent, TREE, 2)
    assert values(report) == RIGHT
    assert report.action == "a"
    assert (sys.modules["ways"], sys.meta_path, sys.path) == (modules, finders, folders)
    assert sys.modules[type(agent).__module__].Counter.calls == 0
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


def test_a_class_of_a_notebook_has_values_and_its_cell_does_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    source = MINIMAX + "\nruns.append(1)\n"
    names: dict[str, Any] = {"__name__": "__main__", "runs": []}
    monkeypatch.setitem(linecache.cache, "<cell 7>", (len(source), None, source.splitlines(True), "<cell 7>"))
    exec(compile(source, "<cell 7>", "exec", dont_inherit=True), names)
    assert values(analyse_node(names["MinimaxAgent"](), TREE, 2)) == RIGHT
    assert names["runs"] == [1]


def test_a_class_without_a_source_has_nodes_and_no_values() -> None:
    names: dict[str, Any] = {"__name__": "nowhere"}
    exec(MINIMAX, names)
    report = analyse_node(names["MinimaxAgent"](), TREE, 2)
    assert len(report.nodes) == 10
    assert set(values(report)) == {None}


def test_a_file_that_changed_since_its_start_has_no_values(tmp_path: Path) -> None:
    """The agent plays with the old code, so the new code would show another search."""
    agent = made(tmp_path / "changed.py", MINIMAX)
    (tmp_path / "changed.py").write_text(MINIMAX.replace("plies - 1", "plies - 2"), encoding="utf-8")
    assert set(values(analyse_node(agent, TREE, 2))) == {None}


def test_a_file_that_starts_only_once_has_no_values(tmp_path: Path) -> None:
    once = f"import sys\nif 'started' in vars(sys.modules['linecache']):\n    sys.exit(3)\n{MINIMAX}"
    agent = made(tmp_path / "once.py", once)
    vars(linecache)["started"] = True
    try:
        assert set(values(analyse_node(agent, TREE, 2))) == {None}
    finally:
        del vars(linecache)["started"]


def test_two_windows_search_with_one_class_at_the_same_time(tmp_path: Path) -> None:
    agents = [made(tmp_path / "both.py", MINIMAX)]
    agents.append(type(agents[0])(rounds=1))
    limit, interval = sys.getrecursionlimit(), sys.getswitchinterval()
    reports: list[SearchReport] = []

    def search(agent: SearchAgent) -> None:
        for _ in range(20):
            reports.append(analyse_node(agent, TREE, 2))

    threads = [threading.Thread(target=search, args=(agent,)) for agent in agents]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert [values(report) for report in reports] == [RIGHT] * 40
    assert sys.getrecursionlimit() == limit


def test_a_large_search_of_a_student_has_the_values_of_its_first_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = made(tmp_path / "large.py", MINIMAX)
    monkeypatch.setattr("agents.analysis.MAX_NODES", 5)
    monkeypatch.setattr("agents.watched_agent.MAX_EVENTS", 40)
    report = analyse_node(agent, TREE, 2, top_plies=1)
    assert report.note == "shows only the first 1 ply: the whole search has more than 5 nodes"
    assert values(report) == [3, 3, 2, 1]
