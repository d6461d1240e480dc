"""The claims of searches, right or with a known mistake, for tests that need an answer without any student's file."""

from __future__ import annotations

from autograder.case_strength.programs import answer_of
from autograder.cases.case import Question
from autograder.judge.submission_answer import Claim
from autograder.judge.wrong_searches import by_name, text_of
from pacman.core.tree import Node


def simulated_claim(question: Question, mistake: str, root: Node, plies: int, cut: str = "equal") -> Claim:
    """The claim of the right search of a question, or of one with a known mistake; "" for none."""
    edits = by_name()[mistake].edits if mistake else ()
    answer = answer_of(text_of(edits, cut if question.reference == "alphabeta" else ""), root, plies, 20_000)
    assert not answer.fault, answer.fault
    return answer.claims[0]
