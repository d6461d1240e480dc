"""The ghosts. Each says in `model` what a search should take it for."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from agents.base import BaseAgent
from pacman import kernel
from pacman.core.errors import InputError
from pacman.core.layers import DIRECTIONAL_MASS as MASS
from pacman.core.layers import OPTIMAL, RANDOM, GhostModel, directional
from pacman.core.rules import Outcomes
from pacman.core.state import GameState
from pacman.kernel.linear_evaluation import Linear
from pacman.search import alphabeta

NEARNESS = 1 / 1024
"""What a step of distance weighs: four ghosts, 200 steps away, still less than a point."""
HUNTED = Linear(live_distance=NEARNESS, scared_distance=-NEARNESS, at_end=True)
"""The evaluation of the optimal ghost: the score, and a little for every step between Pacman and the live ghosts."""


class RandomGhost(BaseAgent):
    """Any legal action, equally likely."""

    model: GhostModel = RANDOM

    def choose(self, state: GameState) -> str:
        return sample(state.outcomes(), self.rng)


class DirectionalGhost(RandomGhost):
    """Chases Pacman, flees while scared, and errs: `mass` is the probability of meaning it."""

    def __init__(self, mass: float = MASS) -> None:
        self.model = directional(mass)


class OptimalGhost(BaseAgent):
    """Minimises: searches `rounds` rounds ahead, every agent taken for what it is.

    Among actions that leave Pacman the same points it prefers to come nearer (scared: to get away). The compiled
    search answers where there is one (`kernel.takes`), else the readable one: the same action, some 100 times later.
    """

    model: GhostModel = OPTIMAL

    def __init__(self, rounds: int = 2) -> None:
        if rounds < 1:
            raise InputError(f"rounds={rounds}: an optimal ghost looks at least 1 round ahead")
        self.rounds = rounds

    def prepare(self, tell: Callable[[str], object] = kernel.to_log) -> None:
        """Loads the compiled search, or compiles it: for before a game whose moves are timed. `tell` as of `kernel`."""
        kernel.prepare("alphabeta", tell)

    def begin(self, rng: Random) -> None:
        super().begin(rng)
        self.prepare()

    def choose(self, state: GameState) -> str:
        plies = self.rounds * len(state.layers)
        if kernel.supports(state, HUNTED):
            action = kernel.alphabeta(state, plies, HUNTED).line.action
        else:
            action = alphabeta(state, plies, HUNTED).action
        assert action is not None, "a ghost that moves has a legal action"
        return action


def sample(outcomes: Outcomes, rng: Random) -> str:
    """One of the actions, each with its probability.

    >>> sample((("West", 0.5), ("East", 0.5)), Random(1))
    'West'
    """
    point = rng.random()
    for action, probability in outcomes:
        point -= probability
        if point < 0:
            return action
    return outcomes[-1][0]
