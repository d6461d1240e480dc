"""Pacmen that do not search: for people who play, for tests and for comparison; and the perfect one."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from agents.base import BaseAgent
from pacman.core.errors import InputError
from pacman.core.layout import cells
from pacman.core.rounds import Round
from pacman.core.rules import STEPS, STOP, GhostPose
from pacman.core.state import GameState

if TYPE_CHECKING:  # a program loads numpy only when it solves its first board
    from pacman.play.exact import Solution


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


class PerfectPacman(BaseAgent):
    """Chooses the action with the greatest expected final score against the ghosts' models; the first one on a tie.

    It solves the board with `pacman.play.exact`. InputError for a board with more than `states` positions.
    """

    def __init__(self, states: int = 500_000) -> None:
        self.states = states
        self.solution: Solution | None = None

    def prepare(self, state: GameState) -> Solution:
        """Solves the board from `state` on, so that no timed move waits for it. The next game on it uses it again."""
        self.solution = _solution(state, state.round, state.homes, self.states)
        return self.solution

    def choose(self, state: GameState) -> str:
        """A perfect action in `state`; the first one on a tie."""
        solution = self.solution
        if solution is None or state not in solution:
            solution = self.prepare(state)
        return solution.action(state)


@lru_cache(maxsize=1)
def _solution(state: GameState, round: Round, homes: tuple[GhostPose, ...], states: int) -> Solution:
    """The solution of a board. Equal states can differ in the `round` and in the `homes` of the ghosts."""
    from pacman.play.exact import solve

    return solve(state, states)
