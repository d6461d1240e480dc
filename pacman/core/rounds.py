"""The order of the turns in a round: one ply of every agent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from pacman.core.errors import IllegalAction, InputError, nearest
from pacman.core.ghost_models import OPTIMAL, RANDOM, GhostKind, GhostModel, models
from pacman.core.layers import Layer
from pacman.core.layout import AgentNumber


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
