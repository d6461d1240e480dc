"""The style that counts single moves down, takes the agent from the count, and an end from there being no action."""

import random, util
from game import Agent
from util import manhattanDistance

INFINITY = float("inf")


def scoreEvaluationFunction(currentGameState):
    return currentGameState.getScore()


class ReflexAgent(Agent):
    def getAction(self, gameState):
        moves = gameState.getLegalPacmanActions()
        return max(moves, key=lambda move: (self.evaluationFunction(gameState, move), random.random()))

    def evaluationFunction(self, currentGameState, action):
        s = currentGameState.generateSuccessor(0, action)
        if s.isWin():
            return 10000
        x, y = s.getPacmanPosition()
        for gx, gy in s.getGhostPositions():
            if abs(x - gx) + abs(y - gy) <= 1:
                return -10000
        grid = currentGameState.getFood()
        near = min(abs(x - i) + abs(y - j) for i in range(grid.width) for j in range(grid.height) if grid[i][j])
        return s.getScore() - 2 * near


class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn="scoreEvaluationFunction", depth="2"):
        self.index = 0
        self.evaluationFunction = util.lookup(evalFn, globals())
        self.depth = int(depth)


class MinimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        self.agents = gameState.getNumAgents()
        values = util.PriorityQueue()
        for order, action in enumerate(gameState.getLegalActions(0)):
            value = self.worth(gameState.generateSuccessor(0, action), self.depth * self.agents - 1)
            values.push(action, (-value, order))
        return values.pop()

    def worth(self, state, left):
        agent = -left % self.agents
        actions = state.getLegalActions(agent)
        if left == 0 or actions == []:
            return self.evaluationFunction(state)
        values = [self.worth(state.generateSuccessor(agent, action), left - 1) for action in actions]
        return min(values) if agent else max(values)


class AlphaBetaAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        self.agents = gameState.getNumAgents()
        alpha, chosen = -INFINITY, None
        for action in gameState.getLegalActions(0):
            value = self.worth(gameState.generateSuccessor(0, action), self.depth * self.agents - 1, alpha, INFINITY)
            if value > alpha:
                alpha, chosen = value, action
        return chosen

    def worth(self, state, left, alpha, beta):
        agent = -left % self.agents
        actions = state.getLegalActions(agent)
        if left == 0 or not actions:
            return self.evaluationFunction(state)
        best = INFINITY if agent else -INFINITY
        for action in actions:
            value = self.worth(state.generateSuccessor(agent, action), left - 1, alpha, beta)
            if agent:
                best = min(best, value)
                if best < alpha:
                    break
                beta = min(beta, best)
            else:
                best = max(best, value)
                if best > beta:
                    break
                alpha = max(alpha, best)
        return best


class ExpectimaxAgent(MinimaxAgent):
    def worth(self, state, left):
        agent = -left % self.agents
        actions = state.getLegalActions(agent)
        if left == 0 or len(actions) == 0:
            return self.evaluationFunction(state)
        values = [self.worth(state.generateSuccessor(agent, action), left - 1) for action in actions]
        return sum(values) / len(values) if agent else max(values)


def betterEvaluationFunction(currentGameState):
    here = currentGameState.getPacmanPosition()
    foods = currentGameState.getFood().asList()
    if not foods:
        return currentGameState.getScore()
    danger = sum(
        300
        for ghost in currentGameState.getGhostStates()
        if ghost.scaredTimer == 0 and manhattanDistance(here, ghost.getPosition()) <= 1
    )
    return currentGameState.getScore() + 5.0 / min(manhattanDistance(here, f) for f in foods) - danger - 2 * len(foods)


better = betterEvaluationFunction
