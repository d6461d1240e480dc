"""The compiled searches. They make and unmake moves, and keep the stack in arrays that exist before the search.

Each search must return the same as the Python search of the same name in `pacman.search`: the same value to the last
bit, the same action, and the same counts. All three are one loop, compiled three times. The compiler leaves out the
code that a search does not need, so each is as fast as a separate function.
"""

from __future__ import annotations

from math import inf
from typing import Any

from pacman.compiled import node
from pacman.compiled.arrays import Longs, SearchAnswer, SearchWork
from pacman.compiled.constants import (
    CHANCE,
    CUTOFFS,
    DEPTH,
    ENTRIES,
    EXPANDED,
    GENERATED,
    IS_SCORE,
    LEAVES,
    NODES,
    OUTCOME,
)
from pacman.compiled.jit import compiled, inlined
from pacman.compiled.moves import evaluate, make, unmake
from pacman.compiled.natural_bounds import bounds


def _make_search(name: str, has_window: bool, has_bounds: bool) -> Any:
    """The compiled search loop, with or without a window (alpha, beta), and with or without bounds on every value."""

    def search(work: SearchWork, first: int, plies: int) -> SearchAnswer:
        """Searches `plies` plies; the turn of the root is the entry `first` of `work.turns`."""
        position, stack, agents, layers = work.position, work.stack, work.turns.agent, work.turns.layer
        rows = position.rows
        if plies == 0 or rows[0, OUTCOME]:
            record(work.counts, 1, 0, 0, 0, 0)
            return node.root_leaf(work)
        leaves, expanded, generated, cutoffs, deepest, is_within_bounds = 0, 1, 0, 0, 1, True
        depth, ply, lo, hi = 0, first, -inf, inf
        node.enter(work, 0, first)
        if has_bounds:
            lo, hi = bounds(work, 0)
            set_outcome_bounds(work, 0, layers[first], lo, hi)
        if has_window:
            node.open_window(stack, 0, layers[first], -inf, inf, lo, hi)
        while is_within_bounds:
            layer = layers[ply]
            if stack.next_choice[depth] < stack.action_count[depth]:
                choice = stack.next_choice[depth]
                stack.next_choice[depth] = choice + 1
                generated += 1
                eaten = make(position, depth, agents[ply], choice)
                if has_window:
                    alpha, beta = stack.alpha[depth], stack.beta[depth]
                    if layer == CHANCE and has_bounds:
                        alpha, beta = node.window(outcomes(work, depth), choice, alpha, beta)
                        stack.child_alpha[depth], stack.child_beta[depth] = alpha, beta
                    elif layer == CHANCE:
                        alpha, beta = -inf, inf  # one outcome does not bound a mean, so the window is open again
                is_inner = depth + 1 < plies and not rows[depth + 1, OUTCOME]
                must_enter = is_inner
                if is_inner and has_bounds:
                    lo, hi = bounds(work, depth + 1)
                    must_enter = lo < beta and hi > alpha
                if must_enter:
                    depth += 1
                    ply += 1
                    stack.eaten[depth] = eaten
                    expanded += 1
                    deepest = max(deepest, depth + 1)
                    node.enter(work, depth, ply)
                    if has_bounds:
                        set_outcome_bounds(work, depth, layers[ply], lo, hi)
                    if has_window:
                        node.open_window(stack, depth, layers[ply], alpha, beta, lo, hi)
                    continue
                if has_bounds and is_inner:
                    value, is_score = hi if hi <= alpha else lo, IS_SCORE if work.settings.bounds_are_scores else 0
                    cutoffs += 1
                else:
                    leaves += 1
                    value, is_score = evaluate(position, depth + 1, work.weights), IS_SCORE
                    if has_bounds:
                        is_within_bounds = node.is_within_bounds(work, value)
                unmake(position, depth + 1, eaten)
            else:
                if depth == 0:
                    break
                value, is_score = stack.value[depth], stack.best_choice[depth] & IS_SCORE
                unmake(position, depth, stack.eaten[depth])
                depth -= 1
                ply -= 1
            layer = layers[ply]
            if has_bounds and layer == CHANCE:
                cutoffs += update_chance_node(work, depth, value)
            else:
                node.add_value(work, depth, layer, value, is_score)
                if has_window:
                    cutoffs += node.narrow_window(stack, depth, layer, value, work.settings.strict)
        record(work.counts, leaves, expanded, generated, cutoffs, deepest)
        return node.answer(work, depth, first, is_within_bounds)

    search.__name__ = search.__qualname__ = name  # the name of the machine code on the disk
    return compiled(search)


@inlined
def record(counts: Longs, leaves: int, expanded: int, generated: int, cutoffs: int, depth: int) -> None:
    """Writes the counts of a search that enters every generated node exactly once."""
    counts[NODES] = counts[ENTRIES] = generated + 1
    counts[LEAVES], counts[EXPANDED], counts[GENERATED] = leaves, expanded, generated
    counts[CUTOFFS], counts[DEPTH] = cutoffs, depth


@inlined
def outcomes(work: SearchWork, depth: int) -> node.Outcomes:
    """The outcomes of the CHANCE node at that depth."""
    stack = work.stack
    return node.Outcomes(work.position.chance, stack.lo, stack.hi, depth, stack.action_count[depth])


@inlined
def set_outcome_bounds(work: SearchWork, depth: int, layer: int, low: float, high: float) -> None:
    """Sets the bounds of all outcomes of a CHANCE node to [low, high]; does nothing at other nodes."""
    if layer == CHANCE:
        for choice in range(work.stack.action_count[depth]):
            work.stack.lo[depth, choice] = low
            work.stack.hi[depth, choice] = high


@inlined
def update_chance_node(work: SearchWork, depth: int, value: float) -> int:
    """Updates a CHANCE node by the value of its last outcome, and skips the other outcomes if the bounds are enough.

    Returns 1 if it skipped any outcome, else 0.
    """
    stack, chance_node = work.stack, outcomes(work, depth)
    node.tighten_interval(
        chance_node, stack.next_choice[depth] - 1, value, stack.child_alpha[depth], stack.child_beta[depth]
    )
    is_enough, stack.value[depth] = node.check_outcomes(chance_node, stack.alpha[depth], stack.beta[depth])
    if not is_enough:
        return 0
    left = chance_node.size - stack.next_choice[depth]
    stack.next_choice[depth] = chance_node.size
    return 1 if left else 0


exhaustive = _make_search("exhaustive", has_window=False, has_bounds=False)
alphabeta = _make_search("alphabeta", has_window=True, has_bounds=False)
star1 = _make_search("star1", has_window=True, has_bounds=True)
