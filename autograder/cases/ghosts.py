"""Who plays the ghosts of a case: ghosts of this project, or classes in a file of the assignment.

Such a file is code of the course. The grader runs it in its own process, so a student's process gets only the moves.
A case holds the text of the file: so its games can be played on another machine, and a changed file is a changed case.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from traceback import extract_tb
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from agents.ghosts import ghost_of
from autograder.cases.case import Case, TreeInput
from pacman.core.errors import InputError, error_line, listed, one_line, reason_of
from pacman.core.files import read_text
from pacman.core.rounds import GhostModel, model
from pacman.core.state import GameState
from pacman.play.game import Agent, Game

A = TypeVar("A")
TRIAL_PLIES = 500
"""The length of the game in which a ghost of the course is tried."""


class GhostError(InputError):
    """A mistake in a ghost of the course: its file and line, and what is wrong. It costs no student points."""


def own_file(name: str) -> str:
    """The file of a ghost that the course wrote, as in `ghosts.py:WallFollower`; "" for a ghost of this project."""
    return name.partition(".py:")[0] + ".py" if ".py:" in name else ""


def read_file(name: str, folder: Path, names: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """The file of a ghost that the course wrote, with its text; InputError if it is not in the assignment's folder.

    What has other `names` in this course, has the names here in the text.
    """
    file = own_file(name)
    if not file:
        return {}
    if "\0" in file or (folder / file).resolve().parent != folder.resolve():
        raise InputError(f"{file} is not in the folder of the assignment; copy the file into it")
    try:
        words = "|".join(map(re.escape, names)) or "(?!)"
        return {file: re.sub(rf"\b(?:{words})\b", lambda word: names[word[0]], read_text(folder / file))}
    except FileNotFoundError:
        raise InputError(f"{folder / file}: no such file; write it, or name a ghost of this project") from None
    except UnicodeDecodeError:
        raise InputError(f"{folder / file}: not UTF-8; save the file as UTF-8") from None
    except OSError as error:
        raise InputError(f"{folder / file}: cannot be read: {reason_of(error)}") from None


class CourseGhost:
    """A ghost in a file of the course; `files` has the text of the file, which runs anew: no game knows of another one.

    InputError if there is no such class in it, or if it cannot be made.
    """

    def __init__(self, name: str, files: Mapping[str, str]) -> None:
        from agents.load import make_ghost, module_from_text  # most assignments need none of it

        self.file = own_file(name)
        module = module_from_text(self.file, files[self.file])
        self.ghost: Any = make_ghost(name, load=lambda file: module)
        self.model: GhostModel = self.ghost.model
        self.error: GhostError | None = None
        """What ended the last game."""

    def begin(self, rng: Random) -> None:
        """Begins a game. Every random number of the ghost comes from `rng`."""
        self._call(self.ghost.begin, rng)

    def choose(self, state: GameState) -> str:
        """The action of the ghost; GhostError if it is not legal, and if the ghost raises an error."""
        action: str = self._call(self.ghost.choose, state)
        if type(action) is not str or action not in state.actions():
            methods = getattr(self.ghost, "method", None), self.ghost.choose
            codes = [each.__code__ for each in methods if inspect.ismethod(each) or inspect.isfunction(each)]
            legal = ", ".join(state.actions())
            self._fail(codes[0].co_firstlineno if codes else 1, f"returned {one_line(action, 80)}; legal here: {legal}")
        return action

    def _call(self, method: Callable[[A], Any], argument: A) -> Any:
        try:
            return method(argument)
        except (Exception, SystemExit) as error:
            lines = [each.lineno for each in extract_tb(error.__traceback__) if each.filename == self.file]
            self._fail(lines[-1] if lines else 1, error_line(error))

    def _fail(self, line: int | None, problem: str) -> NoReturn:
        self.error = GhostError(f"{self.file}:{line}: {problem}")
        raise self.error


def model_of(name: str, files: Mapping[str, str]) -> GhostModel:
    """How a search models a ghost. InputError for an unknown one."""
    return CourseGhost(name, files).model if own_file(name) else model(name)


def player(name: str, files: Mapping[str, str]) -> Agent:
    """A new ghost. One of this project plays exactly as a search models it."""
    return CourseGhost(name, files) if own_file(name) else ghost_of(model(name))


def players(case: Case) -> list[Agent]:
    """New ghosts for a game of a match, or for a line of play."""
    assert not isinstance(case.input, TreeInput)
    return [player(name, case.ghost_files) for name in case.input.ghosts]


def check_players(game: str, agents: Sequence[Agent]) -> None:
    """GhostError if a ghost of the course ended the game of these agents; `game` says which one it is."""
    for number, agent in enumerate(agents):
        if isinstance(agent, CourseGhost) and agent.error:
            raise GhostError(f"{agent.error} (ghost {number} in {game})")


def try_ghosts(state: GameState, names: Sequence[str], files: Mapping[str, str], game: str) -> None:
    """Plays a game of these ghosts against a random Pacman, twice. GhostError for a mistake in a ghost of the course.

    It is a mistake too if the ghost moves differently in the second game. `game` says which one it is.
    """
    from agents.pacmen import RandomPacman

    games = list[list[str]]()
    for _ in range(2):
        agents: list[Agent] = [RandomPacman(), *(player(name, files) for name in names)]
        moves = Game(state, agents, ["Pacman"] * len(agents), max_plies=TRIAL_PLIES)
        games.append([ply.action for ply in moves])
        check_players(game, agents)
    if games[0] != games[1]:
        own = listed(sorted({each.file for each in agents if isinstance(each, CourseGhost)}))
        source = "take random numbers from self.rng, and in the Berkeley style from random"
        raise GhostError(f"{own}: other moves in a second game with the same seed; {source} (in {game})")
