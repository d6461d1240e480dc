"""The base classes of all agents: an agent begins a game with a random stream, and chooses an action at each turn."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import isnan
from numbers import Real
from random import Random
from typing import Any

from pacman.core.errors import InputError, nearest, one_line
from pacman.core.errors import NotWritten as NotWritten
from pacman.core.errors import WrongReturn as WrongReturn
from pacman.core.state import GameState
from pacman.core.tree import Evaluation, Layer, Line, Node, score


class BaseAgent:
    """An agent. It takes all its random choices from `rng`, which no other agent uses."""

    rng: Random

    def begin(self, rng: Random) -> None:
        """Starts a game; the agent takes every random choice in it from `rng`."""
        self.rng = rng

    def choose(self, state: GameState) -> str:
        """The action to play in `state`: one of `state.actions()`."""
        raise NotWritten(f"{type(self).__name__}.choose")


class SearchAgent(BaseAgent):
    """A Pacman that looks ahead. A subclass writes `search`; this class provides `choose` and `evaluate`.

    `rounds` is how far it looks ahead; in one round every agent moves once. `evaluation` is a function of a node, or
    the name of a function in the agent's own file; "score" means the score on the board. `assumes` is how the search
    models every ghost: Layer.MIN, Layer.CHANCE, or None to keep the ghosts' real models.
    """

    assumes: Layer | None = None

    def __init__(self, rounds: int = 2, evaluation: str | Evaluation = "score") -> None:
        if rounds < 1:
            raise InputError(f"rounds={rounds}: expected at least 1 round")
        self.rounds = rounds
        self.evaluation = _find_evaluation(evaluation, type(self)) if isinstance(evaluation, str) else evaluation

    def evaluate(self, node: Node) -> float:
        """What `node` is worth to Pacman, if it is terminal or no plies are left."""
        return self.evaluation(node)

    def search(self, node: Node, plies: int) -> Line:
        """The value of `node`, looking `plies` ahead, and the action that leads to it: `Line(value, action)`."""
        raise NotWritten(f"{type(self).__name__}.search")

    def choose(self, state: GameState) -> str:
        """The action that `search` finds in `state`, looking `rounds` rounds ahead."""
        node = state if self.assumes is None else state.assuming(self.assumes)
        line: Any = self.search(node, self.rounds * len(state.layers))
        if not isinstance(line, tuple) or len(line) != 2:
            raise TypeError(f"search returned {one_line(line, 80)}; expected Line(value, action) or (value, action)")
        action: str = line[1]  # also of a plain pair; the game rejects an action that is not legal, and None
        return action


class ReflexBase(BaseAgent):
    """A Pacman without a search: it takes the action with the greatest `evaluate_action`, the first one on a tie."""

    def evaluate_action(self, state: GameState, action: str) -> float:
        """How good `action` is in `state`; a larger number is better."""
        raise NotWritten(f"{type(self).__name__}.evaluate_action")

    def choose(self, state: GameState) -> str:
        """The action with the greatest `evaluate_action`, the first one on a tie."""
        return max(state.actions(), key=lambda action: self._number(state, action))

    def _number(self, state: GameState, action: str) -> float:
        """What `evaluate_action` returns. WrongReturn if that is no number, which Python may compare."""
        value: Any = self.evaluate_action(state, action)
        if not isinstance(value, Real) or isnan(value):
            what = value if value is None else f"{one_line(value, 80)} ({type(value).__name__})"
            message = f"evaluate_action returned {what} for {action}; expected a number"
            raise WrongReturn(message, type(self).evaluate_action)
        return value  # type: ignore[return-value]  # a Real can be compared


def _find_evaluation(name: str, agent: type) -> Callable[[Any], float]:
    """The evaluation with this name: "score", or a function in the file of the class `agent`."""
    if name == "score":
        return score
    module = sys.modules[agent.__module__]
    evaluation = getattr(module, name, None)
    if not callable(evaluation) or isinstance(evaluation, type):
        own = {key: value for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
        functions = [key for key, value in own.items() if callable(value) and not isinstance(value, type)]
        hint = nearest(name, ["score", *functions])
        raise InputError(f"no evaluation '{name}' in the file of {agent.__name__}: {hint}")
    return evaluation  # type: ignore[no-any-return]
