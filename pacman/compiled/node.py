"""The steps of a compiled search at one node: enter it, add a value, narrow its window, bound its CHANCE outcomes."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from pacman.compiled.arrays import Choice, Floats, SearchAnswer, SearchStack, SearchWork
from pacman.compiled.constants import CHANCE, IS_SCORE, MAX, MIN
from pacman.compiled.jit import compiled, inlined
from pacman.compiled.moves import action, count_actions, evaluate, unmake, write_probabilities


@inlined
def enter(work: SearchWork, depth: int, ply: int) -> None:
    """Enters a node that is not a leaf: resets its row of the stack."""
    stack, agent = work.stack, work.turns.agent[ply]
    stack.action_count[depth] = count_actions(work.position, depth, agent)
    stack.next_choice[depth] = 0
    stack.best_choice[depth] = 0
    stack.value[depth] = 0.0
    if work.turns.layer[ply] == CHANCE:
        write_probabilities(work.position, depth, agent, work.turns.mass[ply])


@inlined
def add_value(work: SearchWork, depth: int, layer: int, value: float, is_score: int) -> None:
    """Adds the value of the last successor to the value of the node. On a tie the first best action stays."""
    stack = work.stack
    choice = stack.next_choice[depth] - 1
    if layer == CHANCE:
        stack.value[depth] += work.position.chance[depth, choice] * value
    elif choice == 0 or (value > stack.value[depth] if layer == MAX else value < stack.value[depth]):
        stack.value[depth] = value
        stack.best_choice[depth] = choice | is_score


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


@inlined
def open_window(stack: SearchStack, depth: int, layer: int, alpha: float, beta: float, low: float, high: float) -> None:
    """Sets the window of a node with bounds [low, high].

    No action of MAX earns more than `high`, and none of MIN less than `low`; the search of the node can stop there.
    """
    stack.alpha[depth] = max(alpha, low) if layer == MIN else alpha
    stack.beta[depth] = min(beta, high) if layer == MAX else beta


class Outcomes(NamedTuple):
    """The outcomes of the CHANCE node at `depth`: their probabilities, and the bounds of their values."""

    chance: Floats  # (plies + 1, WIDEST)
    lo: Floats  # (plies + 1, WIDEST)
    hi: Floats  # (plies + 1, WIDEST)
    depth: int
    size: int


@inlined
def upper_mean(node: Outcomes) -> float:
    """The mean of the upper bounds of the outcomes."""
    return mean_bound(node, node.hi)


@inlined
def lower_mean(node: Outcomes) -> float:
    """The mean of the lower bounds of the outcomes."""
    return mean_bound(node, node.lo)


@inlined
def check_outcomes(node: Outcomes, alpha: float, beta: float) -> tuple[bool, float]:
    """True if the bounds of the outcomes are enough to leave a CHANCE node; and the value to leave it with."""
    high, low = upper_mean(node), lower_mean(node)
    return high <= alpha or low >= beta, high if high <= alpha else low


@inlined
def mean_bound(node: Outcomes, bound: Floats) -> float:
    """The mean of a bound (`node.lo` or `node.hi`) over the outcomes."""
    total = 0.0
    for choice in range(node.size):
        total += node.chance[node.depth, choice] * bound[node.depth, choice]
    return total


@inlined
def tighten_interval(node: Outcomes, choice: Choice, value: float, alpha: float, beta: float) -> None:
    """Tightens the interval of an outcome by the value of its search in the window (alpha, beta), as in `star1`."""
    is_lower_bound, is_upper_bound = alpha <= node.lo[node.depth, choice], beta >= node.hi[node.depth, choice]
    if value > alpha or is_lower_bound:
        node.lo[node.depth, choice] = value
    if value < beta or is_upper_bound:
        node.hi[node.depth, choice] = value


@compiled
def window(node: Outcomes, choice: Choice, alpha: float, beta: float) -> tuple[float, float]:
    """The window of one outcome of a CHANCE node with the window (alpha, beta), as in `pacman.search.star1.window`."""
    lo, hi, p = node.lo[node.depth, choice], node.hi[node.depth, choice], node.chance[node.depth, choice]
    if p == 0:
        return lo, hi
    high, low = upper_mean(node), lower_mean(node)
    below = (alpha - (high - p * hi)) / p
    step = -_ulp(max(abs(high), abs(hi)))
    while (below - lo) * step < 0:
        node.hi[node.depth, choice] = below
        cuts = upper_mean(node) <= alpha
        node.hi[node.depth, choice] = hi
        if cuts:
            break
        below += step
        step *= 2
    above = (beta - (low - p * lo)) / p
    step = _ulp(max(abs(low), abs(lo)))
    while (above - hi) * step < 0:
        node.lo[node.depth, choice] = above
        cuts = lower_mean(node) >= beta
        node.lo[node.depth, choice] = lo
        if cuts:
            break
        above += step
        step *= 2
    return max(lo, below), min(hi, above)


@inlined
def _ulp(value: float) -> float:
    """The same as `math.ulp`, for a finite number >= 0."""
    return float(np.nextafter(value, inf) - value)


@inlined
def is_within_bounds(work: SearchWork, value: float) -> bool:
    """True if the value of a leaf lies within the bounds of the search."""
    return work.settings.low <= value <= work.settings.high


@inlined
def answer(work: SearchWork, depth: int, ply: int, is_within_bounds: bool) -> SearchAnswer:
    """The result of a search that ended at `depth`: 0, or more if it stopped early. Undoes all moves on its path."""
    position, stack = work.position, work.stack
    while depth:
        unmake(position, depth, stack.eaten[depth])
        depth -= 1
    chosen, best = stack.best_choice[0], -1
    if work.turns.layer[ply] != CHANCE:
        best = action(position, 0, work.turns.agent[ply], chosen & ~IS_SCORE)
    return SearchAnswer(stack.value[0], chosen & IS_SCORE != 0, best, is_within_bounds)


@inlined
def root_leaf(work: SearchWork) -> SearchAnswer:
    """The result of a search whose root is a leaf."""
    value = evaluate(work.position, 0, work.weights)
    return SearchAnswer(value, True, -1, is_within_bounds(work, value))
