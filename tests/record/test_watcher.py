"""A rewritten file does what the file does, and reports its calls, successors, scores and returns with their lines."""

# ruff: noqa: E501 (programs in one line)
from __future__ import annotations

import traceback
from textwrap import dedent
from typing import Any

import pytest

from pacman.core.tree_text import Outline
from pacman.record.rewriting import watched_code
from pacman.record.trace import CountedNode
from pacman.record.watcher import WATCHER, EventKind, WatchedNode, WatchedTrace, Watcher, numbers_in, with_number

TREE = Outline.parse("max { West: min { a: 3; b: 12 }; East: min { c: 2; d: 8 } }")
SEARCH = """
def value(node, plies):
    if node.is_terminal or plies == 0:
        return node.score
    below = [value(node.successor(a), plies - 1) for a in node.actions()]
    if node.layer.value == "max":
        return max(below)
    return min(below)
"""


class Trace(WatchedTrace):
    def __init__(self, watcher: Watcher) -> None:
        super().__init__()
        self.watcher = watcher


def number_of(value: Any) -> int | None:
    return value.number if isinstance(value, CountedNode) else None


def rewritten(text: str) -> tuple[dict[str, Any], Watcher]:
    """The names that a rewritten file defines, and its watcher."""
    watcher = Watcher([], number_of)
    watcher.paths.add("mine.py")
    names: dict[str, Any] = {WATCHER: watcher, "__name__": "mine"}
    exec(watched_code(dedent(text), "mine.py", watcher.functions), names)
    return names, watcher


def run(text: str, function: str = "value", **options: Any) -> tuple[Any, Watcher]:
    """What a function of a rewritten file returns for the root of TREE, and the record."""
    names, watcher = rewritten(text)
    trace = Trace(watcher)
    watcher.start(trace, **options)
    try:
        return names[function](WatchedNode(TREE, trace), 2), watcher
    finally:
        watcher.stop()


def test_a_record_has_every_step_in_order_with_its_line() -> None:
    result, watcher = run(SEARCH)
    assert result == 3
    told = [(event.kind.name, event.node, event.line) for event in watcher.events[:6]]
    assert told == [("CALL", 0, 0), ("MADE", 1, 5), ("CALL", 1, 5), ("MADE", 2, 5), ("CALL", 2, 5), ("SCORE", 2, 4)]
    returns = [(event.node, dict(event.numbers)[""]) for event in watcher.events if event.kind is EventKind.RETURN]
    assert returns == [(2, 3), (3, 12), (1, 3), (5, 2), (6, 8), (4, 2), (0, 3)]


def test_another_value_can_stand_in_the_place_of_a_call() -> None:
    result, _ = run(SEARCH, replaced={("East",): ("", 7.0)})
    assert result == 7


@pytest.mark.parametrize(
    "text",
    [
        "def value(node, plies):\n    yield 1\n    yield 2",
        "value = lambda node, plies: (node.layer.value, plies)",
        "def value(node, plies):\n    try:\n        return 1\n    finally:\n        return 2",
        "def value(node, plies):\n    'text'",
        "def value(node, plies):\n    if plies == 2:\n        x = 3\n    else:\n        return 4",
        "from functools import lru_cache\n@lru_cache\ndef value(node, plies):\n    return plies",
        "class A:\n    def __init__(self, n):\n        self.n = n\n    @property\n    def twice(self):\n        return 2 * self.n\n"
        "class B(A):\n    def __init__(self, n):\n        super().__init__(n)\ndef value(node, plies):\n    return B(plies).twice",
        "def value(node, plies):\n    best = 0\n    def look(n):\n        nonlocal best\n        best += n\n        return best\n"
        "    return [look(n) for n in range(3)]",
        "def value(node, plies, *rest, key=None, **more):\n    return sorted(node.actions(), key=lambda a: a[::-1])",
    ],
)  # fmt: skip
def test_a_rewritten_file_does_what_the_file_does(text: str) -> None:
    names: dict[str, Any] = {}
    exec(compile(text, "mine.py", "exec", dont_inherit=True), names)
    plain, (watched, _) = names["value"](CountedNode(TREE, Trace(Watcher([], number_of))), 2), run(text)
    assert (list(plain), True) == (list(watched), True) if hasattr(plain, "__next__") else plain == watched


def test_a_remembered_call_is_recorded_too() -> None:
    text = """
    from functools import lru_cache
    @lru_cache
    def look(node):
        return 5
    def value(node, plies):
        return look(node) + look(node)
    """
    result, watcher = run(text)
    assert result == 10
    calls = [event.function for event in watcher.events if event.kind is EventKind.CALL]
    assert [watcher.functions[number].name for number in calls] == ["value", "look", "look"]
    assert [event.line for event in watcher.events if event.kind is EventKind.CALL] == [0, 7, 7]


def test_a_traceback_has_the_lines_of_the_file() -> None:
    names, watcher = rewritten("def value(n):\n    if n:\n        return value(n - 1)\n    raise KeyError(n)\n")
    watcher.start(Trace(watcher))
    try:
        names["value"](2)
    except KeyError as error:
        lines = [step.lineno for step in traceback.extract_tb(error.__traceback__) if step.filename == "mine.py"]
        assert lines == [3, 3, 4]
    watcher.stop()
    assert [event.line for event in watcher.events if event.kind is EventKind.RAISED] == [4, 3, 3]


def test_the_variables_of_an_event_are_short_texts() -> None:
    _, watcher = run(
        "def value(node, plies):\n    best = (3, 'West')\n    node.successor('West')\n    return best",
        keeps_variables=True,
    )
    made = next(event for event in watcher.events if event.kind is EventKind.MADE)
    assert dict(made.variables) == {"plies": "2", "best": "(3, 'West')"}


def test_numbers_are_found_and_replaced_in_every_kind_of_result() -> None:
    class Result:
        def __init__(self) -> None:
            self.value, self.action = 4.0, "West"

    for result, place in (
        (4, ""),
        ((4, "West"), "[0]"),
        (["West", 4], "[1]"),
        ({"v": 4}, "['v']"),
        (Result(), ".value"),
    ):
        assert numbers_in(result) == ((place, 4.0),)
        assert numbers_in(with_number(result, place, 9.0)) == ((place, 9.0),)
    assert numbers_in("West") == numbers_in(None) == numbers_in(True) == ()
