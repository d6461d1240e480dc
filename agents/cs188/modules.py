"""The modules that a Berkeley-style file imports in the sandbox: util, game, pacman and ghostAgents.

A course may have other names for what is in them. `names` are pairs of its name and the one here; the pair
snake_case, camelCase stands for all names, as in get_legal_actions for getLegalActions.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from agents.cs188 import board, util
from agents.cs188.base_state import State
from agents.cs188.board import Agent
from agents.cs188.position import Board, Data, PositionState
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
_KINDS = (
    State,
    Data,
    Board,
    *{each for content in CONTENT.values() for each in content.values() if type(each) is type},
)
PARTS = ("getAction", "getDistribution", "registerInitialState", "evaluationFunction", "betterEvaluationFunction")
"""What a file defines, and the grader calls."""
NAMES = frozenset(
    {*PARTS, *CONTENT, "evalFn", "scoreEvaluationFunction", "multiAgents", *dir(PositionState)}
    | {name for kind in _KINDS for name in dir(kind)}
    | {name for content in CONTENT.values() for name in content}
)
SNAKE_CASE = {"snake_case": "camelCase"}


def all_names(names: Mapping[str, str]) -> dict[str, str]:
    """The names of a course, with those that the pair snake_case, camelCase stands for.

    >>> all_names({"is_won": "isWin"}), all_names(SNAKE_CASE)["get_legal_actions"]
    ({'is_won': 'isWin'}, 'getLegalActions')
    """
    own = {theirs: ours for theirs, ours in names.items() if ours in NAMES}
    if SNAKE_CASE.items() <= names.items():
        plain = {name: re.sub("(?<=[a-z0-9])[A-Z]", lambda capital: f"_{capital[0]}", name).lower() for name in NAMES}
        own = {theirs: ours for ours, theirs in plain.items() if ours[0].islower() and ours != theirs} | own
    return own


def in_snake_case(text: str) -> str:
    """The text of a file with the names of a course in snake_case."""
    theirs = {ours: name for name, ours in all_names(SNAKE_CASE).items()} | {"gameState": "game_state"}
    return re.sub(r"\b[a-z]+[A-Z]\w*", lambda name: theirs.get(name[0], name[0]), text)


def berkeley_modules(names: Mapping[str, str]) -> dict[str, ModuleType]:
    """The modules by name, new ones for each program that imports them. From now on, our classes know the `names`."""
    modules = {name: ModuleType(name, f"What graded code imports from {name}.") for name in CONTENT}
    for name, content in CONTENT.items():
        vars(modules[name]).update(content)
        if name != "util":
            vars(modules[name])["util"] = modules["util"]
    for theirs, ours in names.items():
        for module in modules.values():
            if ours in vars(module):
                vars(module)[theirs] = vars(module)[ours]
        for kind in _KINDS:
            if (hasattr(kind, ours) or (kind is State and hasattr(PositionState, ours))) and ours not in PARTS:
                own = vars(kind).get(ours)
                setattr(kind, theirs, own if isinstance(own, staticmethod) else _another_name(ours))
    return modules | {theirs: modules[ours] for theirs, ours in names.items() if ours in modules}


def _another_name(method: str) -> property:
    return property(lambda owner: getattr(owner, method), doc=f"Another name of {method}.")


def install_modules(names: Mapping[str, str]) -> None:
    """Puts the modules into `sys.modules`, where `import` looks first. `pacman` then means the Berkeley module.

    Import everything that is needed of our package `pacman` before: its loaded submodules keep working.
    """
    sys.modules.update(berkeley_modules(names))


def adopt(definition: Any, names: Mapping[str, str]) -> None:
    """Gives the classes of a file their methods under the names here too, as in getAction for get_action."""
    for kind in getattr(definition, "__mro__", ()):
        for theirs, ours in names.items():
            if ours in PARTS and theirs in vars(kind) and ours not in vars(kind):
                setattr(kind, ours, vars(kind)[theirs])
