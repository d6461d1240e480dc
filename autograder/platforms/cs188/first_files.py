"""The stub and the handout of an imported assignment, from which an instructor goes on.

The stub has the classes and functions that the questions grade, each without a solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autograder.judge.points_as_text import points_text

TOP = '''\
"""Your file. Write the parts that raise an exception. README.md says how to grade it."""

from game import Agent
from pacman import GameState
from util import lookup, manhattanDistance, raiseNotDefined


def scoreEvaluationFunction(currentGameState):
    """The score of a position, as it stands on the board."""
    return currentGameState.getScore()


class MultiAgentSearchAgent(Agent):
    """What the searches below have in common: the evaluation, and the depth in rounds."""

    def __init__(self, evalFn="scoreEvaluationFunction", depth="2"):
        self.index = 0
        self.evaluationFunction = lookup(evalFn, globals())
        self.depth = int(depth)
'''
AGENT = '''

class {part}({base}):
    def getAction(self, gameState: GameState):
        """{what}"""
        raiseNotDefined()
'''
FUNCTION = '''

def {part}(currentGameState):
    """{what}"""
    raiseNotDefined()
'''
WHAT = {
    "ReflexAgent": "The best action at once, without a search.",
    "MinimaxAgent": "The best action for self.depth rounds, if every ghost does what is worst for Pacman.",
    "AlphaBetaAgent": "The action of minimax, with fewer nodes.",
    "ExpectimaxAgent": "The best action for self.depth rounds, if every ghost moves at random.",
    "betterEvaluationFunction": "How good a position is for Pacman: a larger number is better.",
}


def stub(questions: Iterable[Mapping[str, Any]]) -> str:
    """The file from which students start: it can be imported, and it earns no points."""
    text = TOP
    for part, role in {question["part"]: question["role"] for question in questions}.items():
        form = FUNCTION if role == "evaluation" else AGENT
        base = "Agent" if part == "ReflexAgent" else "MultiAgentSearchAgent"
        text += form.format(part=part, base=base, what=WHAT.get(part, "The action that this agent chooses."))
    return text


def handout(title: str, questions: Iterable[Mapping[str, Any]]) -> str:
    """What students read first: the questions with their points, and the commands."""
    rows = "".join(
        f"| {question['id']} {question['title']} | `{question['part']}` | {points_text(question['points'])} |\n"
        for question in questions
    )
    return f"""\
# {title}

Write the parts of `multiAgents.py` in the table. README.md says how to install the grader.

| question | part of your file | points |
|---|---|---|
{rows}
`self.depth` counts rounds: in one round Pacman and every ghost move once. Agent 0 is Pacman. A state that is won or
lost has no successors: evaluate it.

    python -m autograder grade multiAgents.py

Change only `multiAgents.py`; it is what you hand in.
"""
