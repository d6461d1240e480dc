"""One move, one probability, one evaluation, compiled: the rules over the tables of `pacman.kernel.tables`.

`at` is the row of a position that the node stands in, which is its depth.
"""

from __future__ import annotations

from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, LOSE_POINTS, MOVE_POINTS, SCARED_MOVES, WIN_POINTS
from pacman.core.state import LOST, PLAYING, WON
from pacman.kernel.arrays import Agent, Choice, Floats, Position
from pacman.kernel.constants import CAPSULE, CELL, FOOD, GHOSTS, LEFT, LIVE, OUTCOME, RECOVERING, SCARED, SCORE, UNIFORM
from pacman.kernel.jit import compiled, folded


@folded
def options(position: Position, at: int, agent: Agent) -> int:
    """How many legal actions `agent` has."""
    if agent == 0:
        return int(position.board.pacman_count[position.rows[at, CELL]])
    return int(position.board.ghost_count[position.rows[at, GHOSTS + 2 * agent - 2]])


@folded
def action(position: Position, at: int, agent: Agent, choice: Choice) -> int:
    """The number of the legal action in that place."""
    if agent == 0:
        return int(position.board.pacman_action[position.rows[at, CELL], choice])
    return int(position.board.ghost_action[position.rows[at, GHOSTS + 2 * agent - 2], choice])


@folded
def make(position: Position, at: int, agent: Agent, choice: Choice) -> int:
    """Writes into row `at + 1` the position after the one in row `at`; returns what Pacman ate, for `unmake`."""
    rows = position.rows
    for field in range(GHOSTS):
        rows[at + 1, field] = rows[at, field]
    for ghost in range(position.homes.size):
        rows[at + 1, GHOSTS + 2 * ghost] = rows[at, GHOSTS + 2 * ghost]
        rows[at + 1, GHOSTS + 2 * ghost + 1] = rows[at, GHOSTS + 2 * ghost + 1]
    if agent:
        move_ghost(position, at + 1, agent, choice)
        return 0
    return move_pacman(position, at + 1, choice)


@folded
def unmake(position: Position, at: int, eaten: int) -> None:
    """Puts back what the move to row `at` ate."""
    if eaten:
        position.things[position.rows[at, CELL]] = eaten


@folded
def move_ghost(position: Position, at: int, agent: Agent, choice: Choice) -> None:
    """Moves a ghost in row `at`."""
    rows, place = position.rows, GHOSTS + 2 * agent - 2
    timer = rows[at, place + 1]
    how = LIVE
    if timer:
        how = RECOVERING if timer == 1 else SCARED
        rows[at, place + 1] = timer - 1
    rows[at, place] = position.board.ghost_after[how, rows[at, place], choice]
    meet(position, at, agent)


@folded
def move_pacman(position: Position, at: int, choice: Choice) -> int:
    """Moves Pacman in row `at`; returns what he ate."""
    rows, things, ghosts = position.rows, position.things, position.homes.size
    cell = position.board.pacman_after[rows[at, CELL], choice]
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
            for agent in range(1, ghosts + 1):
                rows[at, GHOSTS + 2 * agent - 1] = SCARED_MOVES
    for agent in range(1, ghosts + 1):
        meet(position, at, agent)
    return int(eaten)


@folded
def meet(position: Position, at: int, agent: Agent) -> None:
    """Pacman and a ghost on one spot: a scared ghost goes home, a live one ends the game unless it was just won."""
    rows, touch = position.rows, position.board.ghost_touch
    place, cell = GHOSTS + 2 * agent - 2, rows[at, CELL]
    stand = rows[at, place]
    if touch[stand, 0] == cell or touch[stand, 1] == cell:
        if rows[at, place + 1]:
            rows[at, place] = position.homes[agent - 1]
            rows[at, place + 1] = 0
            rows[at, SCORE] += GHOST_POINTS
        elif rows[at, OUTCOME] != WON:
            rows[at, SCORE] += LOSE_POINTS
            rows[at, OUTCOME] = LOST


@folded
def chances(position: Position, at: int, agent: Agent, mass: float) -> None:
    """Writes the probability of each of a ghost's actions into row `at` of `position.chance`."""
    if mass != UNIFORM:
        directed(position, at, agent, mass)
        return
    # All four places, used or not: one store instead of a loop.
    share = 1 / position.board.ghost_count[position.rows[at, GHOSTS + 2 * agent - 2]]
    for choice in range(4):
        position.chance[at, choice] = share


@compiled
def directed(position: Position, at: int, agent: Agent, mass: float) -> None:
    """`pacman.core.layers.directional_outcomes`, step by step."""
    board, rows, out = position.board, position.rows, position.chance
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
def linear(position: Position, at: int, weights: Floats) -> float:
    """`pacman.kernel.linear_evaluation.Linear`, step by step."""
    board, rows, things = position.board, position.rows, position.things
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
        worth += weights[2] * food_distance(position, at)
    for number in range(position.homes.size):
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
def food_distance(position: Position, at: int) -> int:
    """The steps to the nearest food; 0 if none is left."""
    cell = position.rows[at, CELL]
    if position.rows[at, LEFT]:
        for near in range(position.things.size):
            there = position.board.nearest[cell, near]
            if position.things[there] == FOOD:
                return int(position.board.distance[cell, there])
    return 0


@folded
def worth(position: Position, at: int, weights: Floats) -> float:
    """The evaluation: without weights the score."""
    if weights.size == 0:
        return float(position.rows[at, SCORE])
    return linear(position, at, weights)
