"""The style of negamax: every value is for the one who moves, and changes its sign between Pacman and the ghosts."""

import util
from game import Agent


def scoreEvaluationFunction(currentGameState):
    return currentGameState.getScore()


class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn="scoreEvaluationFunction", depth="2"):
        self.index = 0
        self.evaluationFunction = util.lookup(evalFn, globals())
        self.depth = int(depth)


def after(state, agent, left):
    """(agent that moves next, rounds that are left then)."""
    if agent == state.getNumAgents() - 1:
        return 0, left - 1
    return agent + 1, left


class MinimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        return self.negamax(gameState, 0, self.depth)[1]

    def negamax(self, state, agent, left):
        sign = 1 if agent == 0 else -1
        if state.isWin() or state.isLose() or left == 0:
            return sign * self.evaluationFunction(state), None
        mover, rounds = after(state, agent, left)
        best, choice = float("-inf"), None
        for action in state.getLegalActions(agent):
            value = self.negamax(state.generateSuccessor(agent, action), mover, rounds)[0]
            if agent == 0 or mover == 0:
                value = -value
            if value > best:
                best, choice = value, action
        return best, choice


class AlphaBetaAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        return self.negamax(gameState, 0, self.depth, float("-inf"), float("inf"))[1]

    def negamax(self, state, agent, left, alpha, beta):
        sign = 1 if agent == 0 else -1
        if state.isWin() or state.isLose() or left == 0:
            return sign * self.evaluationFunction(state), None
        mover, rounds = after(state, agent, left)
        best, choice = float("-inf"), None
        for action in state.getLegalActions(agent):
            successor = state.generateSuccessor(agent, action)
            if agent == 0 or mover == 0:
                value = -self.negamax(successor, mover, rounds, -beta, -alpha)[0]
            else:
                value = self.negamax(successor, mover, rounds, alpha, beta)[0]
            if value > best:
                best, choice = value, action
            alpha = max(alpha, best)
            if alpha > beta:
                break
        return best, choice


class ExpectimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        return self.expecti(gameState, 0, self.depth)[1]

    def expecti(self, state, agent, left):
        if state.isWin() or state.isLose() or left == 0:
            return self.evaluationFunction(state), None
        mover, rounds = after(state, agent, left)
        pairs = []
        for action in state.getLegalActions(agent):
            pairs.append((self.expecti(state.generateSuccessor(agent, action), mover, rounds)[0], action))
        if agent == 0:
            return max(pairs, key=lambda pair: pair[0])
        return sum(value for value, _ in pairs) / len(pairs), None
