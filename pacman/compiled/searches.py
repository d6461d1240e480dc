"""The compiled searches. They make and unmake moves, and keep the stack in arrays that exist before the search.

Each search must return the same as the Python search of the same name in `pacman.search`: the same value to the last
bit, the same action, and the same counts. All three are one loop, compiled three times. The compiler leaves out the
code that a search does not need, so each is as fast as a separate function.
"""

from __future__ import annotations

from math import inf
from typing import Any

from pacman.compiled import nodes
from pacman.compiled.arrays import CHANCE, IS_SCORE, OUTCOME, SearchAnswer, SearchWork
from pacman.compiled.jit import compiled
from pacman.compiled.moves import action, evaluate, make, unmake


def _make_search(name: str, has_window: bool, has_bounds: bool) -> Any:
    """The compiled search loop, with or without a window (alpha, beta), and with or without bounds on every value."""

    def search(work: SearchWork, plies: int) -> SearchAnswer:
        """Searches `plies` plies from row 0 of the position."""
        position, stack, settings, agents, layers = (
            work.position,
            work.stack,
            work.settings,
            work.turns.agent,
            work.turns.layer,
        )
        rows = position.rows
        if plies == 0 or rows[0, OUTCOME]:
            value = evaluate(position, 0, settings.nearness)
            return SearchAnswer(value, True, -1, settings.low <= value <= settings.high, 1, 0, 0, 0, 0)
        leaves, expanded, generated, cutoffs, deepest, is_within_bounds = 0, 1, 0, 0, 1, True
        depth, lo, hi = 0, settings.low, settings.high
        nodes.enter(work, 0)
        if has_bounds:
            nodes.bound_outcomes(work, 0)
        if has_window:
            nodes.open_window(stack, 0, layers[0], -inf, inf, lo, hi)
        while is_within_bounds:
            layer = layers[depth]
            if stack.next_choice[depth] < stack.action_count[depth]:
                choice = stack.next_choice[depth]
                stack.next_choice[depth] = choice + 1
                generated += 1
                eaten = make(position, depth, agents[depth], choice)
                if has_window:
                    alpha, beta = stack.alpha[depth], stack.beta[depth]
                    if layer == CHANCE and has_bounds:
                        count = stack.action_count[depth]
                        alpha, beta = nodes.window(
                            position.chance, stack.lo, stack.hi, depth, count, choice, alpha, beta
                        )
                        stack.child_alpha[depth], stack.child_beta[depth] = alpha, beta
                    elif layer == CHANCE:
                        alpha, beta = -inf, inf  # one outcome does not bound a mean, so the window is open again
                is_inner = depth + 1 < plies and not rows[depth + 1, OUTCOME]
                if is_inner and (not has_bounds or (lo < beta and hi > alpha)):
                    depth += 1
                    stack.eaten[depth] = eaten
                    expanded += 1
                    deepest = max(deepest, depth + 1)
                    nodes.enter(work, depth)
                    if has_bounds:
                        nodes.bound_outcomes(work, depth)
                    if has_window:
                        nodes.open_window(stack, depth, layers[depth], alpha, beta, lo, hi)
                    continue
                if has_bounds and is_inner:
                    value, is_score = hi if hi <= alpha else lo, IS_SCORE if settings.bounds_are_scores else 0
                    cutoffs += 1
                else:
                    leaves += 1
                    value, is_score = evaluate(position, depth + 1, settings.nearness), IS_SCORE
                    if has_bounds:
                        is_within_bounds = lo <= value <= hi
                unmake(position, depth + 1, eaten)
            else:
                if depth == 0:
                    break
                value, is_score = stack.value[depth], stack.best_choice[depth] & IS_SCORE
                unmake(position, depth, stack.eaten[depth])
                depth -= 1
            layer = layers[depth]
            if has_bounds and layer == CHANCE:
                cutoffs += nodes.add_outcome(stack, position.chance, depth, value)
            else:
                nodes.add_value(work, depth, value, is_score)
                if has_window:
                    cutoffs += nodes.narrow_window(stack, depth, layer, value, settings.strict)
        best = stack.best_choice[0]
        root_action = -1 if layers[0] == CHANCE else action(position, 0, agents[0], best & ~IS_SCORE)
        is_leaf_score = best & IS_SCORE != 0
        return SearchAnswer(
            stack.value[0], is_leaf_score, root_action, is_within_bounds, leaves, expanded, generated, cutoffs, deepest
        )

    search.__name__ = search.__qualname__ = name  # the name of the machine code on the disk
    return compiled(search)


exhaustive = _make_search("exhaustive", has_window=False, has_bounds=False)
alphabeta = _make_search("alphabeta", has_window=True, has_bounds=False)
star1 = _make_search("star1", has_window=True, has_bounds=True)
