"""The claims of simulated searches, right or wrong, for tests that need an answer without any student's file."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite

from autograder.cases.case import Question
from autograder.judge.diagnosis.model_tree import ModelTree
from autograder.judge.submission_answer import Claim
from autograder.judge.wrong_searches.search_model import Change, SearchModel
from autograder.judge.wrong_searches.simulation import simulate
from pacman.core.trace import Trace
from pacman.core.tree import Node


def right_model(question: Question, cut: str = "equal") -> SearchModel:
    """The model of the right search of a question. Alpha-beta cuts if alpha and beta are `cut`: equal or strict."""
    return SearchModel(cuts=cut if question.reference == "alphabeta" else "")  # type: ignore[arg-type]


def simulated_claim(question: Question, change: Change, root: Node, plies: int, cut: str = "equal") -> Claim:
    """The claim of a search that is right but for `change`."""
    tree = ModelTree(root, plies)
    result = simulate(replace(right_model(question, cut), **change), tree, 20_000)
    assert not result.error, result.error
    trace = Trace()
    numbers = {(): 0}
    for path in (tree.paths[number] for number in result.generated):
        numbers[path] = trace.generate(numbers[path[:-1]], path[-1])
    value = result.value if isfinite(result.value) else None
    return Claim(value, str(result.value), result.action, str(result.action), trace.generated, trace, ())
