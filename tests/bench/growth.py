"""How the cost grows with the number of rounds, the number of ghosts and the size of the board, one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random

from agents.ghosts import HUNTED
from pacman import kernel
from pacman.core.layout import Layout, names
from pacman.core.state import GameState, start
from pacman.search import alphabeta
from pacman.search.algorithms import Options
from tests.bench.engine import StoredNode, minimax
from tests.bench.figures import Figure, interleaved, timed

POSITIONS, PLIES, SEED = 8, 24, 1


def growth(repeats: int) -> Iterator[Figure]:
    """For each size: student minimax, its ratio to a tree in memory, and alpha-beta in Python and compiled."""
    for rounds in (1, 2, 3, 4):
        yield from _sized(f"rounds {rounds}", "dash", 1, rounds, repeats)
    for ghosts in (1, 2, 3, 4):
        yield from _sized(f"ghosts {ghosts}", "crossroads", ghosts, 1, repeats)
    boards = sorted(names(), key=lambda name: Layout.load(name).maze.width * Layout.load(name).maze.height)
    for name in boards:
        maze = Layout.load(name).maze
        yield from _sized(f"board {maze.width}x{maze.height}", name, 1, 2, repeats)


def _sized(size: str, layout: str, ghosts: int, rounds: int, repeats: int) -> Iterator[Figure]:
    states = positions(layout, ghosts)
    plies = rounds * len(states[0].layers)
    trees = [StoredNode.of(state, plies) for state in states]
    nodes = sum(tree.size() for tree in trees)
    times = max(1, 20_000 // nodes)  # a small tree is searched several times, for the precision of the clock
    ours, floor = interleaved(repeats, lambda: _all(states, plies, times), lambda: _all(trees, plies, times))
    method = (
        f"rounds {rounds} (plies {plies}), optimal ghosts {ghosts}, {len(states)} positions of random games on {layout}"
        f" (Random('{SEED}/{layout}/...'), {PLIES} plies in), {nodes} nodes"
    )
    yield timed(f"{size}: student minimax", [times * nodes / one for one in ours], "nodes/s", method)
    ratios = [one / other for one, other in zip(ours, floor, strict=True)]
    yield timed(f"{size}: time relative to a tree in memory", ratios, "times", method, "at most 3")
    searches = [lambda: [alphabeta(state, plies, HUNTED) for state in states]]
    if kernel.is_available():
        searches += [lambda: [kernel.run("alphabeta", state, plies, Options(HUNTED)).line for state in states]]
    python_search, *compiled = interleaved(repeats, *searches)
    yield timed(f"{size}: alpha-beta, Python", [1000 * one / len(states) for one in python_search], "ms", method)
    for row in compiled:
        yield timed(f"{size}: alpha-beta, compiled", [1000 * one / len(states) for one in row], "ms", method)


def _all(nodes: Sequence[GameState] | Sequence[StoredNode], plies: int, times: int) -> None:
    for _ in range(times):
        for node in nodes:
            minimax(node, plies)


def positions(layout: str, ghosts: int) -> list[GameState]:
    """Positions in the middle of random games with Pacman to move, each game with its own random generator."""
    states: list[GameState] = []
    for number in count():
        rng, state = Random(f"{SEED}/{layout}/{number}"), start(layout, ["optimal"] * ghosts)
        for _ in range(PLIES - PLIES % (ghosts + 1)):
            if not state.is_terminal:
                state = state.successor(rng.choice(state.actions()))
        if not state.is_terminal:
            states.append(state)
        if len(states) == POSITIONS:
            break
    return states
