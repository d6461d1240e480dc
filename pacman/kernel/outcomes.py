"""Star1, compiled: `pacman.search.star1` with the same bounds everywhere, or with the natural ones of the score."""

from __future__ import annotations

from math import inf

import numpy as np

from pacman.kernel.bounds import around
from pacman.kernel.jit import compiled, folded
from pacman.kernel.moves import action, make, unmake, worth
from pacman.kernel.search import Block, Counts, enter, narrow, place, weigh
from pacman.kernel.tables import CHANCE, MAX, MIN, OUTCOME, Array, Board, Root, Seats


@compiled
def star1(
    board: Board, seats: Seats, first: int, root: Root, stack: Block, plies: int, weights: Array, low: float,
    high: float, by_score: bool, whole_ends: bool,
) -> Counts:  # fmt: skip
    """`pacman.search.star1`, with the whole window at the root; its bounds as of `around`, scores if `whole_ends`."""
    rows, things, homes, walk, round = stack.rows, root.things, root.homes, stack.walk, seats.agent.size
    place(rows, root)
    if plies == 0 or rows[0, OUTCOME]:
        value = worth(board, things, rows, 0, homes, weights)
        return Counts(value, True, -1, 1, 0, 0, 0, 0, by_score or low <= value <= high)
    leaves, expanded, generated, cutoffs, deepest, fits = 0, 1, 0, 0, 1, True
    depth, seat = 0, first
    enter(board, seats, stack, depth, seat)
    lo, hi = around(board, seats, rows, 0, seat, plies, things, homes, walk, low, high, by_score)
    _enclose(stack, 0, seats.layer[first], -inf, inf, lo, hi)
    while fits:
        agent, layer = seats.agent[seat], seats.layer[seat]
        if stack.tried[depth] < stack.options[depth]:
            choice = stack.tried[depth]
            stack.tried[depth] = choice + 1
            generated += 1
            deepest = max(deepest, depth + 1)
            eaten = make(board, homes, things, rows, depth, agent, choice)
            alpha, beta = stack.alpha[depth], stack.beta[depth]
            if layer == CHANCE:
                alpha, beta = window(
                    stack.chance, stack.lo, stack.hi, depth, depth, 0, stack.options[depth], choice, alpha, beta
                )
                stack.below[depth], stack.above[depth] = alpha, beta
            if depth + 1 == plies or rows[depth + 1, OUTCOME]:
                leaves += 1
                value, whole = worth(board, things, rows, depth + 1, homes, weights), True
                fits = by_score or low <= value <= high
                unmake(things, rows, depth + 1, eaten)
            else:
                after = seat + 1 if seat + 1 < round else 0
                left = plies - depth - 1
                lo, hi = around(board, seats, rows, depth + 1, after, left, things, homes, walk, low, high, by_score)
                if lo < beta and hi > alpha:
                    stack.eaten[depth + 1] = eaten
                    expanded += 1
                    depth += 1
                    seat = after
                    enter(board, seats, stack, depth, seat)
                    _enclose(stack, depth, seats.layer[seat], alpha, beta, lo, hi)
                    continue
                value, whole = hi if hi <= alpha else lo, whole_ends
                cutoffs += 1
                unmake(things, rows, depth + 1, eaten)
        else:
            if depth == 0:
                break
            value, whole = stack.best[depth], stack.whole[depth]
            unmake(things, rows, depth, stack.eaten[depth])
            depth -= 1
            seat = seat - 1 if seat else round - 1
        if seats.layer[seat] == CHANCE:
            cutoffs += _settle(stack, depth, value)
        else:
            weigh(stack, depth, seats.layer[seat], value, whole)
            cutoffs += narrow(stack, depth, seats.layer[seat], value, False)
    while depth and not fits:  # it stopped in the middle: put everything back
        unmake(things, rows, depth, stack.eaten[depth])
        depth -= 1
    best = -1 if seats.layer[first] == CHANCE else action(board, rows, 0, seats.agent[first], stack.chosen[0])
    return Counts(stack.best[0], stack.whole[0], best, leaves, expanded, generated, cutoffs, deepest, fits)


@folded
def _enclose(stack: Block, depth: int, layer: int, alpha: float, beta: float, low: float, high: float) -> None:
    """A node's window. Nothing beats U for MAX or L for MIN: the first action that reaches it will do."""
    stack.alpha[depth] = max(alpha, low) if layer == MIN else alpha
    stack.beta[depth] = min(beta, high) if layer == MAX else beta
    if layer == CHANCE:
        for choice in range(stack.options[depth]):
            stack.lo[depth, choice] = low
            stack.hi[depth, choice] = high


@folded
def _settle(stack: Block, depth: int, value: float) -> int:
    """What the value of the outcome searched last tells of its CHANCE node, and whether that is enough.

    1 if it is, and there were outcomes left.
    """
    count, chance = stack.options[depth], stack.chance
    learn(stack.lo, stack.hi, depth, stack.tried[depth] - 1, value, stack.below[depth], stack.above[depth])
    most, least = mean(chance, depth, stack.hi, depth, 0, count), mean(chance, depth, stack.lo, depth, 0, count)
    stack.best[depth] = most if most <= stack.alpha[depth] else least
    if most <= stack.alpha[depth] or least >= stack.beta[depth]:
        left = count - stack.tried[depth]
        stack.tried[depth] = count
        return 1 if left else 0
    return 0


@folded
def learn(los: Array, his: Array, row: int, place: int, value: float, alpha: float, beta: float) -> None:
    """Tightens an interval by the value that a search in the window (alpha, beta) returned: `star1.Branch.learn`."""
    exact_below, exact_above = alpha <= los[row, place], beta >= his[row, place]
    if value > alpha or exact_below:
        los[row, place] = value
    if value < beta or exact_above:
        his[row, place] = value


@folded
def mean(chance: Array, depth: int, bound: Array, row: int, base: int, count: int) -> float:
    """The mean of one bound of a CHANCE node's outcomes, which stand in `bound[row]` from `base` on."""
    total = 0.0
    for choice in range(count):
        total += chance[depth, choice] * bound[row, base + choice]
    return total


@compiled
def window(
    chance: Array, los: Array, his: Array, depth: int, row: int, base: int, count: int, choice: int, alpha: float,
    beta: float,
) -> tuple[float, float]:  # fmt: skip
    """The window of one outcome of a CHANCE node that has (alpha, beta): `pacman.search.star1.window`."""
    lo, hi, p = los[row, base + choice], his[row, base + choice], chance[depth, choice]
    if p == 0:
        return lo, hi
    most, least = mean(chance, depth, his, row, base, count), mean(chance, depth, los, row, base, count)
    below = (alpha - (most - p * hi)) / p
    step = -_ulp(max(abs(most), abs(hi)))
    while (below - lo) * step < 0:
        his[row, base + choice] = below
        cuts = mean(chance, depth, his, row, base, count) <= alpha
        his[row, base + choice] = hi
        if cuts:
            break
        below += step
        step *= 2
    above = (beta - (least - p * lo)) / p
    step = _ulp(max(abs(least), abs(lo)))
    while (above - hi) * step < 0:
        los[row, base + choice] = above
        cuts = mean(chance, depth, los, row, base, count) >= beta
        los[row, base + choice] = lo
        if cuts:
            break
        above += step
        step *= 2
    return max(lo, below), min(hi, above)


@folded
def _ulp(value: float) -> float:
    """`math.ulp` of a number that is finite and not negative."""
    return float(np.nextafter(value, inf) - value)
