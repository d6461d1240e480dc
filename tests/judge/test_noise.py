"""Nothing that a grading finds, and no choice of its report, hangs on the words of a sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

ROOMS = ("autograder/judge", "autograder/grading", "autograder/report", "autograder/course/marks")
TWO_WORDS = re.compile(r"[A-Za-z]{2,}[,;:.]? [a-z]{2,}")
READING = {
    *("startswith", "endswith", "match", "fullmatch", "search", "compile", "partition", "rpartition", "split"),
    *("index", "find", "removeprefix", "removesuffix"),
}
"""The methods that look for a text in another one."""


def texts_that_are_looked_for(source: str) -> Iterator[str]:
    """The constants that some code compares with a text, or looks for in one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            parts: list[ast.expr] = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READING:
            parts = node.args
        else:
            continue
        for each in (inner for part in parts for inner in ast.walk(part)):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each.value


@pytest.mark.parametrize("room", ROOMS)
def test_no_code_looks_for_a_sentence(room: str) -> None:
    files = [*Path(ROOT, room).rglob("*.py")]
    found = [(file.name, text) for file in files for text in texts_that_are_looked_for(file.read_text("utf-8"))]
    assert len(found) > 5
    assert [(name, text) for name, text in found if TWO_WORDS.search(text)] == []


def test_a_sentence_that_is_looked_for_is_found() -> None:
    source = 'if why.startswith("not written") or "takes the mean" in text or text == ("a", "the end"): pass'
    found = [*filter(TWO_WORDS.search, texts_that_are_looked_for(source))]
    assert found == ["not written", "takes the mean", "the end"]
