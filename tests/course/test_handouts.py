"""Handouts and notes: every drawn tree has the value that the notes give, and every sentence is one of the grader's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.judge.wrong_searches.mistakes import MISTAKES
from pacman.core.outline import Outline
from pacman.search import exhaustive

NAMES = loading.names()


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
        assert any(mistake.sentence.startswith(first) for mistake in MISTAKES), quote


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
