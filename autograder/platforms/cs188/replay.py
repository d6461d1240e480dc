"""The games that a `.solution` of that project was recorded from, played again and held against our own search.

There, two directional ghosts move by draws from one generator that is seeded anew in each round; Pacman makes the
first move that the solution calls right. A line holds two right answers: with Stop searched, and with Stop left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any

from autograder.platforms.cs188.terms import touched
from autograder.platforms.cs188.testfile import TestFile
from pacman.core.layers import Layer, directional
from pacman.core.layout import Layout
from pacman.core.state import GameState, start
from pacman.core.trace import Counted, Trace
from pacman.search import alphabeta, exhaustive

GHOSTS = 2
MOST = 10_000_000  # older versions counted something else, whose numbers are larger than any set of states


@dataclass(frozen=True)
class Game:
    """What a test says of its game. `pruned` when the search cuts."""

    layout: Layout
    seed: int
    rounds: int
    assumes: Layer
    pruned: bool


@dataclass(frozen=True)
class Move:
    """One line, with Stop searched: the actions that are right, and how many states are touched."""

    line: int
    actions: tuple[str, ...]
    touched: int


@dataclass(frozen=True)
class Parting:
    """Where a solution and our search part. After another action the line of play is `followed` no further."""

    line: int
    problem: str
    followed: bool = False


def moves(solution: TestFile) -> list[Move]:
    """Pacman's moves in the order of the game; InputError for a line that cannot be read."""
    found = []
    for line, row in solution.said("optimalActions").rows():
        try:
            actions, count = json.loads(row)[0]
            found.append(Move(line, tuple(map(str, actions)), int(count)))
            if not actions:
                raise ValueError
        except (ValueError, TypeError, LookupError):
            raise solution.error(line, "expected [[[ACTION, ...], COUNT], ...]") from None
    if not found:
        raise solution.error(solution.said("optimalActions").line, "optimalActions: not a single move")
    return found


def partings(said: list[Move], game: Game) -> list[Parting]:
    """What a solution says that our search does not, none if all agree. After another action nothing is compared.

    Newer versions draw from the actions in alphabetical order, older ones in the order in which a dictionary of
    Python 2 held them, which is that of the legal actions. The order that agrees longer is taken.
    """
    tries = [list(_partings(said, game, alphabetical)) for alphabetical in (True, False)]
    return min(tries, key=lambda found: (-next((each.line for each in found if not each.followed), inf), len(found)))


def _partings(said: list[Move], game: Game, alphabetical: bool) -> Iterator[Parting]:
    names = [directional()] * min(GHOSTS, len(game.layout.ghosts))
    state = start(game.layout, names, order="index")
    for number, move in enumerate(said, 1):
        legal = state.actions()
        if strange := [action for action in move.actions if action not in legal]:
            here = ", ".join(legal) or "none, the game has ended"
            yield Parting(move.line, f"{strange[0]} is not legal at move {number}; legal: {here}")
            return
        actions, counts = _found(state.assuming(game.assumes), game)
        if set(move.actions) != set(actions):
            ours, theirs = " or ".join(actions), " or ".join(move.actions)
            yield Parting(move.line, f"the solution says {theirs} at move {number}, our search finds {ours}")
            return
        if move.touched < MOST and move.touched not in counts:
            ours = " or ".join(f"{count:,}" for count in counts)
            yield Parting(move.line, f"{move.touched:,} states touched at move {number}, by our search {ours}", True)
        state = state.successor(move.actions[0])
        rng = Random(game.seed + number)
        while not state.is_terminal and state.mover:
            state = state.successor(_drawn(state, rng, alphabetical))


def _found(state: GameState, game: Game) -> tuple[list[str], list[int]]:
    """Every best action, and how many states are touched: where there are cuts, by a strict one and at equality."""
    plies = game.rounds * len(state.layers)
    values = {action: exhaustive(state.successor(action), plies - 1).value for action in state.actions()}
    most = max(values.values())
    counts = []
    for strict in (True, False) if game.pruned else (None,):
        trace = Trace()
        root: Any = Counted(state, trace)
        if strict is None:
            exhaustive(root, plies)
        else:
            alphabeta(root, plies, strict=strict)
        counts.append(touched(state, trace))
    return [action for action, value in values.items() if value == most], list(dict.fromkeys(counts))


def _drawn(state: GameState, rng: Random, alphabetical: bool) -> str:
    """A ghost's move: the chances are added up until they reach one random number."""
    outcomes = sorted(state.outcomes()) if alphabetical else state.outcomes()
    choice = rng.random()
    total = 0.0
    for action, chance in outcomes:
        total += chance
        if choice <= total:
            return action
    return outcomes[-1][0]
