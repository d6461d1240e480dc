"""What the two Berkeley-style game states have in common, and the names in snake_case that some courses give them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import wraps
from types import FunctionType
from typing import Any, NoReturn, Self

from pacman.core.errors import nearest, one_line

_ELSEWHERE = {
    **dict.fromkeys(("generatechild", "getchild", "result", "generatenextstate"), "generateSuccessor"),
    "getpossibleactions": "getLegalActions",
    "iswinningstate": "isWin",
    "islosingstate": "isLose",
}
"""What some other years and courses call a method, in small letters without `_` -> its name here."""
ADDED: set[str] = set()
"""The names that our classes have got since they were defined: those in snake_case, and those of courses."""


def snake_case(name: str) -> str:
    """A name in camelCase as some courses write it; every other name stays as it is.

    >>> snake_case("getLegalActions"), snake_case("evalFn"), snake_case("MinimaxAgent")
    ('get_legal_actions', 'eval_fn', 'MinimaxAgent')
    """
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name) if re.match("_?[a-z]", name) else name


def in_snake_case(text: str) -> str:
    """The text of a file with every name in camelCase in snake_case."""
    return re.sub(r"\b[a-z]+[A-Z]\w*", lambda name: snake_case(name[0]), text)


def other_names(content: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """What has a name in camelCase under its name in snake_case, and under the `names` that a course gives it."""
    names = {snake_case(ours): ours for ours in content if snake_case(ours) != ours} | dict(names)
    return {theirs: _renamed(content[ours]) for theirs, ours in names.items() if ours in content}


def _renamed(value: Any) -> Any:
    """A function that takes its parameters by their names in snake_case too; everything else as it is."""
    code = value.__code__ if isinstance(value, FunctionType) else None
    names = {snake_case(name): name for name in code.co_varnames[: code.co_argcount]} if code else {}
    if all(theirs == ours for theirs, ours in names.items()):
        return value

    @wraps(value)
    def call(*values: Any, **named: Any) -> Any:
        return value(*values, **{names.get(name, name): each for name, each in named.items()})

    return call


def no_member(name: str, kind: type) -> AttributeError:
    """The error for a name that no game state has: it says what was perhaps meant."""
    in_style = snake_case if "_" in name.strip("_") else str
    methods = {each.lower(): in_style(each) for each in dir(kind) if "_" not in each}
    plain = name.replace("_", "").lower()
    meant = in_style(_ELSEWHERE[plain]) if plain in _ELSEWHERE else methods.get(plain)
    near = f"did you mean '{meant}'?" if meant else nearest(name, methods.values())
    hint = "" if near.startswith("known") else f"; {near}"  # the list is longer than a message
    return AttributeError(f"a game state has no {name}{hint}")


class State:
    """A Berkeley-style game state. It never changes, so a copy is the state itself."""

    __slots__ = ()

    getNumAgents: Callable[[], int]
    getLegalActions: Callable[[int], list[str]]
    generateSuccessor: Callable[[int, str], Self]
    isWin: Callable[[], bool]
    isLose: Callable[[], bool]

    def getNumGhost(self) -> int:
        """The number of ghosts, which some courses' files ask for."""
        return self.getNumAgents() - 1

    def getLegalPacmanActions(self) -> list[str]:
        """The legal actions of Pacman."""
        return self.getLegalActions(0)

    def generatePacmanSuccessor(self, action: str) -> Self:
        """The state after Pacman's action."""
        return self.generateSuccessor(0, action)

    getPacmanNextState = generatePacmanSuccessor

    def deepCopy(self, memo: object = None) -> Self:
        """The state itself."""
        return self

    __copy__ = __deepcopy__ = deepCopy

    def _no_agent(self, method: str, agent: Any) -> NoReturn:
        raise Exception(f"{method}: no agent {one_line(agent)}; expected 0 to {self.getNumAgents() - 1}")

    def _no_successor(self, agent: Any, action: Any, hint: str = "") -> NoReturn:
        """Raises the error for a missing successor: the state is an end, or the agent or the action does not exist."""
        if self.isWin() or self.isLose():
            raise Exception("generateSuccessor called on a terminal state (isWin() or isLose() is true)")
        if not isinstance(agent, int) or not 0 <= agent < self.getNumAgents():
            self._no_agent("generateSuccessor", agent)
        legal = ", ".join(self.getLegalActions(agent))
        raise Exception(f"illegal action {one_line(action, 80)} of agent {agent}; legal: {legal}{hint}")
