"""The compiled rules over the tables of `pacman.compiled.arrays`: moves, probabilities and evaluations.

`row` is the row of `Position.rows` that has the node's position; it equals the node's depth.
"""

from __future__ import annotations

from pacman.compiled.arrays import (
    CELL,
    FOOD,
    GHOSTS,
    LEFT,
    LIVE,
    OUTCOME,
    RECOVERING,
    SCARED,
    SCORE,
    UNIFORM,
    Position,
)
from pacman.compiled.jit import compiled, inlined
from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, LOSE_POINTS, MOVE_POINTS, SCARED_MOVES, WIN_POINTS
from pacman.core.state import LOST, WON


@inlined
def count_actions(position: Position, row: int, agent: int) -> int:
    """The number of legal actions of `agent`."""
    if agent == 0:
        return int(position.board.pacman_count[position.rows[row, CELL]])
    return int(position.board.ghost_count[position.rows[row, GHOSTS + 2 * agent - 2]])


@inlined
def action(position: Position, row: int, agent: int, choice: int) -> int:
    """The number of the legal action with index `choice`."""
    if agent == 0:
        return int(position.board.pacman_action[position.rows[row, CELL], choice])
    return int(position.board.ghost_action[position.rows[row, GHOSTS + 2 * agent - 2], choice])


@inlined
def make(position: Position, row: int, agent: int, choice: int) -> int:
    """Writes the position after a move from row `row` into row `row + 1`; returns what Pacman ate, for `unmake`."""
    rows = position.rows
    for field in range(GHOSTS):
        rows[row + 1, field] = rows[row, field]
    for ghost in range(position.homes.size):
        rows[row + 1, GHOSTS + 2 * ghost] = rows[row, GHOSTS + 2 * ghost]
        rows[row + 1, GHOSTS + 2 * ghost + 1] = rows[row, GHOSTS + 2 * ghost + 1]
    if agent:
        move_ghost(position, row + 1, agent, choice)
        return 0
    return move_pacman(position, row + 1, choice)


@inlined
def unmake(position: Position, row: int, eaten: int) -> None:
    """Puts back what Pacman ate in the move to row `row`."""
    if eaten:
        position.items[position.rows[row, CELL]] = eaten


@inlined
def move_ghost(position: Position, row: int, agent: int, choice: int) -> None:
    """Moves a ghost; changes row `row`."""
    rows, place = position.rows, GHOSTS + 2 * agent - 2
    timer = rows[row, place + 1]
    mode = LIVE
    if timer:
        mode = RECOVERING if timer == 1 else SCARED
        rows[row, place + 1] = timer - 1
    rows[row, place] = position.board.ghost_after[mode, rows[row, place], choice]
    meet(position, row, agent)


@inlined
def move_pacman(position: Position, row: int, choice: int) -> int:
    """Moves Pacman; changes row `row`; returns what he ate."""
    rows, items, ghosts = position.rows, position.items, position.homes.size
    cell = position.board.pacman_after[rows[row, CELL], choice]
    rows[row, CELL] = cell
    rows[row, SCORE] += MOVE_POINTS
    eaten = items[cell]
    if eaten:
        items[cell] = 0
        if eaten == FOOD:
            rows[row, SCORE] += FOOD_POINTS
            rows[row, LEFT] -= 1
            if rows[row, LEFT] == 0:
                rows[row, SCORE] += WIN_POINTS
                rows[row, OUTCOME] = WON
        else:
            for agent in range(1, ghosts + 1):
                rows[row, GHOSTS + 2 * agent - 1] = SCARED_MOVES
    for agent in range(1, ghosts + 1):
        meet(position, row, agent)
    return int(eaten)


@inlined
def meet(position: Position, row: int, agent: int) -> None:
    """If Pacman meets the ghost: sends a scared ghost home; a live ghost ends the game unless Pacman just won."""
    rows, touch = position.rows, position.board.ghost_touch
    place, cell = GHOSTS + 2 * agent - 2, rows[row, CELL]
    stand = rows[row, place]
    if touch[stand, 0] == cell or touch[stand, 1] == cell:
        if rows[row, place + 1]:
            rows[row, place] = position.homes[agent - 1]
            rows[row, place + 1] = 0
            rows[row, SCORE] += GHOST_POINTS
        elif rows[row, OUTCOME] != WON:
            rows[row, SCORE] += LOSE_POINTS
            rows[row, OUTCOME] = LOST


@inlined
def write_probabilities(position: Position, row: int, agent: int, mass: float) -> None:
    """Writes the probability of each action of a ghost into row `row` of `position.chance`."""
    if mass != UNIFORM:
        write_directional_probabilities(position, row, agent, mass)
        return
    # Writes all four entries, even unused ones: the compiler makes one store of it instead of a loop.
    share = 1 / position.board.ghost_count[position.rows[row, GHOSTS + 2 * agent - 2]]
    for choice in range(4):
        position.chance[row, choice] = share


@compiled
def write_directional_probabilities(position: Position, row: int, agent: int, mass: float) -> None:
    """Does the same steps as `pacman.core.rounds.directional_outcomes`, into row `row` of `position.chance`."""
    board, rows, chance = position.board, position.rows, position.chance
    stand, timer = rows[row, GHOSTS + 2 * agent - 2], rows[row, GHOSTS + 2 * agent - 1]
    count = board.ghost_count[stand]
    # A scared ghost moves one half cell, any other ghost two. The action numbers: West, Stop, East, North, South.
    step = 1 if timer else 2
    x, y = board.ghost_place[stand, 0], board.ghost_place[stand, 1]
    pacman_x, pacman_y = board.cell_place[rows[row, CELL], 0], board.cell_place[rows[row, CELL], 1]
    best, ties = 0, 0
    for choice in range(count):
        number = board.ghost_action[stand, choice]
        dx = -step if number == 0 else step if number == 2 else 0
        dy = step if number == 3 else -step if number == 4 else 0
        distance = abs(x + dx - pacman_x) + abs(y + dy - pacman_y)
        chance[row, choice] = distance
        if choice == 0 or (distance > best if timer else distance < best):
            best, ties = distance, 1
        elif distance == best:
            ties += 1
    rest = (1 - mass) / count
    for choice in range(count):
        chance[row, choice] = (mass / ties if chance[row, choice] == best else 0.0) + rest


@inlined
def evaluate(position: Position, row: int, nearness: float) -> float:
    """The evaluation of the position in row `row`: the score, or the same steps as `hunted` with this weight."""
    rows, board = position.rows, position.board
    value = float(rows[row, SCORE])
    if nearness:
        for number in range(position.homes.size):
            distance = board.distance[rows[row, CELL], board.ghost_touch[rows[row, GHOSTS + 2 * number], 0]]
            if distance >= 0:
                value += (-nearness if rows[row, GHOSTS + 2 * number + 1] else nearness) * distance
    return value
