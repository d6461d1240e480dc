"""How good and how bad a position of Pacman can still become: the natural bounds [L, U] of a search by score.

They come from what can be reached in the moves that are left. Where no ghost can meet Pacman any more they are
one number, the best walk over the food, and nothing is left to search.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import inf

from pacman.core.layout import AgentNumber, Cell, Mask, Maze, mask
from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, LOSE_POINTS, MOVE_POINTS, WIN_POINTS
from pacman.core.state import GameState

WALK = 5
"""Up to so many moves the best walk is worked out exactly; beyond, every food in reach is taken for eaten."""


def natural(state: GameState, plies: int) -> tuple[float, float]:
    """[L, U]: what `state` is worth with `plies` to go lies between, however the ghosts move.

    For an evaluation that is the score. Points. It holds for Pacman's best play from here on, and so, at a ghost's
    turn, for each of its outcomes too. (score, score) at an end and at the horizon.
    """
    score = state.score
    if plies == 0 or state.is_terminal:
        return score, score
    moves, *ghost_moves = _moves(state.round.order, state.mover, plies)
    here, maze = state.pacman.cell, state.maze
    distances = maze.distances(here)
    high = _best(maze, here, moves, state.food_mask)
    near = scared = 0  # ghosts that can meet Pacman, and those of them that are scared now
    room = inf
    for ghost, home, left in zip(state.ghosts, state.homes, ghost_moves, strict=True):
        cells = ghost.touches if not ghost.timer else (*ghost.touches, *home.touches)  # once eaten, it starts at home
        slack = min(distances.get(cell, inf) for cell in cells) - left
        if slack <= moves:
            near += 1
            scared += ghost.is_scared
        at_home = distances.get(home.touches[0], inf) - left
        if ghost.timer <= left or at_home <= moves:  # else it is harmless even if Pacman walks to meet it
            room = min(room, slack - 1)
    if near:
        capsules = (state.capsule_mask & _ball(maze, here, moves)).bit_count()
        high += GHOST_POINTS * (scared + capsules * near)
    if room < 0:
        low = MOVE_POINTS * moves + LOSE_POINTS
    else:
        # Within `room` steps of here no ghost can come: walk there, then stop.
        walk = min(moves, int(min(room, WALK)))
        low = _best(maze, here, walk, state.food_mask)
        low = low if low >= WIN_POINTS // 2 else low + MOVE_POINTS * (moves - walk)
    return score + low, score + high


@cache
def _moves(order: tuple[AgentNumber, ...], mover: AgentNumber, plies: int) -> tuple[int, ...]:
    """How many of the next `plies` moves each agent makes, by its number."""
    first = order.index(mover)
    counts = [0] * len(order)
    for ply in range(plies):
        counts[order[(first + ply) % len(order)]] += 1
    return tuple(counts)


def _best(maze: Maze, here: Cell, moves: int, food: Mask) -> int:
    """The points of the best walk of `moves` moves with nobody about; with more than `WALK` at least those."""
    within = food & _ball(maze, here, moves)
    if moves <= WALK:
        eaten, finish = _walk(maze, here, moves, within)
    else:
        eaten = min(moves, within.bit_count())
        finish = eaten
    if within == food and finish <= moves and eaten == food.bit_count():
        return MOVE_POINTS * finish + FOOD_POINTS * eaten + WIN_POINTS
    return MOVE_POINTS * moves + FOOD_POINTS * eaten


@lru_cache(maxsize=1 << 18)
def _walk(maze: Maze, here: Cell, moves: int, food: Mask) -> tuple[int, int]:
    """The most food that `moves` moves can eat, and the moves after which all of `food` can be gone (or more moves)."""
    if not food:
        return 0, 0
    if not moves:
        return 0, 1
    most, soonest = 0, moves + 1
    for there in maze.neighbours(here):
        left = food & ~(1 << there)
        eaten, finish = _walk(maze, there, moves - 1, left & _ball(maze, there, moves - 1))
        most = max(most, eaten + (left != food))
        if left & ~_ball(maze, there, moves - 1) == 0:
            soonest = min(soonest, finish + 1)
    return most, soonest


@cache
def _ball(maze: Maze, here: Cell, moves: int) -> Mask:
    """The cells within `moves` steps, as bits."""
    return mask(cell for cell, distance in maze.distances(here).items() if distance <= moves)
