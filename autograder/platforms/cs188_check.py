"""Compares a Berkeley `.solution` with our own search of the same tree or game. A contradiction has a file and line.

In the games of those solutions, two directional ghosts draw their moves from one random generator, which gets a new
seed in each round. Pacman makes the first move that the solution lists as right. Each line has two right answers: one
of a search with Stop, one of a search without Stop.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from random import Random

from autograder.cases.truth import best_actions, right_trace, size_problem
from autograder.platforms.cs188 import touched
from autograder.platforms.cs188_files import Graph, TestFile
from pacman.core.layout import Layout
from pacman.core.rounds import directional
from pacman.core.state import GameState, start
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.record.trace import Trace
from pacman.search.ordering import Order, OrderedNode

GENERATED = ("generated", "expanded")  # the newer and the older name; both list every touched state
GHOSTS = 2
OTHER = "is this the solution of another test?"
MAX_COUNT = 10_000_000  # older versions counted something else, with numbers larger than any set of states


@dataclass(frozen=True)
class Game:
    """The game of a test. `cuts` are the conditions under which its search may prune, or "none"."""

    layout: Layout
    seed: int
    rounds: int
    assumes: Layer
    cuts: tuple[str, ...]


@dataclass(frozen=True)
class Move:
    """One line of a solution, for the search with Stop: the right actions, and the number of touched states."""

    line: int
    actions: tuple[str, ...]
    touched: int


@dataclass
class Replay:
    """The game of a solution, played again. `rounds` are the actions of each round in which the solution is right.

    `problems` are the lines where it and our search differ. `counts` are the lines where only the numbers of states
    do; with `is_sorted`, they are those of a search that tries the actions in alphabetical order.
    """

    rounds: list[list[str]] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    counts: list[tuple[int, str]] = field(default_factory=list)
    is_sorted: bool = True


class Alphabetical(Order):
    """The actions by their names."""

    def sort(self, node: Node, depth: int) -> Sequence[str]:
        """The actions by name."""
        return sorted(node.actions())


def agreed_cut(solution: TestFile, graph: Graph, tree: Outline, cuts: tuple[str, ...]) -> str:
    """The one of `cuts` with which our search touches the same states as the solution; InputError if there is none."""
    entry, right = solution.require("action"), best_actions(tree, graph.plies)
    action = entry.text.strip()
    if action not in tree.actions():
        problem = f"the start has no action '{action}'; expected one of {', '.join(tree.actions())}"
        raise solution.error(entry.line, f"{problem}; {OTHER}")
    if action not in right:
        problem = f"contradiction: action {action} in the solution, {' or '.join(right)} in the grader's search"
        raise solution.error(entry.line, problem)
    states = solution.require(next((name for name in GENERATED if name in solution.fields), GENERATED[0]))
    names = set(states.text.split())
    if unknown := sorted(names - graph.states):
        line = next(line for line, row in states.lines() if unknown[0] in row.split())
        raise solution.error(line, f"{graph.file.path.name} has no state '{unknown[0]}'; {OTHER}")
    ours = {cut: _states(tree, right_trace(tree, graph.plies, cut)) for cut in cuts}
    for cut in cuts:
        if names == ours[cut]:
            return cut
    raise solution.error(states.line, f"contradiction: {_difference(names, ours[cuts[0]])}")


def _states(tree: Outline, trace: Trace) -> set[str]:
    """The names of the touched states with the start: what that project calls generated or expanded."""
    nodes = [tree]
    for parent, action in trace.edges():
        nodes.append(nodes[parent].successor(action))
    return {node.name for node in nodes}


def _difference(theirs: set[str], ours: set[str]) -> str:
    """The states that only one of the two searches generates, as text."""
    parts = []
    for more, less, who in ((theirs, ours, "the solution"), (ours, theirs, "the grader's search")):
        if only := sorted(more - less):
            parts.append(f"states only in {who}: {', '.join(only[:5])}{' ...' if len(only) > 5 else ''}")
    return "; ".join(parts)


def read_moves(solution: TestFile) -> list[Move]:
    """Pacman's moves in the order of the game; InputError for a line that cannot be read."""
    entry, moves = solution.require("optimalActions"), []
    for line, row in entry.lines():
        try:
            actions, count = json.loads(row)[0]
            moves.append(Move(line, tuple(map(str, actions)), int(count)))
            if not actions:
                raise ValueError
        except (ValueError, TypeError, LookupError, OverflowError, RecursionError):
            raise solution.error(line, "expected a list of moves: [[[ACTION, ...], NUMBER OF STATES], ...]") from None
    if not moves:
        raise solution.error(entry.line, "optimalActions: expected at least one move")
    if any(not 0 <= move.touched < MAX_COUNT for move in moves):
        return [replace(move, touched=MAX_COUNT) for move in moves]  # no numbers of states, so none of them is compared
    return moves


def play_again(moves: list[Move], game: Game) -> Replay:
    """The game of a solution as far as our search agrees with its actions.

    Newer versions draw ghost moves from the actions in alphabetical order, older versions in the order of a Python 2
    dictionary, which is that of the legal actions. The result is for the order that agrees longer.
    """
    attempts = (_play_again(moves, game, alphabetical) for alphabetical in (True, False))
    return min(attempts, key=lambda each: (-len(each.rounds), len(each.problems) + len(each.counts)))


def _play_again(moves: list[Move], game: Game, alphabetical: bool) -> Replay:
    names = [directional()] * min(GHOSTS, len(game.layout.ghosts))
    state, replay = start(game.layout, names, order="index"), Replay()
    for number, move in enumerate(moves, 1):
        legal, plies = state.actions(), game.rounds * len(state.layers)
        differs = f"move {number}: {{}} in the solution, {{}} in the grader's search"
        if illegal := [action for action in move.actions if action not in legal]:
            known = ", ".join(legal) or "none, the game has ended"
            problem = f"{illegal[0]} is not legal at move {number}; legal: {known}"
        elif problem := size_problem(state, plies):
            problem = f"move {number}: {problem}"
        else:
            view = state.assuming(game.assumes)
            actions = best_actions(view, plies)
            if set(move.actions) != set(actions):
                problem = differs.format(f"action {' or '.join(move.actions)}", " or ".join(actions))
        if problem:
            replay.problems.append((move.line, problem))
            break
        counts = right_counts(view, game)
        if move.touched < MAX_COUNT and move.touched not in counts:
            ours = " or ".join(f"{count:,}" for count in counts)
            replay.counts.append((move.line, differs.format(f"{move.touched:,} generated states", ours)))
            replay.is_sorted &= move.touched in right_counts(view, game, is_sorted=True)
        state, rng, actions = state.successor(move.actions[0]), Random(game.seed + number), [move.actions[0]]
        while not state.is_terminal and state.mover:
            actions.append(draw(state, rng, alphabetical))
            state = state.successor(actions[-1])
        replay.rounds.append(actions)
    return replay


def right_counts(state: GameState, game: Game, is_sorted: bool = False) -> list[int]:
    """The number of touched states for each of the cuts, also of a search in alphabetical order."""
    plies = game.rounds * len(state.layers)
    root = OrderedNode(state, Alphabetical()) if is_sorted else state
    return list(dict.fromkeys(touched(state, right_trace(root, plies, cut)) for cut in game.cuts))


def draw(state: GameState, rng: Random, alphabetical: bool) -> str:
    """A ghost's move: the first action at which the sum of the probabilities reaches one random number."""
    outcomes = sorted(state.outcomes()) if alphabetical else state.outcomes()
    choice, reached = rng.random(), accumulate(chance for _, chance in outcomes)
    ends = zip(outcomes, reached, strict=True)
    return next((action for (action, _), total in ends if choice <= total), outcomes[-1][0])
