"""The style with an agent index: 0..k, the depth counted when the last ghost has moved."""

import random

import util
from game import Agent, Directions
from pacman import GameState
from util import manhattanDistance


class ReflexAgent(Agent):
    def getAction(self, gameState):
        legalMoves = gameState.getLegalActions()
        scores = [self.evaluationFunction(gameState, action) for action in legalMoves]
        bestScore = max(scores)
        bestIndices = [index for index in range(len(scores)) if scores[index] == bestScore]
        return legalMoves[random.choice(bestIndices)]

    def evaluationFunction(self, currentGameState, action):
        successor = currentGameState.generatePacmanSuccessor(action)
        newPos = successor.getPacmanPosition()
        newGhostStates = successor.getGhostStates()
        newScaredTimes = [ghostState.scaredTimer for ghostState in newGhostStates]
        score = successor.getScore()
        if action == Directions.STOP:
            score -= 5
        for ghost, scared in zip(newGhostStates, newScaredTimes):
            if not scared and manhattanDistance(newPos, ghost.getPosition()) <= 1:
                score -= 400
        food = successor.getFood().asList()
        if food:
            score += 9.0 / min(manhattanDistance(newPos, place) for place in food)
        return score


def scoreEvaluationFunction(currentGameState):
    return currentGameState.getScore()


class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn="scoreEvaluationFunction", depth="2"):
        self.index = 0
        self.evaluationFunction = util.lookup(evalFn, globals())
        self.depth = int(depth)


class MinimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState: GameState):
        return self.maxValue(gameState, 0)[1]

    def maxValue(self, state, depth):
        if state.isWin() or state.isLose() or depth == self.depth:
            return self.evaluationFunction(state), None
        best, bestAction = float("-inf"), None
        for action in state.getLegalActions(0):
            value = self.next(state.generateSuccessor(0, action), 1, depth)
            if value > best:
                best, bestAction = value, action
        return best, bestAction

    def minValue(self, state, agentIndex, depth):
        if state.isWin() or state.isLose():
            return self.evaluationFunction(state)
        best = float("inf")
        for action in state.getLegalActions(agentIndex):
            best = min(best, self.next(state.generateSuccessor(agentIndex, action), agentIndex + 1, depth))
        return best

    def next(self, state, agentIndex, depth):
        if agentIndex == state.getNumAgents():
            return self.maxValue(state, depth + 1)[0]
        return self.minValue(state, agentIndex, depth)


class AlphaBetaAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        return self.maxValue(gameState, 0, float("-inf"), float("inf"))[1]

    def maxValue(self, state, depth, alpha, beta):
        if state.isWin() or state.isLose() or depth == self.depth:
            return self.evaluationFunction(state), None
        best, bestAction = float("-inf"), None
        for action in state.getLegalActions(0):
            value = self.next(state.generateSuccessor(0, action), 1, depth, alpha, beta)
            if value > best:
                best, bestAction = value, action
            if best > beta:
                return best, bestAction
            alpha = max(alpha, best)
        return best, bestAction

    def minValue(self, state, agentIndex, depth, alpha, beta):
        if state.isWin() or state.isLose():
            return self.evaluationFunction(state)
        best = float("inf")
        for action in state.getLegalActions(agentIndex):
            value = self.next(state.generateSuccessor(agentIndex, action), agentIndex + 1, depth, alpha, beta)
            best = min(best, value)
            if best < alpha:
                return best
            beta = min(beta, best)
        return best

    def next(self, state, agentIndex, depth, alpha, beta):
        if agentIndex == state.getNumAgents():
            return self.maxValue(state, depth + 1, alpha, beta)[0]
        return self.minValue(state, agentIndex, depth, alpha, beta)


class ExpectimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        return self.maxValue(gameState, 0)[1]

    def maxValue(self, state, depth):
        if state.isWin() or state.isLose() or depth == self.depth:
            return self.evaluationFunction(state), None
        best, bestAction = float("-inf"), None
        for action in state.getLegalActions(0):
            value = self.next(state.generateSuccessor(0, action), 1, depth)
            if value > best:
                best, bestAction = value, action
        return best, bestAction

    def expValue(self, state, agentIndex, depth):
        if state.isWin() or state.isLose():
            return self.evaluationFunction(state)
        actions = state.getLegalActions(agentIndex)
        total = 0
        for action in actions:
            total += self.next(state.generateSuccessor(agentIndex, action), agentIndex + 1, depth)
        return total / len(actions)

    def next(self, state, agentIndex, depth):
        if agentIndex == state.getNumAgents():
            return self.maxValue(state, depth + 1)[0]
        return self.expValue(state, agentIndex, depth)


def betterEvaluationFunction(currentGameState):
    if currentGameState.isWin():
        return float("inf")
    if currentGameState.isLose():
        return float("-inf")
    position = currentGameState.getPacmanPosition()
    score = currentGameState.getScore() - 20 * len(currentGameState.getCapsules())
    food = currentGameState.getFood()
    score -= 1.5 * min(manhattanDistance(position, place) for place in food.asList()) + 4 * food.count()
    for ghost in currentGameState.getGhostStates():
        distance = manhattanDistance(position, ghost.getPosition())
        if ghost.scaredTimer > distance:
            score += 100.0 / (distance + 1)
        elif distance < 2:
            score -= 200
    return score


better = betterEvaluationFunction
