"""Programs that do not search, and what they earn in a question that grades a search."""

from __future__ import annotations

from collections.abc import Callable

from autograder.case_strength import in_process
from autograder.cases.case import Assignment, Case, Question
from autograder.cases.right_answer import derive
from autograder.cases.truth import CaseTruth
from autograder.grading.submission_api import SubmissionApi
from autograder.judge.compare import judge

MOST_EARNED = 0.1
"""The largest share of the points of a question that a program without a search may earn."""
_NATIVE = """
import random
from agents.base import SearchAgent
from pacman import Layer, Line

class {part}(SearchAgent):
    rng = random.Random(0)

    def search(self, node, plies):
        actions = () if node.is_terminal or not plies or node.layer is Layer.CHANCE else node.actions()
        return {result}
"""
_CS188 = """
import random
from game import Agent

def scoreEvaluationFunction(state):
    return state.getScore()

class {part}(Agent):
    rng = random.Random(0)

    def __init__(self, depth="2"):
        self.index, self.depth, self.evaluationFunction = 0, int(depth), scoreEvaluationFunction

    def getAction(self, state):
        actions = state.getLegalActions(0)
        return {result}
"""
_FIRST = "Line({value}, actions[0] if actions else None)"
_CONSTANT = "Line(1234567.5, actions[-1] if actions else None)"
_AFTER = "([{make} for action in {actions}], {result})[1]"
_NODE, _STATE = "node.successor(action)", "state.generateSuccessor(0, action)"
_RESULTS = {
    "native": {
        "a constant": _CONSTANT,
        "an empty text": '""',
        "an empty action": 'Line(0, "")',
        "the first action": _FIRST.format(value=0),
        "a random action": "Line(self.rng.uniform(-10, 10), self.rng.choice(actions) if actions else None)",
        "an evaluation": _FIRST.format(value="self.evaluate(node)"),
        "the first action after one node": _AFTER.format(
            make=_NODE, actions="actions[:1]", result=_FIRST.format(value=0)
        ),
        "a constant after one ply": _AFTER.format(make=_NODE, actions="actions", result=_CONSTANT),
    },
    "cs188": {
        "a constant": "actions[-1]",
        "an empty text": '""',
        "the first action": "actions[0]",
        "a random action": "self.rng.choice(actions)",
        "an evaluation": "max(actions, key=lambda action: self.evaluationFunction(state.generateSuccessor(0, action)))",
        "the first action after one node": _AFTER.format(make=_STATE, actions="actions[:1]", result="actions[0]"),
        "the last action after one ply": _AFTER.format(make=_STATE, actions="actions", result="actions[-1]"),
    },
}
"""By the name of an API: what a program returns, and the expression for it."""


Idler = Callable[[Case, CaseTruth], float]
"""A program without a search: the share of a case that it earns, from 0 to 1."""


def programs(question: Question, api_name: str) -> dict[str, Idler]:
    """The programs by their names, as submissions for a question."""

    def idler(result: str) -> Idler:
        part = (_NATIVE if api_name == "native" else _CS188).format(part=question.part, result=result)
        module = in_process.load(part, api_name)

        def earned(case: Case, truth: CaseTruth) -> float:
            share = judge(case, truth, in_process.answer(module, case, truth, api_name)).earned
            return float(share == 1) if case.input.hidden else share

        return earned

    return {name: idler(result) for name, result in _RESULTS[api_name].items()}


def earned_shares(loaded: Assignment, question: Question, api: SubmissionApi) -> dict[str, float]:
    """The share of the points of a question with a search that each of the programs earns, from 0 to 1."""
    asked = api.without_unsupported(loaded)
    own = [case for case in asked.cases if case.question.id == question.id]
    cases = [(case, derive(case)) for case in own if case.has_truth]
    whole = sum(case.input.weight for case in own)
    return {
        name: sum(case.input.weight * program(case, truth) for case, truth in cases) / whole
        for name, program in programs(question, api.name).items()
    }
