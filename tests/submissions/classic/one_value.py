"""The style with one function that gives a state its value, whoever moves, and with the older getNextState."""

import util
from game import Agent


def scoreEvaluationFunction(currentGameState):
    return currentGameState.getScore()


class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn="scoreEvaluationFunction", depth="2"):
        self.index = 0
        self.evaluationFunction = util.lookup(evalFn, globals())
        self.depth = int(depth)

    def over(self, gameState, depth):
        return depth == self.depth or gameState.isWin() or gameState.isLose()

    def follow(self, gameState, agent, depth):
        """(action, successor, its agent, its depth), one by one."""
        following = (agent + 1) % gameState.getNumAgents()
        for action in gameState.getLegalActions(agent):
            yield action, gameState.getNextState(agent, action), following, depth + (following == 0)


class MinimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        return self.value(gameState, 0, 0)[1]

    def value(self, gameState, agent, depth):
        if self.over(gameState, depth):
            return self.evaluationFunction(gameState), None
        found = [(self.value(s, a, d)[0], action) for action, s, a, d in self.follow(gameState, agent, depth)]
        best = (max if agent == 0 else min)(value for value, _ in found)
        return next(pair for pair in found if pair[0] == best)


class AlphaBetaAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        return self.value(gameState, 0, 0, -float("inf"), float("inf"))[1]

    def value(self, gameState, agent, depth, alpha, beta):
        if self.over(gameState, depth):
            return self.evaluationFunction(gameState), None
        sign = 1 if agent == 0 else -1
        best = (-sign * float("inf"), None)
        for action, s, a, d in self.follow(gameState, agent, depth):
            value = self.value(s, a, d, alpha, beta)[0]
            if sign * value > sign * best[0]:
                best = (value, action)
            if agent == 0:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha > beta:
                break
        return best


class ExpectimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        return self.value(gameState, 0, 0)[1]

    def value(self, gameState, agent, depth):
        if self.over(gameState, depth):
            return self.evaluationFunction(gameState), None
        found = [(self.value(s, a, d)[0], action) for action, s, a, d in self.follow(gameState, agent, depth)]
        if agent:
            return sum(value for value, _ in found) / len(found), None
        return max(found, key=lambda pair: pair[0])
