"""Some searches of `pacman.search` as compiled code: the same value, action and counts, about a hundred times faster.

This needs numba (`python -m pip install numba`). Without numba the Python search answers, and one warning says so.
The kernel raises `NotSupported`, with one line of text, for everything that has no compiled form.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from math import inf
from typing import NamedTuple

from pacman.compiled.linear_evaluation import Linear as Linear
from pacman.core.errors import InputError, error_line
from pacman.core.state import GameState, start
from pacman.core.tree import Line
from pacman.record.trace import Path, Trace
from pacman.search.algorithms import (
    AUTO,
    DEFAULT,
    STARS,
    Options,
    SearchResult,
    Statistics,
    principal_line,
    recommended_algorithm,
)
from pacman.search.algorithms import run_search as run_python_search
from pacman.search.base import check_plies
from pacman.search.bounds import constant_bounds

INSTALL = "python -m pip install numba"
COMPILING = "compiling fast code for this machine; this takes up to 25 seconds and happens only once"
COMPILE_FROM = 3_000_000
"""Nodes from which on compiling pays: Python searches about 100,000 nodes per second; compiling takes up to 25 s."""
LOAD_FROM = 100_000
"""Nodes from which on it pays to load numba, which takes about a second and 60 MB."""


COMPILED = ("exhaustive", "alphabeta", "star1")
"""The searches that have a compiled form. Star2 had one, which took five times as long for a node as Star1."""


class NotSupported(InputError):
    """The compiled kernel does not support the input; the text says what it does not support, and its limit."""


class SlowPath(UserWarning):
    """The Python search answers instead of the compiled one."""


class CompiledResult(NamedTuple):
    """The result of a search, and its counts."""

    line: Line
    statistics: Statistics


def is_available() -> bool:
    """True if numba can be imported."""
    return not _missing()


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


def slow_path() -> str:
    """The message for a user whose search is slow because numba is missing."""
    return f"{_missing() or 'numba is not installed'}; using the slower Python search (for more speed: {INSTALL})"


def must_compile(function: str) -> bool:
    """True if the first use of `pacman.compiled.FUNCTION` will wait some seconds for the compiler.

    A function is named with its module, for example "search.alphabeta".
    """
    if not is_available():
        return False
    from pacman.compiled.jit import is_warm

    return not is_warm(function)


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


def is_worthwhile(search: str, state: GameState, plies: int, times: int = 1) -> bool:
    """True if the compiled search is quicker than the Python search, including the time to load and to compile it.

    Searches like this one follow, so many `times` in all. Loading has to pay for all of them, compiling for one.
    """
    nodes = expected_nodes(search, state, plies)
    if search not in _loaded and times * nodes < min(LOAD_FROM, COMPILE_FROM):
        return False
    return is_available() and (is_ready(search) or nodes >= COMPILE_FROM)


def is_ready(search: str) -> bool:
    """True if the compiled search of that name answers without waiting for the compiler."""
    return search in _loaded or (is_available() and not must_compile(f"search.{search}"))


_loaded: set[str] = set()
"""The searches whose machine code this process has loaded."""


def to_log(line: str) -> None:
    """Writes a line to the log, which nobody sees unless logging is switched on."""
    import logging

    logging.getLogger(__name__).info(line)


def prepare(search: str, report: Callable[[str], object] = to_log, nodes: float = inf) -> None:
    """Loads the compiled search of that name, so that nobody waits for it in the middle of a game.

    Does nothing for so few `nodes` that loading does not pay. Compiles it first if it was never compiled on this
    machine and if so many `nodes` make it worthwhile. `report` gets a line before that, because it takes seconds; or a
    line if numba is missing and so many nodes will be slow.
    """
    if nodes < min(LOAD_FROM, COMPILE_FROM):
        return
    if not is_available():
        if nodes >= COMPILE_FROM:
            _report_once(report, slow_path())
        return
    if search in _loaded:
        return
    if not is_ready(search):
        if nodes < COMPILE_FROM:
            return
        _report_once(report, COMPILING)
    bounds = constant_bounds(-1000, 1000) if search in STARS else None
    run(search, start("%%%%\n%P.%\n%%%%"), 1, Options(bounds=bounds))


@cache
def _report_once(report: Callable[[str], object], line: str) -> None:
    report(line)


def run_search(name: str, state: GameState, plies: int, options: Options = DEFAULT) -> SearchResult:
    """The result of `pacman.search.run_search`, with an empty trace. The same errors as `run`."""
    chosen = compiled_search(name, state, plies, options)
    result = run(chosen, state, plies, options)

    def choose(node: GameState, path: Path) -> str | None:
        return (run(chosen, node, plies - len(path), options) if path else result).line.action

    line = principal_line(state, plies, choose)
    return SearchResult(chosen, *result.line, line, result.statistics, Trace(), state)


def compiled_search(name: str, state: GameState, plies: int, options: Options) -> str:
    """The search with this name; for "auto", the recommended one of those that have a compiled form."""
    if name != AUTO:
        return name
    recommended = recommended_algorithm(state, plies, options.bounds)
    return recommended if recommended in COMPILED else "star1"


def run(name: str, state: GameState, plies: int, options: Options = DEFAULT) -> CompiledResult:
    """The result of one of the `COMPILED` searches, the same as that of `pacman.search`, with its counts.

    The evaluation is `score` or a `Linear`. The bounds of Star1 are `constant_bounds(L, U)`, or
    `pacman.search.bounds.natural` if the evaluation is the score. NotSupported for anything else, for a ghost
    model with other probabilities, and for a maze or a number of ghosts that is too large for the tables. ValueError
    if `plies` is negative, and if the value of a leaf lies outside its bounds.
    """
    from pacman.compiled.search_call import Call

    check_plies(plies)
    call = Call.of(name, state, plies, options)  # raises NotSupported, with numba or without
    if not is_available():
        _warn_slow_path()
    else:
        answer = call()
        _loaded.add(name)
        if answer is not None:
            return answer
    # Without numba; or if a leaf lies outside its bounds: then this search raises an error that names the leaf.
    result = run_python_search(name, state, plies, options)
    return CompiledResult(Line(result.value, result.action), result.statistics)


@cache
def _warn_slow_path() -> None:
    warnings.warn(slow_path(), SlowPath, stacklevel=4)
