"""Creates and calls the parts of a Berkeley-style `multiAgents.py`. Runs in the sandbox.

It has the same methods as for our own agents (make, begin, search, choose, evaluate), but calls `getAction(gameState)`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil, isinf, isnan, nextafter
from numbers import Real
from types import ModuleType
from typing import Any

from agents.advice import CS188
from agents.cs188.agent import AgentByDepth, accepts, renamed
from agents.cs188.base_state import snake_case
from agents.cs188.modules import adopt, install_modules
from agents.cs188.position import PositionState
from agents.cs188.tree import TreeState, agents_of
from autograder.student_process.native_api import EvaluationPart, NativeApi, find_part
from autograder.student_process.plain_values import LARGEST, SubmissionError, describe
from pacman.core.state import GameState
from pacman.core.tree import Node
from pacman.record.trace import Trace

ALIASES = {
    "betterEvaluationFunction": ("better",),
    "better_evaluation": ("betterEvaluationFunction", "better"),
}


class Cs188Api(NativeApi):
    """The API of the Berkeley project: the names of parts, constructors, calls and results."""

    style = CS188

    def prepare(self, forbids: bool = True) -> None:
        """Installs the modules that such a file imports. The name `pacman` then no longer means our package."""
        super().prepare(forbids)
        install_modules(self.names)

    def make(self, module: ModuleType, part: str, rounds: int, role: str, /, **arguments: Any) -> Any:
        """The part that the case tests. SubmissionError if the file does not define it.

        Courses ask for the evaluation as `better`; a file may give this name to any of its functions. An agent that
        plays whole games has its own depth, unless the case gives one.
        """
        named = "better" if part == "betterEvaluationFunction" and hasattr(module, "better") else part
        definition = find_part(module, named, role, (snake_case(part), *ALIASES.get(part, ())))
        adopt(definition, self.names)
        if role == "evaluation":
            return EvaluationPart(lambda state: _evaluate(definition, state, part))
        agent_class = partial(definition, **renamed(definition, arguments)) if arguments else definition
        has_own_depth = role == "choice" and (rounds == 1 or "depth" in arguments)
        return AgentByDepth(agent_class, part, None if has_own_depth else rounds)

    def search(self, part: Any, root: Node, plies: int, trace: Trace) -> tuple[float | None, Any]:
        """None and the action that `getAction` returns for `root` (it returns no value). Fills `trace`."""
        state: PositionState | TreeState
        if isinstance(root, GameState):
            PositionState.beginning = PositionState.beginning or root
            state = PositionState.of(root, trace)
        else:
            state = TreeState(root, agents_of(root), trace)
        return None, part.action(state, ceil(plies / state.getNumAgents()))

    def number_of(self, value: Any) -> int | None:
        """The number of a state in the trace; None for anything else."""
        return value._number if isinstance(value, PositionState | TreeState) else None

    def action_values(self, part: Any, state: GameState) -> list[Any]:
        """What a reflex agent's `evaluationFunction(state, action)` returns for each action; else an empty list."""
        evaluate = getattr(part.agent, "evaluationFunction", None)
        if not callable(evaluate) or not accepts(evaluate, None, None):
            return []
        return [evaluate(PositionState.of(state), action) for action in state.actions()]

    def evaluate(self, part: EvaluationPart, root: GameState, plies: int) -> list[float]:
        """What the part's function returns for each leaf of a search of `root`, from left to right."""
        PositionState.beginning = PositionState.beginning or root
        return super().evaluate(part, root, plies)


def _evaluate(evaluate: Callable[[PositionState], Any], state: GameState, name: str) -> float:
    """The evaluation of a position; infinity becomes LARGEST, and a number beyond it the next smaller one.

    SubmissionError if it is not a number.
    """
    value = evaluate(PositionState.of(state))
    if isinstance(value, bool) or not isinstance(value, Real) or isnan(value):
        raise SubmissionError(f"{name} returned {describe(value)}; expected a number", evaluate)
    most = LARGEST if isinf(value) else nextafter(LARGEST, 0)
    return max(-most, min(most, float(value)))
