"""The time that grading adds to a submission's own work, and the time to grade an assignment."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from autograder.cases import loading
from autograder.cases.case import Limits
from autograder.grading.grade import grade as graded
from autograder.sandbox import Level, Sandbox, SandboxCheck, check_sandbox, submission_files
from autograder.sandbox.sandbox_level import probe
from tests.bench.figures import Figure, seconds_of, timed
from tests.paths import ROOT

CASES = 20
CLASSIC = ROOT / "autograder" / "assignments" / "classic" / "solutions.py"
SEARCHES = """\
import sys
from dataclasses import replace
from pathlib import Path
from autograder.cases import loading
from autograder.platforms.cs188.submission_api import API
from autograder.grading.grade import grade
asked = loading.load("classic")
questions = tuple(question for question in asked.questions if question.role == "search")
asked = replace(asked, questions=questions, cases=tuple(case for case in asked.cases if case.question in questions))
assert grade(Path(sys.argv[1]), asked, jobs=3, api=API).is_full
"""
NOTHING = """\
from agents.base import SearchAgent
from pacman.core.tree import Line


class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        return Line(0, None)
"""


def grade(repeats: int) -> Iterator[Figure]:
    """The figures of the sandbox's start, a case, the self-test, and whole assignments with a correct submission."""
    for level, sandbox_check in ((level, check_sandbox(level)) for level in Level):
        if sandbox_check.level is level:
            yield from _costs(sandbox_check, repeats)
    strongest = check_sandbox()
    yield timed(
        f"self-test, level {strongest.level.value}",
        [1000 * seconds_of(lambda: probe(strongest.walls)) for _ in range(repeats)],
        "ms",
        "14 small escape attempts in a separate sandbox; once per command",
    )
    assignment = loading.load("multiagent")
    solutions = assignment.folder / "solutions.py"
    yield timed(
        f"multiagent for solutions.py, level {strongest.level.value}",
        [seconds_of(lambda: graded(solutions, assignment, 2)) for _ in range(min(repeats, 3))],
        "s",
        f"{len(assignment.cases)} cases, two at a time; without the self-test",
        goal="a few seconds",
    )
    if CLASSIC.is_file():
        yield timed(
            "a correct multiAgents.py, its three searches",
            [seconds_of(_classic) for _ in range(min(repeats, 5))],
            "s",
            "process start, self-test, 89 trees and 4 lines of play; the classic grader takes 5.8 s for its 25 points",
            goal="0.72",
        )


def _classic() -> None:
    subprocess.run([sys.executable, "-c", SEARCHES, str(CLASSIC)], check=True, capture_output=True)


def _costs(sandbox_check: SandboxCheck, repeats: int) -> Iterator[Figure]:
    starts: list[float] = []
    each: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "nothing.py"
        file.write_text(NOTHING, encoding="utf-8")
        work = submission_files.read(file)
        for _ in range(repeats + 1):  # the first one also finds out what Python needs, and does not count
            start_time = perf_counter()
            with Sandbox(work, Limits(), sandbox_check) as sandbox:
                sandbox.main_file = file.name
                starts.append(1000 * (perf_counter() - start_time))
                each += [1000 * seconds_of(lambda: _case(sandbox)) for _ in range(CASES)]
    level = sandbox_check.level.value
    yield timed(
        f"start of a submission, level {level}",
        starts[1:],
        "ms",
        "the walls, the fork server with the rules loaded, a copy of the files",
        goal="60" if sandbox_check.level is Level.SAFE else "",
    )
    yield timed(
        f"a case, level {level}",
        each[CASES:],
        "ms",
        "fork, walls, import of a file whose search returns at once, two requests, end of the process",
        goal="8" if sandbox_check.level is Level.SAFE else "",
    )


def _case(sandbox: Sandbox) -> None:
    with sandbox.session(10) as session:
        sandbox.load_part(session, "search", "MinimaxAgent", 1)
        session.ask("search", tree="max\n  a: 1\n", plies=1)
