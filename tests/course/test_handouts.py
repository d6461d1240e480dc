"""Handouts and notes: every drawn tree has the value that the notes give, and every sentence is one of the grader's."""

from __future__ import annotations

import re

import pytest

from autograder.cases import loading
from autograder.judge.wrong_searches import WRONG_SEARCHES
from pacman.core.tree_text import Outline
from pacman.search import exhaustive


def text(name: str, file: str) -> str:
    return (loading.load(name).folder / file).read_text(encoding="utf-8")


def trees(handout: str) -> list[Outline]:
    """The trees that are drawn as text, with all their leaves."""
    return [Outline.parse(tree) for tree in re.findall(r"^```text\n(max\n.*?)^```", handout, re.M | re.S)]


@pytest.mark.parametrize("name", loading.names())
def test_the_notes_and_the_handout_say_what_is_so(name: str) -> None:
    """The value of each drawn tree, the sentences of mistakes, cases and parts; and only staff get the notes."""
    assignment, handout, notes = loading.load(name), text(name, "handout.md"), text(name, "instructors.md")
    stated = re.findall(r"The root is worth (\S+),\s+action (\w+)\.", notes)
    found = [exhaustive(tree, tree.height()) for tree in trees(handout)]
    assert len(stated) >= 2
    assert [(float(value), action) for value, action in stated] == [(line.value, line.action) for line in found]
    quoted = re.findall(r"^\| ((?:Your|At|In your) .*?) \|", notes, re.M)
    assert quoted
    for quote in quoted:
        first = re.split(r" / | \.\.\.", quote)[0]
        assert any(mistake.sentence.startswith(first) for mistake in WRONG_SEARCHES), quote
    assert {*re.findall(r"\bq\d/[\w-]+", handout)} <= {case.id for case in assignment.cases}
    assert all(question.part in handout for question in assignment.questions)
    assert all(len(line) <= 120 or line.startswith(("|", "    ")) for line in handout.splitlines())
    assert (assignment.folder / "instructors.md").resolve() in assignment.answers


def test_the_trees_of_the_handout_are_cases() -> None:
    drawn = trees(text("warm-up", "handout.md"))
    cases = [case for case in loading.load("warm-up").cases if "-tree-" in case.name]
    assert len(drawn) == len(cases) == 4
    for tree, case in zip(drawn, cases, strict=True):
        assert str(tree) == re.sub(r" ~0", "", str(case.root)), case.id
