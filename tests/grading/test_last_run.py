"""The points of the last run: kept in a folder for caches, only at a terminal, and never an error."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.console import Console

from autograder.commands.shared.last_run import FILE, MAX_RUNS, cache_folder, compare_with_last_run
from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from tests.command_line import run_here
from tests.paths import SOLUTIONS


def card(earned: float, assignment: str = "small") -> Scorecard:
    question = QuestionScore("q1", "One", 30, (CaseScore("q1/a", "tree", "a", 1, earned / 30),))
    return Scorecard(assignment, "Small", "my.py", "", (question,), 1)


def test_the_last_run_of_the_same_file_and_assignment_counts(tmp_path: Path) -> None:
    file, other = tmp_path / "my.py", tmp_path / "other.py"
    assert compare_with_last_run(card(12.5), file, tmp_path / "new") == ""
    assert compare_with_last_run(card(17), file, tmp_path / "new") == "last run 12.5, now 17 of 30"
    assert compare_with_last_run(card(3), other, tmp_path / "new") == ""
    assert compare_with_last_run(card(3, "classic"), file, tmp_path / "new") == ""
    assert compare_with_last_run(card(30), file, tmp_path / "new") == "last run 17, now 30 of 30"
    assert os.listdir(tmp_path / "new") == [FILE]


@pytest.mark.parametrize("content", ["", "[1]", "{", '{"x": "y"}', "\udcff"])
def test_a_broken_file_is_replaced(content: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(content, encoding="utf-8", errors="surrogateescape")
    assert compare_with_last_run(card(1), tmp_path / "my.py", tmp_path) == ""
    assert compare_with_last_run(card(2), tmp_path / "my.py", tmp_path) == "last run 1, now 2 of 30"


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert compare_with_last_run(card(1), tmp_path / "my.py", tmp_path / "file") == ""


def test_old_runs_are_forgotten(tmp_path: Path) -> None:
    for number in range(MAX_RUNS + 1):
        compare_with_last_run(card(1), tmp_path / f"{number}.py", tmp_path)
    assert compare_with_last_run(card(1), tmp_path / "0.py", tmp_path) == ""
    assert compare_with_last_run(card(1), tmp_path / f"{MAX_RUNS}.py", tmp_path) != ""


def test_the_folder_is_that_of_the_system() -> None:
    assert cache_folder({"HOME": "/h"}, "linux") == Path("/h/.cache/pacman-search")
    assert cache_folder({"HOME": "/h", "XDG_CACHE_HOME": "/c"}, "linux") == Path("/c/pacman-search")
    assert cache_folder({"HOME": "/h"}, "darwin") == Path("/h/Library/Caches/pacman-search")
    assert cache_folder({"LOCALAPPDATA": "/l"}, "win32") == Path("/l/pacman-search")
    assert cache_folder({}, "linux") is None
    assert cache_folder({"HOME": "/h", "CI": "true"}, "linux") is None


def test_grade_remembers_only_at_a_terminal_and_whole_assignments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr("autograder.grading.grade.Grader.grade", lambda *arguments, **named: card(30))
    run_here("autograder", "grade", SOLUTIONS)
    assert os.listdir(tmp_path) == []  # not a terminal
    terminal = lambda **named: Console(**{"force_terminal": True, **named})  # noqa: E731
    monkeypatch.setattr("rich.console.Console", terminal)
    run_here("autograder", "grade", SOLUTIONS, "--question", "q1")
    run_here("autograder", "grade", SOLUTIONS, "--no-last-run")
    monkeypatch.setenv("CI", "1")
    run_here("autograder", "grade", SOLUTIONS)
    assert os.listdir(tmp_path) == []
    monkeypatch.delenv("CI")
    assert "last run" not in run_here("autograder", "grade", SOLUTIONS).stdout
    assert "last run 30, now 30 of 30" in run_here("autograder", "grade", SOLUTIONS).stdout
