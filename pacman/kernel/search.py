"""The searches, compiled: by make and unmake, with the stack in arrays that are made beforehand.

Each is the readable search of the same name in `pacman.search`, which says what it must return: the same value to
the last bit, the same action, and the same counts. All three are one loop, compiled three times; what a search does
not need is left out by the compiler, so that each is as fast as if it were written out by itself.
"""

from __future__ import annotations

from math import inf
from typing import Any

from pacman.kernel import node
from pacman.kernel.arrays import Answer, Longs, Work
from pacman.kernel.constants import CHANCE, CUTOFFS, DEPTH, ENTRIES, EXPANDED, GENERATED, LEAVES, NODES, OUTCOME, WHOLE
from pacman.kernel.jit import compiled, folded
from pacman.kernel.moves import make, unmake, worth
from pacman.kernel.natural_bounds import bounds


def _searching(name: str, windowed: bool, bounded: bool) -> Any:
    """The loop with a window (alpha, beta) or without, and with bounds on every value or without."""

    def search(work: Work, first: int, plies: int) -> Answer:
        """Looks `plies` ahead; the root is the node of `work.turns` at `first`."""
        position, stack, agents, layers = work.position, work.stack, work.turns.agent, work.turns.layer
        rows = position.rows
        if plies == 0 or rows[0, OUTCOME]:
            record(work.counts, 1, 0, 0, 0, 0)
            return node.root_leaf(work)
        leaves, expanded, generated, cutoffs, deepest, fitting = 0, 1, 0, 0, 1, True
        depth, ply, lo, hi = 0, first, -inf, inf
        node.enter(work, 0, first)
        if bounded:
            lo, hi = bounds(work, 0)
            spread(work, 0, layers[first], lo, hi)
        if windowed:
            node.open_window(stack, 0, layers[first], -inf, inf, lo, hi)
        while fitting:
            layer = layers[ply]
            if stack.tried[depth] < stack.options[depth]:
                choice = stack.tried[depth]
                stack.tried[depth] = choice + 1
                generated += 1
                eaten = make(position, depth, agents[ply], choice)
                if windowed:
                    alpha, beta = stack.alpha[depth], stack.beta[depth]
                    if layer == CHANCE and bounded:
                        alpha, beta = node.window(outcomes(work, depth), choice, alpha, beta)
                        stack.below[depth], stack.above[depth] = alpha, beta
                    elif layer == CHANCE:
                        alpha, beta = -inf, inf  # one outcome does not bound a mean: the window is open again
                inner = depth + 1 < plies and not rows[depth + 1, OUTCOME]
                inside = inner
                if inner and bounded:
                    lo, hi = bounds(work, depth + 1)
                    inside = lo < beta and hi > alpha
                if inside:
                    depth += 1
                    ply += 1
                    stack.eaten[depth] = eaten
                    expanded += 1
                    deepest = max(deepest, depth + 1)
                    node.enter(work, depth, ply)
                    if bounded:
                        spread(work, depth, layers[ply], lo, hi)
                    if windowed:
                        node.open_window(stack, depth, layers[ply], alpha, beta, lo, hi)
                    continue
                if bounded and inner:
                    value, whole = hi if hi <= alpha else lo, WHOLE if work.terms.whole else 0
                    cutoffs += 1
                else:
                    leaves += 1
                    value, whole = worth(position, depth + 1, work.weights), WHOLE
                    if bounded:
                        fitting = node.fits(work, value)
                unmake(position, depth + 1, eaten)
            else:
                if depth == 0:
                    break
                value, whole = stack.best[depth], stack.chosen[depth] & WHOLE
                unmake(position, depth, stack.eaten[depth])
                depth -= 1
                ply -= 1
            layer = layers[ply]
            if bounded and layer == CHANCE:
                cutoffs += settle(work, depth, value)
            else:
                node.weigh(work, depth, layer, value, whole)
                if windowed:
                    cutoffs += node.narrow(stack, depth, layer, value, work.terms.strict)
        record(work.counts, leaves, expanded, generated, cutoffs, deepest)
        return node.answer(work, depth, first, fitting, True)

    search.__name__ = search.__qualname__ = name  # of the compiled code on the disk
    return compiled(search)


@folded
def record(counts: Longs, leaves: int, expanded: int, generated: int, cutoffs: int, depth: int) -> None:
    """Writes the counts of a search that enters each node that it makes, and once."""
    counts[NODES] = counts[ENTRIES] = generated + 1
    counts[LEAVES], counts[EXPANDED], counts[GENERATED] = leaves, expanded, generated
    counts[CUTOFFS], counts[DEPTH] = cutoffs, depth


@folded
def outcomes(work: Work, depth: int) -> node.Outcomes:
    """The outcomes of the CHANCE node at that depth."""
    stack = work.stack
    return node.Outcomes(work.position.chance, stack.lo, stack.hi, depth, depth, 0, stack.options[depth])


@folded
def spread(work: Work, depth: int, layer: int, low: float, high: float) -> None:
    """Gives the outcomes of a CHANCE node its bounds."""
    if layer == CHANCE:
        for choice in range(work.stack.options[depth]):
            work.stack.lo[depth, choice] = low
            work.stack.hi[depth, choice] = high


@folded
def settle(work: Work, depth: int, value: float) -> int:
    """What the value of the outcome searched last tells of its CHANCE node, and whether that is enough.

    1 if it is, and there were outcomes left.
    """
    stack, here = work.stack, outcomes(work, depth)
    node.learn(here, stack.tried[depth] - 1, value, stack.below[depth], stack.above[depth])
    enough, stack.best[depth] = node.settled(here, stack.alpha[depth], stack.beta[depth])
    if not enough:
        return 0
    left = here.size - stack.tried[depth]
    stack.tried[depth] = here.size
    return 1 if left else 0


exhaustive = _searching("exhaustive", windowed=False, bounded=False)
alphabeta = _searching("alphabeta", windowed=True, bounded=False)
star1 = _searching("star1", windowed=True, bounded=True)
