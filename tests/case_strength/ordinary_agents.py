"""A reflex agent and an evaluation as many students write them. `classic` gives them full marks with most keys."""

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
