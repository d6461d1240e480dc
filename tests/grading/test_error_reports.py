"""What a report says about code that raises: file and line, the usual cause, and what was printed last."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from agents import load
from agents.advice_tables import CAUSES, CS188_CAUSES, NATIVE_CAUSES
from autograder.cases import loading
from autograder.judge.scorecard import CaseScore
from autograder.report import junit, markdown
from autograder.sandbox import SessionBroken
from autograder.sandbox.in_process import InProcess
from autograder.student_process.plain_values import describe_fault
from tests.graded import graded as graded_file
from tests.graded import graded_text

MULTIAGENT = loading.load("multiagent")
FILE = """
from agents.base import SearchAgent
from pacman import Layer, Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        {body}
"""
RIGHT = """
        if plies == 0 or node.is_terminal:
            return (self.evaluate(node), None)
        values = [(self.search(node.successor(action), plies - 1)[0], action) for action in node.actions()]
        return (max if node.layer is Layer.MAX else min)(values, key=lambda pair: pair[0])
"""


def graded(folder: Path, body: str, case: str = "q2/01-figure", **others: str) -> CaseScore:
    """The score of one case for a search with this body."""
    helpers = [folder / f"{name}.py" for name in others]
    for helper, text in zip(helpers, others.values(), strict=True):
        helper.write_text(text, encoding="utf-8")
    return graded_text(folder, FILE.format(body=body), case, helpers=helpers)


BODIES = {
    "return self.nothing(node)[0]\n\n    def nothing(self, node): pass": "A value is None here",
    "value, action = None": "A value is None here",
    "for x in None: pass": "A value is None here",
    "return None > 3": "A value is None here",
    "return None + 3": "A value is None here",
    "value, action = 3": "has more or fewer names",
    "value, action = Line(3, None), 4, 5": "has more or fewer names",
    "value, action = (3,)": "has more or fewer names",
    "return max([])": "got nothing to choose from",
    "return min(iter([]))": "got nothing to choose from",
    "return (3, 'a').value": "or the tuple `(value, action)`, and only a Line has",
    "return (3).value": "or the tuple `(value, action)`, and only a Line has",
    "return Line(3, 'a') > 3": "write `.value`",
    "return max(Line(3, 'a'), 4)": "write `.value`",
    "return 0.5 * Line(3, 'a')": "Take the number out of it",
    "return 3 + Line(3, 'a')": "write `.value`",
    "return -Line(3, 'a')": "write `.value`",
    "return (3, 'a') < 3": "Take the number out of it",
    "return {[1]: 2}": "use a tuple",
    "return self.search(node)": "too few arguments",
    "return self.search(node, 1, 2)": "too many arguments",
    "return self.search(node, plies)": "calls itself without end",
    "return node.is_win": "Many cases are drawn trees",
    "return node.score": "Evaluate a node only if",
    "return node.outcomes()": "Check node.layer",
    "return node.successor('no')": "from its own actions()",
    "return node.actions()()": "not a function",
    "return 3 / 0": "The divisor is 0",
    "return [][0]": "shorter than expected",
    "return misspelt": "misspelt",
    "x = [1 for y in () for z in (w,)]; return x if plies == 7 else later; later = 1": "first value",
    "return 3": "or the tuple `(value, action)`, and only a Line has",
    "return input()": "no keyboard",
}


@pytest.mark.parametrize("body", BODIES)
def test_the_usual_cause_of_an_error_is_named(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO())
    (tmp_path / "mine.py").write_text(FILE.format(body=body), encoding="utf-8")
    runner = InProcess.of_file(tmp_path / "mine.py", "native")
    with runner.session(1) as session:
        runner.load_part(session, "search", "MinimaxAgent", 1)
        with pytest.raises(SessionBroken) as broken:
            session.ask("search", tree="max\n  a: 3\n  b: 5", plies=1)
    expected = "Give it one before" if BODIES[body] == "first value" else BODIES[body]
    assert expected in broken.value.fault.advice, broken.value.fault.text


def test_every_report_says_the_usual_cause(tmp_path: Path) -> None:
    graded(tmp_path, "return node.nothing")
    card = graded_file(tmp_path / "mine.py", None, "q2/01-figure")
    (case,) = card.questions[0].cases
    assert case.why.startswith("Many cases are drawn trees.")
    assert case.why in markdown.details(case).replace("&#95;", "_")
    assert case.why in junit.dump(card)


def test_every_cause_is_at_most_two_short_sentences() -> None:
    for _, cause in (*CAUSES, *NATIVE_CAUSES, *CS188_CAUSES):
        assert cause.endswith((".", "?", "case"))
        assert len(cause) <= 160


def test_a_breakpoint_is_not_for_the_grader(tmp_path: Path) -> None:
    case = graded(tmp_path, "breakpoint()\n        return 3")
    assert case.why.startswith("breakpoint() does not work in the sandbox")


def test_an_error_in_another_file_names_that_file(tmp_path: Path) -> None:
    body = "import tools; return tools.divide(1, 0)"
    case = graded(tmp_path, body, tools="def divide(a, b):\n    return a / b\n")
    assert case.message == "ZeroDivisionError: division by zero (tools.py, line 2: return a / b)"


def test_what_was_printed_last_is_shown(tmp_path: Path) -> None:
    case = graded(tmp_path, "print('\\n'.join(f'line {n}' for n in range(1, 21)))\n        return 3 / 0")
    assert case.output.splitlines() == ["... (15 earlier lines)", *(f"line {n}" for n in range(16, 21))]
    case = graded(tmp_path, "print('x' * 70_000 + '\\nlast')\n        return 3 / 0")
    assert case.output.splitlines()[-1] == "last"


def test_prints_of_a_right_search_are_counted(tmp_path: Path) -> None:
    case = graded(tmp_path, f"print('a line')\n        print('another')\n{RIGHT}")
    assert (case.earned, case.output) == (1, "")
    assert case.notes == ("prints (cost no points): 26 lines; the command `case` shows them",)


def test_a_plain_pair_is_good_in_trees_and_in_games(tmp_path: Path) -> None:
    for case in ("q2/01-figure", "q2/10-nook"):
        assert graded(tmp_path, RIGHT.strip(), case).earned == 1
    agent = load.make_pacman(f"{tmp_path / 'mine.py'}:MinimaxAgent", ["rounds=1"])
    position = next(case for case in MULTIAGENT.cases if case.id == "q2/10-nook").start
    assert agent.choose(position) in position.actions()


def test_a_search_that_returns_no_pair_is_told_so_in_games_too(tmp_path: Path) -> None:
    (tmp_path / "number.py").write_text(FILE.format(body="return 3"), encoding="utf-8")
    agent = load.make_pacman(f"{tmp_path / 'number.py'}:MinimaxAgent")
    position = next(case for case in MULTIAGENT.cases if case.id == "q2/10-nook").start
    with pytest.raises(TypeError, match=r"search returned 3; expected Line\(value, action\)"):
        agent.choose(position)


def test_a_message_names_no_folder_of_the_grader() -> None:
    with pytest.raises(ImportError) as raised:
        exec("from agents.base import Agent")
    assert str(raised.value.path) in str(raised.value)
    fault = describe_fault(raised.value, "ada.py", [], "the import")
    assert fault["message"] == "cannot import name 'Agent' from 'agents.base'"


def test_a_hostile_path_of_an_error_does_no_harm() -> None:
    class Hostile:
        def __format__(self, spec: str) -> str:
            raise SystemExit

    error = ImportError("a text")
    error.path = Hostile()  # type: ignore[assignment]
    assert isinstance(describe_fault(error, "ada.py", [], "the import")["message"], str | None)
