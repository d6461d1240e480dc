"""The ghosts. Each says in `model` what a search should take it for."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from agents.base import BaseAgent
from pacman import kernel
from pacman.errors import InputError
from pacman.kernel.linear import HUNTED
from pacman.layers import DIRECTIONAL_MASS as MASS
from pacman.layers import OPTIMAL, RANDOM, GhostModel, directional
from pacman.rules import Outcomes
from pacman.search import alphabeta
from pacman.state import GameState


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
        if kernel.takes(state, HUNTED):
            action = kernel.alphabeta(state, plies, HUNTED).line.action
        else:
            action = alphabeta(state, plies, hunted).action
        assert action is not None, "a ghost that moves has a legal action"
        return action


NEARNESS = 1 / 1024
"""What a step of distance weighs: four ghosts, 200 steps away, still less than a point."""


def hunted(state: GameState) -> float:
    """Pacman's points, and a little for every step between him and the live ghosts."""
    steps = state.maze.distances(state.pacman.cell)
    gap = 0
    for ghost in state.ghosts:
        distance = steps.get(ghost.touches[0], 0)
        gap += -distance if ghost.timer else distance
    return state.score + NEARNESS * gap


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
