"""The compiled form of `pacman.search.bounds.natural`: bounds on the score that a position can still reach."""

from __future__ import annotations

from pacman.compiled.arrays import BoardTables, Ints, Position, SearchWork
from pacman.compiled.constants import CAPSULE, CELL, FOOD, GHOSTS, LEFT, SCORE
from pacman.compiled.jit import compiled, inlined
from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, LOSE_POINTS, MOVE_POINTS, STEPS, STOP, WIN_POINTS
from pacman.search.bounds import WALK

_STOP = tuple(STEPS).index(STOP)
FAR = 1 << 20
"""The distance between cells without a path; larger than any real distance."""


@inlined
def bounds(work: SearchWork, row: int) -> tuple[float, float]:
    """The bounds [L, U] of an inner node: the natural bounds of the score, or the constant ones of the search."""
    if work.settings.moves.size:
        return natural(work.position, row, work.settings.moves)
    return work.settings.low, work.settings.high


@compiled
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
    high = _best_points(position, row, own, _count_within(position, cell, own, FOOD))
    if near:
        high += GHOST_POINTS * (near_scared + _count_within(position, cell, own, CAPSULE) * near)
    safe_moves -= 1
    if safe_moves < 0:
        low = MOVE_POINTS * own + LOSE_POINTS
    else:
        steps = min(own, safe_moves, WALK)
        low = _best_points(position, row, steps, _count_within(position, cell, steps, FOOD))
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
def _best_points(position: Position, row: int, moves: int, reachable: int) -> int:
    """The most points of a walk without ghosts, if Pacman can reach `reachable` of the food."""
    if moves <= WALK:
        eaten, finish = _best_walk(position, position.rows[row, CELL], moves, reachable)
    else:
        eaten = min(moves, reachable)
        finish = eaten
    left = position.rows[row, LEFT]
    if reachable == left and finish <= moves and eaten == left:
        return MOVE_POINTS * finish + FOOD_POINTS * eaten + WIN_POINTS
    return MOVE_POINTS * moves + FOOD_POINTS * eaten


@compiled
def _best_walk(position: Position, cell: int, moves: int, food: int) -> tuple[int, int]:
    """The most food that `moves` moves can eat, and the fewest moves that eat all `food` (if impossible, moves + 1).

    Tries every walk from `cell`, but stops after a walk that eats food at every step.
    """
    if food == 0:
        return 0, 0
    board, items, walk = position.board, position.items, position.walk
    most, fewest_moves, eaten, step = 0, moves + 1, 0, 0
    limit = min(moves, food)
    walk[0, 0], walk[1, 0] = cell, 0
    while True:
        current, choice = walk[0, step], walk[1, step]
        if step < moves and eaten < food and choice < board.pacman_count[current]:
            walk[1, step] = choice + 1
            if board.pacman_action[current, choice] == _STOP:
                continue
            step += 1
            after = board.pacman_after[current, choice]
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
