"""What the page of the lab asks, in this Python. test_lab_python compares the reports of a browser with the grader."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.cases import loading
from autograder.cases.assignment_text import from_text, to_text
from autograder.cases.case import Assignment, Limits
from autograder.pages.lab import in_browser
from autograder.pages.lab.in_browser import BrowserSandbox
from autograder.pages.lab.worker_calls import MOST_PRINTED, Calls
from autograder.sandbox import SessionBroken, in_process, submission_files
from tests.course.small_class import MINIMAX

BEST = "(max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)"
WRONG_MINIMAX = "import game_tools\n" + MINIMAX.replace(
    f"return {BEST}", "print('at', node)\n        return game_tools.best(lines)"
)
TOOLS = "def best(values):\n    return max(values, key=lambda pair: pair[0])\n"


@pytest.fixture(scope="module")
def open_cases() -> Assignment:
    return loaded("multiagent", "q2")


def loaded(name: str, question: str | None = None) -> Assignment:
    assignment = loading.load(name).only(question, None)
    return replace(assignment, cases=tuple(case for case in assignment.cases if not case.input.hidden))


@pytest.mark.parametrize("name", loading.names())
def test_an_assignment_survives_the_way_to_the_page(name: str) -> None:
    assignment = loaded(name)
    again = from_text(to_text(assignment))
    assert again.questions == assignment.questions
    assert [replace(case, source=Path()) for case in again.cases] == [
        replace(case, source=Path()) for case in assignment.cases
    ]


def test_all_replies_of_a_session_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reply may take the time limit; all together five times as long, because this Python is slower."""
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(in_browser, "time", clock)
    monkeypatch.setattr(in_process, "time", clock)
    (tmp_path / "mine.py").write_text("x = 1\n", encoding="utf-8")
    waits: list[float] = []
    sandbox = BrowserSandbox(
        submission_files.read(tmp_path / "mine.py"),
        *(tmp_path, Limits(), "native", lambda name, seconds: waits.append(seconds) if name else None),
    )
    sandbox.step = "a case"
    with sandbox.session(10) as session:
        for clock.now in (0, 30, 43):
            session.ask("parse_files", files=[])
        assert waits == [10, 10, 7]
        clock.now = 50
        with pytest.raises(SessionBroken, match="no answer within 10 s"):
            session.ask("parse_files", files=[])


class Page:
    """Stands in for the page: asks Python, and keeps what Python posts."""

    def __init__(self, cases: Assignment) -> None:
        self.posted: list[dict[str, Any]] = []
        data = json.dumps({"assignment": to_text(cases)})
        self.calls = Calls(data, lambda text: self.posted.append(json.loads(text)))

    def ask(self, call: str, **values: object) -> Any:
        return json.loads(self.calls.answer(call, json.dumps(values)))

    @property
    def printed(self) -> list[dict[str, Any]]:
        return [message for message in self.posted if message["kind"] == "print"]


def test_what_the_page_hears(open_cases: Assignment) -> None:
    """Of a flood of text the first lines at once and how much it was; an error of syntax with its line; and trees."""
    prints = "for number in range(5000):\n    print('line', number)\nprint('x' * 50_000, end='')\n"
    page = Page(open_cases)
    page.ask("grade", files={"mine.py": f"{prints}class MinimaxAgent:\n    pass\n"})
    assert "".join(message["text"] for message in page.printed).startswith("line 0\nline 1\n")
    assert max(len(message["text"]) for message in page.printed) <= MOST_PRINTED
    characters = sum(len(message["text"]) + message["cut"] for message in page.printed)
    assert characters >= 98_890  # of one import
    assert len(page.printed) < characters / 100  # a message each 0.05 s: their number depends on this machine
    files = {"mine.py": "x = 1\nclass MinimaxAgent\n    pass\n"}
    for call, more in (("grade", {}), ("explain", {"outline": "max { a: 1 }", "part": "MinimaxAgent"})):
        page.posted.clear()
        assert page.ask(call, files=files, **more) == {"problem": "mine.py:2: not valid Python: expected ':'"}
        assert "".join(message["text"] for message in page.printed) == f"    class MinimaxAgent\n{' ' * 22}^\n"
    tree = "max ~0 { a: min ~1 { x: 3; y: 12 }; b: min ~4 { x: 2; y: 5 } }"
    files = {"mine.py": WRONG_MINIMAX, "game_tools.py": TOOLS}
    result = page.ask("explain", outline=tree, algorithms=["alphabeta"], part="MinimaxAgent", files=files)
    assert "First difference" in result["html"]
    assert len(result["data"]["recordings"]) == 2
    problem = "line 2: 1 blank before 'a: 3'; expected 2 blanks for each level"
    assert page.ask("explain", outline="max\n a: 3") == {"problem": problem}
