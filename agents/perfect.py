"""A Pacman that plays perfectly, on boards small enough to be solved."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agents.base import BaseAgent
from pacman import kernel
from pacman.core.state import GameState

if TYPE_CHECKING:  # numpy is loaded when the first board is solved, not by everyone who names an agent
    from pacman.play.exact import Solution


class PerfectPacman(BaseAgent):
    """The action with the greatest expected final score against the ghosts as they are modelled; the first of equals.

    Solves the board at his first move of it (`pacman.play.exact`), and refuses one with more than `states` positions.
    """

    def __init__(self, states: int = 2_000_000) -> None:
        self.states = states
        self.solution: Solution | None = None

    def prepare(self, tell: Callable[[str], object] = kernel.to_log) -> None:
        """Loads the compiled solver, or compiles it: for before a game whose moves are timed. `tell` as of `kernel`."""
        from pacman.play.exact import prepare

        prepare(tell)

    def choose(self, state: GameState) -> str:
        return self.solved(state).action(state)

    def solved(self, state: GameState) -> Solution:
        """A solution that holds `state`, a new one only where the last does not."""
        from pacman.play.exact import solve

        found = self.solution
        if found is not None and found.root.round is state.round and found.root.homes == state.homes:
            try:
                found.number(state)
                return found
            except KeyError:
                pass
        self.solution = solve(state, self.states)
        return self.solution
