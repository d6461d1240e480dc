"""From a position and a search by name to its arrays, and from what the compiled search counted to a Line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pacman.core.bounds import natural
from pacman.core.state import GameState
from pacman.core.tree import Evaluation, Line, score
from pacman.kernel.linear import Linear
from pacman.kernel.tables import ACTIONS, CHANCE, PLAIN, Array, Seats, Tables, Terms, seats
from pacman.kernel.unsuited import Unsuited
from pacman.search.algorithms import STAR25_PROBES, STARS, Options, Statistics
from pacman.search.bounds import Bounds, Everywhere

SEEN = 1 << 18
"""How many places the table of nodes has at first; four times as many whenever that was not enough."""


@dataclass(frozen=True)
class Call:
    """A compiled search of one position, ready to run as often as one likes. `bare` returns what it counted."""

    bare: Callable[[], Any]
    by_score: bool

    @classmethod
    def of(cls, name: str, state: GameState, plies: int, options: Options) -> Call:
        """The search of that name, as of `pacman.search.algorithms`. Unsuited for what has no compiled form."""
        if options.order != "given":
            raise Unsuited(f"the compiled kernel keeps the given order of actions; it knows no order '{options.order}'")
        tables, order, weighed = Tables.of(state.maze), seats(state.round), weights(options.evaluate)
        root, by_score = tables.root(state), not weighed.size
        given: Any = (tables.board, order, state.round.order.index(state.mover), root)
        terms = PLAIN._replace(strict=options.strict)
        if name in STARS:
            terms = _bounded(options.needed_bounds(name), by_score)
        if name in ("star2", "star2.5"):
            probes = options.probes or (STAR25_PROBES if name == "star2.5" else 1)
            asks = (1, probes) if options.cyclic else (probes, 1)
            return cls(_star2(given, plies, weighed, terms, asks, _drawn(order)), by_score)

        def bare() -> Any:
            from pacman.kernel import search
            from pacman.kernel.stack import block

            return getattr(search, name)(*given, block(root.row.size, plies), plies, weighed, terms)

        return cls(bare, by_score)

    def __call__(self) -> tuple[Line, Statistics] | None:
        """What was found and what it took; None when a leaf lay outside its bounds."""
        found = self.bare()
        if not found.fits:
            return None
        value = int(found.value) if found.whole and self.by_score else float(found.value)
        line = Line(value, None if found.action < 0 else ACTIONS[found.action])
        counts = {name: getattr(found, name, 0) for name in Statistics.__dataclass_fields__}
        if not hasattr(found, "entries"):  # each node that was made was entered, and once
            counts |= dict.fromkeys(("nodes", "entries"), found.generated + 1)
        return line, Statistics(**counts)


def weights(evaluate: Evaluation) -> Array:
    """An evaluation as numbers: none for the score. Unsuited for any but the score and a `Linear`."""
    if evaluate is score:
        return np.zeros(0)
    if isinstance(evaluate, Linear):
        found = np.array(evaluate.weights)
        if not np.isfinite(found).all():
            raise Unsuited(f"the compiled kernel takes finite weights, not those of {evaluate}")
        return found
    name = getattr(evaluate, "__name__", type(evaluate).__name__)
    raise Unsuited(f"the evaluation '{name}' has no compiled form: the kernel takes score and kernel.Linear")


def _bounded(bounds: Bounds, by_score: bool) -> Terms:
    """What a search is told of its bounds."""
    if isinstance(bounds, Everywhere):
        whole = isinstance(bounds.low, int) and isinstance(bounds.high, int)
        return PLAIN._replace(low=float(bounds.low), high=float(bounds.high), whole=whole)
    if bounds is not natural:
        name = getattr(bounds, "__name__", type(bounds).__name__)
        raise Unsuited(f"the bounds '{name}' have no compiled form: the kernel takes everywhere(L, U) and natural")
    if not by_score:
        raise Unsuited("the natural bounds are those of the score: another evaluation needs everywhere(L, U)")
    return PLAIN._replace(natural=True, whole=True)


def _drawn(order: Seats) -> int:
    """The most CHANCE nodes that come in a row."""
    longest = run = 0
    for layer in (*order.layer, *order.layer):
        run = run + 1 if layer == CHANCE else 0
        longest = max(longest, run)
    return longest


def _star2(
    given: Any, plies: int, weighed: Array, terms: Terms, asks: tuple[int, int], drawn: int
) -> Callable[[], Any]:
    from pacman.kernel.tables import MOST_DRAWN, MOST_PLIES

    if drawn > MOST_DRAWN:
        raise Unsuited(f"the compiled star2 takes {MOST_DRAWN} CHANCE layers in a row at most; here are {drawn}")
    if plies > MOST_PLIES:
        raise Unsuited(f"the compiled star2 looks {MOST_PLIES} plies ahead at most, not {plies}")

    def bare() -> Any:
        from pacman.kernel.probing import probes, seen, star2
        from pacman.kernel.stack import block

        size = SEEN
        while True:
            stack = block(given[-1].row.size, plies)
            run: Any = star2
            found = run(*given, stack, plies, weighed, terms, probes(plies, drawn), seen(size), *asks)
            if found.room:
                return found
            size *= 4

    return bare
