"""The searches of `pacman.search`, compiled: the same value, action and counts, some hundred times as fast.

Needs the extra `fast` (numba). Where that is missing the readable search answers instead, and one warning says so.
What has no compiled form is refused with `NotSupported`, in one line.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from pacman.core.errors import InputError
from pacman.core.state import GameState, start
from pacman.core.trace import Path, Trace
from pacman.core.tree import Evaluation, Line, score
from pacman.kernel.linear_evaluation import Linear as Linear
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
from pacman.search.algorithms import run_search as readable
from pacman.search.base import check_plies
from pacman.search.bounds import Bounds, constant_bounds


class NotSupported(InputError):
    """What the compiled kernel does not take; the text says what, and how much it does."""


class SlowPath(UserWarning):
    """The readable search answers in place of the compiled one."""


@dataclass(frozen=True)
class CompiledResult:
    """What a search found, and what it touched."""

    line: Line
    statistics: Statistics

    @property
    def nodes(self) -> int:
        """Nodes entered, the root too, each once."""
        return self.statistics.nodes


def exhaustive(state: GameState, plies: int, evaluate: Evaluation = score) -> CompiledResult:
    """What `pacman.search.exhaustive` returns, with its counts.

    `evaluate` is `score` or a `Linear`. NotSupported for any other, for a ghost model with other probabilities, and for
    a maze or a number of ghosts beyond the tables. ValueError if `plies` is negative.
    """
    return run("exhaustive", state, plies, Options(evaluate))


def alphabeta(state: GameState, plies: int, evaluate: Evaluation = score, strict: bool = False) -> CompiledResult:
    """What `pacman.search.alphabeta` returns, with its counts. Errors as of `exhaustive`."""
    return run("alphabeta", state, plies, Options(evaluate, strict=strict))


def star1(state: GameState, plies: int, bounds: Bounds, evaluate: Evaluation = score) -> CompiledResult:
    """What `pacman.search.star1` returns, with its counts.

    `bounds` are `constant_bounds(L, U)`, or with the score `pacman.core.natural_bounds.natural`; NotSupported for
    others, and as of `exhaustive`. ValueError too if a leaf lies outside.
    """
    return run("star1", state, plies, Options(evaluate, bounds))


def star2(
    state: GameState,
    plies: int,
    bounds: Bounds,
    evaluate: Evaluation = score,
    probes: int = 1,
    cyclic: bool = False,
) -> CompiledResult:
    """What `pacman.search.star2` returns, with its counts; errors as of `star1`.

    A node can be entered twice and is counted once, so that here memory grows with the inner nodes, 12 bytes each in
    a table half full. NotSupported for more than 27 plies, and for more than 4 CHANCE nodes in a row.
    """
    return run("star2", state, plies, Options(evaluate, bounds, probes=probes, cyclic=cyclic))


def supports(state: GameState, evaluate: Evaluation = score) -> bool:
    """True when the compiled kernel is there and takes this position and this evaluation."""
    from pacman.kernel.search_call import Call

    try:
        return is_available() and bool(Call.of("exhaustive", state, 0, Options(evaluate)))
    except NotSupported:
        return False


def is_available() -> bool:
    """True when numba can be imported."""
    return not _missing()


@cache
def _missing() -> str:
    """Why there is no compiled code, in a few words; "" if there is."""
    if find_spec("numba") is None:
        return "numba is not installed"
    try:
        import pacman.kernel.jit  # noqa: F401
    except ImportError as error:  # numba refuses a Python, or a numpy, that it does not know
        return f"numba cannot be imported ({error})"
    return ""


def must_compile(function: str) -> bool:
    """True when a first use of `pacman.kernel.FUNCTION` will wait some seconds for the compiler: worth telling.

    A function is named with its module, as in "search.alphabeta".
    """
    if not is_available():
        return False
    from pacman.kernel.jit import is_warm

    return not is_warm(function)


COMPILING = "compiling for this machine; only the first time"


def to_log(line: str) -> None:
    """For nobody: writes a line into a log that is not kept unless somebody asks for it."""
    import logging

    logging.getLogger(__name__).info(line)


@cache
def prepare(search: str, tell: Callable[[str], object] = to_log) -> None:
    """Loads the compiled search of that name, or compiles it, so that nobody waits for it in the middle of a game.

    `tell` hears a line beforehand if that takes seconds, and a line if the readable search must do; each once.
    """
    if not is_available():
        tell(slow_path())
        return
    if must_compile("probing.star2" if search in ("star2", "star2.5") else f"search.{search}"):
        tell(COMPILING)
    bounds = constant_bounds(-1000, 1000) if search in STARS else None
    run(search, start("%%%%\n%P.%\n%%%%"), 1, Options(bounds=bounds))


def slow_path() -> str:
    """The line for people where numba is missing."""
    why = _missing() or "numba is not installed"
    return f"{why}: the readable search answers, slowly (pip install 'pacman-search[fast]')"


def run_search(name: str, state: GameState, plies: int, options: Options = DEFAULT) -> SearchResult:
    """What `pacman.search.run_search` returns, its trace left empty; errors as of `exhaustive` and `star1`."""
    chosen = recommended_algorithm(state, plies, options.bounds) if name == AUTO else name
    searched = run(chosen, state, plies, options)

    def choose(node: GameState, path: Path) -> str | None:
        return (run(chosen, node, plies - len(path), options) if path else searched).line.action

    line = principal_line(state, plies, choose)
    return SearchResult(chosen, *searched.line, line, searched.statistics, Trace(), state)


def run(name: str, state: GameState, plies: int, options: Options) -> CompiledResult:
    """The search of that name (as of `pacman.search.algorithms`), with its counts; errors as of each one."""
    from pacman.kernel.search_call import Call

    check_plies(plies)
    call = Call.of(name, state, plies, options)  # refuses what it cannot take, with numba or without
    if not is_available():
        _say_once()
    else:
        searched = call()
        if searched is not None:
            return CompiledResult(*searched)
    # Without numba, or where a leaf lies outside its bounds: then this raises, and names the leaf.
    found = readable(name, state, plies, options)
    return CompiledResult(Line(found.value, found.action), found.statistics)


@cache
def _say_once() -> None:
    warnings.warn(slow_path(), SlowPath, stacklevel=4)
