"""The searches, compiled: by make and unmake, with the stack in one block of memory that is made beforehand.

Each is the readable search of the same name in `pacman.search`, which says what it must return: the same value to
the last bit, the same action, and the same counts. All three are one loop, compiled three times; what a search does
not need is left out by the compiler, so that each is as fast as if it were written out by itself.
"""

from __future__ import annotations

from math import inf
from typing import Any

from pacman.kernel.bounds import around
from pacman.kernel.jit import compiled
from pacman.kernel.moves import action, make, unmake, worth
from pacman.kernel.outcomes import enclose, settle, window
from pacman.kernel.stack import WHOLE, Block, Counts, enter, narrow, place, weigh
from pacman.kernel.tables import CHANCE, OUTCOME, Array, Board, Root, Seats, Terms


def _searching(name: str, windowed: bool, bounded: bool) -> Any:
    """The loop with a window (alpha, beta) or without, and with bounds on every value or without."""

    def search(
        board: Board, seats: Seats, first: int, root: Root, stack: Block, plies: int, weights: Array, terms: Terms
    ) -> Counts:
        rows, things, homes, walk, round = stack.rows, root.things, root.homes, stack.walk, seats.agent.size
        place(rows, root)
        if plies == 0 or rows[0, OUTCOME]:
            value = worth(board, things, rows, 0, homes, weights)
            fits = not bounded or terms.natural or terms.low <= value <= terms.high
            return Counts(value, True, -1, 1, 0, 0, 0, 0, fits)
        leaves, expanded, generated, cutoffs, deepest, fits = 0, 1, 0, 0, 1, True
        depth, seat = 0, first
        enter(board, seats, stack, depth, seat)
        if windowed:
            stack.alpha[0], stack.beta[0] = -inf, inf
        if bounded:
            lo, hi = around(board, seats, rows, 0, seat, plies, things, homes, walk, terms)
            enclose(stack, 0, seats.layer[first], lo, hi)
        while fits:
            agent, layer = seats.agent[seat], seats.layer[seat]
            if stack.tried[depth] < stack.options[depth]:
                choice = stack.tried[depth]
                stack.tried[depth] = choice + 1
                generated += 1
                eaten = make(board, homes, things, rows, depth, agent, choice)
                if windowed:
                    alpha, beta = stack.alpha[depth], stack.beta[depth]
                    if layer == CHANCE and bounded:
                        count = stack.options[depth]
                        alpha, beta = window(
                            stack.chance, stack.lo, stack.hi, depth, depth, 0, count, choice, alpha, beta
                        )
                        stack.below[depth], stack.above[depth] = alpha, beta
                    elif layer == CHANCE:
                        alpha, beta = -inf, inf  # one outcome does not bound a mean: the window is open again
                inside = depth + 1 < plies and not rows[depth + 1, OUTCOME]
                if inside:
                    after = seat + 1 if seat + 1 < round else 0
                    if bounded:
                        left = plies - depth - 1
                        lo, hi = around(board, seats, rows, depth + 1, after, left, things, homes, walk, terms)
                        inside = lo < beta and hi > alpha
                if inside:
                    stack.eaten[depth + 1] = eaten
                    expanded += 1
                    depth += 1
                    deepest = max(deepest, depth + 1)
                    seat = after
                    enter(board, seats, stack, depth, seat)
                    if windowed:
                        stack.alpha[depth], stack.beta[depth] = alpha, beta
                    if bounded:
                        enclose(stack, depth, seats.layer[seat], lo, hi)
                    continue
                if bounded and depth + 1 < plies and not rows[depth + 1, OUTCOME]:
                    value, whole = hi if hi <= alpha else lo, WHOLE if terms.whole else 0
                    cutoffs += 1
                else:
                    leaves += 1
                    value, whole = worth(board, things, rows, depth + 1, homes, weights), WHOLE
                    if bounded:
                        fits = terms.natural or terms.low <= value <= terms.high
                unmake(things, rows, depth + 1, eaten)
            else:
                if depth == 0:
                    break
                value, whole = stack.best[depth], stack.chosen[depth] & WHOLE
                unmake(things, rows, depth, stack.eaten[depth])
                depth -= 1
                seat = seat - 1 if seat else round - 1
            if bounded and seats.layer[seat] == CHANCE:
                cutoffs += settle(stack, depth, value)
            else:
                weigh(stack, depth, seats.layer[seat], value, whole)
                if windowed:
                    cutoffs += narrow(stack, depth, seats.layer[seat], value, terms.strict)
        while depth and not fits:  # it stopped in the middle: put everything back
            unmake(things, rows, depth, stack.eaten[depth])
            depth -= 1
        best = (
            -1 if seats.layer[first] == CHANCE else action(board, rows, 0, seats.agent[first], stack.chosen[0] & ~WHOLE)
        )
        whole = stack.chosen[0] & WHOLE
        return Counts(stack.best[0], whole != 0, best, leaves, expanded, generated, cutoffs, deepest, fits)

    search.__name__ = search.__qualname__ = name  # of the compiled code on the disk
    return compiled(search)


exhaustive = _searching("exhaustive", windowed=False, bounded=False)
alphabeta = _searching("alphabeta", windowed=True, bounded=False)
star1 = _searching("star1", windowed=True, bounded=True)
