"""Faults of Berkeley-style files: each is one clear line with advice, and the other agents still answer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from agents.advice import CS188, advice, syntax_advice, time_advice
from autograder.cases.case import Limits
from autograder.judge.submission_answer import Fault
from autograder.sandbox import Sandbox, attempt, check_sandbox
from autograder.sandbox.submission_files import SubmissionFiles
from tests.mistakes import changed, mistakes
from tests.platforms.cs188_grading import RIGHT

TEXT = next(path for path in RIGHT if path.stem == "solutions").read_text(encoding="utf-8")
TREE = "max\n  a: min\n    x: 3\n    y: 12\n  b: min\n    x: 2\n    y: 4"
LIMITS = Limits(seconds=5, memory_mb=512)


def search(text: str) -> dict[str, Any] | Fault:
    """The reply to one search of a tree by MinimaxAgent, or the fault with advice."""
    with Sandbox(
        SubmissionFiles({"multiAgents.py": text.encode()}, "multiAgents.py"), LIMITS, check_sandbox(), "cs188"
    ) as sandbox:
        sandbox.main_file = "multiAgents.py"
        session = sandbox.session(LIMITS.seconds)

        def talk() -> dict[str, Any]:
            sandbox.load_part(session, "search", "MinimaxAgent", 1)
            reply: dict[str, Any] = session.ask("search", plies=2, tree=TREE)
            return reply

        return attempt(session, talk)


def in_minimax(line: str) -> str:
    """The right file with one more line at the beginning of MinimaxAgent.getAction."""
    head = "    def getAction(self, gameState: GameState):\n"
    assert head in TEXT
    return TEXT.replace(head, f"{head}        {line}\n")


FAULTS = [(change, line) for _, change, line in mistakes(Path(__file__).with_name("faults.txt"))]


@pytest.mark.slow("that grade or diagnose wrong searches", keep=6)
@pytest.mark.parametrize(("change", "line"), FAULTS, ids=range(len(FAULTS)))
def test_a_fault_is_one_line_with_advice(change: str, line: str) -> None:
    fault = search(changed(TEXT, change))
    assert isinstance(fault, Fault), fault
    assert f"{fault.kind}: {fault.text} {fault.advice}".strip() == line


def test_advice_on_the_time_of_a_search_and_of_a_game() -> None:
    assert time_advice(CS188, is_match=False).startswith("Does every branch of the recursion come closer")
    assert time_advice(CS188, is_match=True).startswith("This is the time limit of all games together")


def test_advice_on_a_pair_of_types_that_python_3_14_reads_in_an_except_of_python_2() -> None:
    lines = ["try:", "    pass", "except (KeyError, ValueError), e:"]
    expected = "This is Python 2: in Python 3 write `except E as e:`."
    assert advice("NameError: name 'e' is not defined", lines, 3, CS188) == expected


def test_a_print_storm_costs_nothing() -> None:
    result = search(in_minimax("for i in range(20000): print('state', i)"))
    assert isinstance(result, dict), result
    assert result["action"] == "a"


def test_a_value_that_is_not_an_action_is_a_miss_and_not_a_fault() -> None:
    for line, choice in (
        ("return gameState.isWin() or None", "None"),
        ("return (3, 'a')", "(3, 'a') (tuple)"),
        ("return 7", "7 (int)"),
    ):
        result = search(in_minimax(line))
        assert isinstance(result, dict), result
        assert (result["action"], result["choice"]) == (None, choice)


@pytest.mark.parametrize(
    ("source", "is_python_2"),
    [
        ("print 'x'", True),
        ("print x, y", True),
        pytest.param(
            "try:\n  pass\nexcept KeyError, e:\n  pass",
            True,
            marks=pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python 3.14 reads it as a pair of types"),
        ),
        ("x = 017", True),
        ("f = lambda (a, b): a", True),
        ("def f((a, b)): pass", True),
        ("if True:\n\tx = 1\n        y = 2", None),
        ("x = = 1", False),
    ],
)
def test_files_of_python_2(source: str, is_python_2: bool | None) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(source, "multiAgents.py", "exec")
    text = syntax_advice(str(caught.value.msg), CS188)
    if is_python_2 is None:
        assert text == "Indent only with spaces."
    else:
        assert ("This is Python 2" in text) == is_python_2
