"""`pacman.core.bounds.natural`, compiled: how good and how bad a position can become in the moves that are left."""

from __future__ import annotations

from typing import Any

from pacman.core.bounds import WALK
from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, LOSE_POINTS, MOVE_POINTS, STEPS, STOP, WIN_POINTS
from pacman.kernel.jit import compiled, folded
from pacman.kernel.tables import CAPSULE, CELL, FOOD, GHOSTS, LEFT, SCORE, Array, Board, Seats

_STOP = tuple(STEPS).index(STOP)
FAR = 1 << 20
"""A distance that no walk has: where there is no way."""


@compiled
def natural(
    board: Board, seats: Seats, rows: Array, at: int, seat: int, plies: int, things: Array, homes: Array, walk: Array
) -> tuple[float, float]:
    """[L, U] of the position in row `at`, which is not at its end, with `plies` > 0 to go; `walk` is room to work."""
    round, here = seats.agent.size, rows[at, CELL]
    moves = 0
    for place in range(round):
        if seats.agent[place] == 0:
            moves = _turns(round, seat, place, plies)
    near, near_scared, room = 0, 0, FAR
    for place in range(round):
        ghost = seats.agent[place] - 1
        if ghost < 0:
            continue
        left = _turns(round, seat, place, plies)
        stand, timer = rows[at, GHOSTS + 2 * ghost], rows[at, GHOSTS + 2 * ghost + 1]
        slack = min(_way(board, here, stand, 0), _way(board, here, stand, 1))
        at_home = _way(board, here, homes[ghost], 0)
        if timer:  # once eaten, it starts at home
            slack = min(slack, at_home)
        slack -= left
        if slack <= moves:
            near += 1
            near_scared += 1 if timer else 0
        harmless = timer > left and at_home - left > moves  # even if Pacman walks to meet it
        if not harmless:
            room = min(room, slack)
    food, capsules = 0, 0
    for number in range(things.size):
        there = board.nearest[here, number]
        if there < 0 or board.distance[here, there] > moves:
            break
        food += 1 if things[there] == FOOD else 0
        capsules += 1 if things[there] == CAPSULE else 0
    high = _best(board, rows[at, LEFT], food, here, moves, things, walk)
    if near:
        high += GHOST_POINTS * (near_scared + capsules * near)
    room -= 1
    if room < 0:
        low = MOVE_POINTS * moves + LOSE_POINTS
    else:
        steps = min(moves, room, WALK)
        within = 0
        for number in range(things.size):
            there = board.nearest[here, number]
            if there < 0 or board.distance[here, there] > steps:
                break
            within += 1 if things[there] == FOOD else 0
        low = _best(board, rows[at, LEFT], within, here, steps, things, walk)
        if low < WIN_POINTS // 2:
            low += MOVE_POINTS * (moves - steps)
    return float(rows[at, SCORE] + low), float(rows[at, SCORE] + high)


@folded
def around(
    board: Any, seats: Any, rows: Any, at: int, seat: int, plies: int, things: Any, homes: Any, walk: Any, terms: Any
) -> tuple[float, float]:
    """[L, U] of an inner node: as everywhere, or the natural ones of the score."""
    if terms.natural:
        return natural(board, seats, rows, at, seat, plies, things, homes, walk)
    return terms.low, terms.high


@folded
def _turns(round: int, seat: int, place: int, plies: int) -> int:
    """How many of the next `plies` moves the agent at `place` makes, when the one at `seat` moves first."""
    ahead = place - seat if place >= seat else place - seat + round
    return (plies - ahead + round - 1) // round if plies > ahead else 0


@folded
def _way(board: Any, here: int, stand: int, side: int) -> int:
    """The steps from a cell to one of the two that a stand touches."""
    steps = board.distance[here, board.ghost_touch[stand, side]]
    return FAR if steps < 0 else int(steps)


@folded
def _best(board: Any, left: int, within: int, here: int, moves: int, things: Any, walk: Any) -> int:
    """The points of the best walk with nobody about, where `within` of all the food `left` can be reached."""
    if moves <= WALK:
        eaten, finish = _walked(board, here, moves, within, things, walk)
    else:
        eaten = min(moves, within)
        finish = eaten
    if within == left and finish <= moves and eaten == left:
        return MOVE_POINTS * finish + FOOD_POINTS * eaten + WIN_POINTS
    return MOVE_POINTS * moves + FOOD_POINTS * eaten


@compiled
def _walked(board: Any, here: int, moves: int, food: int, things: Any, walk: Any) -> tuple[int, int]:
    """The most food that `moves` moves can eat, and the moves after which all `food` can be gone (or more moves).

    Tries every walk, and stops at one that eats at every step. `walk` is a row of cells, of ways tried and of what
    was eaten, by the steps gone.
    """
    if food == 0:
        return 0, 0
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
