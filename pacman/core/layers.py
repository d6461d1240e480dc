"""Who decides at each step of a round: MAX, then one CHANCE layer a random ghost, then one MIN layer an optimal one.

A ghost in a search is a `GhostModel`: the layer that it makes, and for a CHANCE layer its probabilities.
Which model fits is a modelling choice; the position itself knows only who moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Protocol

from pacman.core.errors import IllegalAction, InputError, nearest
from pacman.core.layout import AgentNumber
from pacman.core.rules import STEPS, GhostPose, Outcomes, PacmanPose


class Layer(Enum):
    """Who decides at a node."""

    MAX = "max"
    CHANCE = "chance"
    MIN = "min"

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class GhostModel:
    """What a search takes a ghost for. `outcomes(pacman, ghost)` are its actions with their probabilities."""

    name: str
    layer: Layer
    outcomes: Callable[[PacmanPose, GhostPose], Outcomes]

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, ...]:
        return model, (self.name,)


def uniform(pacman: PacmanPose, ghost: GhostPose) -> Outcomes:
    """Every legal action, equally likely."""
    if not ghost.actions:
        ghost.compute_successors()
    return ghost.uniform


def directional_outcomes(mass: float) -> Callable[[PacmanPose, GhostPose], Outcomes]:
    """Chases Pacman, or flees while scared: `mass` is split over the actions that lead nearest (farthest).

    Distances are Manhattan's; the rest of the probability is spread over all legal actions.
    """

    def outcomes(pacman: PacmanPose, ghost: GhostPose) -> Outcomes:
        successors = ghost.successors or ghost.compute_successors()
        (x, y), step = pacman.position, 1 if ghost.timer else 2
        gaps = {}
        for action in successors:
            dx, dy = STEPS[action]
            gaps[action] = abs(ghost.place[0] + step * dx - 2 * x) + abs(ghost.place[1] + step * dy - 2 * y)
        goal = (max if ghost.timer else min)(gaps.values())
        best = sum(gap == goal for gap in gaps.values())
        rest = (1 - mass) / len(gaps)
        return tuple((action, (mass / best if gap == goal else 0.0) + rest) for action, gap in gaps.items())

    return outcomes


RANDOM = GhostModel("random", Layer.CHANCE, uniform)
OPTIMAL = GhostModel("optimal", Layer.MIN, uniform)
DIRECTIONAL_MASS = 0.8


def directional(mass: float = DIRECTIONAL_MASS) -> GhostModel:
    """A ghost that mostly chases; InputError unless 0 <= mass <= 1.

    >>> directional(0.9)
    directional(0.9)
    """
    if not 0 <= mass <= 1:
        raise InputError(f"a directional ghost's mass is a probability from 0 to 1, not {mass}")
    return _directional(float(mass))


@cache
def _directional(mass: float) -> GhostModel:
    name = "directional" if mass == DIRECTIONAL_MASS else f"directional({mass!r})"
    return GhostModel(name, Layer.CHANCE, directional_outcomes(mass))


class ModelledGhost(Protocol):
    """Anything that says what a search should take it for, as every ghost in `agents.ghosts` does."""

    @property
    def model(self) -> GhostModel: ...


GhostKind = str | GhostModel | ModelledGhost
"""A ghost's model, whoever has one, or a model's name."""


def model(ghost: GhostKind) -> GhostModel:
    """The model of a ghost, or of that name.

    >>> model("optimal").layer, model("directional(0.5)")
    (MIN, directional(0.5))
    """
    if isinstance(ghost, GhostModel):
        return ghost
    if not isinstance(ghost, str):
        return ghost.model
    found = re.fullmatch(r"directional(?:\((\d*\.?\d+(?:e-\d+)?)\))?", ghost)
    if found:
        return directional(float(found[1] or DIRECTIONAL_MASS))
    known = {"random": RANDOM, "optimal": OPTIMAL}
    if ghost not in known:
        raise InputError(f"no ghost '{ghost}': {nearest(ghost, [*known, 'directional'])}")
    return known[ghost]


def is_named(ghost: GhostModel) -> bool:
    """True when `model` finds it by its name, so that a position with it can be written and read."""
    try:
        return model(ghost.name) == ghost
    except InputError:
        return False


@dataclass(slots=True, eq=False)
class Turn:
    """One agent's place in the round. Turns are linked in a circle."""

    agent: AgentNumber
    layer: Layer
    model: GhostModel | None
    round: Round = field(init=False, repr=False)
    next: Turn = field(init=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        return Round.turn_of, (self.round, self.agent)


class Round:
    """One ply by everyone: `order` lists the agents, `turns[agent]` is each one's place."""

    def __init__(self, ghosts: tuple[GhostModel, ...], order: tuple[AgentNumber, ...]) -> None:
        self.ghosts = ghosts
        self.order = order
        self.turns = [Turn(0, Layer.MAX, None)]
        self.turns += [Turn(agent, ghost.layer, ghost) for agent, ghost in enumerate(ghosts, 1)]
        for agent, follower in zip(order, order[1:] + order[:1], strict=True):
            self.turns[agent].round = self
            self.turns[agent].next = self.turns[follower]

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of a round, in the order in which its agents move."""
        return tuple(self.turns[agent].layer for agent in self.order)

    def __reduce__(self) -> tuple[object, ...]:
        return _round, (self.ghosts, self.order)

    def turn_of(self, agent: AgentNumber) -> Turn:
        """The turn of the agent of that number; IllegalAction if there is none."""
        if not 0 <= agent < len(self.turns):
            raise IllegalAction(f"no agent {agent!r}; there are 0 to {len(self.turns) - 1}")
        return self.turns[agent]

    def assuming(self, layer: Layer) -> Round:
        """The same agents in the same order, every ghost taken for optimal (MIN) or random (CHANCE)."""
        if layer is Layer.MAX:
            raise InputError("ghosts can be assumed to be MIN or CHANCE, not MAX")
        return _round((OPTIMAL if layer is Layer.MIN else RANDOM,) * len(self.ghosts), self.order)

    def __repr__(self) -> str:
        return f"Round({', '.join(map(repr, self.layers))})"


ORDERS = ("layers", "index")


def round_of(ghosts: Iterable[GhostKind], order: str | Sequence[AgentNumber] = "layers") -> Round:
    """The round for ghosts 1..k, given in the order of their numbers.

    `order` is "layers" (MAX, every CHANCE, every MIN; the smaller number first), "index" (0, 1, ..., k),
    or the agents themselves, each once.

    >>> round_of(["optimal", "random"]).layers, round_of(["optimal", "random"]).order
    ((MAX, CHANCE, MIN), (0, 2, 1))
    """
    models = tuple(model(ghost) for ghost in ghosts)
    agents = range(len(models) + 1)
    if order == "layers":
        chance_first = sorted(agents[1:], key=lambda agent: models[agent - 1].layer is Layer.MIN)
        return _round(models, (0, *chance_first))
    if order == "index":
        return _round(models, tuple(agents))
    if isinstance(order, str):
        raise InputError(f"no order '{order}': {nearest(order, ORDERS)}")
    if sorted(order) != list(agents):
        raise InputError(f"an order names each of the agents 0 to {len(models)} once, not {list(order)}")
    return _round(models, tuple(order))


@cache
def _round(ghosts: tuple[GhostModel, ...], order: tuple[AgentNumber, ...]) -> Round:
    return Round(ghosts, order)
