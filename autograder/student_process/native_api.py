"""How a submission is readied and asked: in this project's own style, which any other one starts from."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from random import Random
from types import FunctionType, ModuleType
from typing import Any

from agents.base import SearchAgent
from autograder.student_process.allowed_imports import UNDER_EVALUATIONS, is_refused
from autograder.student_process.plain_values import Barred, Refused, plain, said
from pacman.core.errors import nearest
from pacman.core.state import GameState
from pacman.core.trace import CountedNode, Trace
from pacman.core.tree import Evaluation, Line, Node

MAX_VALUES = 2_000
MODULE = "submission"
"""The name under which a submission is imported."""


class NativeApi:
    """`class MinimaxAgent(SearchAgent)`, `search(node, plies) -> Line`.

    Another style is a subclass, which `student.load` chooses by the name of its API.
    """

    def __init__(self) -> None:
        self.values: list[tuple[int, float]] = []
        """Of nodes in the trace, by number: what the student's search returned for them, as far as that is seen."""
        self._search: Any = None

    def prepare(self, role: str) -> None:
        """Hides what would answer for a submission; the search above an evaluation is fetched before."""
        if role == "evaluation":
            self._search = importlib.import_module(UNDER_EVALUATIONS[-1]).exhaustive
        hide()

    def make(self, module: ModuleType, part: str, rounds: int, role: str) -> Any:
        """The part in question; Refused when the file does not define it."""
        made = defined(module, part, role)
        if role == "evaluation":
            return self.above(lambda leaf: checked_evaluation(made(leaf), part), rounds)
        return made(rounds=rounds) if issubclass(made, SearchAgent) else made()

    def above(self, evaluation: Evaluation, rounds: int) -> SearchAgent:
        """An agent that searches for itself, and asks an evaluation."""
        search = self._search

        class Above(SearchAgent):
            def search(self, node: Node, plies: int) -> Line:
                line: Line = search(node, plies, self.evaluation)
                return line

        return Above(rounds, evaluation)

    def begin(self, part: Any, rng: Random) -> None:
        """A game begins."""
        part.begin(rng)

    def search(self, part: Any, root: Node, plies: int, trace: Trace) -> tuple[Any, Any]:
        """Value and action that the part finds for `root`, as it returned them; `trace` gets what it touched."""
        self.values = []
        _watch(part, trace, self.values)
        line = part.search(CountedNode(root, trace), plies)
        if not isinstance(line, tuple) or len(line) != 2:
            raise Refused(f"search returned {said(line)}; expected Line(value, action)")
        return line[0], line[1]

    def choose(self, part: Any, state: GameState) -> Any:
        """The action that the part takes at a position."""
        return part.choose(state)


class ImportGuard:
    """Says why an import is refused. (The files are not there either: see `autograder.sandbox.import_bundle`.)"""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if is_refused(name):
            raise Barred(f"imports {name}, which a submission may not use")


def hide() -> None:
    """From now on no import finds what graded code may not use, and what is loaded cannot be looked up by name."""
    for name in filter(is_refused, list(sys.modules)):
        del sys.modules[name]
    sys.meta_path.insert(0, ImportGuard())


def defined(module: ModuleType, part: str, role: str, aliases: Sequence[str] = ()) -> Any:
    """The class or function that a submission defines under that name, or another; Refused when there is none."""
    found: Any = next((vars(module)[name] for name in (part, *aliases) if name in vars(module)), None)
    is_class = role != "evaluation"
    if not callable(found) or isinstance(found, type) != is_class:
        defined_here = [
            name
            for name, value in vars(module).items()
            if callable(value) and isinstance(value, type) == is_class and value.__module__ == module.__name__
        ]
        suggestion = nearest(part, defined_here) if defined_here else "it defines none"
        raise Refused(f"no {'class' if is_class else 'function'} {part} in the file; {suggestion}")
    return found


def checked_evaluation(value: Any, name: str) -> float:
    """`value` if an evaluation may return it."""
    number = plain(value)
    if number is None:
        raise Refused(f"{name} returned {said(value)}; expected a finite number")
    return number


def _watch(agent: Any, trace: Trace, values: list[tuple[int, float]]) -> None:
    """Has the agent's methods, as they call each other, write down what they return for a node: to draw a miss.

    Its `search`, and any other method of its own in which successors of the node were made.
    """
    own: dict[str, Any] = {}
    for kind in reversed(type(agent).__mro__):
        own |= vars(kind) if kind.__module__ == MODULE else {}
    for name, method in own.items():
        if isinstance(method, FunctionType) and not name.startswith("__"):
            setattr(agent, name, _watched(agent, method, name == "search", trace, values))


def _watched(
    agent: Any, method: Callable[..., Any], always: bool, trace: Trace, values: list[tuple[int, float]]
) -> Callable[..., Any]:
    def watched(*given: Any, **named: Any) -> Any:
        before = len(trace.made)
        found = method(agent, *given, **named)
        node = given[0] if given else named.get("node")
        if isinstance(node, CountedNode) and (always or len(trace.made) > before) and len(values) < MAX_VALUES:
            value = _value_in(found)
            if value is not None:
                values.append((node.number, value))
        return found

    return watched


def _value_in(found: Any) -> float | None:
    """The number in what a method returned: by itself, or in a pair with an action, in either order."""
    if isinstance(found, tuple) and len(found) == 2:
        first, second = found
        return plain(second) if isinstance(first, str) or first is None else plain(first)
    return plain(found)
