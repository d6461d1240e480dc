"""The searches of `pacman.search`, compiled: the same value, action and counts, some hundred times as fast.

Needs the extra `fast` (numba). Where that is missing the readable search answers instead, and one warning says so.
What has no compiled form is refused with `Unsuited`, in one line.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from pacman.kernel.linear import Linear
from pacman.search.alphabeta import AlphaBeta
from pacman.search.bounds import everywhere
from pacman.search.contract import check_plies
from pacman.search.exhaustive import Exhaustive
from pacman.search.star1 import Star1
from pacman.state import GameState, start
from pacman.trace import Counted, Trace
from pacman.tree import Evaluation, Line, score


class SlowPath(UserWarning):
    """The readable search answers in place of the compiled one."""


@dataclass(frozen=True)
class Searched:
    """What a search found, and what it touched: nodes entered (the root too), leaves, expanded and generated ones."""

    line: Line
    nodes: int
    leaves: int
    expanded: int
    generated: int


def exhaustive(state: GameState, plies: int, evaluate: Evaluation = score) -> Searched:
    """What `pacman.search.exhaustive` returns, with its counts.

    `evaluate` is `score` or a `Linear`. Unsuited for any other, for a ghost model with probabilities of its own, and
    for a maze or a number of ghosts beyond the tables. ValueError if `plies` is negative.
    """
    return _search("exhaustive", Exhaustive, state, plies, evaluate)


def alphabeta(state: GameState, plies: int, evaluate: Evaluation = score, strict: bool = False) -> Searched:
    """What `pacman.search.alphabeta` returns, with its counts. Errors as of `exhaustive`."""
    return _search("alphabeta", lambda leaf: AlphaBeta(leaf, strict), state, plies, evaluate, strict)


def star1(state: GameState, plies: int, low: float, high: float, evaluate: Evaluation = score) -> Searched:
    """What `pacman.search.star1` returns for bounds [low, high] everywhere, with its counts.

    Errors as of `exhaustive`; ValueError too if a leaf lies outside the bounds.
    """
    bounds = everywhere(low, high)
    return _search("star1", lambda leaf: Star1(bounds, leaf), state, plies, evaluate, float(low), float(high))


def takes(state: GameState, evaluate: Evaluation = score) -> bool:
    """True when the compiled kernel is there and takes this position and this evaluation."""
    if not is_there():
        return False
    from pacman.kernel.tables import Tables, Unsuited, seats

    try:
        _weights(evaluate)
        Tables.of(state.maze).root(state)
        seats(state.round)
    except Unsuited:
        return False
    return True


def is_there() -> bool:
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
    if not is_there():
        return False
    from pacman.kernel.jit import is_warm

    return not is_warm(function)


COMPILING = "compiling for this machine; only the first time"
to_log = logging.getLogger(__name__).info
"""For nobody: a line in a log that is not kept unless somebody asks for it."""


@cache
def prepare(search: str, tell: Callable[[str], object] = to_log) -> None:
    """Loads the compiled search of that name, or compiles it, so that nobody waits for it in the middle of a game.

    `tell` hears a line beforehand if that takes seconds, and a line if the readable search must do; each once.
    """
    if not is_there():
        tell(slow_path())
        return
    if must_compile(f"search.{search}"):
        tell(COMPILING)
    globals()[search](start("%%%%\n%P.%\n%%%%"), 1)


def slow_path() -> str:
    """The line for people where numba is missing."""
    why = _missing() or "numba is not installed"
    return f"{why}: the readable search answers, slowly (pip install 'pacman-search[fast]')"


def _search(
    name: str, readable: Callable[[Evaluation], Any], state: GameState, plies: int, evaluate: Evaluation, *extra: Any
) -> Searched:
    from pacman.kernel.tables import ACTIONS, Tables, seats

    check_plies(plies)
    weights = _weights(evaluate)
    tables, order = Tables.of(state.maze), seats(state.round)
    root = tables.root(state)
    if not is_there():
        _say_once()
        return _readable(readable, state, plies, evaluate)
    from pacman.kernel import search

    stack = search.block(root.row.size, plies)
    found = getattr(search, name)(
        tables.board, order, state.round.order.index(state.mover), root, stack, plies, weights, *extra
    )
    if not found.fits:
        return _readable(readable, state, plies, evaluate)  # which raises, and names the leaf
    action = None if found.action < 0 else ACTIONS[found.action]
    return Searched(Line(found.value, action), found.generated + 1, found.leaves, found.expanded, found.generated)


def _weights(evaluate: Evaluation) -> Any:
    import numpy as np

    from pacman.kernel.tables import Unsuited

    if evaluate is score:
        return np.zeros(0)
    if isinstance(evaluate, Linear):
        return np.array(evaluate.weights)
    name = getattr(evaluate, "__name__", type(evaluate).__name__)
    raise Unsuited(f"the evaluation '{name}' has no compiled form: the kernel takes score and kernel.Linear")


def _readable(make: Callable[[Evaluation], Any], state: GameState, plies: int, evaluate: Evaluation) -> Searched:
    trace = Trace()
    line = make(trace.evaluation(evaluate)).visit(Counted(state, trace), plies)
    return Searched(line, trace.generated + 1, trace.leaves, len(trace.expanded), trace.generated)


@cache
def _say_once() -> None:
    warnings.warn(slow_path(), SlowPath, stacklevel=4)


__all__ = [
    "COMPILING",
    "Linear",
    "Searched",
    "SlowPath",
    "alphabeta",
    "exhaustive",
    "is_there",
    "must_compile",
    "prepare",
    "slow_path",
    "star1",
    "takes",
    "to_log",
]
