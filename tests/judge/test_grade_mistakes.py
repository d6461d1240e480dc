"""Whole runs: right searches get full marks; a fault costs only its own case and gives one line."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from autograder import sandbox
from autograder.cases import loading
from autograder.cases.case import Limits
from autograder.grading.grade import grade
from autograder.grading.submission import check_import
from autograder.grading.submission_api import NATIVE
from autograder.judge.scorecard import Scorecard
from autograder.report import json as report_json
from autograder.sandbox import submission_files
from pacman.core.errors import InputError
from tests.every_report import checked
from tests.graded import graded as graded_file
from tests.paths import SOLUTIONS
from tests.platforms.cs188_grading import RIGHT

MULTIAGENT = loading.load("multiagent")
TEXT = SOLUTIONS.read_text(encoding="utf-8")
PICK = "return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)"


def graded(tmp_path: Path, text: str, question: str | None = None, case: str | None = None) -> Scorecard:
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    return checked(grade(file, MULTIAGENT.only(question, case), jobs=2))


def wrong(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new)


def test_solutions_get_full_marks_and_survive_json() -> None:
    card = grade(SOLUTIONS, MULTIAGENT, jobs=2)
    assert card.is_full
    assert card.earned == card.points == 30
    assert report_json.load(report_json.dump(card)) == card


def cs188_on_copies() -> str:
    """A right Berkeley-style file whose search copies each state before it makes a successor."""
    (text,) = (file.read_text(encoding="utf-8") for file in RIGHT if file.stem == "one_value")
    copied = text.replace("gameState.getNextState(agent", "copy.deepcopy(gameState).getNextState(agent")
    assert copied != text
    return f"import copy\n{copied}"


@pytest.mark.parametrize("api", ["native", "cs188"])
def test_a_minimax_on_copies_gets_full_marks(api: str, tmp_path: Path) -> None:
    """The grader also counts the successors of a copy."""
    native = wrong("from math import", "import copy\nfrom math import")
    native = native.replace("node.successor(action)", "copy.deepcopy(node).successor(action)")
    file = tmp_path / "multiAgents.py"
    file.write_text(cs188_on_copies() if api == "cs188" else native, encoding="utf-8")
    card = graded_file(file, "q2", api=api)
    assert [case.id for case in card.questions[0].cases if case.earned < 1] == []


@pytest.fixture
def no_diagnosis(monkeypatch: pytest.MonkeyPatch) -> None:
    """A diagnosis takes longer than the cases; tests/judge/diagnosis has those."""
    monkeypatch.setattr("autograder.grading.grade.needs_diagnosis", lambda *arguments: False)


@pytest.mark.usefixtures("no_diagnosis")
@pytest.mark.parametrize(
    ("value", "text"),
    [("True", "True (bool)"), ("float('nan')", "nan (float)"), ("float('inf')", "inf (float)"), ("'3'", "'3' (str)")],
)
def test_a_value_must_be_a_finite_number(tmp_path: Path, value: str, text: str) -> None:
    code = wrong(PICK, f"return Line({value}, lines[0].action) if plies > 1 else " + PICK.removeprefix("return "))
    code = code.replace("key=lambda line: line.value)", "key=lambda line: float(line.value))")
    (case,) = graded(tmp_path, code, "q2", "01-figure").questions[0].cases
    first = case.lost[0]
    assert (first.criterion, first.expected, first.got) == ("value", "3", text)
    assert case.earned == 0


FAULTS = {
    "crash": (
        "x = node.nope",
        "raised",
        "AttributeError: 'Outline' object has no attribute 'nope' (line 30: x = node.nope)",
    ),
    "exit": ("import sys; sys.exit(4)", "exit", "called sys.exit(4)"),
    "interrupt": ("raise KeyboardInterrupt('x')", "raised", "KeyboardInterrupt: x (line 30"),
    "hang": ("while True: pass", "time", "no answer within 1 s"),
    "no line": ("return 3", "refused", "search returned 3 (int); expected Line(value, action) or (value, action)"),
    "recursion": ("return self.search(node, plies)", "raised", "RecursionError"),
    "memory": ("x = bytearray(1 << 33)", "memory", "needs more memory than the limit of"),
    "forged": (
        "exec('import os\\nfor fd in range(3, 64):\\n"
        ' try: os.write(fd, b"\\\\0\\\\0\\\\0\\\\2{}")\\n except OSError: 0\')',
        "garbled",
        "the answer could not be read: it belongs to another request of the grader",
    ),
}


@pytest.mark.slow("that grade or diagnose wrong searches", keep=3)
@pytest.mark.usefixtures("no_diagnosis")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_costs_its_own_case_and_says_one_line(
    tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, kind, message = FAULTS[fault]
    if fault == "hang":
        quick = MULTIAGENT.only("q2", None)
        cases = tuple(replace(case, seconds=1) for case in quick.cases)
        monkeypatch.setattr(__name__ + ".MULTIAGENT", replace(quick, limits=Limits(seconds=1), cases=cases))
    # The figure's root alone has three actions and two plies: only that case goes wrong.
    first = next(line.strip() for line in TEXT.splitlines() if line.strip().startswith("lines = [Line"))
    at_figure = "plies == 2 and str(node).count('~') == 4 and '14' in str(node)"
    guard = f"if {at_figure}:\n            {act}\n        {first}"
    card = graded(tmp_path, TEXT.replace(first, guard, 1), "q2")
    by_id = {case.id: case for case in card.questions[0].cases}
    figure = by_id.pop("q2/01-figure")
    assert (figure.fault, figure.earned) == (kind, 0)
    assert message.split(" (line")[0] in figure.message
    assert "\n" not in figure.message
    if fault == "hang":
        assert all(case.message.startswith("not run, because q2/01-figure had") for case in by_id.values())
    else:
        assert all(case.earned == 1 for case in by_id.values())


def test_the_captured_output_has_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("print('x' * 1_000_000, flush=True)\n", encoding="utf-8")
    with sandbox.Sandbox(submission_files.read(file), Limits(output_kb=1), sandbox.check_sandbox()) as box:
        box.main_file = "mine.py"
        with box.session(10) as session:
            box.load(session)
    assert session.output.count("x") <= 1024
    assert session.output.startswith("... cut: 1,000,001 bytes were printed; these are the last 1 kB")


def test_an_import_that_exits_costs_all_its_cases_at_once(tmp_path: Path) -> None:
    card = graded(tmp_path, TEXT.replace("from math import inf", "from math import inf\nimport sys\nsys.exit(4)"))
    assert card.earned == 0
    messages = {case.message for question in card.questions for case in question.cases}
    assert messages == {"the file cannot be imported: called sys.exit(4) while importing (line 7: sys.exit(4))"}


def test_a_file_that_cannot_be_imported_is_not_diagnosed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question that asked for its search would import the file again, and find the same."""
    monkeypatch.setattr("autograder.grading.grade.diagnosis_of", lambda *_: pytest.fail("diagnosed"))
    card = graded(tmp_path, f"{TEXT}\nX = open('no such file')\n", "q2")
    assert card.questions[0].cases[0].message.startswith("the file cannot be imported: FileNotFoundError")


def test_a_loop_at_module_level_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    quick = replace(MULTIAGENT, cases=(replace(MULTIAGENT.cases[0], seconds=0.5),))
    file.write_text("class MinimaxAgent: pass\nwhile True:\n    pass\n", encoding="utf-8")
    with sandbox.Sandbox(submission_files.read(file), MULTIAGENT.limits, sandbox.check_sandbox()) as box:
        box.main_file = "mine.py"
        fault = check_import(file, box, quick, NATIVE)
        session = box.session(9)
        counted = sandbox.attempt(session, lambda: box.load(session, counts_lines=True))  # as where no signal tells it
    assert fault
    assert counted
    assert counted.text.endswith("perhaps a loop never ends (line 2: while True:)")
    assert re.match(r"the file cannot be imported: no answer within 0\.5 s.* \(line [23]: ", fault.text)


def test_a_folder_is_one_submission(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no Python file in this folder"):
        grade(tmp_path, MULTIAGENT, jobs=1)
    text = TEXT + "# my own work\n"  # the solutions themselves are ignored in a folder
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    (tmp_path / "notes.py").write_text("x = 1\n", encoding="utf-8")
    assert grade(tmp_path, MULTIAGENT.only("q2", "01-figure"), jobs=1).is_full
    (tmp_path / "other.py").write_text(text + "#\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"several files .* \(mine.py, other.py\); name the one"):
        grade(tmp_path, MULTIAGENT, jobs=1)
