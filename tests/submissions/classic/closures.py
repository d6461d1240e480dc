"""The style with helpers inside getAction; what they need they see around them."""

from math import inf

from util import *
from game import *
import random, util


def scoreEvaluationFunction(state):
    return state.getScore()


class ReflexAgent(Agent):
    def getAction(self, gameState):
        moves = gameState.getLegalActions()
        moves.remove(Directions.STOP)
        return max(moves, key=lambda move: self.evaluationFunction(gameState, move))

    def evaluationFunction(self, state, action):
        after = state.generatePacmanSuccessor(action)
        here, walls = after.getPacmanPosition(), after.getWalls()
        if any(manhattanDistance(here, ghost.configuration.pos) < 2 and not ghost.scaredTimer
               for ghost in after.getGhostStates()):
            return -inf
        queue, seen = util.Queue(), {here}
        queue.push((here, 0))
        while not queue.isEmpty():
            place, steps = queue.pop()
            if state.hasFood(*place):
                return after.getScore() - steps
            for neighbour in Actions.getLegalNeighbors(place, walls):
                if neighbour not in seen:
                    seen.add(neighbour)
                    queue.push((neighbour, steps + 1))
        return after.getScore()


class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn="scoreEvaluationFunction", depth="2"):
        self.index = 0
        self.evaluationFunction = util.lookup(evalFn, globals())
        self.depth = int(depth)


class MinimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        ghosts = range(1, gameState.getNumAgents())

        def over(state, depth):
            return state.isWin() or state.isLose() or depth == 0

        def highest(state, depth):
            if over(state, depth):
                return self.evaluationFunction(state)
            return max(lowest(state.generateSuccessor(0, a), depth, 1) for a in state.getLegalActions(0))

        def lowest(state, depth, ghost):
            if over(state, depth):
                return self.evaluationFunction(state)
            if ghost not in ghosts:
                return highest(state, depth - 1)
            return min(lowest(state.generateSuccessor(ghost, a), depth, ghost + 1) for a in state.getLegalActions(ghost))

        return max(gameState.getLegalActions(0), key=lambda a: lowest(gameState.generateSuccessor(0, a), self.depth, 1))


class AlphaBetaAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        last = gameState.getNumAgents() - 1

        def search(state, depth, agent, alpha, beta):
            if agent > last:
                agent, depth = 0, depth - 1
            if state.isWin() or state.isLose() or depth == 0:
                return self.evaluationFunction(state), None
            best = (-inf, None) if agent == 0 else (inf, None)
            for action in state.getLegalActions(agent):
                value, _ = search(state.generateSuccessor(agent, action), depth, agent + 1, alpha, beta)
                if agent == 0:
                    if value > best[0]:
                        best = value, action
                    if value > beta:
                        return best
                    alpha = max(alpha, value)
                else:
                    if value < best[0]:
                        best = value, action
                    if value < alpha:
                        return best
                    beta = min(beta, value)
            return best

        return search(gameState, self.depth, 0, -inf, inf)[1]


class ExpectimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        def expected(state, depth, agent):
            if agent == state.getNumAgents():
                agent, depth = 0, depth - 1
            if state.isWin() or state.isLose() or depth == 0:
                return self.evaluationFunction(state)
            values = [expected(state.generateSuccessor(agent, a), depth, agent + 1) for a in state.getLegalActions(agent)]
            return max(values) if agent == 0 else sum(values) / float(len(values))

        values = util.Counter()
        for action in gameState.getLegalActions():
            values[action] = expected(gameState.generateSuccessor(0, action), self.depth, 1)
        return values.argMax()


def betterEvaluationFunction(state):
    """Score, food by true distance, ghosts."""
    here = state.getPacmanPosition()
    worth = state.getScore() - 3 * state.getNumFood() - 30 * len(state.getCapsules())
    distances = [manhattanDistance(here, food) for food in state.getFood().asList()]
    if distances:
        worth -= min(distances)
    for ghost, place in zip(state.getGhostStates(), state.getGhostPositions()):
        gap = manhattanDistance(here, place)
        worth += 50.0 / (gap + 1) if ghost.scaredTimer > gap else -60.0 / (gap * gap + 0.5)
    return worth


better = betterEvaluationFunction
