"""From the name of a search, as on a command line, to what makes studies of positions: an agent's, or a plain one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from agents import load
from agents.agent_analysis import analyse
from agents.base import SearchAgent
from agents.searchers import Searcher
from pacman.commands.game_setup import depth
from pacman.core.errors import InputError, error_line, nearest
from pacman.core.state import GameState
from pacman.core.tree import score
from pacman.search.algorithms import ALGORITHMS
from pacman.view.analysis.search_report import Analyse, SearchReport

ROUNDS = 2
"""How far a search looks where nothing is said."""
PLAIN = "exhaustive"
"""What looks ahead for somebody who does not: a person, a reflex agent, a recording."""


def choose_search(name: str = PLAIN, arguments: Sequence[str] = (), rounds: int | None = None) -> Analyse:
    """What makes studies by the search of that name: an agent that searches, or else one of `pacman.search`.

    An agent is made anew with `key=value` arguments, apart from the one that plays; a search of the house sees the
    ghosts as they are. InputError for an unknown name,
    for arguments that do not fit, and for an agent that does not search; the studies raise it where a search fails.
    """
    if name in ALGORITHMS and name not in load.PACMEN:
        if arguments:
            raise InputError(f"{name} takes no argument '{arguments[0]}': only agents take arguments")
        if rounds is not None and rounds < 1:
            raise InputError(f"--rounds {rounds}: at least 1 round was expected")
        plain = Searcher(ROUNDS if rounds is None else rounds, score)
        plain.algorithm = name
        return _of(plain, name)
    searching = (key for key, kind in load.PACMEN.items() if issubclass(kind, SearchAgent))
    known = tuple(dict.fromkeys([*searching, *ALGORITHMS]))
    if name not in load.PACMEN and ":" not in name and not name.endswith(".py"):
        raise InputError(f"no search '{name}': {nearest(name, known)} (or FILE.py:CLASS)")
    agent = _agent(name, arguments, rounds)
    if not isinstance(agent, SearchAgent):
        raise InputError(f"{name} does not search; known: {', '.join(known)}")
    return _of(agent, name)


def agent_search(pacman: str, arguments: Sequence[str] = (), rounds: int | None = None) -> Analyse:
    """What makes studies for the games of that Pacman: his own search, or the plain one if he has none."""
    agent = _agent(pacman, arguments, rounds)
    return _of(agent, pacman) if isinstance(agent, SearchAgent) else choose_search(PLAIN, (), rounds)


def _agent(name: str, arguments: Sequence[str], rounds: int | None) -> Any:
    """The Pacman of that name; `rounds` are told to one who takes them."""
    return load.make_pacman(name, [*arguments, *depth(load.PACMEN, name, rounds)])


def _of(agent: SearchAgent, name: str) -> Analyse:
    title = f"{name.rpartition(':')[2]}, {agent.rounds} round{'' if agent.rounds == 1 else 's'}"

    def think(state: GameState) -> SearchReport:
        try:
            agent.begin(Random(0))  # some draw from it; the same position has the same study
            return analyse(agent, state, title)
        except (InputError, KeyboardInterrupt):
            raise
        except BaseException as error:  # whatever a student's search raises is told in one line
            raise InputError(f"{name}: {error_line(error)}") from None

    return think
