"""Bounds [L, U] on the values below a node. *-minimax needs them to cut at a chance node.

The natural bounds of a Pacman position are the lowest and highest score that a search can still reach. They follow from
the food, capsules and ghosts that Pacman can reach in the moves left. If no ghost can meet Pacman, L and U are equal:
the score of the best walk over the food. Then nothing is left to search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from math import inf, isfinite
from typing import Any

from pacman.core.layout import AgentNumber, Cell, Mask, Maze, mask
from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, LOSE_POINTS, MOVE_POINTS, WIN_POINTS
from pacman.core.state import GameState

Bounds = Callable[[Any, int], tuple[float, float]]
"""`bounds(node, plies)` is (L, U): all values of the evaluation, at most `plies` below `node`, lie in [L, U]."""

WALK = 5
"""The longest walk, in moves, whose best score is exact. For a longer walk, all food in reach counts as eaten."""


@dataclass(frozen=True)
class ConstantBounds:
    """The same bounds for every node and every horizon. ValueError unless they are finite and low <= high.

    >>> constant_bounds(-10, 10)(None, 3)
    (-10, 10)
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (isfinite(self.low) and isfinite(self.high) and self.low <= self.high):
            raise ValueError(f"*-minimax needs finite bounds L <= U, not [{self.low:g}, {self.high:g}]")

    def __call__(self, node: Any, plies: int) -> tuple[float, float]:
        return self.low, self.high


constant_bounds = ConstantBounds


class Interval:
    """What a search knows of a value: it lies in [lo, hi]. The value is exact if lo == hi."""

    __slots__ = ("hi", "lo")

    def __init__(self, lo: float = -inf, hi: float = inf) -> None:
        self.lo, self.hi = lo, hi

    def learn(self, value: float, alpha: float, beta: float) -> None:
        """Narrows [lo, hi] with the value that a fail-soft search returned for the window (alpha, beta).

        A value at or below alpha is an upper bound. It is exact if alpha <= lo, because no value is below lo.
        """
        exact_below, exact_above = alpha <= self.lo, beta >= self.hi
        if value > alpha or exact_below:
            self.lo = value
        if value < beta or exact_above:
            self.hi = value

    def answer(self, alpha: float, beta: float) -> float | None:
        """The fail-soft answer to a search in the window (alpha, beta), or None if [lo, hi] is not narrow enough."""
        if self.lo == self.hi or self.hi <= alpha:
            return self.hi
        return self.lo if self.lo >= beta else None


def natural(state: GameState, plies: int) -> tuple[float, float]:
    """(L, U) in points: the value of `state` with `plies` left lies in [L, U], whatever the ghosts do.

    The bounds hold for searches that evaluate by score, when Pacman plays his best. At a ghost's turn they hold for
    each of its outcomes too. At a terminal node and at the horizon, both are the score.
    """
    score = state.score
    if plies == 0 or state.is_terminal:
        return score, score
    moves, *ghost_moves = _moves(state.round.order, state.mover, plies)
    here, maze = state.pacman.cell, state.maze
    distances = maze.distances(here)
    high = _best_points(maze, here, moves, state.food_mask)
    near = scared = 0  # the number of ghosts that can meet Pacman, and how many of them are scared now
    room = inf
    for ghost, home, left in zip(state.ghosts, state.homes, ghost_moves, strict=True):
        cells = ghost.touches if not ghost.timer else (*ghost.touches, *home.touches)  # an eaten ghost starts at home
        slack = min(distances.get(cell, inf) for cell in cells) - left
        if slack <= moves:
            near += 1
            scared += ghost.is_scared
        at_home = distances.get(home.touches[0], inf) - left
        if ghost.timer <= left or at_home <= moves:  # any other ghost cannot hurt Pacman, even if he meets it
            room = min(room, slack - 1)
    if near:
        capsules = (state.capsule_mask & _cells_within(maze, here, moves)).bit_count()
        high += GHOST_POINTS * (scared + capsules * near)
    if room < 0:
        low = MOVE_POINTS * moves + LOSE_POINTS
    else:
        # No ghost can come within `room` steps of Pacman's cell, so he can walk there and then stop.
        walk = min(moves, int(min(room, WALK)))
        low = _best_points(maze, here, walk, state.food_mask)
        low = low if low >= WIN_POINTS // 2 else low + MOVE_POINTS * (moves - walk)
    return score + low, score + high


@cache
def _moves(order: tuple[AgentNumber, ...], mover: AgentNumber, plies: int) -> tuple[int, ...]:
    """The number of moves of each agent, by its number, in the next `plies` plies."""
    first = order.index(mover)
    counts = [0] * len(order)
    for ply in range(plies):
        counts[order[(first + ply) % len(order)]] += 1
    return tuple(counts)


def _best_points(maze: Maze, here: Cell, moves: int, food: Mask) -> int:
    """The points of the best walk of `moves` moves without ghosts; with more than `WALK` moves, an upper bound."""
    within = food & _cells_within(maze, here, moves)
    if moves <= WALK:
        eaten, finish = _best_walk(maze, here, moves, within)
    else:
        eaten = min(moves, within.bit_count())
        finish = eaten
    if within == food and finish <= moves and eaten == food.bit_count():
        return MOVE_POINTS * finish + FOOD_POINTS * eaten + WIN_POINTS
    return MOVE_POINTS * moves + FOOD_POINTS * eaten


@lru_cache(maxsize=1 << 18)
def _best_walk(maze: Maze, here: Cell, moves: int, food: Mask) -> tuple[int, int]:
    """The most food that Pacman can eat in `moves` moves, and the fewest moves to eat all of `food`.

    The second number is greater than `moves` if he cannot eat all of it.
    """
    if not food:
        return 0, 0
    if not moves:
        return 0, 1
    most, fewest_moves = 0, moves + 1
    for neighbour in maze.neighbours(here):
        left = food & ~(1 << neighbour)
        within = _cells_within(maze, neighbour, moves - 1)
        eaten, finish = _best_walk(maze, neighbour, moves - 1, left & within)
        most = max(most, eaten + (left != food))
        if left & ~within == 0:
            fewest_moves = min(fewest_moves, finish + 1)
    return most, fewest_moves


@cache
def _cells_within(maze: Maze, here: Cell, moves: int) -> Mask:
    """The cells that are at most `moves` steps away, as bits."""
    return mask(cell for cell, distance in maze.distances(here).items() if distance <= moves)
