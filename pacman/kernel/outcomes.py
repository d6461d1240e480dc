"""A CHANCE node with bounds on its outcomes, compiled: their windows, and when they are enough to leave it."""

from __future__ import annotations

from math import inf

import numpy as np

from pacman.kernel.jit import compiled, folded
from pacman.kernel.stack import Block
from pacman.kernel.tables import MAX, MIN, Array


@folded
def enclose(stack: Block, depth: int, layer: int, low: float, high: float) -> None:
    """Takes a node's bounds in. Nothing beats U for MAX or L for MIN: the first action that reaches it will do."""
    if layer == MIN:
        stack.alpha[depth] = max(stack.alpha[depth], low)
    elif layer == MAX:
        stack.beta[depth] = min(stack.beta[depth], high)
    else:
        for choice in range(stack.options[depth]):
            stack.lo[depth, choice] = low
            stack.hi[depth, choice] = high


@folded
def settle(stack: Block, depth: int, value: float) -> int:
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
