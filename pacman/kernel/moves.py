"""One move, one probability, one evaluation, compiled: the rules over the tables of `pacman.kernel.tables`."""

from __future__ import annotations

from typing import Any

from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, LOSE_POINTS, MOVE_POINTS, SCARED_MOVES, WIN_POINTS
from pacman.core.state import LOST, PLAYING, WON
from pacman.kernel.jit import compiled, folded
from pacman.kernel.tables import CAPSULE, CELL, FOOD, GHOSTS, LEFT, LIVE, OUTCOME, RECOVERING, SCARED, SCORE, UNIFORM


@folded
def options(board: Any, rows: Any, at: int, agent: int) -> int:
    """How many legal actions `agent` has."""
    if agent == 0:
        return int(board.pacman_count[rows[at, CELL]])
    return int(board.ghost_count[rows[at, GHOSTS + 2 * agent - 2]])


@folded
def action(board: Any, rows: Any, at: int, agent: int, choice: int) -> int:
    """The number of the legal action in that place."""
    if agent == 0:
        return int(board.pacman_action[rows[at, CELL], choice])
    return int(board.ghost_action[rows[at, GHOSTS + 2 * agent - 2], choice])


@folded
def make(board: Any, homes: Any, things: Any, rows: Any, at: int, agent: int, choice: int) -> int:
    """Writes into row `at + 1` the position after the one in row `at`; returns what Pacman ate, for `unmake`."""
    for field in range(GHOSTS):
        rows[at + 1, field] = rows[at, field]
    for ghost in range(homes.size):
        rows[at + 1, GHOSTS + 2 * ghost] = rows[at, GHOSTS + 2 * ghost]
        rows[at + 1, GHOSTS + 2 * ghost + 1] = rows[at, GHOSTS + 2 * ghost + 1]
    if agent:
        move_ghost(board, homes, rows, at + 1, agent, choice)
        return 0
    return move_pacman(board, homes, things, rows, at + 1, choice)


@folded
def unmake(things: Any, rows: Any, at: int, eaten: int) -> None:
    """Puts back what the move to row `at` ate."""
    if eaten:
        things[rows[at, CELL]] = eaten


@folded
def move_ghost(board: Any, homes: Any, rows: Any, at: int, agent: int, choice: int) -> None:
    """Moves a ghost in row `at`."""
    place = GHOSTS + 2 * agent - 2
    timer = rows[at, place + 1]
    how = LIVE
    if timer:
        how = RECOVERING if timer == 1 else SCARED
        rows[at, place + 1] = timer - 1
    rows[at, place] = board.ghost_after[how, rows[at, place], choice]
    meet(board, homes, rows, at, agent)


@folded
def move_pacman(board: Any, homes: Any, things: Any, rows: Any, at: int, choice: int) -> int:
    """Moves Pacman in row `at`; returns what he ate."""
    cell = board.pacman_after[rows[at, CELL], choice]
    rows[at, CELL] = cell
    rows[at, SCORE] += MOVE_POINTS
    eaten = things[cell]
    if eaten:
        things[cell] = 0
        if eaten == FOOD:
            rows[at, SCORE] += FOOD_POINTS
            rows[at, LEFT] -= 1
            if rows[at, LEFT] == 0:
                rows[at, SCORE] += WIN_POINTS
                rows[at, OUTCOME] = WON
        else:
            for agent in range(1, homes.size + 1):
                rows[at, GHOSTS + 2 * agent - 1] = SCARED_MOVES
    for agent in range(1, homes.size + 1):
        meet(board, homes, rows, at, agent)
    return int(eaten)


@folded
def meet(board: Any, homes: Any, rows: Any, at: int, agent: int) -> None:
    """Pacman and a ghost on one spot: a scared ghost goes home, a live one ends the game unless it was just won."""
    place, cell = GHOSTS + 2 * agent - 2, rows[at, CELL]
    stand = rows[at, place]
    if board.ghost_touch[stand, 0] == cell or board.ghost_touch[stand, 1] == cell:
        if rows[at, place + 1]:
            rows[at, place] = homes[agent - 1]
            rows[at, place + 1] = 0
            rows[at, SCORE] += GHOST_POINTS
        elif rows[at, OUTCOME] != WON:
            rows[at, SCORE] += LOSE_POINTS
            rows[at, OUTCOME] = LOST


@folded
def chances(board: Any, rows: Any, at: int, agent: int, mass: float, out: Any) -> None:
    """Writes the probability of each of a ghost's actions into row `at` of `out`."""
    if mass != UNIFORM:
        directed(board, rows, at, agent, mass, out)
        return
    # All four places, used or not: one store instead of a loop.
    share = 1 / board.ghost_count[rows[at, GHOSTS + 2 * agent - 2]]
    for choice in range(4):
        out[at, choice] = share


@compiled
def directed(board: Any, rows: Any, at: int, agent: int, mass: float, out: Any) -> None:
    """`pacman.core.layers.directed`, step by step."""
    stand, timer = rows[at, GHOSTS + 2 * agent - 2], rows[at, GHOSTS + 2 * agent - 1]
    count = board.ghost_count[stand]
    # Where each action leads: one half cell further while scared, two otherwise; West, Stop, East, North, South.
    step = 1 if timer else 2
    x, y = board.ghost_place[stand, 0], board.ghost_place[stand, 1]
    pacman_x, pacman_y = board.cell_place[rows[at, CELL], 0], board.cell_place[rows[at, CELL], 1]
    goal, best = 0, 0
    for choice in range(count):
        way = board.ghost_action[stand, choice]
        dx = -step if way == 0 else step if way == 2 else 0
        dy = step if way == 3 else -step if way == 4 else 0
        gap = abs(x + dx - pacman_x) + abs(y + dy - pacman_y)
        out[at, choice] = gap
        if choice == 0 or (gap > goal if timer else gap < goal):
            goal, best = gap, 1
        elif gap == goal:
            best += 1
    rest = (1 - mass) / count
    for choice in range(count):
        out[at, choice] = (mass / best if out[at, choice] == goal else 0.0) + rest


@compiled
def linear(board: Any, things: Any, rows: Any, at: int, homes: Any, weights: Any) -> float:
    """`pacman.kernel.linear.Linear`, step by step."""
    worth: float = float(rows[at, SCORE])
    if rows[at, OUTCOME] != PLAYING and not weights[8]:
        return worth
    cell = rows[at, CELL]
    if weights[1]:
        capsules = 0
        for there in range(things.size):
            if things[there] == CAPSULE:
                capsules += 1
        worth = worth + weights[0] * rows[at, LEFT] + weights[1] * capsules
    else:
        worth = worth + weights[0] * rows[at, LEFT]
    if weights[2] and rows[at, LEFT]:
        for near in range(things.size):
            there = board.nearest[cell, near]
            if things[there] == FOOD:
                worth += weights[2] * board.distance[cell, there]
                break
    for number in range(homes.size):
        distance = board.distance[cell, board.ghost_touch[rows[at, GHOSTS + 2 * number], 0]]
        timer = rows[at, GHOSTS + 2 * number + 1]
        if distance < 0:
            continue
        worth += (weights[6] if timer else weights[5]) * distance
        if timer > 2 * distance:
            worth += weights[4] / (distance + 1)
        elif timer == 0 and distance <= weights[7]:
            worth += weights[3] / (distance + 1)
    return worth


@folded
def worth(board: Any, things: Any, rows: Any, at: int, homes: Any, weights: Any) -> float:
    """The evaluation: without weights the score."""
    if weights.size == 0:
        return float(rows[at, SCORE])
    return linear(board, things, rows, at, homes, weights)
