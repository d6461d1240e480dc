"""Memory: of a million positions in a set, and of a search at several depths."""

from __future__ import annotations

import subprocess
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from pacman import compiled
from pacman.core.state import GameState, start
from pacman.search import alphabeta
from tests.bench.figures import Figure, python

STATES, SEED = 1_000_000, 1
LAYOUT = "smallish"
LANES = "%%%%%%%%%%%%%%%%%%%\n%P            .%G %\n%%%%%%%%%%%%%%%%%%%"
"""Pacman and the ghost are in separate lanes: the game does not end soon, and few actions allow a deep search."""
PLIES = (8, 14, 20)


def memory(repeats: int) -> Iterator[Figure]:
    """The memory figures. They are exact counts, so `repeats` is not used."""
    megabytes = peak_memory(f"from tests.bench.memory import distinct_states; distinct_states({STATES})")
    if megabytes is not None:
        method = (
            f"the peak memory of a process with {STATES:,} different positions of random games "
            f"(Random({SEED})) on {LAYOUT}, 20x7 with two ghosts, in a set; with the interpreter"
        )
        yield Figure("a million states in a set", megabytes, "MB", method, "below 450")
    root = start(LANES, ["optimal"])
    yield _per_ply("an alpha-beta search, per ply", [peak(partial(alphabeta, root, plies)) for plies in PLIES])
    if compiled.is_available():
        from pacman.compiled.arrays import work
        from pacman.search.algorithms import DEFAULT

        peaks = [peak(partial(work, "alphabeta", root, plies, DEFAULT)) for plies in PLIES]
        yield _per_ply("the arrays of a compiled search, per ply", peaks)


def _per_ply(name: str, peaks: list[int]) -> Figure:
    steps = [(b - a) / (q - p) for a, b, p, q in zip(peaks, peaks[1:], PLIES, PLIES[1:], strict=False)]
    values = ", ".join(f"{peak:,} bytes with {plies} plies" for plies, peak in zip(PLIES, peaks, strict=True))
    method = f"tracemalloc's peak during one search in two lanes, one optimal ghost: {values}"
    return Figure(name, steps[-1], "bytes", method, "O(plies)")


def peak(call: Callable[[], object]) -> int:
    """The peak of the bytes that a call allocates. A first call, which is not measured, fills all caches."""
    call()
    tracemalloc.start()
    call()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def distinct_states(count: int) -> set[GameState]:
    """`count` different positions of random games."""
    rng, first = Random(SEED), start(LAYOUT)
    state, states = first, set[GameState]()
    while len(states) < count:
        actions = state.actions()
        state = state.successor(rng.choice(actions)) if actions else first
        states.add(state)
    return states


def peak_memory(code: str) -> float | None:
    """The peak memory in MB of a new interpreter that runs `code`; None if the system does not report it."""
    program = f"from tests.bench.memory import own_peak_memory; {code}; print(own_peak_memory())"
    process = subprocess.run(python("-c", program), capture_output=True, check=False)
    return float(process.stdout) if process.returncode == 0 else None


def own_peak_memory() -> float:
    """The peak memory of this process so far, in MB."""
    try:
        # On Linux the result of `getrusage` is never less than the memory of the parent process.
        with open("/proc/self/status", encoding="ascii") as lines:
            return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))
    except OSError:
        import resource  # not on Windows: ImportError

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)  # macOS reports bytes
