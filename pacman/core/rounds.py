"""Who moves when, and the models of ghosts: how a search represents a ghost. At a CHANCE layer one has probabilities.

A round is one ply of every agent. Which model fits a ghost is a modelling choice; the position itself knows only who
moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from pacman.core.errors import IllegalAction, InputError, nearest, one_line
from pacman.core.layout import AgentNumber
from pacman.core.rules import STEPS, GhostPose, Outcomes, PacmanPose
from pacman.core.tree import Layer


@dataclass(frozen=True)
class GhostModel:
    """How a search models a ghost. `outcomes(pacman, ghost)` are the ghost's actions with their probabilities.

    `mass` is that of a directional ghost with one probability (see `directional_outcomes`), and None for any other.
    """

    name: str
    layer: Layer
    outcomes: Callable[[PacmanPose, GhostPose], Outcomes]
    mass: float | None = None

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, ...]:
        return model, (self.name,)


def uniform_outcomes(pacman: PacmanPose, ghost: GhostPose) -> Outcomes:
    """The legal actions of the ghost, all with the same probability."""
    if not ghost.actions:
        ghost.compute_successors()
    return ghost.uniform_outcomes


def directional_outcomes(mass: float, flee: float) -> Callable[[PacmanPose, GhostPose], Outcomes]:
    """The outcomes of a ghost that chases Pacman, or that flees from him while it is scared.

    The probability `mass` is divided equally over the actions that lead nearest to Pacman; while the ghost is scared,
    `flee` over those that lead farthest. The rest is divided equally over all legal actions. Distances are Manhattan
    distances.
    """

    def outcomes(pacman: PacmanPose, ghost: GhostPose) -> Outcomes:
        successors = ghost.successors or ghost.compute_successors()
        (x, y), step = pacman.position, 1 if ghost.timer else 2
        gaps = {}
        for action in successors:
            dx, dy = STEPS[action]
            gaps[action] = abs(ghost.place[0] + step * dx - 2 * x) + abs(ghost.place[1] + step * dy - 2 * y)
        goal = (max if ghost.timer else min)(gaps.values())
        best, share = sum(gap == goal for gap in gaps.values()), flee if ghost.timer else mass
        rest = (1 - share) / len(gaps)
        return tuple((action, (share / best if gap == goal else 0.0) + rest) for action, gap in gaps.items())

    return outcomes


RANDOM = GhostModel("random", Layer.CHANCE, uniform_outcomes)
OPTIMAL = GhostModel("optimal", Layer.MIN, uniform_outcomes)
DIRECTIONAL_MASS = 0.8


def directional(mass: float = DIRECTIONAL_MASS, flee: float | None = None) -> GhostModel:
    """A ghost that mostly chases Pacman (see `directional_outcomes`). InputError unless 0 <= mass <= 1.

    With `flee`, that is the probability while it is scared.

    >>> directional(0.9), directional(0.9, flee=0.5)
    (directional(0.9), directional(0.9/0.5))
    """
    for each in (mass, mass if flee is None else flee):
        if not 0 <= each <= 1:
            problem = "expected the probability that the ghost chases Pacman, from 0 to 1"
            raise InputError(f"directional({each}): {problem}")
    return _directional(float(mass), float(mass if flee is None else flee))


@cache
def _directional(mass: float, flee: float) -> GhostModel:
    name = f"directional({mass!r})" if mass == flee else f"directional({mass!r}/{flee!r})"
    name = "directional" if mass == flee == DIRECTIONAL_MASS else name
    return GhostModel(name, Layer.CHANCE, directional_outcomes(mass, flee), mass if mass == flee else None)


MODELS: Mapping[str, GhostModel] = {"random": RANDOM, "directional": directional(), "optimal": OPTIMAL}
"""The models by the names that cases, recordings and commands give them."""


class ModelledGhost(Protocol):
    """An object that names its own model, as every ghost in `agents.ghosts` does."""

    @property
    def model(self) -> GhostModel:
        """The model that a search uses for this ghost."""


GhostKind = str | GhostModel | ModelledGhost
"""A model, an object with a model, or the name of a model."""


def model(ghost: GhostKind) -> GhostModel:
    """The model of `ghost`. InputError for an unknown name, and for an object that is not a ghost.

    >>> model("optimal").layer, model("directional(0.5)")
    (MIN, directional(0.5))
    """
    if isinstance(ghost, GhostModel):
        return ghost
    if not isinstance(ghost, str):
        own_model = getattr(ghost, "model", None)
        if not isinstance(own_model, GhostModel):
            raise InputError(
                f'{one_line(ghost)} is not a ghost: expected a name such as "random", or an object with a `model`'
            )
        return own_model
    number = r"(\d*\.?\d+(?:e-\d+)?)"
    if match := re.fullmatch(rf"directional\({number}(?:/{number})?\)", ghost):
        return directional(float(match[1]), float(match[2] or match[1]))
    if ghost not in MODELS:
        raise InputError(f"no ghost '{ghost}': {nearest(ghost, MODELS)}")
    return MODELS[ghost]


def models(ghosts: Iterable[GhostKind]) -> tuple[GhostModel, ...]:
    """The model of each ghost. InputError for an unknown name, and for one ghost that is not in a list.

    >>> models(["random", "optimal"])
    (random, optimal)
    """
    if isinstance(ghosts, str):
        example = ", ".join(f'"{name.strip()}"' for name in ghosts.split(",") if name.strip())
        raise InputError(
            f"ghosts must be a list with one entry per ghost: expected [{example}], got {one_line(ghosts)}"
        )
    if not isinstance(ghosts, Iterable):
        raise InputError(f'ghosts must be a list such as ["random"], not {one_line(ghosts)}')
    return tuple(model(ghost) for ghost in ghosts)


def is_named(ghost: GhostModel) -> bool:
    """True if `model` finds this model by its name, so that a position with it can be written and read again."""
    try:
        return model(ghost.name) == ghost
    except InputError:
        return False


@dataclass(slots=True, eq=False)
class Turn:
    """The turn of one agent in a round. `next` is the turn that follows; the last turn leads to the first."""

    agent: AgentNumber
    layer: Layer
    model: GhostModel | None
    round: Round = field(init=False, repr=False)
    next: Turn = field(init=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        return Round.turn_of, (self.round, self.agent)


class Round:
    """One ply of every agent. `order` lists the agents as they move; `turns[agent]` is the turn of an agent."""

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
        """The layers of this round, in the order in which its agents move."""
        return tuple(self.turns[agent].layer for agent in self.order)

    def __reduce__(self) -> tuple[object, ...]:
        return _round, (self.ghosts, self.order)

    def turn_of(self, agent: AgentNumber) -> Turn:
        """The turn of the agent with this number. IllegalAction if there is no such agent."""
        if not 0 <= agent < len(self.turns):
            raise IllegalAction(f"no agent {agent!r}; the agents are 0 to {len(self.turns) - 1}")
        return self.turns[agent]

    def assuming(self, layer: Layer) -> Round:
        """The same agents in the same order, with every ghost modelled as optimal (MIN) or as random (CHANCE)."""
        if layer is Layer.MAX:
            raise InputError("ghosts can be assumed to be MIN or CHANCE, not MAX")
        return _round((OPTIMAL if layer is Layer.MIN else RANDOM,) * len(self.ghosts), self.order)

    def __repr__(self) -> str:
        return f"Round({', '.join(map(repr, self.layers))})"


ORDERS = ("layers", "index")


def round_of(ghosts: Iterable[GhostKind], order: str | Sequence[AgentNumber] = "layers") -> Round:
    """The round of Pacman and of `ghosts`, which are listed in the order of their numbers 1..k.

    `order` is "layers" (MAX, then all CHANCE, then all MIN; smaller numbers first), "index" (0, 1, ..., k),
    or a list with each agent once. InputError for any other order.

    >>> round_of(["optimal", "random"]).layers, round_of(["optimal", "random"]).order
    ((MAX, CHANCE, MIN), (0, 2, 1))
    """
    ghost_models = models(ghosts)
    agents = range(len(ghost_models) + 1)
    if order == "layers":
        chance_first = sorted(agents[1:], key=lambda agent: ghost_models[agent - 1].layer is Layer.MIN)
        return _round(ghost_models, (0, *chance_first))
    if order == "index":
        return _round(ghost_models, tuple(agents))
    if isinstance(order, str):
        raise InputError(f"no order of agents '{order}': {nearest(order, ORDERS)}")
    if sorted(order) != list(agents):
        raise InputError(f"an order must list each of the agents 0 to {len(ghost_models)} once, not {list(order)}")
    return _round(ghost_models, tuple(order))


@cache
def _round(ghosts: tuple[GhostModel, ...], order: tuple[AgentNumber, ...]) -> Round:
    return Round(ghosts, order)
