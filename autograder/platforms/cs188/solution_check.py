"""What a `.solution` says, compared with our own search of the same tree or game. A contradiction has a file and line.

The games of that project's solutions: two directional ghosts move by draws from one generator that is seeded anew in
each round; Pacman makes the first move that the solution calls right. A line holds two right answers: with Stop
searched, and with Stop left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from random import Random

from autograder.cases.reference import reference_trace
from autograder.cases.reference_recorder import best_actions
from autograder.platforms.cs188.graph import Graph
from autograder.platforms.cs188.messages import touched
from autograder.platforms.cs188.testfile import TestFile
from pacman.core.layers import Layer, directional
from pacman.core.layout import Layout
from pacman.core.outline import Outline
from pacman.core.state import GameState, start
from pacman.core.trace import Trace

GENERATED = ("generated", "expanded")  # the newer name and the older one; both list every state that was touched
GHOSTS = 2
MOST = 10_000_000  # older versions counted something else, whose numbers are larger than any set of states


@dataclass(frozen=True)
class Game:
    """What a test says of its game. `cuts`: those with which the search may prune, or "none"."""

    layout: Layout
    seed: int
    rounds: int
    assumes: Layer
    cuts: tuple[str, ...]


@dataclass(frozen=True)
class Move:
    """One line, with Stop searched: the actions that are right, and how many states are touched."""

    line: int
    actions: tuple[str, ...]
    touched: int


@dataclass(frozen=True)
class Disagreement:
    """Where a solution and our search part. After another action the line of play is `followed` no further."""

    line: int
    problem: str
    followed: bool = False


def agreed_cut(solution: TestFile, graph: Graph, tree: Outline, cuts: tuple[str, ...]) -> str:
    """The one of `cuts` with which our search touches what the solution says; InputError when it is none of them."""
    field = solution.said("action")
    action, right = field.text.strip(), best_actions(tree, graph.plies)
    if action not in tree.actions():
        actions = ", ".join(tree.actions())
        problem = f"'{action}' is no action of the start; expected one of {actions}"
        raise solution.error(field.line, f"the solution of another test? {problem}")
    if action not in right:
        problem = f"contradiction: the solution says {action}, our search finds {' or '.join(right)}"
        raise solution.error(field.line, problem)
    listed = solution.said(next((name for name in GENERATED if name in solution.fields), GENERATED[0]))
    names = set(listed.text.split())
    if strangers := sorted(names - graph.states):
        problem = f"the solution of another test? {graph.file.path.name} has no state '{strangers[0]}'"
        line = next(line for line, row in listed.rows() if strangers[0] in row.split())
        raise solution.error(line, problem)
    ours = {cut: _states(tree, reference_trace(tree, graph.plies, cut)) for cut in cuts}
    for cut, states in ours.items():
        if names == states:
            return cut
    raise solution.error(listed.line, f"contradiction: {_difference(names, ours[cuts[0]])}")


def _states(tree: Outline, trace: Trace) -> set[str]:
    """The states that were touched, the start among them: what that project calls generated, or expanded."""
    nodes = [tree]
    for parent, action in zip(trace.parents[1:], trace.actions[1:], strict=True):
        nodes.append(nodes[parent].successor(action))
    return {node.name for node in nodes}


def _difference(theirs: set[str], ours: set[str]) -> str:
    parts = []
    for more, less, who in ((theirs, ours, "the solution"), (ours, theirs, "our search")):
        if only := sorted(more - less):
            parts.append(f"{who} alone touches {', '.join(only[:5])}{' ...' if len(only) > 5 else ''}")
    return "; ".join(parts)


def moves(solution: TestFile) -> list[Move]:
    """Pacman's moves in the order of the game; InputError for a line that cannot be read."""
    field, found = solution.said("optimalActions"), []
    for line, row in field.rows():
        try:
            actions, count = json.loads(row)[0]
            found.append(Move(line, tuple(map(str, actions)), int(count)))
            if not actions:
                raise ValueError
        except (ValueError, TypeError, LookupError):
            raise solution.error(line, "expected [[[ACTION, ...], COUNT], ...]") from None
    if not found:
        raise solution.error(field.line, "optimalActions: not a single move")
    return found


def partings(moves: list[Move], game: Game) -> list[Disagreement]:
    """What a solution says that our search does not, none if all agree. After another action nothing is compared.

    Newer versions draw from the actions in alphabetical order, older ones in the order in which a dictionary of
    Python 2 held them, which is that of the legal actions. The order that agrees longer is taken.
    """
    tries = [list(_partings(moves, game, alphabetical)) for alphabetical in (True, False)]
    return min(tries, key=lambda found: (-next((each.line for each in found if not each.followed), inf), len(found)))


def _partings(moves: list[Move], game: Game, alphabetical: bool) -> Iterator[Disagreement]:
    names = [directional()] * min(GHOSTS, len(game.layout.ghosts))
    state = start(game.layout, names, order="index")
    for number, move in enumerate(moves, 1):
        legal = state.actions()
        if strange := [action for action in move.actions if action not in legal]:
            here = ", ".join(legal) or "none, the game has ended"
            yield Disagreement(move.line, f"{strange[0]} is not legal at move {number}; legal: {here}")
            return
        actions, counts = right_answers(state.assuming(game.assumes), game)
        if set(move.actions) != set(actions):
            ours, theirs = " or ".join(actions), " or ".join(move.actions)
            yield Disagreement(move.line, f"the solution says {theirs} at move {number}, our search finds {ours}")
            return
        if move.touched < MOST and move.touched not in counts:
            ours = " or ".join(f"{count:,}" for count in counts)
            yield Disagreement(
                move.line, f"{move.touched:,} states touched at move {number}, by our search {ours}", True
            )
        state = state.successor(move.actions[0])
        rng = Random(game.seed + number)
        while not state.is_terminal and state.mover:
            state = state.successor(draw(state, rng, alphabetical))


def right_answers(state: GameState, game: Game) -> tuple[list[str], list[int]]:
    """Every best action, and how many states are touched with each of the cuts."""
    plies = game.rounds * len(state.layers)
    counts = [touched(state, reference_trace(state, plies, cut)) for cut in game.cuts]
    return best_actions(state, plies), list(dict.fromkeys(counts))


def draw(state: GameState, rng: Random, alphabetical: bool) -> str:
    """A ghost's move: the chances are added up until they reach one random number."""
    outcomes = sorted(state.outcomes()) if alphabetical else state.outcomes()
    choice, reached = rng.random(), accumulate(chance for _, chance in outcomes)
    ends = zip(outcomes, reached, strict=True)
    return next((action for (action, _), total in ends if choice <= total), outcomes[-1][0])
