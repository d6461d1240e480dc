"""Memory: a million positions held in a set, and what a search holds on to as it looks farther."""

from __future__ import annotations

import subprocess
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from pacman import kernel
from pacman.core.state import GameState, start
from pacman.search import alphabeta, exhaustive
from tests.bench.figures import Figure, python

STATES, SEED = 1_000_000, 1
LAYOUT = "smallish"
LANES = "%%%%%%%%%%%%%%%%%%%\n%P            .%G %\n%%%%%%%%%%%%%%%%%%%"
"""Pacman and the ghost each in a lane of his own: no game is over soon, and few actions let a search look far."""
PLIES = (8, 14, 20)


def memory(repeats: int) -> Iterator[Figure]:
    """Counted, not timed: `repeats` are not needed."""
    held = peak_memory(f"from tests.bench.memory import distinct_states; distinct_states({STATES})")
    if held is not None:
        method = (
            f"the greatest memory of a process that holds {STATES:,} different positions of random games "
            f"(Random({SEED})) on {LAYOUT}, 20x7 with two ghosts, in a set; interpreter included"
        )
        yield Figure("a million states in a set", held, "MB", method, "below 450")
    root = start(LANES, ["optimal"])
    yield _a_ply("an exhaustive search, a ply", [peak(partial(exhaustive, root, plies)) for plies in PLIES])
    yield _a_ply("an alpha-beta search, a ply", [peak(partial(alphabeta, root, plies)) for plies in PLIES])
    if kernel.is_available():
        from pacman.kernel.search_call import Call
        from pacman.search.algorithms import DEFAULT

        peaks = [peak(partial(Call.of, "alphabeta", root, plies, DEFAULT)) for plies in PLIES]
        yield _a_ply("the compiled searches' block, a ply", peaks)


def _a_ply(name: str, peaks: list[int]) -> Figure:
    steps = [(b - a) / (q - p) for a, b, p, q in zip(peaks, peaks[1:], PLIES, PLIES[1:], strict=False)]
    found = ", ".join(f"{peak:,} bytes with {plies} plies" for plies, peak in zip(PLIES, peaks, strict=True))
    method = f"tracemalloc's peak over one search in two lanes, one optimal ghost: {found}"
    return Figure(name, steps[-1], "bytes", method, "O(plies)")


def peak(call: Callable[[], object]) -> int:
    """The most bytes that a call held at any time; what is worked out once is there already."""
    call()
    tracemalloc.start()
    call()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def distinct_states(count: int) -> set[GameState]:
    """`count` different positions of random games."""
    rng, first = Random(SEED), start(LAYOUT)
    state, held = first, set[GameState]()
    while len(held) < count:
        actions = state.actions()
        state = state.successor(rng.choice(actions)) if actions else first
        held.add(state)
    return held


def peak_memory(code: str) -> float | None:
    """The greatest memory of a new interpreter that runs `code`, in MB; None where the system does not tell."""
    done = subprocess.run(
        python("-c", f"from tests.bench.memory import own; {code}; print(own())"), capture_output=True, check=False
    )
    return float(done.stdout) if done.returncode == 0 else None


def own() -> float:
    """The greatest memory of this process so far, in MB."""
    try:
        # What `getrusage` tells on Linux is never less than what the process that started this one held.
        with open("/proc/self/status", encoding="ascii") as lines:
            return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))
    except OSError:
        import resource  # not on Windows: ImportError

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)  # bytes, on a Mac
