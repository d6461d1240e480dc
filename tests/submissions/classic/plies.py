"""The style that counts single moves down, takes the agent from the count, and an end from there being no action."""

import util
from game import Agent

INFINITY = float("inf")


def scoreEvaluationFunction(currentGameState):
    return currentGameState.getScore()


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
