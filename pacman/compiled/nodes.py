"""What a compiled search does at one node: enter it, add values, narrow windows, and bound its outcomes and score."""

from __future__ import annotations

from math import inf

import numpy as np

from pacman.compiled.arrays import (
    CAPSULE,
    CELL,
    CHANCE,
    FOOD,
    GHOSTS,
    LEFT,
    MAX,
    MIN,
    SCORE,
    WIDEST,
    BoardTables,
    Bytes,
    Floats,
    Ints,
    Position,
    SearchStack,
    SearchWork,
)
from pacman.compiled.jit import compiled, inlined
from pacman.compiled.moves import count_actions, write_probabilities
from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, LOSE_POINTS, MOVE_POINTS, WIN_POINTS
from pacman.search.bounds import WALK

FAR = 1 << 20
"""The distance between cells without a path; larger than any real distance."""


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
def bound_outcomes(work: SearchWork, depth: int, low: float, high: float) -> None:
    """Sets the bounds of all outcomes of a CHANCE node to [low, high]; does nothing at other nodes."""
    if work.turns.layer[depth] == CHANCE:
        for choice in range(work.stack.action_count[depth]):
            work.stack.lo[depth, choice] = low
            work.stack.hi[depth, choice] = high


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


# ---- bounds on the score that a position can still reach, as in `pacman.search.bounds`


@inlined
def bounds(work: SearchWork, row: int) -> tuple[float, float]:
    """The bounds [L, U] of an inner node: the natural bounds of the score, or the constant ones of the search."""
    if work.settings.moves.size:
        return natural(work.position, row, work.settings.moves)
    return work.settings.low, work.settings.high


@inlined
def natural(position: Position, row: int, moves: Ints) -> tuple[float, float]:
    """The bounds [L, U] of the position in row `row`, which is not terminal, if `moves[row]` moves are left."""
    board, rows = position.board, position.rows
    cell, own = rows[row, CELL], moves[row, 0]
    near, near_scared, safe_moves = 0, 0, FAR
    for ghost in range(position.homes.size):
        stand, timer, left = rows[row, GHOSTS + 2 * ghost], rows[row, GHOSTS + 2 * ghost + 1], moves[row, ghost + 1]
        slack = min(_steps(board, cell, stand, 0), _steps(board, cell, stand, 1))
        from_home = _steps(board, cell, position.homes[ghost], 0)
        if timer:  # an eaten ghost starts again at home
            slack = min(slack, from_home)
        slack -= left
        if slack <= own:
            near += 1
            near_scared += 1 if timer else 0
        is_harmless = timer > left and from_home - left > own  # even if Pacman moves towards it
        if not is_harmless:
            safe_moves = min(safe_moves, slack)
    high = _best_points(position, row, own)
    if near:
        high += GHOST_POINTS * (near_scared + _count_within(position, cell, own, CAPSULE) * near)
    safe_moves -= 1
    if safe_moves < 0:
        low = MOVE_POINTS * own + LOSE_POINTS
    else:
        steps = min(own, safe_moves, WALK)
        low = _best_points(position, row, steps)
        if low < WIN_POINTS // 2:
            low += MOVE_POINTS * (own - steps)
    return float(rows[row, SCORE] + low), float(rows[row, SCORE] + high)


@inlined
def _steps(board: BoardTables, cell: int, stand: int, side: int) -> int:
    """The distance from a cell to one of the two cells that a stand touches."""
    steps = board.distance[cell, board.ghost_touch[stand, side]]
    return FAR if steps < 0 else int(steps)


@inlined
def _count_within(position: Position, cell: int, steps: int, item: int) -> int:
    """The number of FOOD or CAPSULE items within `steps` steps of a cell."""
    count = 0
    for number in range(position.items.size):
        other = position.board.nearest[cell, number]
        if other < 0 or position.board.distance[cell, other] > steps:
            break
        count += 1 if position.items[other] == item else 0
    return count


@inlined
def _best_points(position: Position, row: int, moves: int) -> int:
    """The most points of a walk without ghosts; with more than `WALK` moves, an upper bound."""
    cell, left = position.rows[row, CELL], position.rows[row, LEFT]
    reachable = _count_within(position, cell, moves, FOOD)
    if moves <= WALK:
        eaten, finish = _best_walk(position.board.pacman_after, position.items, position.walk, cell, moves, reachable)
    else:
        eaten = min(moves, reachable)
        finish = eaten
    if reachable == left and finish <= moves and eaten == left:
        return MOVE_POINTS * finish + FOOD_POINTS * eaten + WIN_POINTS
    return MOVE_POINTS * moves + FOOD_POINTS * eaten


@compiled
def _best_walk(neighbours: Ints, items: Bytes, walk: Ints, cell: int, moves: int, food: int) -> tuple[int, int]:
    """The most food that `moves` moves can eat, and the fewest moves that eat all `food` (if impossible, moves + 1).

    Tries every walk from `cell`, but stops after a walk that eats food at every step. It does not call itself: numba
    crashes when it reads the machine code of such a function from the disk.
    """
    if food == 0:
        return 0, 0
    most, fewest_moves, eaten, step = 0, moves + 1, 0, 0
    limit = min(moves, food)
    walk[0, 0], walk[1, 0] = cell, 0
    while True:
        current, choice = walk[0, step], walk[1, step]
        if step < moves and eaten < food and choice < WIDEST:
            walk[1, step] = choice + 1
            after = neighbours[current, choice]
            if after == current or after < 0:
                continue  # Stop, or no action
            step += 1
            walk[0, step], walk[1, step], walk[2, step] = after, 0, 0
            if items[after] == FOOD:
                items[after], walk[2, step] = 0, 1
                eaten += 1
                most = max(most, eaten)
                if eaten == food:
                    fewest_moves = min(fewest_moves, step)
        else:
            if step == 0:
                break
            if walk[2, step]:
                items[walk[0, step]] = FOOD
                eaten -= 1
            step -= 1
            if most == limit and (food > moves or fewest_moves == food):
                walk[1, step] = WALK  # no other walk is better, so skip the rest
    return most, fewest_moves
