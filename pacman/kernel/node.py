"""What is done at one node of a compiled search: entered, weighed, its window moved, its CHANCE outcomes bounded."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from pacman.kernel.arrays import Answer, Choice, Floats, Stack, Work
from pacman.kernel.constants import CHANCE, MAX, MIN, WHOLE
from pacman.kernel.jit import compiled, folded
from pacman.kernel.moves import action, chances, options, unmake, worth


@folded
def enter(work: Work, depth: int, ply: int) -> None:
    """Enters a node that has successors."""
    stack, agent = work.stack, work.turns.agent[ply]
    stack.options[depth] = options(work.position, depth, agent)
    stack.tried[depth] = 0
    stack.chosen[depth] = 0
    stack.best[depth] = 0.0
    if work.turns.layer[ply] == CHANCE:
        chances(work.position, depth, agent, work.turns.mass[ply])


@folded
def weigh(work: Work, depth: int, layer: int, value: float, whole: int) -> None:
    """The value of the successor that was tried last, for the node above it. The first best wins a tie."""
    stack = work.stack
    choice = stack.tried[depth] - 1
    if layer == CHANCE:
        stack.best[depth] += work.position.chance[depth, choice] * value
    elif choice == 0 or (value > stack.best[depth] if layer == MAX else value < stack.best[depth]):
        stack.best[depth] = value
        stack.chosen[depth] = choice | whole


@folded
def narrow(stack: Stack, depth: int, layer: int, value: float, strict: bool) -> int:
    """Moves the window of a MAX or MIN node, and leaves out its other actions once the window is empty.

    1 if there were any.
    """
    if layer == CHANCE:
        return 0
    if layer == MAX:
        stack.alpha[depth] = max(stack.alpha[depth], value)
    else:
        stack.beta[depth] = min(stack.beta[depth], value)
    if stack.alpha[depth] > stack.beta[depth] or (stack.alpha[depth] == stack.beta[depth] and not strict):
        left = stack.options[depth] - stack.tried[depth]
        stack.options[depth] = stack.tried[depth]
        return 1 if left else 0
    return 0


@folded
def open_window(stack: Stack, depth: int, layer: int, alpha: float, beta: float, low: float, high: float) -> None:
    """Gives a node with bounds [low, high] its window.

    Nothing beats U for MAX or L for MIN: the first action that reaches it will do.
    """
    stack.alpha[depth] = max(alpha, low) if layer == MIN else alpha
    stack.beta[depth] = min(beta, high) if layer == MAX else beta


class Outcomes(NamedTuple):
    """The outcomes of a CHANCE node: `chance[depth]`, and from `base` on `lo[row]` and `hi[row]`."""

    chance: Floats  # (plies + 1, WIDEST)
    lo: Floats  # (any, any)
    hi: Floats  # (any, any)
    depth: int
    row: int
    base: int
    size: int


@folded
def most(node: Outcomes) -> float:
    """The mean of the outcomes' upper bounds."""
    return mean(node, node.hi)


@folded
def least(node: Outcomes) -> float:
    """The mean of the outcomes' lower bounds."""
    return mean(node, node.lo)


@folded
def settled(node: Outcomes, alpha: float, beta: float) -> tuple[bool, float]:
    """Whether what is known of its outcomes is enough to leave a CHANCE node, and with which value."""
    high, low = most(node), least(node)
    return high <= alpha or low >= beta, high if high <= alpha else low


@folded
def mean(node: Outcomes, bound: Floats) -> float:
    total = 0.0
    for choice in range(node.size):
        total += node.chance[node.depth, choice] * bound[node.row, node.base + choice]
    return total


@folded
def learn(node: Outcomes, choice: Choice, value: float, alpha: float, beta: float) -> None:
    """Tightens an interval by the value that a search in the window (alpha, beta) returned: `star1.Branch.learn`."""
    row, place = node.row, node.base + choice
    exact_below, exact_above = alpha <= node.lo[row, place], beta >= node.hi[row, place]
    if value > alpha or exact_below:
        node.lo[row, place] = value
    if value < beta or exact_above:
        node.hi[row, place] = value


@compiled
def window(node: Outcomes, choice: Choice, alpha: float, beta: float) -> tuple[float, float]:
    """The window of one outcome of a CHANCE node that has (alpha, beta): `pacman.search.star1.window`."""
    row, place = node.row, node.base + choice
    lo, hi, p = node.lo[row, place], node.hi[row, place], node.chance[node.depth, choice]
    if p == 0:
        return lo, hi
    high, low = most(node), least(node)
    below = (alpha - (high - p * hi)) / p
    step = -_ulp(max(abs(high), abs(hi)))
    while (below - lo) * step < 0:
        node.hi[row, place] = below
        cuts = most(node) <= alpha
        node.hi[row, place] = hi
        if cuts:
            break
        below += step
        step *= 2
    above = (beta - (low - p * lo)) / p
    step = _ulp(max(abs(low), abs(lo)))
    while (above - hi) * step < 0:
        node.lo[row, place] = above
        cuts = least(node) >= beta
        node.lo[row, place] = lo
        if cuts:
            break
        above += step
        step *= 2
    return max(lo, below), min(hi, above)


@folded
def _ulp(value: float) -> float:
    """`math.ulp` of a number that is finite and not negative."""
    return float(np.nextafter(value, inf) - value)


@folded
def fits(work: Work, value: float) -> bool:
    """True unless a leaf's value lies outside its bounds."""
    return work.terms.low <= value <= work.terms.high


@folded
def answer(work: Work, depth: int, ply: int, fitting: bool, room: bool) -> Answer:
    """What a search found that has come back to its root, or stopped at some depth; puts everything back there."""
    position, stack = work.position, work.stack
    while depth:
        unmake(position, depth, stack.eaten[depth])
        depth -= 1
    chosen, best = stack.chosen[0], -1
    if work.turns.layer[ply] != CHANCE:
        best = action(position, 0, work.turns.agent[ply], chosen & ~WHOLE)
    return Answer(stack.best[0], chosen & WHOLE != 0, best, fitting, room)


@folded
def root_leaf(work: Work) -> Answer:
    """What a search finds whose root is a leaf."""
    value = worth(work.position, 0, work.weights)
    return Answer(value, True, -1, fits(work, value), True)
