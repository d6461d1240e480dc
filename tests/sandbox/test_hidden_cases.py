"""A student learns of the hidden cases only how many passed: whatever a program tries, no report tells more."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

if sys.platform != "linux":
    pytest.skip("these walls exist only on Linux", allow_module_level=True)

from autograder.cases.case import Assignment, Case
from autograder.cases.truth import CaseTruth
from autograder.course.job import Job, PackedGrader, run_job
from autograder.grading.grade import Grader, Recorder
from autograder.judge.scorecard import Scorecard
from autograder.judge.submission_answer import Answer
from autograder.sandbox import Sandbox, SandboxCheck, run_case
from pacman.core.errors import InputError
from tests.every_report import FOR_STUDENTS, terminal_text
from tests.sandbox.hostile_lab import safe_sandbox
from tests.written_files import written_assignment

QUESTION = "part: MinimaxAgent, points: 7, role: search, reference: exhaustive"
ASSIGNMENT = f"""\
title: Secrets
limits: {{seconds: 20, memory_mb: 320, output_kb: 16}}
questions:
  - {{id: first, title: First, {QUESTION}, criteria: {{value: 3, action: 2, expanded: 1, generated: 1}}}}
  - {{id: second, title: Second, {QUESTION}, criteria: {{value: 3, action: 2, expanded: 1, generated: 1}}}}
"""
TREE = "kind: tree\nshows: a tree with %d\nplies: 2\n%stree: 'max { a: min { a: %d; b: 8 }; b: min { a: 9; b: 10 } }'\n"
SECRETS = (1, 6)

PARTIAL_CREDIT = """\
from agents.base import SearchAgent
from pacman.core.tree import Layer
from pacman.core.tree import Line, score

def best(node, plies):
    if plies == 0 or node.is_terminal:
        return score(node), None
    pick = max if node.layer is Layer.MAX else min
    return pick(((best(node.successor(a), plies - 1)[0], a) for a in node.actions()), key=lambda pair: pair[0])

class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        secret = int(node.inside.successor("a").successor("a").score) % 8
        value, action = best(node.inside, plies)
        left, takes = secret, []
        for name, weight in (("value", 3), ("action", 2), ("expanded", 1), ("generated", 1)):
            if left >= weight and secret != 1:
                left -= weight
                takes.append(name)
        if "generated" in takes:
            best(node, plies)
        return Line(value if "value" in takes else value + 1, action if "action" in takes else "a")
"""
SPEAKS = """\
import time
from agents.base import SearchAgent
from pacman.core.tree import Line

class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        secret = node.successor("a").successor("a").score
        if secret != 9:
            time.sleep(secret / 10)
            print("secret", secret)
            raise ValueError(f"secret {secret}")
        return Line(0, "b")
"""
PROGRAMS = {"partial credit": PARTIAL_CREDIT, "output, errors and time": SPEAKS}


@pytest.fixture(autouse=True)
def _no_diagnoses(skip_diagnoses: Callable[[], None]) -> None:
    """A diagnosis ends before the hidden cases begin, and some of the programs answer it by the clock."""
    skip_diagnoses()


def make_assignment(folder: Path, secret: int, weight: str = "") -> Assignment:
    """An assignment whose hidden cases ask about the secret; the open cases come after them by name."""
    cases = {
        "0-secret": TREE % (secret, f"hidden: true\n{weight}", secret),
        "1-secret": TREE % (secret, "hidden: true\n", secret),
        "2-open": TREE % (9, "", 9),
    }
    every = {f"{question}/{name}": text for question in ("first", "second") for name, text in cases.items()}
    folder.mkdir(parents=True, exist_ok=True)
    return written_assignment(folder / "assignment", ASSIGNMENT, every)


def prepared(folder: Path, text: str, secret: int, jobs: int, check: SandboxCheck | None = None) -> tuple[Grader, Path]:
    """A grader of the assignment, and a file with a program."""
    grader = Grader.of(make_assignment(folder, secret), jobs, sandbox_check=check)
    (folder / "mine.py").write_text(text, encoding="utf-8")
    return grader, folder / "mine.py"


def public_texts(card: Scorecard) -> list[str]:
    """Every report for students, without the times of the open cases and without the name of the submission."""
    questions = tuple(
        replace(question, cases=tuple(replace(case, seconds=case.hidden * 99.0) for case in question.cases))
        for question in card.questions
    )
    card = replace(card, submission="mine.py", seconds=card.hidden_seconds, questions=questions)
    return [report(card) for report in (*FOR_STUDENTS.values(), terminal_text)]


@pytest.mark.slow("that attack the sandbox", keep=1)
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_report_for_students_depends_on_what_a_hidden_case_asks(name: str, tmp_path: Path) -> None:
    check, cards = safe_sandbox(), list[Scorecard]()
    for secret in SECRETS:
        grader, file = prepared(tmp_path / str(secret), PROGRAMS[name], secret, 1, check)
        cards.append(grader.grade(file, grader.read(file), is_upload=True))
    first, second = map(public_texts, cards)
    assert first == second
    assert "0 of 2 hidden cases passed" in first[0]
    assert not any("secret" in text for text in first)
    if name == "partial credit":  # the program did what it wants: the instructor sees different criteria
        lost = [[finding.criterion for finding in card.questions[0].cases[0].lost] for card in cards]
        assert lost[0] != lost[1]


def recorded(monkeypatch: pytest.MonkeyPatch, late: int = 0) -> list[tuple[str, str, Sandbox]]:
    """A list that gets the beginning and the end of each run. The first `late` answers took nearly all their time."""
    runs: list[tuple[str, str, Sandbox]] = []
    run = run_case.run

    def recording_run(case: Case, truth: CaseTruth | None, sandbox: Sandbox, *rest: Any) -> Answer:
        runs.append(("begin", case.id, sandbox))
        answer = run(case, truth, sandbox, *rest)
        runs.append(("end", case.id, sandbox))
        return replace(answer, seconds=19.0, processor_seconds=19.0) if len(runs) <= 2 * late else answer

    monkeypatch.setattr(run_case, "run", recording_run)
    return runs


def test_hidden_cases_run_after_all_open_cases_in_another_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, unfinished = recorded(monkeypatch), list[Scorecard]()

    class Cards(Recorder):
        def record_scores(self, card: Scorecard) -> None:
            unfinished.append(card)

    grader, file = prepared(tmp_path, SPEAKS, 1, 3)
    grader.grade(file, grader.read(file), Cards())
    hidden = [number for number, (_, name, _) in enumerate(runs) if "secret" in name]
    assert min(hidden) == 4  # after the beginning and the end of both open cases
    first, second = runs[0][2], runs[-1][2]
    assert {sandbox for _, name, sandbox in runs if "secret" in name} == {second} != {first}
    assert first.folder != second.folder
    assert first._fork_server is not second._fork_server
    assert not second.folder.exists()
    assert [card.is_final for card in unfinished] == [False, False, False, True]  # a hidden case has no points before


def test_no_hidden_case_runs_before_an_open_one_that_runs_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a class, an answer that came late beside other submissions does not count: the case runs again, alone."""
    runs = recorded(monkeypatch, late=1)
    grader, file = prepared(tmp_path, SPEAKS, 1, 1)
    packed, files = PackedGrader.of(grader), grader.read(file)
    outcome = run_job(packed, Job(1, "mine.py", files, (), alone=False))
    assert outcome.repeat
    assert [case for _, case, _ in runs[::2]] == ["first/2-open", "second/2-open"]
    alone = run_job(packed, Job(1, "mine.py", files, outcome.new, alone=True))
    assert alone.card
    assert alone.card.is_final
    again = [case.split("/")[1] for _, case, _ in runs[4::2]]
    assert again == ["2-open", *["0-secret", "1-secret"] * 2]


def test_hidden_cases_with_different_weights_are_refused(tmp_path: Path) -> None:
    """The points of the question would tell which of them were passed."""
    with pytest.raises(InputError, match="1-secret.yaml.*weight: hidden cases of a question need equal weights; 0-sec"):
        make_assignment(tmp_path, 1, "weight: 3\n")
