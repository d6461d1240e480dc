"""Programs that compare nothing, and what they earn in a question that grades a search or a choice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from autograder.case_strength.match_shares import criteria_of, local_runner, numbered_key
from autograder.case_strength.programs import Program, earned, of_text
from autograder.cases.case import Assignment, Case, Question
from autograder.cases.hidden import drawn_cases
from autograder.cases.right_answer import derive
from autograder.grading.submission_api import SubmissionApi
from autograder.sandbox import run_case

MOST_EARNED = 0.1
"""The largest share of the points of a question that a program without a search may earn."""
_NATIVE = """
import random
from agents.base import SearchAgent
from pacman import Layer, Line

class {part}(SearchAgent):
    rng = random.Random(0)

    def walk(self, node, plies):
        if plies and not node.is_terminal:
            names = node.actions() if node.layer is not Layer.CHANCE else [name for name, _ in node.outcomes()]
            for name in names:
                self.walk(node.successor(name), plies - 1)

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

    def walk(self, state, agent, left):
        if left and not state.isWin() and not state.isLose():
            after = (agent + 1) % state.getNumAgents()
            for action in state.getLegalActions(agent):
                self.walk(state.generateSuccessor(agent, action), after, left - (after == 0))

    def getAction(self, state):
        actions = state.getLegalActions(0)
        return {result}
"""
_NATIVE_CHOICE = """
import random
from agents.base import BaseAgent

class {part}(BaseAgent):
    rng = random.Random(0)

    def choose(self, state):
        actions = state.actions()
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
        "a constant after all nodes": f"(self.walk(node, plies), {_CONSTANT})[1]",
    },
    "cs188": {
        "a constant": "actions[-1]",
        "an empty text": '""',
        "the first action": "actions[0]",
        "a random action": "self.rng.choice(actions)",
        "an evaluation": "max(actions, key=lambda action: self.evaluationFunction(state.generateSuccessor(0, action)))",
        "the first action after one node": _AFTER.format(make=_STATE, actions="actions[:1]", result="actions[0]"),
        "the last action after one ply": _AFTER.format(make=_STATE, actions="actions", result="actions[-1]"),
        "the first action after all nodes": "(self.walk(state, 0, self.depth), actions[0])[1]",
        "the last action after all nodes": "(self.walk(state, 0, self.depth), actions[-1])[1]",
    },
}
"""By the name of an API: what a program returns, and the expression for it."""
_CHOICES = {
    "the first action": "actions[0]",
    "the last action": "actions[-1]",
    "a random action": "self.rng.choice(actions)",
    "Stop": '"Stop" if "Stop" in actions else actions[0]',
    "the action with the best score": "max(actions, key=lambda action: {score})",
}
"""What a program returns where it only chooses an action, and the expression for it."""
_SCORES = {"native": "state.successor(action).score", "cs188": "state.generateSuccessor(0, action).getScore()"}
KEYS = 3
"""Each program that only chooses plays its games with so many keys."""


def programs(question: Question, api_name: str) -> dict[str, Program]:
    """The programs by their names, as submissions for a question."""
    template = _NATIVE if api_name == "native" else _CS188
    texts = {name: template.format(part=question.part, result=result) for name, result in _RESULTS[api_name].items()}
    return {name: of_text(text, api_name, question.part) for name, text in texts.items()}


def earned_shares(assignment: Assignment, question: Question, api: SubmissionApi) -> dict[str, float]:
    """The share of the points of a question that each of the programs earns, from 0 to 1.

    The question grades a search, or only chooses an action.
    """
    own_part = api.without_unsupported(assignment)
    own = [case for case in own_part.cases if case.question.id == question.id]
    whole = sum(case.input.weight for case in own)
    if question.role == "choice":
        return {name: _chosen_share(own, name, api.name) / whole for name in _CHOICES}
    cases = [(case, derive(case)) for case in own if case.has_truth]
    shares = {
        name: sum(case.input.weight * earned(program, case, truth) for case, truth in cases) / whole
        for name, program in programs(question, api.name).items()
    }
    return {name: float(share == 1) for name, share in shares.items()} if question.all_or_nothing else shares


def idle_programs(question: Question, own: Sequence[Case], api_name: str) -> list[str]:
    """The programs without a search that pass a case which one of the keys draws."""
    hidden_cases = [each for number in range(KEYS) for each in drawn_cases(question, own, numbered_key(number))]
    cases = [(case, derive(case)) for case in hidden_cases]
    every = programs(question, api_name).items()
    return [name for name, program in every if any(earned(program, *each) for each in cases)]


def _chosen_share(cases: list[Case], name: str, api_name: str) -> float:
    """The sum of the weights that a program earns which only chooses, on average over some keys."""
    text = _CHOICES[name].format(score=_SCORES[api_name])
    template = _NATIVE_CHOICE if api_name == "native" else _CS188
    total = 0.0
    with TemporaryDirectory() as folder:
        file = Path(folder) / "idler.py"
        runner = local_runner(file, api_name)
        for case in cases:
            file.write_text(template.format(part=case.question.part, result=text), encoding="utf-8")
            for number in range(KEYS):
                answer = run_case.run(case, None, runner, numbered_key(number).seeds(name))
                share = fmean(criteria_of(case, answer).values())
                total += case.input.weight * (float(share == 1) if case.input.hidden else share) / KEYS
    return total
