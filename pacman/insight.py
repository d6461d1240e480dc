"""From the name of a search, as on a command line, to what makes studies of positions: an agent's, or a plain one."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from agents import load
from agents.base import SearchAgent
from agents.watched import MOST, SECONDS, watched
from pacman.bounds import natural
from pacman.errors import InputError, nearest
from pacman.game import said
from pacman.search.algorithms import ALGORITHMS, Options, make
from pacman.search.capped import Capped, traced
from pacman.search.watch import watch
from pacman.state import GameState
from pacman.trace import Counted
from pacman.tree import score
from pacman.view.insight.look import look
from pacman.view.insight.study import Study, Think

ROUNDS = 2
"""How far a search looks where nothing is said."""
PLAIN = "exhaustive"
"""What looks ahead for somebody who does not: a person, a reflex agent, a recording."""


def insight(name: str = PLAIN, arguments: Sequence[str] = (), rounds: int | None = None) -> Think:
    """What makes studies by the search of that name: an agent that searches, or else one of `pacman.search`.

    An agent is made anew with `key=value` arguments, apart from the one that plays; a search of the house sees the
    ghosts as they are. InputError for an unknown name,
    for arguments that do not fit, and for an agent that does not search; the studies raise it where a search fails.
    """
    if name in ALGORITHMS and name not in load.PACMEN:
        if arguments:
            raise InputError(f"{name} takes no argument '{arguments[0]}': only agents take arguments")
        return _plain(name, ROUNDS if rounds is None else rounds)
    searching = (key for key, kind in load.PACMEN.items() if issubclass(kind, SearchAgent))
    known = tuple(dict.fromkeys([*searching, *ALGORITHMS]))
    if name not in load.PACMEN and ":" not in name and not name.endswith(".py"):
        raise InputError(f"no search '{name}': {nearest(name, known)} (or FILE.py:CLASS)")
    agent = _agent(name, arguments, rounds)
    if not isinstance(agent, SearchAgent):
        raise InputError(f"{name} does not search; known: {', '.join(known)}")
    return _of(agent, name)


def insight_of(pacman: str, arguments: Sequence[str] = (), rounds: int | None = None) -> Think:
    """What makes studies for the games of that Pacman: his own search, or the plain one if he has none."""
    agent = _agent(pacman, arguments, rounds)
    return _of(agent, pacman) if isinstance(agent, SearchAgent) else insight(PLAIN, (), rounds)


def _agent(name: str, arguments: Sequence[str], rounds: int | None) -> Any:
    """The Pacman of that name; `rounds` are told to one who takes them."""
    looks = [f"rounds={rounds}"] if rounds is not None and load.takes(load.PACMEN, name, "rounds") else []
    return load.pacman(name, [*arguments, *looks])


def _of(agent: SearchAgent, name: str) -> Think:
    title = f"{name.rpartition(':')[2]}, {_counted(agent.rounds)}"

    def think(state: GameState) -> Study:
        try:
            agent.begin(Random(0))  # some draw from it; the same position has the same study
            return watched(agent, state, title)
        except (InputError, KeyboardInterrupt):
            raise
        except BaseException as error:  # whatever a student's search raises is told in one line
            raise InputError(f"{name}: {type(error).__name__}: {said(error, str)}".removesuffix(": ")) from None

    return think


def _plain(name: str, rounds: int) -> Think:
    """One of `pacman.search`, with the natural bounds and the ghosts as they are."""
    if rounds < 1:
        raise InputError(f"--rounds {rounds}: at least 1 round was expected")
    title = f"{name}, {_counted(rounds)}"

    def think(state: GameState) -> Study:
        plies = rounds * len(state.layers)

        def search_it(root: Counted, trace: Capped) -> None:
            search = make(name, Options(trace.evaluation(score), natural))
            unwatched = {step: getattr(search, step) for step in ("visit", "probe", "recall") if hasattr(search, step)}
            watch(search, trace)
            for step, method in unwatched.items():
                setattr(search, step, _either(getattr(search, step), method))
            search.visit(root, plies)

        trace, note = traced(search_it, state, len(state.layers), MOST, SECONDS, time.perf_counter)
        return look(state, plies, trace, title, note=note)

    return think


def _either(counted: Callable[..., Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    """A step of a search, watched at the nodes that are on record."""
    return lambda node, *how: (counted if isinstance(node, Counted) else plain)(node, *how)


def _counted(rounds: int) -> str:
    return f"{rounds} round{'' if rounds == 1 else 's'}"
