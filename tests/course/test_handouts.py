"""Handouts and notes: every drawn tree has the value that the notes give, and every sentence is one of the grader's.

The drawn games of the assignment `warm-up` are the games of this project, and its trees are those of the handout.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.cases.case import TreeInput
from autograder.judge.wrong_searches import WRONG_SEARCHES
from autograder.sandbox import submission_files
from pacman.core.tree import Node
from pacman.core.tree_text import Outline
from pacman.games.pig import Pig
from pacman.games.tictactoe import TicTacToe
from pacman.search import exhaustive
from tests.command_line import run_here

NAMES = loading.names()
WARM_UP = loading.load("warm-up")
GAMES = [case for case in WARM_UP.cases if re.search("tic-tac-toe|pig", case.name)]
FIRST_LINE = re.compile(r"# From (.+), (\d+) plies deep\.\n")


def text(name: str, file: str) -> str:
    return (loading.load(name).folder / file).read_text(encoding="utf-8")


def trees(handout: str) -> list[Outline]:
    """The trees that are drawn as text, with all their leaves."""
    return [Outline.parse(tree) for tree in re.findall(r"^```text\n(max\n.*?)^```", handout, re.M | re.S)]


@pytest.mark.parametrize("name", NAMES)
def test_a_drawn_tree_is_worth_what_the_notes_say(name: str) -> None:
    stated = re.findall(r"The root is worth (\S+),\s+action (\w+)\.", text(name, "instructors.md"))
    found = [exhaustive(tree, tree.height()) for tree in trees(text(name, "handout.md"))]
    assert len(stated) >= 2
    assert [(float(value), action) for value, action in stated] == [(line.value, line.action) for line in found]


@pytest.mark.parametrize("name", NAMES)
def test_a_mistake_in_the_notes_is_one_of_the_table(name: str) -> None:
    quoted = re.findall(r"^\| ((?:Your|At|In your) .*?) \|", text(name, "instructors.md"), re.M)
    assert quoted
    for quote in quoted:
        first = re.split(r" / | \.\.\.", quote)[0]
        assert any(mistake.sentence.startswith(first) for mistake in WRONG_SEARCHES), quote


@pytest.mark.parametrize("name", NAMES)
def test_a_handout_names_cases_and_parts_that_exist(name: str) -> None:
    assignment, handout = loading.load(name), text(name, "handout.md")
    cases = {case.id for case in assignment.cases}
    assert {*re.findall(r"\bq\d/[\w-]+", handout)} <= cases
    assert all(question.part in handout for question in assignment.questions)
    assert all(len(line) <= 120 or line.startswith(("|", "    ")) for line in handout.splitlines())


def test_only_staff_get_the_notes() -> None:
    for name in NAMES:
        assignment = loading.load(name)
        assert Path(assignment.folder / "instructors.md").resolve() in assignment.answers


def is_same(drawn: Outline, node: Node, plies: int) -> bool:
    """True if the drawing shows `node` and what follows it in `plies` plies."""
    is_leaf = plies == 0 or node.is_terminal
    if drawn.is_terminal != is_leaf or drawn.score != pytest.approx(node.score):
        return False
    if is_leaf:
        return True
    if drawn.layer is not node.layer or drawn.actions() != node.actions():
        return False
    if drawn.layer.value == "chance" and [p for _, p in drawn.outcomes()] != pytest.approx(
        [p for _, p in node.outcomes()]
    ):
        return False
    return all(is_same(drawn.successor(action), node.successor(action), plies - 1) for action in node.actions())


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case.id)
def test_a_drawn_game_is_that_game(case: loading.Case) -> None:
    header = FIRST_LINE.match(case.source.read_text(encoding="utf-8"))
    assert header is not None
    position = eval(header[1], {"Pig": Pig, "TicTacToe": TicTacToe})
    assert isinstance(case.input, TreeInput)
    assert isinstance(case.root, Outline)
    assert case.input.plies == int(header[2])
    assert is_same(case.root, position, int(header[2]))


def test_there_are_drawn_games_in_both_questions() -> None:
    assert [case.question.id for case in GAMES] == ["q1"] * 3 + ["q2"] * 4


def test_the_trees_of_the_handout_are_cases() -> None:
    drawn = trees(text("warm-up", "handout.md"))
    cases = [case for case in WARM_UP.cases if "-tree-" in case.name]
    assert len(drawn) == len(cases) == 4
    for tree, case in zip(drawn, cases, strict=True):
        assert str(tree) == re.sub(r" ~0", "", str(case.root)), case.id


def test_a_stub_that_comes_back_is_no_file_of_the_project(tmp_path: Path) -> None:
    assert WARM_UP.stub is not None
    (tmp_path / "ada.py").write_bytes(WARM_UP.stub.read_bytes())
    assert list(submission_files.read(tmp_path, ()).files) == ["ada.py"]


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_wrong_searches_lose_points() -> None:
    """A sample of what `check warm-up` tries, which takes some seconds more."""
    done = run_here("autograder", "check", "warm-up", "--mutants", "25", "--jobs", "1")
    assert done.returncode == 0, done.stdout
    assert "10 of 10 points" in done.stdout
    assert "37 of 37 have a right answer" in done.stdout
