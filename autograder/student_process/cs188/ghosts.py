"""What Berkeley-style files import from `ghostAgents`: ghosts that choose at random, from a distribution."""

from __future__ import annotations

from autograder.student_process.cs188.board import Agent
from autograder.student_process.cs188.pacman_state import PositionState
from autograder.student_process.cs188.util import Counter, chooseFromDistribution
from pacman.core.layers import directional_outcomes
from pacman.core.rules import STOP


class GhostAgent(Agent):
    """A ghost. Its subclasses define the probability of each action."""

    def __init__(self, index: int = 1) -> None:
        super().__init__(index)

    def getAction(self, state: PositionState) -> str:
        """An action drawn from the distribution; Stop if the ghost has no legal action."""
        distribution = self.getDistribution(state)
        return str(chooseFromDistribution(distribution)) if distribution else STOP

    def getDistribution(self, state: PositionState) -> Counter:
        """Action -> probability; empty without legal actions."""
        raise NotImplementedError(f"{type(self).__name__}.getDistribution")


class RandomGhost(GhostAgent):
    """A ghost that chooses every legal action with the same probability."""

    def getDistribution(self, state: PositionState) -> Counter:
        """Action -> probability; empty without legal actions."""
        actions = state.getLegalActions(self.index)
        return Counter(dict.fromkeys(actions, 1 / len(actions)) if actions else {})


class DirectionalGhost(GhostAgent):
    """A ghost that mostly moves towards Pacman, or away from him while it is scared."""

    def __init__(self, index: int = 1, prob_attack: float = 0.8, prob_scaredFlee: float = 0.8) -> None:
        super().__init__(index)
        self.prob_attack = prob_attack
        self.prob_scaredFlee = prob_scaredFlee

    def getDistribution(self, state: PositionState) -> Counter:
        """Action -> probability; empty without legal actions."""
        if not state.getLegalActions(self.index):
            return Counter()
        ghost = state._state.ghosts[self.index - 1]
        mass = self.prob_scaredFlee if ghost.is_scared else self.prob_attack
        return Counter(directional_outcomes(mass)(state._state.pacman, ghost))
