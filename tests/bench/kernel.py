"""The compiled kernel beside two yardsticks: the same search in C, compiled here and now, and the readable one."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from agents.ghosts import HUNTED, OptimalGhost
from pacman import kernel
from pacman.commands.simulation import Plan, simulate
from pacman.core.layers import round_of
from pacman.core.state import GameState
from pacman.kernel.search_call import Call
from pacman.search import alphabeta, constant_bounds
from pacman.search.algorithms import STARS, Options, make
from tests.bench.engine import middle
from tests.bench.figures import Figure, compiler, timed

SOURCE = Path(__file__).parents[2] / "tests" / "bench" / "search.c"
LOW, HIGH = -1500, 1500
GAMES = 100_000
SECONDS = 0.1
"""About how long one measurement runs."""


@dataclass(frozen=True)
class Race:
    """One search from one position; the readable search runs with fewer plies, so that it ends."""

    name: str
    layout: str
    ghosts: tuple[str, ...]
    plies: int
    short: int
    goal: float | None
    """Of the C program's rate; None for a search that it has not."""

    @property
    def state(self) -> GameState:
        return middle(self.layout).taking(round_of(self.ghosts))

    @property
    def bounds(self) -> tuple[int, int]:
        return (LOW, HIGH) if self.name in STARS else (0, 0)

    @property
    def options(self) -> Options:
        return Options(bounds=constant_bounds(LOW, HIGH) if self.name in STARS else None)

    def compiled(self, plies: int) -> kernel.CompiledResult:
        return kernel.run(self.name, self.state, plies, self.options)

    def readable(self, state: GameState) -> object:
        return make(self.name, self.options).visit(state, self.short)


RACES = (
    Race("exhaustive", "meadow", ("optimal", "optimal"), 12, 6, 0.6),
    Race("exhaustive", "smallish", ("random", "optimal"), 21, 9, 0.6),
    Race("alphabeta", "meadow", ("optimal", "optimal"), 18, 8, 0.4),
    Race("star1", "meadow", ("random", "optimal"), 13, 6, 0.4),
    Race("star2", "meadow", ("random", "optimal"), 12, 6, None),
)


def compiled(repeats: int) -> Iterator[Figure]:
    """Nodes per second of the kernel, and its ratios to C and to Python."""
    if not kernel.is_available():
        return
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        for race in RACES:
            yield from _race(race, program, repeats)
    yield from _ghost(repeats)


def _race(race: Race, program: Path | None, repeats: int) -> Iterator[Figure]:
    found = race.compiled(race.plies)
    fewer = race.compiled(race.short).nodes
    state = race.state
    # The compiled search without what surrounds it once a call: the conversion of the position.
    run = Call.of(race.name, state, race.plies, race.options).bare
    times = max(1, round(SECONDS / _seconds(run)))
    feed = handed(race, state)
    ours: list[float] = []
    machine: list[float] = []
    python: list[float] = []
    for _ in range(repeats):
        ours.append(times * found.nodes / _seconds(lambda: [run() for _ in range(times)]))
        if program is not None and race.goal:
            machine.append(times * found.nodes / in_c(program, race.name, times, feed).seconds)
        python.append(fewer / _seconds(lambda: race.readable(state)))
    where = (
        f"{race.name}, {race.plies} plies, {' and '.join(race.ghosts)} ghosts, from ply 30 of a random game on "
        f"{race.layout}: {found.nodes} nodes"
    )
    name = f"kernel, {race.name} on {race.layout}"
    yield timed(name, ours, "nodes/s", where)
    if machine:
        ratios = [one / other for one, other in zip(ours, machine, strict=True)]
        yield timed(f"{name}, over C", ratios, "times", "the same nodes, recursive C, cc -O2", f"at least {race.goal}")
        yield timed(f"{name}, C itself", machine, "nodes/s", where)
    ratios = [one / other for one, other in zip(ours, python, strict=True)]
    goal = "at least 60" if race.name == "exhaustive" else ""
    yield timed(f"{name}, over our Python search", ratios, "times", f"the readable one with {race.short} plies", goal)


def _ghost(repeats: int) -> Iterator[Figure]:
    """What an optimal ghost takes for a move, by the readable search and as it plays, over games' positions."""
    rounds = 3
    middles = [middle("crossroads", plies=30 + number, seed=number) for number in range(40)]
    states = [state for state in middles if state.mover]
    plies = rounds * len(states[0].layers)
    slow: list[float] = []
    fast: list[float] = []
    ghost = OptimalGhost(rounds)
    kernel.prepare("alphabeta")
    for state in states * repeats:
        slow.append(1000 * _seconds(partial(alphabeta, state, plies, HUNTED)))
        fast.append(1000 * _seconds(partial(ghost.choose, state)))
    method = f"rounds={rounds} on crossroads, four optimal ghosts, {len(states)} positions; 95th percentile"
    yield Figure("an optimal ghost's move, readable", _percentile(slow), "ms", method, "below 8")
    yield Figure("an optimal ghost's move, compiled", _percentile(fast), "ms", method, "below 8")


def games(repeats: int) -> Iterator[Figure]:
    """Whole games, compiled, over all cores."""
    if not kernel.is_available():
        return
    plan = Plan("smallish", "reflex", ("random", "directional"), GAMES)
    simulate(replace(plan, games=1))
    seconds = [_seconds(partial(simulate, plan)) for _ in range(repeats)]
    method = f"{GAMES:,} games of reflex against a random and a directional ghost on {plan.layout}, all cores, seed 0"
    yield timed("simulate", seconds, "s", method, "below 60")


def _percentile(values: list[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def _seconds(call: Callable[[], object]) -> float:
    began = perf_counter()
    call()
    return perf_counter() - began


def build(folder: Path) -> Path | None:
    """The C program, compiled into `folder`; None without its source or without a compiler."""
    command = compiler()
    if command is None or not SOURCE.is_file():
        return None
    program = folder / "search"
    words = [command, "-O2", "-ffp-contract=off", "-o", str(program), str(SOURCE), "-lm"]
    done = subprocess.run(words, capture_output=True, check=False)
    return program if done.returncode == 0 else None


def handed(race: Race, state: GameState) -> str:
    """What the C program reads: the tables, the position and the round, as whole numbers."""
    from pacman.kernel.tables import Tables, turns

    tables = Tables.of(state.maze)
    board, root, order = (
        tables.board,
        tables.position(state, 0),
        turns(state.round, state.round.order[0], len(state.layers) - 1),
    )
    parts: list[Iterable[int]] = [
        [len(tables.cells), len(tables.stands), root.homes.size, race.plies, *race.bounds],
        board.pacman_count,
        board.pacman_action.ravel(),
        board.pacman_after.ravel(),
        board.ghost_count,
        board.ghost_action.ravel(),
        board.ghost_after.ravel(),
        board.ghost_touch.ravel(),
        root.rows[0],
        root.things,
        root.homes,
        order.agent,
        order.layer,
    ]
    return "\n".join(" ".join(map(str, part)) for part in parts)


class InC(NamedTuple):
    """What the C program found, and the seconds of all its times. `action` is a number, -1 for none."""

    value: float
    action: int
    leaves: int
    generated: int
    seconds: float


def in_c(program: Path, name: str, times: int, feed: str) -> InC:
    """The C program's answer after searching `times` times."""
    done = subprocess.run([str(program), name, str(times)], input=feed, capture_output=True, text=True, check=True)
    value, action, leaves, generated, seconds = done.stdout.split()
    return InC(float(value), int(action), int(leaves), int(generated), float(seconds))
