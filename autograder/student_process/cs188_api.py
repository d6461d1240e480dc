"""Creates and calls the parts of a Berkeley-style `multiAgents.py`. Runs in the sandbox.

It has the same methods as for our own agents (make, begin, search, choose, evaluate), but calls `getAction(gameState)`.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from math import ceil, isnan
from numbers import Real
from random import Random
from types import CodeType, ModuleType
from typing import Any

from agents.advice import CS188
from agents.base import NotWritten
from agents.cs188.modules import install_modules
from agents.cs188.position import PositionState
from agents.cs188.tree import TreeState, WatchedTreeState, agents_of
from autograder.student_process.native_api import EvaluationPart, NativeApi, find_part
from autograder.student_process.plain_values import SubmissionError, describe
from pacman.core.state import GameState
from pacman.core.tree import Evaluation, Node
from pacman.record.trace import Trace
from pacman.record.watcher import WatchedTrace

ALIASES = {
    "betterEvaluationFunction": ("better",),
    "better_evaluation": ("betterEvaluationFunction", "better"),
}
LARGEST = 1e12  # replaces an infinite evaluation: the average of +inf and -inf would not be a number


class Cs188Api(NativeApi):
    """The API of the Berkeley project: the names of parts, constructors, calls and results."""

    style = CS188

    def prepare(self, forbids: bool = True) -> None:
        """Installs the modules that such a file imports. The name `pacman` then no longer means our package."""
        super().prepare(forbids)
        install_modules()

    def make(self, module: ModuleType, part: str, rounds: int, role: str) -> Any:
        """The part that the case tests. SubmissionError if the file does not define it."""
        definition = find_part(module, part, role, ALIASES.get(part, ()))
        if role == "evaluation":
            return EvaluationPart(lambda state: _evaluate(definition, state, part))
        return AgentByDepth(definition, part, rounds)

    def begin(self, part: Any, rng: Random) -> None:
        """Prepares for a new game. Such files use the global random generator, so this gives it the state of `rng`."""
        random.setstate(rng.getstate())
        PositionState.beginning = None

    def set_evaluation(self, part: Any, evaluation: Evaluation) -> None:
        """Gives every agent of the part this `evaluationFunction`."""
        part.evaluation = evaluation

    def search(self, part: Any, root: Node, plies: int, trace: Trace) -> tuple[float | None, Any]:
        """None and the action that `getAction` returns for `root` (it returns no value). Fills `trace`."""
        state: PositionState | TreeState
        if isinstance(root, GameState):
            PositionState.beginning = PositionState.beginning or root
            state = PositionState.of(root, trace)
        else:
            kind = WatchedTreeState if isinstance(trace, WatchedTrace) else TreeState
            state = kind(root, agents_of(root), trace)
        return None, part.action(state, ceil(plies / state.getNumAgents()))

    def number_of(self, value: Any) -> int | None:
        """The number of a state in the trace; None for anything else."""
        return value._number if isinstance(value, PositionState | TreeState) else None

    def action_values(self, part: Any, state: GameState) -> list[Any]:
        """What a reflex agent's `evaluationFunction(state, action)` returns for each action; else an empty list."""
        evaluate = getattr(part.agent, "evaluationFunction", None)
        if not callable(evaluate) or not _accepts(evaluate, None, None):
            return []
        return [evaluate(PositionState.of(state), action) for action in state.actions()]

    def choose(self, part: Any, state: GameState) -> str:
        """The action of `getAction`. SubmissionError if it is not a string."""
        PositionState.beginning = PositionState.beginning or state
        action = part.action(PositionState.of(state), part.rounds)
        if not isinstance(action, str):
            raise SubmissionError(
                f"{part.name}.getAction returned {describe(action)}; expected an action such as 'West'"
            )
        return action

    def evaluate(self, part: EvaluationPart, root: GameState, plies: int) -> list[float]:
        """What the part's function returns for each leaf of a search of `root`, from left to right."""
        PositionState.beginning = PositionState.beginning or root
        return super().evaluate(part, root, plies)


class AgentByDepth:
    """Creates one agent per search depth, when that depth is first needed, and keeps it for the whole case."""

    def __init__(self, agent_class: Callable[..., Any], name: str, rounds: int) -> None:
        self.agent_class = agent_class
        self.name = name
        self.rounds = rounds
        self.evaluation: Evaluation | None = None
        """The evaluation function for new agents; None to leave them their own."""
        self._agents: dict[int, Any] = {}

    @property
    def agent(self) -> Any:
        """The agent that was created last; None if there is none."""
        return next(reversed(self._agents.values()), None)

    def action(self, state: Any, rounds: int) -> Any:
        """The result of `getAction(state)` with a depth of `rounds`. NotWritten if the method is empty."""
        agent = self._agents.get(rounds)
        if agent is None:
            agent = self._agents[rounds] = self._create(max(1, rounds))
            register = getattr(agent, "registerInitialState", None)
            if callable(register):
                register(state)
        action = agent.getAction(state)
        if action is None and _is_empty(agent.getAction):
            raise NotWritten(f"{self.name}.getAction")
        return action

    def _create(self, rounds: int) -> Any:
        """A new agent with this depth. If its constructor has no parameter `depth`, sets the attribute."""
        if _accepts(self.agent_class, depth=rounds):
            agent = self.agent_class(depth=rounds)
        elif _accepts(self.agent_class):
            agent = self.agent_class()
            agent.depth = rounds
        else:
            expected = "expected __init__(self, evalFn='scoreEvaluationFunction', depth='2')"
            raise SubmissionError(f"{self.name}(depth={rounds}) fails: __init__ has other parameters; {expected}")
        if not callable(getattr(agent, "getAction", None)):
            raise SubmissionError(f"{self.name} has no method getAction(self, gameState)")
        if self.evaluation:
            agent.evaluationFunction = self.evaluation
        return agent


def _evaluate(evaluate: Callable[[PositionState], Any], state: GameState, name: str) -> float:
    """The evaluation of a position; infinity becomes LARGEST. SubmissionError if it is not a number."""
    value = evaluate(PositionState.of(state))
    if isinstance(value, bool) or not isinstance(value, Real) or isnan(value):
        raise SubmissionError(f"{name} returned {describe(value)}; expected a number", evaluate)
    return max(-LARGEST, min(LARGEST, float(value)))


def _is_empty(method: Any) -> bool:
    """True if the method does nothing: its body is only `pass` or a docstring."""
    code = getattr(method, "__code__", None)
    if code is None or code.co_names or code.co_freevars or code.co_cellvars:
        return False
    return not any(isinstance(constant, CodeType) for constant in code.co_consts)


def _accepts(function: Callable[..., Any], *values: Any, **named: Any) -> bool:
    """True if the function can be called with these arguments."""
    try:
        inspect.signature(function).bind(*values, **named)
    except TypeError:
        return False
    except ValueError:  # written in C, without a signature
        return True
    return True
