"""The modules that a Berkeley-style file imports in the sandbox: util, game, pacman and ghostAgents.

Every name in camelCase has another one in snake_case. `names` are those that a course has, each with the one here.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from agents.cs188 import board, util
from agents.cs188.base_state import ADDED, State, other_names, snake_case
from agents.cs188.board import Agent
from agents.cs188.position import Board, Data, PositionState
from agents.cs188.tree import TreeState
from agents.cs188.util import Counter, chooseFromDistribution
from pacman.core import rules
from pacman.core.rounds import directional_outcomes


class GhostAgent(Agent):
    """A ghost. Its subclasses define the probability of each action."""

    def __init__(self, index: int = 1) -> None:
        super().__init__(index)

    def getAction(self, state: PositionState) -> str:
        """An action drawn from the distribution; Stop if the ghost has no legal action."""
        distribution = self.getDistribution(state)
        return str(chooseFromDistribution(distribution)) if distribution else rules.STOP

    def getDistribution(self, state: PositionState) -> Counter:
        """Action -> probability; empty without legal actions."""
        raise NotImplementedError(f"{type(self).__name__}.getDistribution")


class RandomGhost(GhostAgent):
    """A ghost that chooses every legal action with the same probability."""

    def getDistribution(self, state: PositionState) -> Counter:
        """Action -> probability; empty without legal actions."""
        actions = state.getLegalActions(self.index)
        return Counter(dict.fromkeys(actions, 1 / len(actions)) if actions else {})


class DirectionalGhost(GhostAgent):
    """A ghost that mostly moves towards Pacman, or away from him while it is scared."""

    def __init__(self, index: int = 1, prob_attack: float = 0.8, prob_scaredFlee: float = 0.8) -> None:
        super().__init__(index)
        self.prob_attack = prob_attack
        self.prob_scaredFlee = prob_scaredFlee

    def getDistribution(self, state: PositionState) -> Counter:
        """Action -> probability; empty without legal actions."""
        if not state.getLegalActions(self.index):
            return Counter()
        ghost = state._state.ghosts[self.index - 1]
        return Counter(directional_outcomes(self.prob_attack, self.prob_scaredFlee)(state._state.pacman, ghost))


UTIL: dict[str, Any] = {"random": random, "sys": sys} | {
    name: value
    for name, value in vars(util).items()
    if getattr(value, "__module__", None) == util.__name__ and not name.startswith("_")
}
GAME: dict[str, Any] = {
    each.__name__: each
    for each in (
        *(board.Agent, board.Directions, board.Configuration, board.AgentState, board.Grid, board.Actions),
        *(util.manhattanDistance, util.nearestPoint),
    )
}
GHOSTS = {each.__name__: each for each in (GhostAgent, RandomGhost, DirectionalGhost)} | GAME
PACMAN: dict[str, Any] = {
    **GAME,
    "GameState": PositionState,
    "SCARED_TIME": rules.SCARED_MOVES,
    "COLLISION_TOLERANCE": 0.7,
    "TIME_PENALTY": -rules.MOVE_POINTS,
}


def _no_call(name: str) -> type:
    """A class that a file may import (many do, and never use it) but not call."""

    def init(self: object, *args: object, **named: object) -> None:
        raise Exception(
            f"{name} is not available in the sandbox; the grader runs the games, this code only chooses actions"
        )

    return type(name, (), {"__init__": init, "__doc__": f"{name}, which graded code may import but not call."})


class GhostRules:
    """The rules of moves, which some files ask for the actions of an agent."""

    @staticmethod
    def getLegalActions(state: PositionState, agentIndex: int = 0) -> list[str]:
        """The legal actions of an agent."""
        return state.getLegalActions(agentIndex)


GAME |= {name: _no_call(name) for name in ("Game", "GameStateData")}
PACMAN |= {name: _no_call(name) for name in ("ClassicGameRules", "runGames", "loadAgent")}
PACMAN |= {"PacmanRules": GhostRules, "GhostRules": GhostRules}
CONTENT = {"util": UTIL, "game": GAME, "pacman": PACMAN, "ghostAgents": GHOSTS}
_CLASSES = {each for content in CONTENT.values() for each in content.values() if isinstance(each, type)}
_CLASSES |= {State, TreeState, Data, Board}
CALLED = ("getAction", "getDistribution", "registerInitialState", "evaluationFunction")
"""The methods that the grader calls."""
_PLACES = [{*place} - ADDED for place in (CALLED, CONTENT, *CONTENT.values(), *map(dir, _CLASSES))]
NAMES = frozenset().union(*_PLACES)


def is_taken(theirs: str, ours: str) -> bool:
    """True if a course cannot call something `theirs`, because a module or a class has this beside `ours`.

    >>> is_taken("isWin", "isLose"), is_taken("getPossibleActions", "getLegalActions")  # of a state; of two classes
    (True, False)
    """
    return theirs in CALLED or any({theirs, ours} <= place for place in _PLACES)


def berkeley_modules(names: Mapping[str, str]) -> dict[str, ModuleType]:
    """The modules by name, new ones for each program that imports them. From now on, our classes know the `names`."""
    modules = {name: ModuleType(name, f"What graded code imports from {name}.") for name in CONTENT}
    for name, content in CONTENT.items():
        vars(modules[name]).update(content | other_names(content, names))
        if name != "util":
            vars(modules[name])["util"] = modules["util"]
    for kind in _CLASSES:
        for name, value in other_names(vars(kind), names).items():
            setattr(kind, name, value)
            ADDED.add(name)
    return modules | other_names(modules, names)


def install_modules(names: Mapping[str, str]) -> None:
    """Puts the modules into `sys.modules`, where `import` looks first. `pacman` then means the Berkeley module.

    Import everything that is needed of our package `pacman` before: its loaded submodules keep working.
    """
    sys.modules.update(berkeley_modules(names))


def adopt(definition: Any, names: Mapping[str, str]) -> None:
    """Gives the classes of a file what the grader calls under the names here too, as in getAction for get_action."""
    for kind in getattr(definition, "__mro__", ()):
        for theirs, ours in {**{snake_case(ours): ours for ours in CALLED}, **names}.items():
            if ours in CALLED and theirs in vars(kind) and ours not in vars(kind):
                setattr(kind, ours, vars(kind)[theirs])
