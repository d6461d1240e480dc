"""A Pacman that plays perfectly, on boards that are small enough to solve exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agents.base import BaseAgent
from pacman import compiled
from pacman.core.state import GameState

if TYPE_CHECKING:  # a program loads numpy only when it solves its first board
    from pacman.play.exact import Solution


class PerfectPacman(BaseAgent):
    """Chooses the action with the greatest expected final score against the ghosts' models; the first one on a tie.

    At his first move on a board he solves the board with `pacman.play.exact`. InputError for a board with more than
    `states` positions, and without numba.
    """

    def __init__(self, states: int = 2_000_000) -> None:
        self.states = states
        self.solution: Solution | None = None

    def prepare(self, report: Callable[[str], object] = compiled.to_log) -> None:
        """Loads or compiles the solver, so that a timed move does not wait for it. InputError without numba.

        `report` gets a line before the compiler starts.
        """
        from pacman.play.exact import prepare

        prepare(report)

    def choose(self, state: GameState) -> str:
        """A perfect action in `state`; the first one on a tie."""
        return self.solved(state).action(state)

    def solved(self, state: GameState) -> Solution:
        """A solution that contains `state`: the last one if it does, otherwise a new one."""
        from pacman.play.exact import solve

        solution = self.solution
        if solution is not None and solution.root.round is state.round and solution.root.homes == state.homes:
            try:
                solution.number(state)
                return solution
            except KeyError:
                pass
        self.solution = solve(state, self.states)
        return self.solution
