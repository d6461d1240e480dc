"""The models of ghosts: how a search represents a ghost. At a CHANCE layer a model has probabilities.

Which model fits a ghost is a modelling choice. The position itself knows only who moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from pacman.core.errors import InputError, nearest, one_line
from pacman.core.layers import Layer
from pacman.core.rules import STEPS, GhostPose, Outcomes, PacmanPose


@dataclass(frozen=True)
class GhostModel:
    """How a search models a ghost. `outcomes(pacman, ghost)` are the ghost's actions with their probabilities.

    `mass` is that of a directional ghost (see `directional_outcomes`), and None for any other.
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


def directional_outcomes(mass: float) -> Callable[[PacmanPose, GhostPose], Outcomes]:
    """The outcomes of a ghost that chases Pacman, or that flees from him while it is scared.

    The probability `mass` is divided equally over the actions that lead nearest to Pacman (farthest while scared).
    The rest is divided equally over all legal actions. Distances are Manhattan distances.
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


RANDOM = GhostModel("random", Layer.CHANCE, uniform_outcomes)
OPTIMAL = GhostModel("optimal", Layer.MIN, uniform_outcomes)
DIRECTIONAL_MASS = 0.8


def directional(mass: float = DIRECTIONAL_MASS) -> GhostModel:
    """A ghost that mostly chases Pacman (see `directional_outcomes`). InputError unless 0 <= mass <= 1.

    >>> directional(0.9)
    directional(0.9)
    """
    if not 0 <= mass <= 1:
        raise InputError(f"directional({mass}): expected the probability that the ghost chases Pacman, from 0 to 1")
    return _directional(float(mass))


@cache
def _directional(mass: float) -> GhostModel:
    name = "directional" if mass == DIRECTIONAL_MASS else f"directional({mass!r})"
    return GhostModel(name, Layer.CHANCE, directional_outcomes(mass), mass)


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
    match = re.fullmatch(r"directional\((\d*\.?\d+(?:e-\d+)?)\)", ghost)
    if match:
        return directional(float(match[1]))
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
