"""An agent that fails: the line, the traceback of its own code, the search so far, and the exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run_here

AGENT = """
from agents.base import SearchAgent
from pacman import Layer, Line


class Mine(SearchAgent):
    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.leaf(node), None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return max(lines) if node.layer is Layer.MAX else min(lines)

    def leaf(self, node):
        if node.score > 5:
            return 1 / 0
        return node.score
"""
LOOP = """
import time
from agents.base import SearchAgent


class Mine(SearchAgent):
    def search(self, node, plies):
        node.successor(node.actions()[0])
        end = time.monotonic() + 3
        while time.monotonic() < end:
            pass
        raise ValueError("the second search ran to its end")
"""
LINE = 1 + AGENT[: AGENT.index("1 / 0")].count("\n")


@pytest.mark.parametrize("view", ["none", "text"])
def test_a_fault_shows_line_traceback_and_tree_and_the_status_is_1(
    view: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "faulty.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    done = run_here("pacman", "watch", "faulty.py:Mine", "--layout", "nook", "--view", view)
    assert done.returncode == 1
    assert f"Pacman at ply 0, faulty.py:{LINE}: ZeroDivisionError: division by zero" in done.stdout
    assert "Traceback" not in done.stdout
    own, _, tree = done.stderr.partition("The search until the error")
    assert own.count("File ") == own.count("faulty.py") - 1  # one more in the note about the sandbox
    assert "\nZeroDivisionError: division by zero\nThe divisor is 0" in own
    rows = tree.split("\n")[1:]
    assert rows[0].endswith("root")
    assert any(row.startswith(">") for row in rows)


def test_in_a_series_each_fault_is_explained_once_and_the_status_is_0(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "faulty.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    done = run_here("pacman", "watch", "faulty.py:Mine", "--layout", "nook", "--view", "none", "--games", "3")
    assert done.returncode == 0
    assert done.stdout.count("fault: ") == 3
    assert done.stderr.count("Traceback") == 1


def test_a_search_out_of_time_is_explained_within_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loops.py").write_text(LOOP)
    monkeypatch.chdir(tmp_path)
    arguments = ("--layout", "nook", "--view", "none", "--move-timeout", "0.1")
    done = run_here("pacman", "watch", "loops.py:Mine", *arguments)
    assert done.returncode == 1
    assert "Pacman at ply 0, loops.py:" in done.stdout
    assert done.stderr.endswith("no answer within 0.1 s\n")
