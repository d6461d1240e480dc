"""The style in which a node asks its successors for their values, and a leaf is valued by the node above it."""

import util
from game import Agent


def scoreEvaluationFunction(currentGameState):
    return currentGameState.getScore()


class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn="scoreEvaluationFunction", depth="2"):
        self.index = 0
        self.evaluationFunction = util.lookup(evalFn, globals())
        self.depth = int(depth)

    def getAction(self, gameState):
        return max(self.successors(gameState, 0, self.depth), key=lambda pair: pair[0])[1]

    def successors(self, state, agent, rounds):
        """(value, action) of every successor of a state that is no end."""
        last = agent == state.getNumAgents() - 1
        for action in state.getLegalActions(agent):
            after = state.generateSuccessor(agent, action)
            if after.isWin() or after.isLose() or (last and rounds == 1):
                yield self.evaluationFunction(after), action
            elif last:
                yield max(self.successors(after, 0, rounds - 1))[0], action
            else:
                yield self.ghost([value for value, _ in self.successors(after, agent + 1, rounds)]), action


class MinimaxAgent(MultiAgentSearchAgent):
    def ghost(self, values):
        return min(values)


class ExpectimaxAgent(MultiAgentSearchAgent):
    def ghost(self, values):
        return sum(values) / len(values)


class AlphaBetaAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        self.agents = gameState.getNumAgents()
        return self.best(gameState, 0, 1, [-float("inf"), float("inf")])[1]

    def best(self, state, agent, round, window):
        window = list(window)
        side = 1 if agent else 0  # of the window: whose bound is moved here
        best = None
        for action in state.getLegalActions(agent):
            value = self.worth(state.generateSuccessor(agent, action), agent + 1, round, window)
            if best is None or (value < best[0] if agent else value > best[0]):
                best = (value, action)
            window[side] = min(window[1], value) if agent else max(window[0], value)
            if window[0] > window[1]:
                break
        return best

    def worth(self, state, agent, round, window):
        if state.isWin() or state.isLose():
            return self.evaluationFunction(state)
        if agent < self.agents:
            return self.best(state, agent, round, window)[0]
        if round == self.depth:
            return self.evaluationFunction(state)
        return self.best(state, 0, round + 1, window)[0]
