"""Some searches of `pacman.search` as compiled code: the same value, action and counts, about a hundred times faster.

This needs numba (`python -m pip install numba`), and nobody needs this: `run_search` and `quick_search` take the
compiled search only where it answers sooner.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.util import find_spec

from pacman.core.errors import error_line
from pacman.core.state import GameState, start
from pacman.record.trace import Path, Trace
from pacman.search.algorithms import (
    AUTO,
    DEFAULT,
    Options,
    SearchResult,
    Statistics,
    principal_line,
    recommended_algorithm,
)
from pacman.search.algorithms import run_search as run_python_search
from pacman.search.base import check_plies
from pacman.search.bounds import constant_bounds, natural

COMPILED = ("exhaustive", "alphabeta", "star1")
"""The searches that have a compiled form. Star2 had one, which took five times as long for a node as Star1."""
COMPILING = "compiling fast code for this machine; this takes up to 25 seconds and happens only once"
COMPILE_FROM = 3_000_000
"""Nodes from which on compiling pays: Python searches about 100,000 nodes per second; compiling takes up to 25 s."""
LOAD_FROM = 100_000
"""Nodes from which on it pays to load numba, which takes about a second and 60 MB."""
_loaded: set[str] = set()
"""The searches whose machine code this process has loaded."""


class NotSupported(Exception):
    """There is no compiled form of this: the Python search has to answer."""


NEARNESS = 1 / 1024
"""The weight of one step of distance. It is so small that four ghosts at 200 steps weigh less than a point."""


def hunted(state: GameState) -> float:
    """The evaluation of optimal ghosts: the score, plus `NEARNESS` for each step between Pacman and a live ghost.

    It is minus `NEARNESS` for each step to a scared ghost; a ghost that cannot be reached counts nothing.
    """
    steps = state.maze.distances(state.pacman.cell)
    value = float(state.score)
    for ghost in state.ghosts:
        value += (-NEARNESS if ghost.timer else NEARNESS) * steps.get(ghost.touches[0], 0)
    return value


@cache
def _missing() -> str:
    """Why there is no compiled code, in a few words; "" if there is."""
    if find_spec("numba") is None:
        return "numba is not installed"
    try:
        import pacman.compiled.jit  # noqa: F401
    except Exception as error:  # numba refuses versions of Python and numpy that it does not know, and wrong settings
        return f"numba cannot be imported ({error if isinstance(error, ImportError) else error_line(error)})"
    return ""


def expected_nodes(search: str, state: GameState, plies: int) -> float:
    """A rough estimate of how many nodes that search enters.

    It assumes that every agent always has as many actions as now. A search with cutoffs gets the exponent 3/4 of
    alpha-beta with randomly ordered actions (Knuth & Moore 1975, Pearl 1982).
    """
    order = state.round.order
    first = order.index(state.mover)
    paths = 1.0
    for ply in range(plies):
        paths = min(paths * len(state.actions(order[(first + ply) % len(order)])), 1e300)
    return paths if search == "exhaustive" else paths**0.75


def load(search: str, nodes: float) -> bool:
    """True if the compiled search answers sooner than the Python search; then it is loaded, so that nobody waits later.

    `nodes` is how many nodes it will search in all. The search is compiled first, if that pays and was never done on
    this machine. Before that, the log gets a line, because it takes seconds; also if many nodes have to do without
    numba.
    """
    if search in _loaded:
        return True
    if nodes < LOAD_FROM:
        return False
    missing = _missing()
    if missing or not _is_on_disk(search):
        if nodes < COMPILE_FROM:
            return False
        slower = f"{missing}; using the slower Python search (for more speed: python -m pip install numba)"
        _log_once(slower if missing else COMPILING)
    if not missing:
        run(search, start("%%%%\n%P.%\n%%%%"), 1, Options(bounds=constant_bounds(-1000, 1000)))
    return not missing


def _is_on_disk(search: str) -> bool:
    from pacman.compiled.jit import is_on_disk

    return is_on_disk(f"searches.{search}")


@cache
def _log_once(line: str) -> None:
    logging.getLogger(__name__).info(line)


def run_search(name: str, state: GameState, plies: int, options: Options) -> SearchResult:
    """The result of `pacman.search.run_search`; with an empty trace if the compiled search answers sooner.

    "auto" takes the recommended one of the searches that have a compiled form.
    """
    if name == AUTO:
        recommended = recommended_algorithm(state, plies, options.bounds)
        name = recommended if recommended in COMPILED else "star1"
    result = quick_search(name, state, plies, options)
    if result is None:
        return run_python_search(name, state, plies, options)

    def choose(node: GameState, path: Path) -> str | None:
        return (run(name, node, plies - len(path), options) if path else result).action

    return replace(result, line=principal_line(state, plies, choose))


def quick_search(name: str, state: GameState, plies: int, options: Options) -> SearchResult | None:
    """The result of the compiled search, as by `run`; None if the Python search answers sooner, or has to answer."""
    has_form = name in COMPILED and not (name == "star1" and options.bounds is natural)
    if has_form and load(name, expected_nodes(name, state, plies)):
        with suppress(NotSupported):
            return run(name, state, plies, options)
    return None


def run(name: str, state: GameState, plies: int, options: Options = DEFAULT) -> SearchResult:
    """The result of one of the `COMPILED` searches, the same as that of `pacman.search`, without line and trace.

    The evaluation is `score` or `hunted`, the bounds of Star1 are `constant_bounds(L, U)`: with natural bounds it
    enters so few nodes that Python has them before numba is loaded. NotSupported for anything else, for a ghost model
    with other probabilities, and for a maze or a number of ghosts that is too large for the tables. ValueError if
    `plies` is negative, and if the value of a leaf lies outside its bounds.
    """
    from pacman.compiled import arrays, searches

    check_plies(plies)
    work = arrays.work(name, state, plies, options)
    answer: arrays.SearchAnswer = getattr(searches, name)(work, plies)
    _loaded.add(name)
    if not answer.is_within_bounds:
        run_python_search(name, state, plies, options)  # raises the error that names the leaf
    is_score = answer.is_score and not work.settings.nearness
    value = int(answer.value) if is_score else answer.value
    action = None if answer.action < 0 else arrays.ACTIONS[answer.action]
    nodes = answer.generated + 1  # each generated node is entered once, as is the root
    counts = (answer.leaves, answer.expanded, answer.generated, answer.cutoffs, 0, 0, 0, answer.depth)
    return SearchResult(name, value, action, (), Statistics(nodes, nodes, *counts), Trace(), state)
