"""The points of the last run: kept in a folder for caches, only at a terminal, and never an error."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.console import Console

from autograder.cases.case import Question
from autograder.commands.progress import FILE, MAX_RUNS, what_changed
from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from pacman.environment import cache_folder
from tests.command_line import run_here
from tests.paths import SOLUTIONS

TWO = tuple(Question(id=name, title=name, part=name.upper(), points=30, role="choice") for name in ("q1", "q2"))


def card(*earned: float, assignment: str = "small") -> Scorecard:
    """The points of 30 in q1, q2, ...; a negative number leaves the question out."""
    questions = [
        QuestionScore(f"q{number}", "", 30, (CaseScore(f"q{number}/a", "tree", "a", 1, points / 30),))
        for number, points in enumerate(earned, 1)
        if points >= 0
    ]
    return Scorecard(assignment, "Small", "my.py", "", tuple(questions), 1)


def test_the_questions_that_changed_and_the_next_one_are_named(tmp_path: Path) -> None:
    file, other, folder = tmp_path / "my.py", tmp_path / "other.py", tmp_path / "new"
    for graded, path, expected in (
        (card(12.5, 30), file, "Next: q1."),
        (card(17, 30), file, "q1 17 of 30 (12.5 last time). Next: q1."),
        (card(17, 30), file, "No points changed. Next: q1."),
        (card(3), other, ""),  # the only question, so it is the next one
        (card(3, 3, assignment="classic"), file, "Next: q1."),
        (card(30, 2.362), file, "q1 30 of 30 (17 last time), q2 2.36 of 30 (30 last time). Next: q2."),
        (card(-1, 30), file, "q2 30 of 30 (2.36 last time)."),
        (card(30), other, "q1 30 of 30 (3 last time). Next: q2."),
        (card(-1, 30), tmp_path / "third.py", "Next: q1."),
    ):
        assert what_changed(graded, path, folder, TWO) == expected
    assert what_changed(card(30, 30), file, None, TWO) == ""
    assert os.listdir(folder) == [FILE]


def test_what_is_broken_or_cannot_be_written_is_no_error_and_old_runs_are_forgotten(tmp_path: Path) -> None:
    """Also a file of an older version is replaced."""
    mine = tmp_path / "my.py"
    for content in ("", "[1]", "{", '{"x": "y"}', "\udcff", '{"mine.py:small": 12.5}'):
        (tmp_path / FILE).write_text(content, encoding="utf-8", errors="surrogateescape")
        assert what_changed(card(1), mine, tmp_path, TWO) == ""
        assert what_changed(card(2), mine, tmp_path, TWO) == "q1 2 of 30 (1 last time)."
    (tmp_path / "file").touch()
    assert what_changed(card(1), mine, tmp_path / "file", TWO) == ""
    for number in range(MAX_RUNS + 1):
        what_changed(card(1), tmp_path / f"{number}.py", tmp_path, TWO)
    assert what_changed(card(1), tmp_path / "0.py", tmp_path, TWO) == ""
    assert what_changed(card(1), tmp_path / f"{MAX_RUNS}.py", tmp_path, TWO) != ""


def test_the_folder_is_that_of_the_system() -> None:
    assert cache_folder({"HOME": "/h"}, "linux") == Path("/h/.cache/pacman-search")
    assert cache_folder({"HOME": "/h", "XDG_CACHE_HOME": "/c"}, "linux") == Path("/c/pacman-search")
    assert cache_folder({"HOME": "/h"}, "darwin") == Path("/h/Library/Caches/pacman-search")
    assert cache_folder({"LOCALAPPDATA": "/l"}, "win32") == Path("/l/pacman-search")
    assert cache_folder({}, "linux") is None


def test_grade_says_what_is_next_only_at_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    scores = [30.0] * 6
    cards = lambda *_, **__: card(*scores, assignment="multiagent")  # noqa: E731
    monkeypatch.setattr("autograder.grading.grade.Grader.grade", cards)
    grade = ("autograder", "grade", SOLUTIONS)
    assert "Watch it play" not in run_here(*grade).stdout
    assert os.listdir(tmp_path) == []  # not a terminal
    terminal = lambda **named: Console(**{"force_terminal": True, **named})  # noqa: E731
    monkeypatch.setattr("rich.console.Console", terminal)
    run_here(*grade, "--no-last-run")
    monkeypatch.setenv("CI", "1")
    text, best = run_here(*grade).stdout, f"{SOLUTIONS}:ExpectiminimaxAgent:evaluation=better_evaluation"
    assert f"Watch it play: python -m pacman watch {best}" in text
    assert f"Beat expectimax: python -m pacman duel {best} expectimax --layout crossroads" in text
    assert os.listdir(tmp_path) == []
    monkeypatch.delenv("CI")
    run_here(*grade)
    scores[2] = 15
    assert "q3 15 of 30 (30 last time). Next: q3." in run_here(*grade).stdout
