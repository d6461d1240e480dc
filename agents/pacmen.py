"""Pacmen without a search: for people who play, for tests, and as simple opponents for comparison."""

from __future__ import annotations

from random import Random

from agents.base import BaseAgent
from pacman.core.errors import InputError
from pacman.core.layout import cells
from pacman.core.rules import STEPS, STOP
from pacman.core.state import GameState


class RandomPacman(BaseAgent):
    """Takes each legal action with the same probability."""

    def choose(self, state: GameState) -> str:
        """A random legal action."""
        return self.rng.choice(state.actions())


class GreedyPacman(BaseAgent):
    """Takes the action that gives the most points at once; on a tie, the one that leads nearest to food.

    It does not look at where the ghosts can go.
    """

    def choose(self, state: GameState) -> str:
        """The action with the greatest score after it, then the least distance to food; the first one on a tie."""

        def worth(action: str) -> tuple[int, int]:
            after = state.successor(action)
            steps = after.maze.distances(after.pacman.cell)
            return after.score, -min((steps[cell] for cell in cells(after.food_mask)), default=0)

        return max(state.actions(), key=worth)


class ScriptedPacman(BaseAgent):
    """Plays the actions of a script, for example `actions=East,East,North`, and then Stop until the game ends."""

    def __init__(self, actions: str = "") -> None:
        self.script = [action.strip().capitalize() for action in actions.split(",") if action.strip()]
        for action in self.script:
            if action not in STEPS:
                raise InputError(f"actions: unknown action '{action}'; expected {', '.join(STEPS)}")

    def begin(self, rng: Random) -> None:
        """Starts a game at the first action of the script."""
        super().begin(rng)
        self.index = 0

    def choose(self, state: GameState) -> str:
        """The next action of the script, legal or not; Stop after the last one."""
        action = self.script[self.index] if self.index < len(self.script) else STOP
        self.index += 1
        return action


class KeyboardPacman(BaseAgent):
    """Turns to the direction of the last key as soon as this is legal; until then it goes straight on, or stops."""

    def begin(self, rng: Random) -> None:
        """Starts a game; no key has been pressed."""
        super().begin(rng)
        self.next_direction = STOP

    def press(self, action: str) -> None:
        """Stores the direction of a key that the player pressed."""
        self.next_direction = action

    def choose(self, state: GameState) -> str:
        """The direction of the last key if it is legal, else the present direction if it is legal, else Stop."""
        legal = state.actions()
        if self.next_direction in legal:
            return self.next_direction
        straight = state.pacman.direction
        return straight if straight in legal else STOP
