"""How the cost grows with the number of rounds, the number of ghosts and the size of the board, one at a time."""

from __future__ import annotations

from collections.abc import Iterator

from agents.ghosts import HUNTED
from pacman import compiled
from pacman.core.layout import Layout, names
from pacman.search import alphabeta
from pacman.search.algorithms import Options
from tests.bench.engine import middle, student_search
from tests.bench.figures import Figure, interleaved, timed

POSITIONS = 8


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
    states = [middle(layout, ghosts=ghosts, seed=number) for number in range(POSITIONS)]
    plies = rounds * len(states[0].layers)
    method = (
        f"rounds {rounds} (plies {plies}), optimal ghosts {ghosts}, {len(states)} positions of random games on {layout}"
        f" (seeds 0 to {POSITIONS - 1}, 30 plies in)"
    )
    yield from student_search(f"{size}: ", states, rounds, repeats, method)
    searches = [lambda: [alphabeta(state, plies, HUNTED) for state in states]]
    if compiled.is_available():
        searches += [lambda: [compiled.run("alphabeta", state, plies, Options(HUNTED)).line for state in states]]
    python_search, *fast = interleaved(repeats, *searches)
    yield timed(f"{size}: alpha-beta, Python", [1000 * one / len(states) for one in python_search], "ms", method)
    for row in fast:
        yield timed(f"{size}: alpha-beta, compiled", [1000 * one / len(states) for one in row], "ms", method)
