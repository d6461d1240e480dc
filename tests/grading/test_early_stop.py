"""A question ends early after three time-outs in a row, whatever runs at the same time; progress is a line of text."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from rich.console import Console

from autograder.cases import loading
from autograder.commands.progress import ProgressLine
from autograder.grading.early_stop import EarlyStop
from autograder.grading.grade import grade
from autograder.judge.submission_answer import Answer, Fault
from tests.every_report import checked

MULTIAGENT = loading.load("multiagent")
TIME = Answer(fault=Fault("time", "no answer within 10 s"))
RAISED = Answer(fault=Fault("raised", "KeyError: 3"))


def not_run(question: str, answers: Sequence[Answer]) -> list[str]:
    """The numbers of those of its first ten cases that are not run, if the cases of a question have these answers."""
    cases = MULTIAGENT.only(question, None).cases[:10]
    stop = EarlyStop(MULTIAGENT)
    for case, answer in zip(cases, answers, strict=False):
        stop.record(case, answer)
    return [case.name.partition("-")[0] for case in cases if stop.answer(case)]


@pytest.mark.parametrize(
    ("question", "answers", "expected"),
    [
        ("q2", [TIME, TIME], []),
        ("q2", [TIME, TIME, Answer(), TIME], []),
        ("q2", [TIME, TIME, RAISED, TIME], []),
        ("q2", [TIME] * 3, ["04", "05", "06", "07", "08", "09", "10"]),
        ("q2", [Answer(), TIME, TIME, TIME], ["05", "06", "07", "08", "09", "10"]),
        ("q2", [Answer()] * 7 + [TIME] * 3, []),  # positions: a right but slow search can have such time-outs
        ("q6", [TIME] * 3, ["04", "05", "06", "07"]),
    ],
)
def test_three_time_outs_in_a_row_end_a_question(question: str, answers: list[Answer], expected: list[str]) -> None:
    assert not_run(question, answers) == expected


def test_the_order_in_which_cases_end_does_not_matter() -> None:
    cases = MULTIAGENT.only("q2", None).cases[:4]
    answers = [TIME, TIME, TIME, Answer()]
    for order in permutations(range(4)):
        stop = EarlyStop(MULTIAGENT)
        for place in order:
            stop.record(cases[place], answers[place])
        assert [stop.answer(case) is not None for case in cases] == [False, False, False, True]


@pytest.mark.slow("that attack the sandbox")
def test_an_endless_loop_ends_the_question_early(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(
        "from agents.base import SearchAgent\n\n\nclass MinimaxAgent(SearchAgent):\n"
        "    def search(self, node, plies):\n        while True:\n            pass\n",
        encoding="utf-8",
    )
    assignment = MULTIAGENT.only("q2", None)
    assignment = replace(assignment, cases=tuple(replace(case, seconds=1) for case in assignment.cases))
    finished: list[str] = []
    card = checked(grade(tmp_path / "loop.py", assignment, 2, on_case=lambda case: finished.append(case.id)))
    cases = card.questions[0].cases
    assert sorted(finished) == sorted(case.id for case in cases)
    assert {case.message for case in cases[:3]} == {"no answer within 1 s"}
    assert cases[0].why.endswith("press Ctrl-C.")
    text = "not run, because q2/01-figure, q2/02-several-ghosts, q2/03-horizon had no answer in time"
    assert {(case.fault, case.message, case.earned) for case in cases[3:]} == {("time", text, 0)}
    assert card.questions[0].examination is None  # it would wait for the same loop


def test_progress_is_shown_only_at_a_terminal() -> None:
    for is_terminal in (True, False):
        out = io.StringIO()
        console = Console(file=out, force_terminal=is_terminal, width=80)
        with ProgressLine(MULTIAGENT, console) as progress:
            progress.count(MULTIAGENT.cases[0])
        assert ("q1 1/5, 0 s" in out.getvalue()) is is_terminal
