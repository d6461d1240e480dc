"""The speed of the compiled kernel, relative to the same search in C and in Python; and the seconds of many games."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import NamedTuple

import numpy as np

from agents.ghosts import HUNTED, OptimalGhost
from pacman import compiled
from pacman.commands.games import GameSetup
from pacman.core.rounds import round_of
from pacman.core.state import GameState
from pacman.play.series import play_in_processes
from pacman.search import alphabeta, constant_bounds
from pacman.search.algorithms import STARS, Options, make_search
from tests.bench.engine import middle
from tests.bench.figures import Figure, compiler, percentile, seconds_of, timed
from tests.paths import ROOT

SOURCE = ROOT / "tests" / "bench" / "search.c"
LOW, HIGH = -1500, 1500
SECONDS = 0.1
"""The approximate seconds of one measurement."""


@dataclass(frozen=True)
class Race:
    """One search from one position; the Python search uses `short` plies instead of `plies`, since it is slower."""

    name: str
    layout: str
    ghosts: tuple[str, ...]
    plies: int
    short: int
    goal: float | None
    """The smallest ratio to the speed of the C program; None for a search that the C program does not have."""

    @property
    def state(self) -> GameState:
        """The root of the search."""
        return middle(self.layout).with_round(round_of(self.ghosts))

    @property
    def options(self) -> Options:
        """The options of the search, with its bounds."""
        return Options(bounds=constant_bounds(LOW, HIGH) if self.name in STARS else None)

    def in_numba(self, plies: int) -> compiled.CompiledResult:
        """The result of the compiled search."""
        return compiled.run(self.name, self.state, plies, self.options)


RACES = (
    Race("exhaustive", "meadow", ("optimal", "optimal"), 12, 6, 0.6),
    Race("exhaustive", "smallish", ("random", "optimal"), 21, 9, 0.6),
    Race("alphabeta", "meadow", ("optimal", "optimal"), 18, 8, 0.4),
    Race("star1", "meadow", ("random", "optimal"), 13, 6, 0.4),
)


def searches(repeats: int) -> Iterator[Figure]:
    """The nodes per second of the kernel, and the ratios to C and to Python; nothing without numba."""
    if not compiled.is_available():
        return
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        for race in RACES:
            yield from _race(race, program, repeats)
    yield from _ghost(repeats)


def _race(race: Race, program: Path | None, repeats: int) -> Iterator[Figure]:
    nodes = race.in_numba(race.plies).statistics.nodes
    short_nodes = race.in_numba(race.short).statistics.nodes
    state = race.state
    # The compiled search without the conversion of the position, which happens once per call.
    from pacman.compiled import arrays, searches

    work = arrays.work(race.name, state, race.plies, race.options)
    run = partial(getattr(searches, race.name), work, race.plies)
    times = max(1, round(SECONDS / seconds_of(run)))
    numbers = c_input(race, state)
    ours, machine, python = list[float](), list[float](), list[float]()
    for _ in range(repeats):
        ours.append(times * nodes / seconds_of(lambda: [run() for _ in range(times)]))
        if program is not None and race.goal:
            machine.append(times * nodes / run_c(program, race.name, times, numbers).seconds)
        python.append(short_nodes / seconds_of(partial(make_search(race.name, race.options).visit, state, race.short)))
    where = (
        f"{race.name}, {race.plies} plies, {' and '.join(race.ghosts)} ghosts, from ply 30 of a random game on "
        f"{race.layout}: {nodes} nodes"
    )
    name = f"kernel, {race.name} on {race.layout}"
    yield timed(name, ours, "nodes/s", where)
    if machine:
        ratios = [one / other for one, other in zip(ours, machine, strict=True)]
        yield timed(
            f"{name}, speed relative to C", ratios, "times", "same nodes, recursive C, cc -O2", f"at least {race.goal}"
        )
        yield timed(f"{name}, speed of C", machine, "nodes/s", where)
    ratios = [one / other for one, other in zip(ours, python, strict=True)]
    goal = "at least 60" if race.name == "exhaustive" else ""
    yield timed(
        f"{name}, speed relative to Python", ratios, "times", f"the Python search with {race.short} plies", goal
    )


def _ghost(repeats: int) -> Iterator[Figure]:
    """The time of an optimal ghost's move with the Python search and with the compiled one, as in a game."""
    rounds = 3
    middles = [middle("crossroads", plies=30 + number, seed=number) for number in range(40)]
    states = [state for state in middles if state.mover]
    plies = rounds * len(states[0].layers)
    slow, fast = list[float](), list[float]()
    ghost = OptimalGhost(rounds)
    compiled.load("alphabeta", inf)
    for state in states * repeats:
        slow.append(1000 * seconds_of(partial(alphabeta, state, plies, HUNTED)))
        fast.append(1000 * seconds_of(partial(ghost.choose, state)))
    method = f"rounds={rounds} on crossroads, four optimal ghosts, {len(states)} positions; 95th percentile"
    yield Figure("an optimal ghost's move, Python", percentile(slow, 95), "ms", method, "below 8")
    yield Figure("an optimal ghost's move, compiled", percentile(fast, 95), "ms", method, "below 8")


def games(repeats: int) -> Iterator[Figure]:
    """The seconds of a thousand games of a quick agent on all cores, with the start of the processes."""
    setup = GameSetup("smallish", "reflex", "random,directional", games=1_000)
    seconds = [
        seconds_of(
            partial(play_in_processes, {setup.pacman: setup.quiet_game}, range(setup.games), os.cpu_count() or 1)
        )
        for _ in range(repeats)
    ]
    method = f"{setup.games:,} games of reflex against a random and a directional ghost on {setup.layout}, seed 0"
    yield timed("simulate", seconds, "s", method, "below 4")


def build(folder: Path) -> Path | None:
    """Compile the C program into `folder` and return its path; None without its source or without a compiler."""
    command = compiler()
    if command is None or not SOURCE.is_file():
        return None
    program = folder / "search"
    arguments = [command, "-O2", "-ffp-contract=off", "-o", str(program), str(SOURCE), "-lm"]
    process = subprocess.run(arguments, capture_output=True, check=False)
    return program if process.returncode == 0 else None


def c_input(race: Race, state: GameState) -> str:
    """The input of the C program: the tables, the position and the round, as whole numbers."""
    from pacman.compiled.arrays import Tables, turns

    tables = Tables.of(state.maze)
    board, root = tables.board, tables.position(state, 0)
    order = turns(state.round, state.round.order[0], len(state.layers) - 1)
    bounds = (LOW, HIGH) if race.name in STARS else (0, 0)
    sizes = np.array([len(tables.cells), len(tables.stands), root.homes.size, race.plies, *bounds])
    moves = (board.pacman_count, board.pacman_action, board.pacman_after, board.ghost_count, board.ghost_action)
    parts = (sizes, *moves, board.ghost_after, board.ghost_touch, root.rows[0], root.items, root.homes)
    return "\n".join(" ".join(map(str, part.ravel())) for part in (*parts, order.agent, order.layer))


class CResult(NamedTuple):
    """The result of the C program, and the seconds of all its repeats. `action` is a number, -1 for none."""

    value: float
    action: int
    leaves: int
    generated: int
    seconds: float


def run_c(program: Path, name: str, times: int, numbers: str) -> CResult:
    """Run the search of the C program `times` times and return its result."""
    command = [str(program), name, str(times)]
    process = subprocess.run(command, input=numbers, capture_output=True, text=True, check=True)
    value, action, leaves, generated, seconds = process.stdout.split()
    return CResult(float(value), int(action), int(leaves), int(generated), float(seconds))
