"""What a compiled search does at one node: enter it, add values, narrow windows, and bound its outcomes."""

from __future__ import annotations

from math import inf

import numpy as np

from pacman.compiled.arrays import CHANCE, MAX, MIN, Floats, SearchStack, SearchWork
from pacman.compiled.jit import compiled, inlined
from pacman.compiled.moves import count_actions, write_probabilities


@inlined
def enter(work: SearchWork, depth: int) -> None:
    """Enters a node that is not a leaf: resets its row of the stack."""
    stack, agent = work.stack, work.turns.agent[depth]
    stack.action_count[depth] = count_actions(work.position, depth, agent)
    stack.next_choice[depth] = 0
    stack.best_choice[depth] = 0
    stack.value[depth] = 0.0
    if work.turns.layer[depth] == CHANCE:
        write_probabilities(work.position, depth, agent, work.turns.mass[depth])


@inlined
def add_value(work: SearchWork, depth: int, value: float, is_score: int) -> None:
    """Adds the value of the last successor to the value of the node. On a tie the first best action stays."""
    stack, layer = work.stack, work.turns.layer[depth]
    choice = stack.next_choice[depth] - 1
    if layer == CHANCE:
        stack.value[depth] += work.position.chance[depth, choice] * value
    elif choice == 0 or (value > stack.value[depth] if layer == MAX else value < stack.value[depth]):
        stack.value[depth] = value
        stack.best_choice[depth] = choice | is_score


# ---- windows


@inlined
def open_window(stack: SearchStack, depth: int, layer: int, alpha: float, beta: float, low: float, high: float) -> None:
    """Sets the window of a node with bounds [low, high].

    No action of MAX earns more than `high`, and none of MIN less than `low`; the search of the node can stop there.
    """
    stack.alpha[depth] = max(alpha, low) if layer == MIN else alpha
    stack.beta[depth] = min(beta, high) if layer == MAX else beta


@inlined
def narrow_window(stack: SearchStack, depth: int, layer: int, value: float, strict: bool) -> int:
    """Narrows the window of a MAX or MIN node by a value, and skips the other actions if the window is empty now.

    Returns 1 if it skipped any action, else 0.
    """
    if layer == CHANCE:
        return 0
    if layer == MAX:
        stack.alpha[depth] = max(stack.alpha[depth], value)
    else:
        stack.beta[depth] = min(stack.beta[depth], value)
    if stack.alpha[depth] > stack.beta[depth] or (stack.alpha[depth] == stack.beta[depth] and not strict):
        left = stack.action_count[depth] - stack.next_choice[depth]
        stack.action_count[depth] = stack.next_choice[depth]
        return 1 if left else 0
    return 0


# ---- the outcomes of a CHANCE node, in Star1


@inlined
def bound_outcomes(work: SearchWork, depth: int) -> None:
    """Sets the bounds of all outcomes of a CHANCE node to those of the search; does nothing at other nodes."""
    if work.turns.layer[depth] == CHANCE:
        for choice in range(work.stack.action_count[depth]):
            work.stack.lo[depth, choice] = work.settings.low
            work.stack.hi[depth, choice] = work.settings.high


@inlined
def add_outcome(stack: SearchStack, chance: Floats, depth: int, value: float) -> int:
    """Tightens the interval of the last outcome by the value of its search, and skips the others if that is enough.

    Returns 1 if it skipped any outcome, else 0.
    """
    count, choice, lo, hi = stack.action_count[depth], stack.next_choice[depth] - 1, stack.lo, stack.hi
    is_lower_bound = stack.child_alpha[depth] <= lo[depth, choice]
    is_upper_bound = stack.child_beta[depth] >= hi[depth, choice]
    if value > stack.child_alpha[depth] or is_lower_bound:
        lo[depth, choice] = value
    if value < stack.child_beta[depth] or is_upper_bound:
        hi[depth, choice] = value
    high, low = mean(chance, hi, depth, count), mean(chance, lo, depth, count)
    stack.value[depth] = high if high <= stack.alpha[depth] else low
    if high <= stack.alpha[depth] or low >= stack.beta[depth]:
        stack.next_choice[depth] = count
        return 1 if choice + 1 < count else 0
    return 0


@inlined
def mean(chance: Floats, bound: Floats, depth: int, count: int) -> float:
    """The mean of a bound (`lo` or `hi`) over the outcomes of the CHANCE node at `depth`."""
    total = 0.0
    for choice in range(count):
        total += chance[depth, choice] * bound[depth, choice]
    return total


@compiled
def window(
    chance: Floats, los: Floats, his: Floats, depth: int, count: int, choice: int, alpha: float, beta: float
) -> tuple[float, float]:
    """The window of one outcome of a CHANCE node with the window (alpha, beta), as in `pacman.search.star1.window`."""
    lo, hi, p = los[depth, choice], his[depth, choice], chance[depth, choice]
    if p == 0:
        return lo, hi
    high, low = mean(chance, his, depth, count), mean(chance, los, depth, count)
    below = (alpha - (high - p * hi)) / p
    step = -_ulp(max(abs(high), abs(hi)))
    while (below - lo) * step < 0:
        his[depth, choice] = below
        cuts = mean(chance, his, depth, count) <= alpha
        his[depth, choice] = hi
        if cuts:
            break
        below += step
        step *= 2
    above = (beta - (low - p * lo)) / p
    step = _ulp(max(abs(low), abs(lo)))
    while (above - hi) * step < 0:
        los[depth, choice] = above
        cuts = mean(chance, los, depth, count) >= beta
        los[depth, choice] = lo
        if cuts:
            break
        above += step
        step *= 2
    return max(lo, below), min(hi, above)


@inlined
def _ulp(value: float) -> float:
    """The same as `math.ulp`, for a finite number >= 0."""
    return float(np.nextafter(value, inf) - value)
