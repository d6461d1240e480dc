"""`pacman.core.natural_bounds.natural`, compiled: bounds on the score that a position can still reach."""

from __future__ import annotations

from pacman.core.natural_bounds import WALK
from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, LOSE_POINTS, MOVE_POINTS, STEPS, STOP, WIN_POINTS
from pacman.kernel.arrays import Board, Ints, Position, Work
from pacman.kernel.constants import CAPSULE, CELL, FOOD, GHOSTS, LEFT, SCORE
from pacman.kernel.jit import compiled, folded

_STOP = tuple(STEPS).index(STOP)
FAR = 1 << 20
"""A distance that no walk has: where there is no way."""


@folded
def bounds(work: Work, at: int) -> tuple[float, float]:
    """[L, U] of an inner node: as everywhere, or the natural ones of the score."""
    if work.terms.moves.size:
        return natural(work.position, at, work.terms.moves)
    return work.terms.low, work.terms.high


@folded
def leaf_bounds(work: Work, value: float) -> tuple[float, float]:
    """The same of a leaf with that value."""
    if work.terms.moves.size:
        return value, value
    return work.terms.low, work.terms.high


@compiled
def natural(position: Position, at: int, moves: Ints) -> tuple[float, float]:
    """[L, U] of the position in row `at`, which is not at its end, with some `moves[at]` to go."""
    board, rows = position.board, position.rows
    here, own = rows[at, CELL], moves[at, 0]
    near, near_scared, room = 0, 0, FAR
    for ghost in range(position.homes.size):
        stand, timer, left = rows[at, GHOSTS + 2 * ghost], rows[at, GHOSTS + 2 * ghost + 1], moves[at, ghost + 1]
        slack = min(_way(board, here, stand, 0), _way(board, here, stand, 1))
        at_home = _way(board, here, position.homes[ghost], 0)
        if timer:  # once eaten, it starts at home
            slack = min(slack, at_home)
        slack -= left
        if slack <= own:
            near += 1
            near_scared += 1 if timer else 0
        harmless = timer > left and at_home - left > own  # even if Pacman walks to meet it
        if not harmless:
            room = min(room, slack)
    high = _best(position, at, own, _within(position, here, own, FOOD))
    if near:
        high += GHOST_POINTS * (near_scared + _within(position, here, own, CAPSULE) * near)
    room -= 1
    if room < 0:
        low = MOVE_POINTS * own + LOSE_POINTS
    else:
        steps = min(own, room, WALK)
        low = _best(position, at, steps, _within(position, here, steps, FOOD))
        if low < WIN_POINTS // 2:
            low += MOVE_POINTS * (own - steps)
    return float(rows[at, SCORE] + low), float(rows[at, SCORE] + high)


@folded
def _way(board: Board, here: int, stand: int, side: int) -> int:
    """The steps from a cell to one of the two that a stand touches."""
    steps = board.distance[here, board.ghost_touch[stand, side]]
    return FAR if steps < 0 else int(steps)


@folded
def _within(position: Position, here: int, steps: int, what: int) -> int:
    """How many FOOD or CAPSULE lie within some steps of a cell."""
    count = 0
    for number in range(position.things.size):
        there = position.board.nearest[here, number]
        if there < 0 or position.board.distance[here, there] > steps:
            break
        count += 1 if position.things[there] == what else 0
    return count


@folded
def _best(position: Position, at: int, moves: int, within: int) -> int:
    """The points of the best walk with nobody about, where `within` of all the food can be reached."""
    if moves <= WALK:
        eaten, finish = _walked(position, position.rows[at, CELL], moves, within)
    else:
        eaten = min(moves, within)
        finish = eaten
    left = position.rows[at, LEFT]
    if within == left and finish <= moves and eaten == left:
        return MOVE_POINTS * finish + FOOD_POINTS * eaten + WIN_POINTS
    return MOVE_POINTS * moves + FOOD_POINTS * eaten


@compiled
def _walked(position: Position, here: int, moves: int, food: int) -> tuple[int, int]:
    """The most food that `moves` moves can eat, and the moves after which all `food` can be gone (or more moves).

    Tries every walk, and stops at one that eats at every step.
    """
    if food == 0:
        return 0, 0
    board, things, walk = position.board, position.things, position.walk
    most, soonest, eaten, gone = 0, moves + 1, 0, 0
    limit = min(moves, food)
    walk[0, 0], walk[1, 0] = here, 0
    while True:
        cell, way = walk[0, gone], walk[1, gone]
        if gone < moves and eaten < food and way < board.pacman_count[cell]:
            walk[1, gone] = way + 1
            if board.pacman_action[cell, way] == _STOP:
                continue
            gone += 1
            there = board.pacman_after[cell, way]
            walk[0, gone], walk[1, gone], walk[2, gone] = there, 0, 0
            if things[there] == FOOD:
                things[there], walk[2, gone] = 0, 1
                eaten += 1
                most = max(most, eaten)
                if eaten == food:
                    soonest = min(soonest, gone)
        else:
            if gone == 0:
                break
            if walk[2, gone]:
                things[walk[0, gone]] = FOOD
                eaten -= 1
            gone -= 1
            if most == limit and (food > moves or soonest == food):
                walk[1, gone] = WALK  # no other walk is better: leave
    return most, soonest
