"""How a submission in this project's own form is created and called. `cs188_api` does the same for another form."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from random import Random
from types import FunctionType, ModuleType
from typing import Any

from agents.advice import NATIVE, is_nearly_public, missing_base, nearest_part, other_letter
from agents.base import SearchAgent
from autograder.student_process.allowed_imports import is_refused
from autograder.student_process.plain_values import (
    ForbiddenImport,
    MissingPart,
    SubmissionError,
    describe,
    plain_number,
)
from pacman.core.state import GameState
from pacman.core.tree import Evaluation, Node
from pacman.record.program import MODULE
from pacman.record.trace import CountedNode, Trace
from pacman.record.watcher import WatchedNode, WatchedTrace

MAX_VALUES = 2_000


class NativeApi:
    """Calls `class MinimaxAgent(SearchAgent)` with `search(node, plies) -> Line`.

    The API of another form is a subclass. `RequestHandler` chooses it by name.
    """

    def __init__(self) -> None:
        self.values: list[tuple[int, float]] = []
        """(number of a node in the trace, value that the student's code returned for it), in the order of the calls."""
        self.names: dict[str, str] = {}
        """A course's names for methods of a game state, and our names."""

    style = NATIVE
    """The style of the files, for advice."""

    def prepare(self, forbids: bool = True) -> None:
        """Forbids the imports that contain answers, if it `forbids` any."""
        if forbids:
            forbid_imports()

    def make(self, module: ModuleType, part: str, rounds: int, role: str, /, **arguments: Any) -> Any:
        """A new instance of the part that the case tests. SubmissionError if the file does not define the part."""
        definition = find_part(module, part, role)
        if role == "evaluation":
            return EvaluationPart(lambda leaf: check_evaluation(definition(leaf), part, definition))
        if not issubclass(definition, SearchAgent):
            agent = definition(**arguments)
            if not callable(getattr(agent, "begin", None)):
                raise SubmissionError(missing_base(part, role))
            return agent
        return definition(rounds=rounds, **arguments)

    def search(self, part: Any, root: Node, plies: int, trace: Trace) -> tuple[Any, Any]:
        """The value and the action that the part's search returns for `root`. Fills `trace` with the generated nodes.

        SubmissionError if the search returns something other than a pair.
        """
        self.values = []
        is_watched = isinstance(trace, WatchedTrace)
        if not is_watched:
            _record_values(part, trace, self.values)
        line = part.search((WatchedNode if is_watched else CountedNode)(root, trace), plies)
        if not isinstance(line, tuple) or len(line) != 2:
            raise SubmissionError(f"search returned {describe(line)}; expected Line(value, action) or (value, action)")
        return line[0], line[1]

    def number_of(self, value: Any) -> int | None:
        """The number of a node in the trace; None for anything else."""
        return value.number if isinstance(value, CountedNode) else None

    def action_values(self, part: Any, state: GameState) -> list[Any]:
        """What a reflex agent's `evaluate_action` returns for each action; empty for another agent."""
        evaluate = getattr(part, "evaluate_action", None)
        return [evaluate(state, action) for action in state.actions()] if callable(evaluate) else []

    def evaluate(self, part: EvaluationPart, root: GameState, plies: int) -> list[float]:
        """What the part's function returns for each leaf of a search of `root`, from left to right."""
        return [part.function(leaf) for leaf in leaves(root, plies)]


class EvaluationPart:
    """The student's evaluation, as the part that a case tests. `function` also checks what it returns."""

    def __init__(self, function: Evaluation) -> None:
        self.function = function

    def begin(self, rng: Random) -> None:
        """A function has nothing to do at the start of a game."""


def leaves(root: GameState, plies: int) -> list[GameState]:
    """The nodes that a search of `root` evaluates, from left to right: terminal nodes and nodes at the horizon.

    The grader's search reaches the same leaves in the same order, so it needs only their values.
    """
    nodes = [root]
    for _ in range(plies):
        nodes = [
            following
            for node in nodes
            for following in ((node,) if node.is_terminal else map(node.successor, node.actions()))
        ]
    return nodes


class ImportGuard:
    """An import finder that refuses modules with a clear message. (Behind the walls they cannot be read anyway.)"""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """None for a module that graded code may import; ForbiddenImport for any other module of this project.

        ImportError for what is no module, but nearly a public name in the wrong place, such as `agents.Line`.
        """
        if is_refused(name):
            place, _, last = name.rpartition(".")
            if place in ("pacman", "agents") and is_nearly_public(last):
                raise ImportError(f"cannot import name '{last}' from '{place}'")
            raise ForbiddenImport(f"imports {name}, which a submission may not use")


def forbid_imports() -> None:
    """From now on, refuses every import that graded code may not make. Such modules also leave `sys.modules`."""
    for name in filter(is_refused, list(sys.modules)):
        del sys.modules[name]
    sys.meta_path.insert(0, ImportGuard())


def find_part(module: ModuleType, part: str, role: str, aliases: Sequence[str] = ()) -> Any:
    """The class (for an evaluation: the function) that the file defines as `part` or as one of the aliases.

    SubmissionError if there is none.
    """
    kind = "function" if role == "evaluation" else "class"
    definition: Any = next((vars(module)[name] for name in (part, *aliases) if name in vars(module)), None)
    if definition is None:
        own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == MODULE]
        nearest = nearest_part(part, own)
        hint = f"; did you mean '{nearest}'?{other_letter(nearest)}" if nearest else ""
        raise MissingPart(f"the file defines no {kind} {part}{hint}", nearest)
    if not callable(definition) or isinstance(definition, type) != (kind == "class"):
        raise SubmissionError(f"{part} is not a {kind}: it is {describe(definition)}")
    return definition


def check_evaluation(value: Any, name: str, function: object) -> float:
    """`value` as a number, if the evaluation `function`, called `name`, may return it; otherwise SubmissionError."""
    number = plain_number(value)
    if number is None:
        raise SubmissionError(f"{name} returned {describe(value)}; expected a finite number", function)
    return number


def _record_values(agent: Any, trace: Trace, values: list[tuple[int, float]]) -> None:
    """Replaces the agent's own methods so that they also record the values which they return for nodes.

    The values explain a wrong answer. `search` always records; another method does if it generated successors.
    """
    methods: dict[str, Any] = {}
    for base in reversed(type(agent).__mro__):
        methods |= vars(base) if base.__module__ == MODULE else {}
    for name, method in methods.items():
        if isinstance(method, FunctionType) and not name.startswith("__"):
            setattr(agent, name, _recording_method(agent, method, name == "search", trace, values))


def _recording_method(
    agent: Any, method: Callable[..., Any], records_always: bool, trace: Trace, values: list[tuple[int, float]]
) -> Callable[..., Any]:
    def recording(*args: Any, **kwargs: Any) -> Any:
        generated_before = len(trace.successors)
        result = method(agent, *args, **kwargs)
        node = args[0] if args else kwargs.get("node")
        generated = len(trace.successors) > generated_before
        if isinstance(node, CountedNode) and (generated or records_always) and len(values) < MAX_VALUES:
            value = _value_in(result)
            if value is not None:
                values.append((node.number, value))
        return result

    return recording


def _value_in(result: Any) -> float | None:
    """The number in what a method returned: the result itself, or the number in a pair with an action."""
    if isinstance(result, tuple) and len(result) == 2:
        first, second = result
        return plain_number(second) if isinstance(first, str) or first is None else plain_number(first)
    return plain_number(result)
