"""The style in which a node asks its successors for their values, and a leaf is valued by the node above it."""

import util
from game import Agent, Directions


class ReflexAgent(Agent):
    def getAction(self, gameState):
        best, chosen = None, Directions.STOP
        for action in gameState.getLegalActions(self.index):
            after = gameState.generateSuccessor(self.index, action)
            worth = self.evaluationFunction(after)
            if best is None or worth > best:
                best, chosen = worth, action
        return chosen

    def evaluationFunction(self, state):
        if state.isWin() or state.isLose():
            return state.getScore() * 100
        px, py = state.getPacmanPosition()
        frontier = util.PriorityQueue()
        frontier.push((px, py), 0)
        steps = {(px, py): 0}
        while not frontier.isEmpty():
            x, y = frontier.pop()
            if state.hasFood(x, y):
                break
            for dx, dy in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
                place = (x + dx, y + dy)
                if not state.hasWall(*place) and place not in steps:
                    steps[place] = steps[(x, y)] + 1
                    frontier.update(place, steps[place])
        worth = state.getScore() - steps[(x, y)]
        for ghost in state.data.agentStates[1:]:
            if ghost.scaredTimer <= 1:
                worth -= {0: 900, 1: 600, 2: 90}.get(util.manhattanDistance(ghost.getPosition(), (px, py)), 0)
        return worth


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


def betterEvaluationFunction(currentGameState):
    worth = currentGameState.getScore()
    place = currentGameState.getPacmanPosition()
    food = currentGameState.getFood()
    near = [abs(place[0] - x) + abs(place[1] - y) for x in range(food.width) for y in range(food.height) if food[x][y]]
    if near:
        worth -= 1.5 * min(near) + 4 * len(near)
    for state in currentGameState.getGhostStates():
        gap = util.manhattanDistance(place, state.configuration.getPosition())
        worth += 30.0 / (1 + gap) if state.scaredTimer > gap else (-150 if gap < 2 else 0)
    return worth


better = betterEvaluationFunction
