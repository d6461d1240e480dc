"""From a position and a search by name to its arrays, and from what the compiled search counted to a Line."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from math import inf

import numpy as np

from pacman.core.layers import Layer, Round
from pacman.core.natural_bounds import natural
from pacman.core.state import GameState
from pacman.core.tree import Evaluation, Line, score
from pacman.kernel import NotSupported
from pacman.kernel.arrays import Answer, Floats, Ints, Probes, Stack, Terms, Turns, Work
from pacman.kernel.constants import FILLED
from pacman.kernel.linear_evaluation import Linear
from pacman.kernel.tables import ACTIONS, Tables, turns
from pacman.search.algorithms import STAR25_PROBES, STARS, Options, Statistics
from pacman.search.bounds import Bounds, ConstantBounds

SEEN = 1 << 18
"""How many places the table of nodes has at first; four times as many whenever that was not enough."""
MOST_CHANCE_LAYERS = 4
"""The most CHANCE nodes in a row that Star2 takes: what it probes are trees of them."""
MOST_PLIES = 27
"""The most plies that Star2 takes: a node's number in the whole tree is to fit into 64 bits."""


@dataclass(frozen=True)
class Call:
    """A compiled search of one position, ready to run as often as one likes.

    `chance_layers` CHANCE nodes come in a row; Star2 asks each outcome for `asked` moves in each of `turns` turns.
    """

    name: str
    work: Work
    plies: int
    chance_layers: int
    asked: int
    turns: int

    @classmethod
    def of(cls, name: str, state: GameState, plies: int, options: Options) -> Call:
        """The search of that name, as of `pacman.search.algorithms`. NotSupported for what has no compiled form."""
        if options.order != "given":
            raise NotSupported(
                f"the compiled kernel keeps the given order of actions; it knows no order '{options.order}'"
            )
        tables, order, evaluation = Tables.of(state.maze), state.round, weights(options.evaluate)
        found = work(tables, state, turns(order, state.mover, plies), plies, evaluation, options.strict)
        if name in STARS:
            found = found._replace(terms=_bounded(options.needed_bounds(name), found, plies))
        row = longest_row(order)
        if name in ("star2", "star2.5"):
            if row > MOST_CHANCE_LAYERS:
                raise NotSupported(
                    f"the compiled star2 takes {MOST_CHANCE_LAYERS} CHANCE layers in a row at most; here are {row}"
                )
            if plies > MOST_PLIES:
                raise NotSupported(f"the compiled star2 looks {MOST_PLIES} plies ahead at most, not {plies}")
        probes = options.probes or (STAR25_PROBES if name == "star2.5" else 1)
        asked, times = (1, probes) if options.cyclic else (probes, 1)
        return cls(name, found, plies, row, asked, times)

    def bare(self) -> Answer:
        """Runs the search; what it counted is then in `work.counts`."""
        if self.name not in ("star2", "star2.5"):
            from pacman.kernel import search

            return getattr(search, self.name)(self.work, 0, self.plies)  # type: ignore[no-any-return]
        from pacman.kernel.star2_search import star2

        size = SEEN
        while True:
            probes = Probes.of(self.plies, self.chance_layers, self.asked, self.turns, size)
            answer = star2(self.work, probes, self.plies)
            if answer.room:
                return answer
            size *= 4

    def __call__(self) -> tuple[Line, Statistics] | None:
        """What was found and what it took; None when a leaf lay outside its bounds."""
        answer = self.bare()
        if not answer.fits:
            return None
        whole = answer.whole and not self.work.weights.size
        line = Line(int(answer.value) if whole else answer.value, None if answer.action < 0 else ACTIONS[answer.action])
        return line, Statistics(*self.work.counts[:FILLED].tolist())


def work(tables: Tables, state: GameState, moves: Turns, plies: int, evaluation: Floats, strict: bool = False) -> Work:
    """The arrays of a search without bounds."""
    terms = Terms(-inf, inf, np.zeros((0, 0), np.int32), whole=False, strict=strict)
    counts = np.zeros(FILLED + 1, np.int64)
    return Work(tables.position(state, plies), moves, Stack.of(plies), evaluation, terms, counts)


def weights(evaluate: Evaluation) -> Floats:
    """An evaluation as numbers: none for the score. NotSupported for any but the score and a `Linear`."""
    if evaluate is score:
        return np.zeros(0)
    if isinstance(evaluate, Linear):
        found = np.array(evaluate.weights)
        if not np.isfinite(found).all():
            raise NotSupported(f"the compiled kernel takes finite weights, not those of {evaluate}")
        return found
    name = getattr(evaluate, "__name__", type(evaluate).__name__)
    raise NotSupported(f"the evaluation '{name}' has no compiled form: the kernel takes score and kernel.Linear")


def _bounded(bounds: Bounds, given: Work, plies: int) -> Terms:
    """What a search is told of its bounds."""
    if isinstance(bounds, ConstantBounds):
        whole = isinstance(bounds.low, int) and isinstance(bounds.high, int)
        return given.terms._replace(low=float(bounds.low), high=float(bounds.high), whole=whole)
    if bounds is not natural:
        name = getattr(bounds, "__name__", type(bounds).__name__)
        raise NotSupported(f"the bounds '{name}' have no compiled form: the kernel takes everywhere(L, U) and natural")
    if given.weights.size:
        raise NotSupported("the natural bounds are those of the score: another evaluation needs everywhere(L, U)")
    return given.terms._replace(moves=moves_left(given.turns, given.position.homes.size + 1, plies), whole=True)


def moves_left(order: Turns, agents: int, plies: int) -> Ints:
    """(plies + 1, agents): the moves that each agent has left at each depth."""
    moves = order.agent[:, np.newaxis] == np.arange(agents)
    moves[plies] = False  # nobody moves at the horizon
    return np.ascontiguousarray(np.cumsum(moves[::-1], axis=0, dtype=np.int32)[::-1])


def longest_row(round: Round) -> int:
    """The most CHANCE nodes that come in a row."""
    rows = groupby(round.layers * 2)
    return max((len(list(row)) for layer, row in rows if layer is Layer.CHANCE), default=0)
