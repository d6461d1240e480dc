"""From the name of a search on the command line to a function that analyses positions with it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from agents import load
from agents.analysis import analyse
from agents.base import SearchAgent
from agents.searchers import Searcher
from pacman.commands.games import GameSetup, rounds_argument
from pacman.commands.options import agent_and_options, check_at_least_one
from pacman.core.errors import InputError, counted, error_line, nearest
from pacman.core.state import GameState
from pacman.core.tree import score
from pacman.record.report import Analyse, SearchReport
from pacman.search.algorithms import ALGORITHMS

ROUNDS = 2
"""The search depth of an algorithm, in rounds, unless the user names another one."""
DEFAULT = "expectiminimax"
"""The search to show if the player does not search: a person, a reflex agent, a recording."""


def choose_search(name: str = DEFAULT, arguments: Sequence[str] = (), rounds: int | None = None) -> Analyse:
    """The function that analyses positions with the search of that name: of an agent, or an algorithm.

    The agent is a new one, with `key=value` arguments, and not the one that plays. An algorithm takes each ghost as
    its model says. InputError for an unknown name, for wrong arguments, and for an agent that does not search. The
    function raises InputError if the search fails. The name can have options of its own, as in "minimax:rounds=3".
    """
    name, own = agent_and_options(name)
    arguments = [*arguments, *own]
    if name in ALGORITHMS and name not in load.PACMEN:
        if arguments:
            raise InputError(
                f"the search '{name}' takes no options: leave out '{arguments[0]}' (only agents take options)"
            )
        if rounds is not None:
            check_at_least_one("--rounds", rounds, "round")
        searcher = Searcher(ROUNDS if rounds is None else rounds, score)
        searcher.algorithm = name
        return _analysis_by(searcher, name)
    known = searches()
    if name not in load.PACMEN and ":" not in name and not name.endswith(".py"):
        raise InputError(f"no search '{name}': {nearest(name, known)} (or FILE.py:CLASS)")
    agent = _load_agent(name, arguments, rounds)
    if not isinstance(agent, SearchAgent):
        raise InputError(f"{name} does not search; known: {', '.join(known)}")
    return _analysis_by(agent, name)


def searches() -> tuple[str, ...]:
    """The names that `choose_search` knows."""
    searching = (key for key, kind in load.PACMEN.items() if issubclass(kind, SearchAgent))
    return tuple(dict.fromkeys([*searching, *ALGORITHMS]))


def agent_search(setup: GameSetup) -> Analyse:
    """The function that analyses positions of these games: with Pacman's own search, or the default one."""
    agent = _load_agent(setup.pacman, setup.arguments, setup.rounds)
    if isinstance(agent, SearchAgent):
        return _analysis_by(agent, setup.pacman)
    return choose_search(DEFAULT, (), setup.rounds)


def _load_agent(name: str, arguments: Sequence[str], rounds: int | None) -> Any:
    """The Pacman of that name. He gets `rounds` if he has that option."""
    return load.make_pacman(name, [*rounds_argument(load.PACMEN, name, rounds), *arguments])


def _analysis_by(agent: SearchAgent, name: str) -> Analyse:
    title = f"{name.rpartition(':')[2]}, {counted(agent.rounds, 'round')}"

    def analyse_position(state: GameState) -> SearchReport:
        try:
            agent.begin(Random(0))  # some agents draw random numbers; the same position gets the same report
            return analyse(agent, state, title)
        except (InputError, KeyboardInterrupt):
            raise
        except BaseException as error:  # a student's search may raise anything; the user gets one line
            raise InputError(f"{name}: {error_line(error)}") from None

    return analyse_position
