"""How an agent of a Berkeley-style `multiAgents.py` is created and called, and how such a file is imported here."""

from __future__ import annotations

import builtins
import inspect
import random
import re
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from threading import RLock
from types import CodeType, ModuleType
from typing import Any

from agents.cs188.base_state import snake_case
from agents.cs188.modules import berkeley_modules
from agents.cs188.position import PositionState
from agents.cs188.util import chooseFromDistribution
from pacman.core.errors import NotWritten, WrongReturn, one_line
from pacman.core.rounds import RANDOM, GhostModel
from pacman.core.state import GameState
from pacman.core.tree import Evaluation, Layer

FILE = "multiAgents.py"
LAYERS = {"expectimax": Layer.CHANCE, "alphabeta": Layer.MIN, "minimax": Layer.MIN}
"""What the name of a search contains, in small letters -> its layer for every ghost."""
_IMPORT = re.compile(
    rb"^[ \t]*(from\s+(util|game|ghostAgents|ghost_agents)\s+import|import\s+(util|game))\b", re.MULTILINE
)


def is_berkeley_style(source: bytes) -> bool:
    """True for the text of a file that imports what Berkeley's project has, and not this project's base classes.

    >>> is_berkeley_style(b"import util"), is_berkeley_style(b"from agents.base import SearchAgent")
    (True, False)
    """
    return b"agents.base" not in source and _IMPORT.search(source) is not None


def give_modules(module: ModuleType) -> None:
    """Makes the imports of this module find `util`, `game`, `pacman` and `ghostAgents` of `agents.cs188`.

    Only its own code is concerned: for everything else in the process, `pacman` stays the package of this project.
    """
    modules = berkeley_modules({})

    def find(name: str, *others: Any, **more: Any) -> Any:
        return modules[name] if name in modules else builtins.__import__(name, *others, **more)

    vars(module)["__builtins__"] = {**vars(builtins), "__import__": find}


class AgentByDepth:
    """A Berkeley-style agent as a player of this project's games.

    It creates one agent for each search depth, when that depth is first needed, and keeps it. Without `rounds` the
    agent has its own depth.
    """

    def __init__(self, agent_class: Callable[..., Any], name: str, rounds: int | None) -> None:
        self.agent_class = agent_class
        self.name = name
        self.rounds = rounds
        self.kind = next((kind for kind in LAYERS if kind in name.lower()), "")
        """The kind of search that the name says; "" for none."""
        self.assumes = LAYERS.get(self.kind)
        self.evaluation: Evaluation | None = None
        """The evaluation function for new agents; None to leave them their own."""
        self._agents: dict[int | None, Any] = {}
        self._told: set[int | None] = set()  # the depths whose agents know that this game began

    @property
    def agent(self) -> Any:
        """The agent that was created last; None if there is none."""
        return next(reversed(self._agents.values()), None)

    def prepare(self) -> None:
        """Tries the constructor, so that one with other parameters is an error before the first game. WrongReturn."""
        self._create(self.rounds)

    def like(self, search: Callable[..., Any]) -> Any:
        """Another agent's search, as deep as this one and with its evaluation, which may be a student's."""
        agent = self._create(self.rounds)
        evaluate = getattr(agent, "evaluationFunction", getattr(agent, "evaluation_function", PositionState.getScore))
        depth = agent.depth if isinstance(getattr(agent, "depth", None), int) else self.rounds
        return search(max(1, depth or 1), lambda state: evaluate(PositionState.of(state)))

    def begin(self, rng: Random) -> None:
        """Prepares for a new game. Such files use the global random generator, so this gives it the state of `rng`."""
        random.setstate(rng.getstate())
        PositionState.beginning = None
        self._told.clear()

    def choose(self, state: GameState) -> str:
        """The action of `getAction` at a position. WrongReturn if it is not a string."""
        PositionState.beginning = PositionState.beginning or state
        action = self.action(PositionState.of(state), self.rounds)
        if not isinstance(action, str):
            what = action if action is None else f"{one_line(action, 80)} ({type(action).__name__})"
            raise WrongReturn(f"{self.name}.getAction returned {what}; expected an action such as 'West'", None)
        return action

    def action(self, state: Any, rounds: int | None) -> Any:
        """The result of `getAction(state)` with a depth of `rounds`. NotWritten if the method is empty."""
        if rounds not in self._agents:
            self._agents[rounds] = self._create(rounds)
        agent = self._agents[rounds]
        register = getattr(agent, "registerInitialState", None)
        if rounds not in self._told and callable(register):
            register(state)
        self._told.add(rounds)
        action = agent.getAction(state)
        if action is None and _is_empty(agent.getAction):
            raise NotWritten(f"{self.name}.{agent.getAction.__name__}")
        return action

    def _create(self, rounds: int | None) -> Any:
        """A new agent with this depth. If its constructor has no parameter `depth`, sets the attribute."""
        depth = {} if rounds is None else {"depth": max(1, rounds)}
        if accepts(self.agent_class, **depth):
            agent = self.agent_class(**depth)
        elif accepts(self.agent_class):
            agent = self.agent_class()
            agent.depth = depth["depth"]
        else:
            expected = "expected __init__(self, evalFn='scoreEvaluationFunction', depth='2')"
            values = "".join(f"depth={value}" for value in depth.values())
            raise WrongReturn(f"{self.name}({values}) fails: __init__ has other parameters; {expected}", None)
        if not callable(getattr(agent, "getAction", None)):
            raise WrongReturn(f"{self.name} has no method getAction(self, gameState)", None)
        if self.evaluation:
            agent.evaluationFunction = agent.evaluation_function = self.evaluation
        return agent


class GhostByIndex:
    """A Berkeley-style ghost as a player of this project's games. A search takes it for a random ghost.

    `make` makes it with its number in the game; `method` is the one of its class that decides.
    """

    model: GhostModel = RANDOM
    _globals = RLock()
    """Such files use the global random generator, and games may run at the same time."""

    def __init__(self, make: Callable[[int], Any], method: Any) -> None:
        self.make, self.method = make, method
        self.agent = self.make(1)  # so that an error of the constructor is one before the first game

    @classmethod
    def of(cls, ghost_class: type) -> Callable[..., GhostByIndex]:
        """Makes such a ghost with options: the parameters of the class, without the number."""
        own = [name for name in ("getAction", "getDistribution") if name in vars(ghost_class)]
        method = getattr(ghost_class, [*own, "getAction"][0])

        def make(**options: Any) -> GhostByIndex:
            return cls(partial(ghost_class, **options), method)

        setattr(make, "__signature__", inspect.signature(partial(ghost_class, 1)))  # noqa: B010 - unknown to mypy
        return make

    def begin(self, rng: Random) -> None:
        """Prepares for a new game: a new ghost, whose random numbers are those of `rng`."""
        self._ghost: Any = None
        self._first: GameState | None = None
        self._numbers = rng.getstate()

    def choose(self, state: GameState) -> Any:
        """The ghost's action, which is drawn from its distribution unless it defines `getAction`."""
        with self._globals:
            others = random.getstate(), PositionState.beginning
            self._first = self._first or state
            random.setstate(self._numbers)
            PositionState.beginning = self._first
            try:
                self._ghost = self._ghost or self.make(state.mover)
                view = PositionState.of(state)
                if callable(getattr(self._ghost, "getAction", None)):
                    return self._ghost.getAction(view)
                return chooseFromDistribution(self._ghost.getDistribution(view))
            finally:
                self._numbers = random.getstate()
                random.setstate(others[0])
                PositionState.beginning = others[1]


def accepts(function: Callable[..., Any], *values: Any, **named: Any) -> bool:
    """True if the function can be called with these arguments."""
    try:
        inspect.signature(function).bind(*values, **named)
    except TypeError:
        return False
    except ValueError:  # written in C, without a signature
        return True
    return True


def renamed(function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Named arguments as the function takes them: in camelCase, or else in snake_case."""
    return {key if accepts(function, **{key: value}) else snake_case(key): value for key, value in arguments.items()}


def _is_empty(method: Any) -> bool:
    """True if the method does nothing: its body is only `pass` or a docstring."""
    code = getattr(method, "__code__", None)
    if code is None or code.co_names or code.co_freevars or code.co_cellvars:
        return False
    return not any(isinstance(constant, CodeType) for constant in code.co_consts)
