"""Grades a Berkeley-style file in this process: adapter and judge, without the sandbox between them."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from types import ModuleType

from autograder.case_strength import programs
from autograder.cases import loading
from autograder.cases.case import Case
from autograder.cases.right_answer import derive
from autograder.cases.truth import CaseTruth
from autograder.judge import compare
from autograder.judge.submission_answer import Answer, Fault
from autograder.student_process import cs188_api
from tests.paths import ROOT

SOLUTIONS = ROOT / "autograder/assignments/classic/solutions.py"
RIGHT = [SOLUTIONS, *sorted((ROOT / "tests/submissions/classic").glob("*.py"))]
ASSIGNMENT = loading.load("classic")


@contextmanager
def ready_api() -> Iterator[cs188_api.Cs188Api]:
    """The adapter, ready for submissions; afterwards the modules `pacman`, `util`, ... are the original ones again."""
    modules, finders = dict(sys.modules), list(sys.meta_path)
    api = cs188_api.Cs188Api()
    try:
        api.prepare()
        with redirect_stdout(io.StringIO()):
            yield api
    finally:
        sys.meta_path[:] = finders
        sys.modules.clear()
        sys.modules.update(modules)


def module_of(text: str, name: str = "multiAgents.py") -> ModuleType:
    """The module that a file with this text makes."""
    module = ModuleType("submission")
    exec(compile(text, name, "exec", dont_inherit=True), vars(module))
    return module


def answer(text: str, case: Case, expected: CaseTruth) -> Answer:
    """The answer of a file to a case of a search question; a fault if the file raises an error."""
    with redirect_stdout(io.StringIO()):
        try:
            return programs.of_text(text, "cs188", case.question.part)(case, expected)
        except (Exception, SystemExit) as error:
            return Answer(fault=Fault("raised", f"{type(error).__name__}: {error}"))


def verdict(text: str, case: Case) -> compare.Verdict:
    """The verdict on the answer of a file to a case of a search question."""
    expected = derive(case)
    return compare.judge(case, expected, answer(text, case, expected))


def search_cases(question: str | None = None) -> list[Case]:
    """The cases with a search, of one question or of all."""
    return [case for case in ASSIGNMENT.cases if case.has_truth and question in (None, case.question.id)]
