"""Pacmen that need no search: to play against, to test with, to beat."""

from __future__ import annotations

from random import Random

from agents.base import BaseAgent
from pacman.core.errors import InputError
from pacman.core.layout import cells
from pacman.core.rules import STEPS, STOP
from pacman.core.state import GameState


class RandomPacman(BaseAgent):
    """Any legal action, equally likely."""

    def choose(self, state: GameState) -> str:
        return self.rng.choice(state.actions())


class GreedyPacman(BaseAgent):
    """The most points at once; with none to be had, a step towards the nearest food. Sees no ghosts coming."""

    def choose(self, state: GameState) -> str:
        def promise(action: str) -> tuple[int, int]:
            after = state.successor(action)
            steps = after.maze.distances(after.pacman.cell)
            return after.score, -min((steps[cell] for cell in cells(after.food_mask)), default=0)

        return max(state.actions(), key=promise)


class ScriptedPacman(BaseAgent):
    """Follows a script, as in `actions=East,East,North`, and stops when it is at its end."""

    def __init__(self, actions: str = "") -> None:
        self.script = [action.strip().capitalize() for action in actions.split(",") if action.strip()]
        for action in self.script:
            if action not in STEPS:
                raise InputError(f"actions: '{action}' is none of {', '.join(STEPS)}")

    def begin(self, rng: Random) -> None:
        super().begin(rng)
        self.next = 0

    def choose(self, state: GameState) -> str:
        action = self.script[self.next] if self.next < len(self.script) else STOP
        self.next += 1
        return action


class KeyboardPacman(BaseAgent):
    """Goes where the player last pressed, as soon as there is a way; until then straight on; else stops."""

    def begin(self, rng: Random) -> None:
        super().begin(rng)
        self.wanted = STOP

    def press(self, action: str) -> None:
        """A key: the way to turn at the next chance."""
        self.wanted = action

    def choose(self, state: GameState) -> str:
        legal = state.actions()
        if self.wanted in legal:
            return self.wanted
        straight = state.pacman.direction
        return straight if straight in legal else STOP
