"""The ghosts. The `model` of each one tells a search how the ghost moves: by chance, or as MIN."""

from __future__ import annotations

from random import Random

from agents.base import BaseAgent
from pacman import compiled
from pacman.compiled import hunted
from pacman.core.errors import InputError
from pacman.core.rounds import DIRECTIONAL_MASS as MASS
from pacman.core.rounds import OPTIMAL, RANDOM, GhostModel, directional
from pacman.core.rules import Outcomes
from pacman.core.state import GameState
from pacman.search.algorithms import Options
from pacman.search.alphabeta import alphabeta


class RandomGhost(BaseAgent):
    """Chooses any legal action, all equally likely."""

    model: GhostModel = RANDOM

    def choose(self, state: GameState) -> str:
        """A legal action, drawn with the probabilities of the ghost's model."""
        return sample(state.outcomes(), self.rng)


class DirectionalGhost(RandomGhost):
    """Moves towards Pacman (while scared: away) with probability `mass`; otherwise chooses any legal action."""

    def __init__(self, mass: float = MASS) -> None:
        self.model = directional(mass)


GAME_MOVES = 200
"""How many moves of one ghost to expect in a game."""


class OptimalGhost(BaseAgent):
    """Minimises the score: searches `rounds` rounds ahead, with every other ghost as its model says.

    Among actions that leave Pacman the same points it prefers to come nearer (while scared: to get away). It uses the
    compiled search if that supports the position and is quicker, otherwise the Python search. Both choose the same
    action.
    """

    model: GhostModel = OPTIMAL

    def __init__(self, rounds: int = 2) -> None:
        if rounds < 1:
            raise InputError(f"rounds={rounds}: an optimal ghost looks at least 1 round ahead")
        self.rounds = rounds

    def prepare(self, state: GameState, games: int = 1) -> None:
        """Loads the compiled search if that pays for so many `games` from `state`, so that no timed move waits for it.

        Compiles it only if that pays too (see `compiled.load`).
        """
        nodes = games * GAME_MOVES * compiled.expected_nodes("alphabeta", state, self.rounds * len(state.layers))
        compiled.load("alphabeta", nodes)

    def choose(self, state: GameState) -> str:
        """The action with the least value; the first one on a tie."""
        plies = self.rounds * len(state.layers)
        result = compiled.quick_search("alphabeta", state, plies, Options(hunted))
        action = result.action if result else alphabeta(state, plies, hunted).action
        assert action is not None, "this ghost has no legal action, so it cannot move"
        return action


def ghost_of(model: GhostModel) -> BaseAgent:
    """A ghost that moves as a search models it."""
    if model == OPTIMAL:
        return OptimalGhost()
    ghost = RandomGhost()
    ghost.model = model
    return ghost


def sample(outcomes: Outcomes, rng: Random) -> str:
    """One of the actions, drawn with its probability.

    >>> sample((("West", 0.5), ("East", 0.5)), Random(1))
    'West'
    """
    point = rng.random()
    for action, probability in outcomes:
        point -= probability
        if point < 0:
            return action
    return outcomes[-1][0]
