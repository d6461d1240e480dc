"""A ghost that this course wrote, in the form of that project."""

import util
from game import Agent, Directions


class WallFollower(Agent):
    """Turns right where it can, with the probability `right`."""

    def __init__(self, index, right=0.9):
        self.index, self.right = index, right

    def getAction(self, state):
        return util.chooseFromDistribution(self.getDistribution(state))

    def getDistribution(self, state):
        legal, ahead = state.getLegalActions(self.index), state.getGhostState(self.index).getDirection()
        distribution = util.Counter({action: (1 - self.right) / len(legal) for action in legal})
        turn = Directions.RIGHT[ahead]
        distribution[turn if turn in legal else legal[0]] += self.right
        return distribution
