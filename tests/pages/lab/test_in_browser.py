"""A grading in one Python, as in a browser, says the same as the grader; steps that never end are told from outside."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.cases import loading
from autograder.cases.assignment_json import from_json, to_json
from autograder.cases.case import Assignment, Limits
from autograder.grading.grade import Grader
from autograder.judge.scorecard import Scorecard
from autograder.judge.submission_answer import Answer
from autograder.pages.lab import in_browser
from autograder.pages.lab.in_browser import LEVEL, BrowserSandbox, OnStep, OpenCases, grade
from autograder.pages.lab.worker_calls import MOST_PRINTED, Calls
from autograder.platforms import submission_api
from autograder.report import markdown
from autograder.sandbox import SessionBroken, in_process, submission_files
from autograder.student_process import request_handler
from tests.in_process_asking import NO_WALLS

WRONG_MINIMAX = """
from agents.base import SearchAgent
from pacman import Layer, Line
import game_tools


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        print("at", node)
        values = [(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return Line(*game_tools.best(values))
"""
TOOLS = "def best(values):\n    return max(values, key=lambda pair: pair[0])\n"
RAISES = WRONG_MINIMAX.replace("game_tools.best(values)", "game_tools.worst(values)")
FORBIDDEN = WRONG_MINIMAX.replace("import game_tools", "import autograder.judge")


@pytest.fixture(scope="module")
def open_cases() -> Assignment:
    return loaded("multiagent", "q2")


def loaded(name: str, question: str | None = None) -> Assignment:
    assignment = loading.load(name).only(question, None)
    return replace(assignment, cases=tuple(case for case in assignment.cases if not case.input.hidden))


@pytest.fixture(autouse=True)
def no_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser has no timer that ends a process; here it would end the process of the tests."""
    monkeypatch.setattr(request_handler, "end_process_after", lambda seconds: None)


@pytest.mark.parametrize("name", loading.names())
def test_an_assignment_survives_json(name: str) -> None:
    assignment = loaded(name)
    again = from_json(json.loads(json.dumps(to_json(assignment))))
    assert again.questions == assignment.questions
    assert [replace(case, source=Path()) for case in again.cases] == [
        replace(case, source=Path()) for case in assignment.cases
    ]


def graded(
    folder: Path,
    text: str,
    cases: Assignment,
    on_step: OnStep = lambda name, seconds: None,
    never_ended: tuple[str, ...] = (),
    known: dict[str, Answer] | None = None,
    answers: dict[str, Answer] | None = None,
) -> Scorecard:
    for name, content in (("mine.py", text), ("game_tools.py", TOOLS)):
        (folder / name).write_text(content, encoding="utf-8")
    files = submission_files.read(folder / "mine.py", [folder / "game_tools.py"])
    sandbox = BrowserSandbox(files, folder.resolve(), cases.limits, "native", on_step, never_ended)
    heard = {} if answers is None else answers
    return grade(OpenCases(cases), sandbox, known, lambda case, answer: heard.update({case.id: answer}))


def said(card: Scorecard) -> list[str]:
    """What the report says, without how the code ran and without the commands, which a browser does not have."""
    text = markdown.dump(replace(card, level="", seconds=0, submission="mine.py"))
    return [line for line in text.splitlines() if line and not line.startswith(("To see this", "To run just this"))]


@pytest.mark.slow("that grade or diagnose wrong searches")
@pytest.mark.parametrize("text", [WRONG_MINIMAX, RAISES, FORBIDDEN], ids=["wrong", "raises", "forbidden"])
def test_it_says_what_the_grader_says(tmp_path: Path, open_cases: Assignment, text: str) -> None:
    modules, path, finders = dict(sys.modules), sys.path[:], sys.meta_path[:]
    card = graded(tmp_path, text, open_cases)
    assert (sys.path, sys.meta_path) == (path, finders)
    assert {name: module for name, module in sys.modules.items() if name in modules} == modules
    assert "game_tools" not in sys.modules
    files = submission_files.read(tmp_path / "mine.py", [tmp_path / "game_tools.py"])
    grader = Grader.of(open_cases, 1, submission_api("native"), sandbox_check=NO_WALLS)
    right = grader.grade(tmp_path / "mine.py", files, is_upload=True)
    assert said(card) == said(right)
    assert card.earned < card.points
    assert card.level == LEVEL


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_a_step_that_never_ended_is_a_step_without_an_answer(tmp_path: Path, open_cases: Assignment) -> None:
    """Two steps never end; each time somebody ends this Python, and another one goes on with the answers so far."""
    hanging = (open_cases.cases[1].id, "q2#1")
    never_ended: list[str] = []
    known: dict[str, Answer] = {}
    ran: list[str] = []

    class PythonEnded(BaseException):
        """Stands for the end of this Python."""

    def on_step(name: str, seconds: float) -> None:
        ran.append(name)
        if name in hanging and name not in never_ended:
            never_ended.append(name)
            raise PythonEnded

    for _ in hanging:
        with pytest.raises(PythonEnded):
            graded(tmp_path, WRONG_MINIMAX, open_cases, on_step, tuple(never_ended), known, known)
    card = graded(tmp_path, WRONG_MINIMAX, open_cases, on_step, tuple(never_ended), known, known)
    second = card.questions[0].cases[1]
    assert second.message == "no answer within 10 s"
    assert sum(name == open_cases.cases[0].id for name in ran) == 2  # the import's step has another name
    assert card.questions[0].diagnosis is not None


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

    def __init__(self, cases: Assignment, api: str = "native") -> None:
        self.posted: list[dict[str, Any]] = []
        data = json.dumps({**to_json(cases), "api": api})
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
