"""The door: how the grader meets a `multiAgents.py` written for that project. Runs inside the sandbox.

The same four questions as for our own agents (make, begin, search, choose), asked of `getAction(gameState)`.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from math import ceil, isnan
from numbers import Real
from random import Random
from types import ModuleType
from typing import Any

from agents.base import NotWritten, SearchAgent
from autograder.student_process.cs188.compatibility_modules import install_modules
from autograder.student_process.cs188.position import PositionState
from autograder.student_process.cs188.tree import TreeState, agents_of
from autograder.student_process.native_api import NativeApi, defined
from autograder.student_process.plain_values import Refused, said
from pacman.core.state import GameState
from pacman.core.trace import Trace
from pacman.core.tree import Node

ALIASES = {
    "betterEvaluationFunction": ("better",),
    "better_evaluation": ("betterEvaluationFunction", "better"),
}
MOST = 1e12  # what an infinite evaluation is taken for: an average of +inf and -inf would be no number


class Cs188Api(NativeApi):
    """The style of that project: names of parts, constructor, calls and what comes back."""

    def prepare(self, role: str) -> None:
        """Readies what such a file imports. Our package is whole until here; its name is taken from here on."""
        super().prepare(role)
        install_modules()

    def make(self, module: ModuleType, part: str, rounds: int, role: str) -> Any:
        """The part of that name, ready to be asked; Refused if the file has none."""
        found = defined(module, part, role, ALIASES.get(part, ()))
        if role == "evaluation":
            return self.above(lambda state: _worth(found, state, part), rounds)
        return RecordedNode(found, part, rounds)

    def begin(self, part: Any, rng: Random) -> None:
        """A game begins. Such files draw from the one global generator, which goes on from where `rng` stands."""
        random.setstate(rng.getstate())
        PositionState.beginning = None

    def search(self, part: Any, root: Node, plies: int, trace: Trace) -> tuple[float | None, Any]:
        """No value, since none is returned, and the action that `getAction` names at `root`; fills `trace`."""
        state: PositionState | TreeState
        if isinstance(root, GameState):
            PositionState.beginning = PositionState.beginning or root
            state = PositionState.of(root, trace)
        else:
            state = TreeState(root, agents_of(root), trace)
        return None, part.action(state, ceil(plies / state.getNumAgents()))

    def choose(self, part: Any, state: GameState) -> str:
        """The action that `getAction` names, or that the evaluation leads to; Refused unless it is a text."""
        PositionState.beginning = PositionState.beginning or state
        if isinstance(part, SearchAgent):
            return part.choose(state)
        action = part.action(PositionState.of(state), part.rounds)
        if not isinstance(action, str):
            raise Refused(f"{part.name}.getAction returned {said(action)}; expected an action such as 'West'")
        return action


class RecordedNode:
    """An agent of such a file: made when its depth is known, then kept for the whole case."""

    def __init__(self, maker: Callable[..., Any], name: str, rounds: int) -> None:
        self.maker = maker
        self.name = name
        self.rounds = rounds
        self._made: dict[int, Any] = {}

    def action(self, state: Any, rounds: int) -> Any:
        """What `getAction(state)` returns, looking `rounds` ahead; NotWritten if it does nothing at all."""
        agent = self._made.get(rounds)
        if agent is None:
            agent = self._made[rounds] = self._make(max(1, rounds))
            register = getattr(agent, "registerInitialState", None)
            if callable(register):
                register(state)
        action = agent.getAction(state)
        if action is None and _is_empty(agent.getAction):
            raise NotWritten(f"{self.name}.getAction")
        return action

    def _make(self, rounds: int) -> Any:
        """An agent of that depth: by its constructor, or by its attribute where the constructor takes none."""
        if _takes(self.maker, depth=rounds):
            agent = self.maker(depth=rounds)
        elif _takes(self.maker):
            agent = self.maker()
            agent.depth = rounds
        else:
            wanted = "expected __init__(self, evalFn='scoreEvaluationFunction', depth='2')"
            raise Refused(f"{self.name}(depth={rounds}) cannot be made: its __init__ asks for something else; {wanted}")
        if not callable(getattr(agent, "getAction", None)):
            raise Refused(f"{self.name} has no getAction(self, gameState)")
        return agent


def _worth(evaluate: Callable[[PositionState], Any], state: GameState, name: str) -> float:
    """The evaluation of a position; infinities are taken for a very large number. Refused if it is no number."""
    value = evaluate(PositionState.of(state))
    if isinstance(value, bool) or not isinstance(value, Real) or isnan(value):
        raise Refused(f"{name} returned {said(value)}; expected a number")
    return max(-MOST, min(MOST, float(value)))


def _is_empty(method: Any) -> bool:
    """Whether a method names nothing, so that it can ask nothing: `pass`, or its docstring alone."""
    code = getattr(method, "__code__", None)
    return code is not None and not code.co_names and not code.co_freevars


def _takes(maker: Callable[..., Any], **named: Any) -> bool:
    try:
        inspect.signature(maker).bind(**named)
    except TypeError:
        return False
    except ValueError:  # written in C, which tells nothing
        return True
    return True
