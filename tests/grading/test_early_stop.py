"""A question ends early if the code hangs, in whatever order its cases end; progress is a line of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from agents.ghosts import OptimalGhost
from autograder.cases import loading
from autograder.cases.case import Case, PositionInput, TreeInput
from autograder.cases.right_answer import derive
from autograder.commands.progress import BarRecorder
from autograder.grading.early_stop import EarlyStop
from autograder.grading.grade import Grader, Recorder, grade
from autograder.grading.grade_case import GradedCase, needs_diagnosis
from autograder.judge.scorecard import CaseScore
from autograder.judge.submission_answer import COMPUTED, ONE_ANSWER, Answer, Fault, LostGame
from autograder.sandbox import Sandbox
from tests.every_report import checked
from tests.paths import SOLUTIONS

MULTIAGENT = loading.load("multiagent")
TIME = Answer(fault=Fault("time", "no answer within 10 s"))
HANGS = Answer(fault=Fault("time", "no answer within 10 s", COMPUTED))
LOOPS = Answer(fault=Fault("time", "no answer within 10 s (line 3: while True:)", ONE_ANSWER))
RAISED = Answer(fault=Fault("raised", "KeyError: 3"))
LATER = [f"{number:02}" for number in range(1, 11)]


@pytest.mark.parametrize(
    ("question", "answers", "expected"),
    [
        ("q2", [TIME, TIME], []),
        ("q2", [TIME, TIME, Answer(), TIME], []),
        ("q2", [TIME, TIME, RAISED, TIME], []),
        ("q2", [TIME] * 3, LATER[3:]),
        ("q2", [Answer(), TIME, TIME, TIME], LATER[4:]),
        ("q2", [Answer()] * 7 + [TIME] * 3, []),  # positions: a right but slow search can have such time-outs
        ("q6", [TIME] * 3, LATER[3:7]),
        ("q2", [Answer(), HANGS], LATER[2:]),
        ("q2", [Answer()] * 7 + [HANGS], []),  # a position
        ("q1", [HANGS], LATER[1:5]),
        ("q6", [HANGS], LATER[1:7]),
        ("q6", [replace(HANGS, lost_game=LostGame(1, ("West",)))], []),
        ("q6", [replace(LOOPS, lost_game=LostGame(1, ("West",)))], LATER[1:7]),
    ],
)
def test_a_case_that_hangs_or_three_time_outs_in_a_row_end_a_question(
    question: str, answers: Sequence[Answer], expected: list[str]
) -> None:
    """The order in which cases end does not matter."""
    cases = MULTIAGENT.only(question, None).cases[:10]
    pairs = list(zip(cases, answers, strict=False))
    for order in permutations(pairs) if len(pairs) < 5 else (pairs,):
        stop = EarlyStop(MULTIAGENT)
        for case, answer in order:
            stop.record(case, answer)
        assert [case.name.partition("-")[0] for case in cases if stop.answer(case)] == expected


def test_a_hidden_case_ends_no_question() -> None:
    first, later = (replace(case, input=replace(case.input, hidden=True)) for case in MULTIAGENT.cases[:2])
    stop = EarlyStop(replace(MULTIAGENT, cases=(first, later)))
    stop.record(first, HANGS)
    assert stop.answer(later) is None


@pytest.mark.parametrize(
    ("answer", "most", "reason"),
    [
        (Answer(seconds=110, processor_seconds=100), 3, "used the 300 s of processor time of a submission"),
        (Answer(seconds=31, processor_seconds=0.5, idle_seconds=30.5), 2, "waited for 60 s without computing"),
        (Answer(seconds=31, processor_seconds=16, idle_seconds=15), 4, "waited for 60 s without computing"),
        (Answer(seconds=31, processor_seconds=0.5), 12, ""),  # other programs used the processor, or nobody knows
    ],
)
def test_all_cases_together_have_a_limit_of_processor_time_and_of_waiting(
    answer: Answer, most: int, reason: str
) -> None:
    cases, stop = [case for case in MULTIAGENT.cases if not case.input.hidden][:12], EarlyStop(MULTIAGENT)
    for case in cases:
        stop.record(case, answer)
    texts = [each.fault.text if each and each.fault else "" for each in map(stop.answer, cases)]
    assert texts.count("") == most
    assert {*texts[most:]} <= {f"not run, because the cases before {reason}"}


@pytest.mark.slow("that attack the sandbox")
def test_an_endless_loop_ends_the_question_early(tmp_path: Path) -> None:
    file, finished = tmp_path / "loop.py", list[str]()
    text = "from agents.base import SearchAgent\n\n\nclass MinimaxAgent(SearchAgent):\n"
    text += "    def search(self, node, plies):\n        while True:\n            pass\n"
    file.write_text(text, encoding="utf-8")
    assignment = MULTIAGENT.only("q2", None)
    assignment = replace(assignment, cases=tuple(replace(case, seconds=1) for case in assignment.cases))

    class Names(Recorder):
        def record_case(self, case: Case) -> None:
            finished.append(case.id)

    grader = Grader.of(assignment, 2)
    (question,) = checked(grader.grade(file, grader.read(file), Names())).questions
    first, *others = question.cases
    assert sorted(finished) == sorted(case.id for case in question.cases)
    assert first.message in ("no answer within 1 s (line 6: while True:)", "no answer within 1 s (line 7: pass)")
    text = "not run, because q2/01-figure had no answer in time"
    assert {(case.fault, case.message, case.earned) for case in others} == {("time", text, 0)}
    step = question.diagnosis and question.diagnosis.step
    assert step
    assert (step.function, step.line in (6, 7)) == ("search", True)


def test_a_part_that_ran_out_of_time_only_in_games_is_diagnosed() -> None:
    """Its answers to drawn trees say where to look; a part that answers nothing says nothing."""
    known = [case for case in MULTIAGENT.cases if case.question.id == "q2" and case.has_truth]
    position = next(case for case in known if isinstance(case.input, PositionInput))
    tree = next(case for case in known if isinstance(case.input, TreeInput))
    slow, wrong = (
        GradedCase(case, CaseScore(case.id, "", "", 1, 0), derive(case), answer)
        for case, answer in ((position, HANGS), (tree, Answer()))
    )
    assert needs_diagnosis(tree.question, [wrong, slow])
    assert not needs_diagnosis(tree.question, [slow])


def test_the_bar_names_the_first_question_that_is_not_finished() -> None:
    changes, cases = list[str](), MULTIAGENT.only(["q1", "q2"]).cases
    recorder = BarRecorder(lambda **change: changes.append(change["description"]), cases)
    for case in (cases[-1], *cases[:-1]):
        recorder.record_case(case)
    assert changes == ["q1"] * 5 + ["q2"] * (len(cases) - 6) + ["explaining the lost points"]


def test_the_grader_compiles_its_ghosts_before_a_match_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling an optimal ghost may take ten seconds, the whole time limit of a case."""
    events: list[str] = []
    for owner, name, event in ((Sandbox, "session", "clock starts"), (OptimalGhost, "prepare", "ready")):
        original = getattr(owner, name)

        def recording(*arguments: Any, original: Any = original, event: str = event) -> Any:
            events.append(event)
            return original(*arguments)

        monkeypatch.setattr(owner, name, recording)
    assert grade(SOLUTIONS, MULTIAGENT.only("q2", "10-nook"), 1).is_full
    *_, last, first_of_game = (index for index, event in enumerate(events) if event == "clock starts")
    assert "ready" in events[last:first_of_game]
