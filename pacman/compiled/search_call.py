"""Prepares the arrays for a compiled search, runs it, and converts its result to a Line and Statistics."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from pacman.compiled import COMPILED, CompiledResult, NotSupported
from pacman.compiled.arrays import Floats, Ints, SearchAnswer, SearchSettings, SearchStack, SearchWork, Turns
from pacman.compiled.constants import COUNTS
from pacman.compiled.linear_evaluation import Linear
from pacman.compiled.position_tables import ACTIONS, Tables, turns
from pacman.core.state import GameState
from pacman.core.tree import Evaluation, Line, score
from pacman.search.algorithms import STARS, Options, Statistics
from pacman.search.bounds import Bounds, ConstantBounds, natural


@dataclass(frozen=True)
class Call:
    """A compiled search of one position; it can run several times."""

    name: str
    work: SearchWork
    plies: int

    @classmethod
    def of(cls, name: str, state: GameState, plies: int, options: Options) -> Call:
        """The search with this name, from `pacman.search.algorithms`. NotSupported if it has no compiled form."""
        if name not in COMPILED:
            raise NotSupported(f"the compiled kernel does not support '{name}'; it supports {', '.join(COMPILED)}")
        if options.order != "given":
            raise NotSupported(
                f"the compiled kernel does not support the order '{options.order}'; it supports only 'given'"
            )
        tables, order, evaluation = Tables.of(state.maze), state.round, weights(options.evaluate)
        arrays = work(tables, state, turns(order, state.mover, plies), plies, evaluation, options.strict)
        if name in STARS:
            arrays = arrays._replace(settings=_with_bounds(options.needed_bounds(name), arrays, plies))
        return cls(name, arrays, plies)

    def run_bare(self) -> SearchAnswer:
        """Runs the search and returns the raw result; afterwards `work.counts` has the counts."""
        from pacman.compiled import search

        return getattr(search, self.name)(self.work, 0, self.plies)  # type: ignore[no-any-return]

    def __call__(self) -> CompiledResult | None:
        """The result of the search; None if a leaf lies outside its bounds."""
        answer = self.run_bare()
        if not answer.is_within_bounds:
            return None
        value = int(answer.value) if answer.is_score and not self.work.weights.size else answer.value
        line = Line(value, None if answer.action < 0 else ACTIONS[answer.action])
        return CompiledResult(line, Statistics(*self.work.counts.tolist()))


def work(
    tables: Tables, state: GameState, moves: Turns, plies: int, evaluation: Floats, strict: bool = False
) -> SearchWork:
    """The arrays of a search without bounds."""
    settings = SearchSettings(-inf, inf, np.zeros((0, 0), np.int32), bounds_are_scores=False, strict=strict)
    counts = np.zeros(COUNTS, np.int64)
    return SearchWork(tables.position(state, plies), moves, SearchStack.of(plies), evaluation, settings, counts)


def weights(evaluate: Evaluation) -> Floats:
    """The weights of an evaluation; an empty array for the score. NotSupported for others than these two."""
    if evaluate is score:
        return np.zeros(0)
    if isinstance(evaluate, Linear):
        numbers = np.array(evaluate.weights)
        if not np.isfinite(numbers).all():
            raise NotSupported(f"the compiled kernel supports only finite weights, not {evaluate}")
        return numbers
    name = getattr(evaluate, "__name__", type(evaluate).__name__)
    raise NotSupported(
        f"the compiled kernel does not support the evaluation '{name}'; supported: score, compiled.Linear"
    )


def _with_bounds(bounds: Bounds, arrays: SearchWork, plies: int) -> SearchSettings:
    """The settings of `arrays` with these bounds. NotSupported for bounds that have no compiled form."""
    if isinstance(bounds, ConstantBounds):
        are_scores = isinstance(bounds.low, int) and isinstance(bounds.high, int)
        return arrays.settings._replace(low=float(bounds.low), high=float(bounds.high), bounds_are_scores=are_scores)
    if bounds is not natural:
        name = getattr(bounds, "__name__", type(bounds).__name__)
        raise NotSupported(
            f"the compiled kernel does not support the bounds '{name}'; supported: constant_bounds(L, U), natural"
        )
    if arrays.weights.size:
        raise NotSupported("the natural bounds are bounds of the score; use constant_bounds(L, U) for compiled.Linear")
    moves = moves_left(arrays.turns, arrays.position.homes.size + 1, plies)
    return arrays.settings._replace(moves=moves, bounds_are_scores=True)


def moves_left(order: Turns, agents: int, plies: int) -> Ints:
    """The moves that each agent has left at each depth; shape (plies + 1, agents)."""
    moves = order.agent[:, np.newaxis] == np.arange(agents)
    moves[plies] = False  # nobody moves at the horizon
    return np.ascontiguousarray(np.cumsum(moves[::-1], axis=0, dtype=np.int32)[::-1])
