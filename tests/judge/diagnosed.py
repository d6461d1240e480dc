"""Watches a search in this process and finds what is wrong with it, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.cases import loading
from autograder.cases.case import Question
from autograder.judge.diagnosis.finder import AnsweredCase, find_mistake
from autograder.judge.scorecard import Diagnosis
from autograder.judge.submission_answer import Answer
from tests.in_process_asking import ask_here

QUESTIONS = {question.id: question for question in loading.load("multiagent").questions}

_CLASSIC = loading.load("classic")
CLASSIC = {question.id: question for question in _CLASSIC.questions}
_TREE = next(case for case in _CLASSIC.cases if getattr(case.input, "cut", "") == "strict" and case.has_truth)
STRICT = {
    "native": (),
    "cs188": (AnsweredCase(_TREE, Answer()),),
}
"""For a Berkeley-style file: a case, without an answer, whose rule for cuts is strict."""


def diagnosed(
    file: Path, question: Question, api: str = "native", cases: Sequence[AnsweredCase] = ()
) -> Diagnosis | None:
    """What is wrong with the part of a file that a question grades."""
    with ask_here(file, question.part, api) as ask:
        return find_mistake(question, cases or STRICT[api], ask, api == "cs188")


def diagnosed_text(folder: Path, text: str, question: Question, api: str = "native") -> Diagnosis | None:
    """The same for the text of a file."""
    file = folder / ("multiAgents.py" if api == "cs188" else "mine.py")
    file.write_text(text, encoding="utf-8")
    return diagnosed(file, question, api)
