"""Agents for drawn games: as many students write them, and copies of right files that do not see something."""

from __future__ import annotations

from collections.abc import Mapping

from tests.paths import ROOT

ASSIGNMENTS = ROOT / "autograder" / "assignments"
RIGHT = {
    "multiagent": ASSIGNMENTS / "multiagent" / "solutions.py",
    "classic": ASSIGNMENTS / "classic" / "solutions.py",
}
"""For each assignment, a file with a good reflex agent and a good evaluation."""

Changes = tuple[tuple[str, str], ...]

BLIND: Mapping[str, Mapping[str, Changes]] = {
    "multiagent": {
        "ignores ghosts": (("in state.ghosts:", "in ():"),),
        "ignores danger": (("elif not ghost.timer and distance <= 3:", "elif False:"),),
        "ignores scared ghosts": (
            (" - 20.0 * state.capsule_mask.bit_count()", ""),
            ("if ghost.timer > 2 * distance:", "if False:"),
        ),
        "ignores capsules": (
            (" - 20.0 * state.capsule_mask.bit_count()", ""),
            ("if ghost.timer > 2 * distance:", "if False:"),
            ("elif not ghost.timer and distance", "elif distance"),
        ),
    },
    "classic": {
        "ignores ghosts": (
            ("in zip(newGhostStates, newScaredTimes):", "in ():"),
            ("in currentGameState.getGhostStates():", "in ():"),
        ),
        "ignores danger": (
            ("in zip(newGhostStates, newScaredTimes):", "in ():"),
            ("elif distance < 2:", "elif False:"),
        ),
    },
}
"""For each assignment, what an agent does not see, and the changes that make it so."""


def blind_agent(assignment: str, name: str) -> str:
    """The text of a file whose reflex agent and evaluation do not see something."""
    text = RIGHT[assignment].read_text(encoding="utf-8")
    for old, new in BLIND[assignment][name]:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


ORDINARY = """\
from util import manhattanDistance
from game import Agent, Directions
import random, util


class ReflexAgent(Agent):
    def getAction(self, gameState):
        legalMoves = gameState.getLegalActions()
        scores = [self.evaluationFunction(gameState, action) for action in legalMoves]
        best = max(scores)
        return legalMoves[random.choice([index for index in range(len(scores)) if scores[index] == best])]

    def evaluationFunction(self, currentGameState, action):
        successor = currentGameState.generatePacmanSuccessor(action)
        if successor.isWin():
            return 10**6
        position = successor.getPacmanPosition()
        foods = successor.getFood().asList()
        score = successor.getScore() + 10.0 / min(manhattanDistance(position, food) for food in foods)
        for ghost in successor.getGhostStates():
            distance = manhattanDistance(position, ghost.getPosition())
            if ghost.scaredTimer > 0:
                score += 10.0 / (distance + 1)
            elif distance > 0:
                score -= 10.0 / distance
        return score - 10 if action == Directions.STOP else score


def betterEvaluationFunction(currentGameState):
    position = currentGameState.getPacmanPosition()
    nearest = -1
    for food in currentGameState.getFood().asList():
        distance = util.manhattanDistance(position, food)
        if nearest >= distance or nearest == -1:
            nearest = distance
    total, near = 1, 0
    for ghost in currentGameState.getGhostPositions():
        distance = util.manhattanDistance(position, ghost)
        total += distance
        if distance <= 1:
            near += 1
    capsules = len(currentGameState.getCapsules())
    return currentGameState.getScore() + 1 / float(nearest) - 1 / float(total) - near - capsules


better = betterEvaluationFunction
"""
"""A reflex agent and an evaluation as many students write them. `classic` gives them full marks with most keys."""
