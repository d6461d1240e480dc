"""The claims of simulated searches, right or wrong, for tests that need an answer without any student's file."""

from __future__ import annotations

from dataclasses import replace

from autograder.case_strength.distinguishing_tree import model_answer, right_model
from autograder.cases.case import Question
from autograder.judge.submission_answer import Claim
from autograder.judge.wrong_searches.search_model import Change
from pacman.core.tree import Node

__all__ = ["right_model", "simulated_claim"]


def simulated_claim(question: Question, change: Change, root: Node, plies: int, cut: str = "equal") -> Claim:
    """The claim of a search that is right but for `change`."""
    answer = model_answer(replace(right_model(question, cut), **change), root, plies, 20_000)
    assert not answer.fault, answer.fault
    return answer.claims[0]
