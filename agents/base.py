"""What every agent is: somebody who begins a game with a random stream, and chooses an action at each of his turns."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any

from pacman.core.errors import InputError, nearest
from pacman.core.layers import Layer
from pacman.core.state import GameState
from pacman.core.tree import Evaluation, Line, Node, score


class NotWritten(Exception):
    """A part of an assignment that its student has not written yet; the text names it."""

    def __init__(self, part: str) -> None:
        super().__init__(f"{part} is not written yet")


class BaseAgent:
    """An agent with a random stream of its own."""

    rng: Random

    def begin(self, rng: Random) -> None:
        """A game begins; every random choice of this agent comes from `rng`."""
        self.rng = rng

    def choose(self, state: GameState) -> str:
        """One of `state.actions()`."""
        raise NotWritten(f"{type(self).__name__}.choose")


class SearchAgent(BaseAgent):
    """Pacman, looking ahead. A subclass writes `search`; `choose` and `evaluate` are given.

    `rounds` is how far to look: one round is one ply by everyone. `evaluation` is a function of a node, or the name
    of one in the file of the agent; "score" believes the board. `assumes` is what the ghosts are taken for:
    Layer.MIN, Layer.CHANCE, or None for each as it is.
    """

    assumes: Layer | None = None

    def __init__(self, rounds: int = 2, evaluation: str | Evaluation = "score") -> None:
        if rounds < 1:
            raise InputError(f"rounds={rounds}: a search looks at least 1 round ahead")
        self.rounds = rounds
        self.evaluation = _named(evaluation, type(self)) if isinstance(evaluation, str) else evaluation

    def evaluate(self, node: Node) -> float:
        """What `node` is worth to Pacman, at a terminal node or when no plies are left."""
        return self.evaluation(node)

    def search(self, node: Node, plies: int) -> Line:
        """`Line(value, action)`: the value of `node` looking `plies` ahead, and the action that earns it."""
        raise NotWritten(f"{type(self).__name__}.search")

    def choose(self, state: GameState) -> str:
        node = state if self.assumes is None else state.assuming(self.assumes)
        # The game refuses what is no legal action, None too.
        return self.search(node, self.rounds * len(state.layers)).action  # type: ignore[return-value]


class ReflexBase(BaseAgent):
    """Pacman, without a search: takes the action that looks best at once, the first one on a tie."""

    def evaluate_action(self, state: GameState, action: str) -> float:
        """How good `action` looks in `state`; larger is better."""
        raise NotWritten(f"{type(self).__name__}.evaluate_action")

    def choose(self, state: GameState) -> str:
        return max(state.actions(), key=lambda action: self.evaluate_action(state, action))


def _named(name: str, owner: type) -> Callable[[Any], float]:
    """The evaluation of that name: "score", or a function in the file of `owner`."""
    if name == "score":
        return score
    module = sys.modules[owner.__module__]
    found = getattr(module, name, None)
    if not callable(found) or isinstance(found, type):
        known = [key for key, value in vars(module).items() if callable(value) and not isinstance(value, type)]
        raise InputError(f"no evaluation '{name}' beside {owner.__name__}: {nearest(name, ['score', *known])}")
    return found  # type: ignore[no-any-return]
