"""Every position of a small board as a graph of numbers, compiled: found by a walk, and then valued in sweeps.

A position is a key: seat, cell, each ghost's stand and timer, and the food and the capsules that are left, as the
digits of one whole number. The score is left out: what is still to come does not depend on it.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, SCARED_MOVES, WIN_POINTS
from pacman.core.state import PLAYING, WON
from pacman.kernel.arrays import Floats, Graph, Position, Turns
from pacman.kernel.constants import CAPSULE, CELL, CHANCE, FOOD, GHOSTS, LEFT, MAX, OUTCOME, SCORE
from pacman.kernel.games import mix
from pacman.kernel.jit import compiled, folded
from pacman.kernel.moves import chances, make, options, unmake

TIMERS = SCARED_MOVES + 1
WIN, LOSS = -1, -2
"""Where an edge leads that ends the game."""
TOO_MANY = -1


@folded
def encode(position: Position, at: int, seat: int, graph: Graph) -> int:
    """The key of the position in row `at`."""
    board, rows, code = position.board, position.rows, 0
    for number in range(graph.capsules.size):
        code = 2 * code + (1 if position.things[graph.capsules[number]] == CAPSULE else 0)
    for number in range(graph.food.size):
        code = 2 * code + (1 if position.things[graph.food[number]] == FOOD else 0)
    for place in range(GHOSTS, rows.shape[1], 2):
        code = (code * board.ghost_count.size + rows[at, place]) * TIMERS + rows[at, place + 1]
    return (code * board.pacman_count.size + rows[at, CELL]) * graph.layers.size + seat  # type: ignore[no-any-return]


@folded
def decode(position: Position, key: int, graph: Graph) -> int:
    """Writes the position of a key, at score 0, into row 0; returns its seat."""
    board, rows, things = position.board, position.rows, position.things
    seat = key % graph.layers.size
    key //= graph.layers.size
    rows[0, CELL] = key % board.pacman_count.size
    key //= board.pacman_count.size
    for back in range(rows.shape[1] - 2, GHOSTS - 1, -2):
        rows[0, back + 1] = key % TIMERS
        key //= TIMERS
        rows[0, back] = key % board.ghost_count.size
        key //= board.ghost_count.size
    rows[0, SCORE], rows[0, OUTCOME], rows[0, LEFT] = 0, PLAYING, 0
    for cell in range(things.size):
        things[cell] = 0
    for number in range(graph.food.size - 1, -1, -1):
        if key % 2:
            things[graph.food[number]] = FOOD
            rows[0, LEFT] += 1
        key //= 2
    for number in range(graph.capsules.size - 1, -1, -1):
        if key % 2:
            things[graph.capsules[number]] = CAPSULE
        key //= 2
    return int(seat)


@folded
def find(graph: Graph, key: int) -> int:
    """The slot of a key, or the free one where it would go."""
    slots = graph.slots
    slot: Any = np.int64(mix(np.uint64(key)) & np.uint64(slots.size - 1))
    while slots[slot] and graph.keys[slots[slot] - 1] != key:
        slot = slot + 1 if slot + 1 < slots.size else 0
    return slot  # type: ignore[no-any-return]


@compiled
def number(position: Position, seat: int, graph: Graph) -> int:
    """The number of the position in row 0; -1 if it is not in the graph."""
    return graph.slots[find(graph, encode(position, 0, seat, graph))] - 1  # type: ignore[no-any-return]


@folded
def ceiling(position: Position, graph: Graph) -> int:
    """What no play from row 0 can beat: all food, the win, every ghost once now if it is scared and once a capsule."""
    eaten, ghosts = 0, position.homes.size
    for number in range(graph.capsules.size):
        eaten += ghosts if position.things[graph.capsules[number]] == CAPSULE else 0
    for ghost in range(ghosts):
        eaten += 1 if position.rows[0, GHOSTS + 2 * ghost + 1] else 0
    return int(FOOD_POINTS * position.rows[0, LEFT] + WIN_POINTS + GHOST_POINTS * eaten)


@compiled
def explore(position: Position, turns: Turns, seat: int, graph: Graph) -> int:
    """Fills the graph with every position that the one in row 0 leads to; returns how many, or TOO_MANY for it.

    `turns` are those of one round; `seat` is whose turn it is.
    """
    rows, agents = position.rows, graph.layers.size
    graph.keys[0] = encode(position, 0, seat, graph)
    graph.slots[find(graph, graph.keys[0])] = 1
    known, edges, here = 1, 0, 0
    while here < known:
        seat = decode(position, graph.keys[here], graph)
        graph.high[here] = ceiling(position, graph)
        agent, after = turns.agent[seat], seat + 1 if seat + 1 < agents else 0
        graph.start[here] = edges
        if turns.layer[seat] == CHANCE:
            chances(position, 0, agent, turns.mass[seat])
        for choice in range(options(position, 0, agent)):
            eaten = make(position, 0, agent, choice)
            graph.points[edges] = rows[1, SCORE]
            if graph.chance.size:
                graph.chance[edges] = position.chance[0, choice]
            if rows[1, OUTCOME]:
                graph.follow[edges] = WIN if rows[1, OUTCOME] == WON else LOSS
            else:
                there = encode(position, 1, after, graph)
                slot = find(graph, there)
                if graph.slots[slot] == 0:
                    if known == graph.keys.size:
                        return TOO_MANY
                    graph.keys[known] = there
                    known += 1
                    graph.slots[slot] = known
                graph.follow[edges] = graph.slots[slot] - 1
            unmake(position, 1, eaten)
            edges += 1
        here += 1
    graph.start[known] = edges
    return known


@folded
def _layer(graph: Graph, here: int) -> int:
    """The layer of a position."""
    return int(graph.layers[graph.keys[here] % graph.layers.size])


@folded
def _chance(graph: Graph, here: int, edge: int) -> float:
    """The probability of an edge of a CHANCE position."""
    return graph.chance[edge] if graph.chance.size else 1 / (graph.start[here + 1] - graph.start[here])  # type: ignore[no-any-return]


@folded
def _worth(graph: Graph, values: Floats, edge: int) -> float:
    """What an edge earns, and what is still to come after it."""
    there, value = graph.follow[edge], float(graph.points[edge])
    return value + values[there] if there >= 0 else value


@folded
def _backup(graph: Graph, values: Floats, here: int) -> float:
    """What a position is worth by the values of those that it leads to."""
    layer = _layer(graph, here)
    total, best = 0.0, -inf if layer == MAX else inf
    for edge in range(graph.start[here], graph.start[here + 1]):
        value = _worth(graph, values, edge)
        if layer == CHANCE:
            total += _chance(graph, here, edge) * value
        elif layer == MAX:
            best = max(best, value)
        else:
            best = min(best, value)
    return total if layer == CHANCE else best


@compiled
def sweep(graph: Graph, values: Floats, keep: bool) -> float:
    """Backs every value up once, the last position first, each from values already new; returns the largest change.

    Unless `keep` is set, the values stay as they were.
    """
    change = 0.0
    for here in range(values.size - 1, -1, -1):
        value = _backup(graph, values, here)
        change = max(change, abs(value - values[here]))
        if keep:
            values[here] = value
    return change


@compiled
def sweep_wins(graph: Graph, values: Floats, wins: Floats) -> float:
    """Backs every probability of a win up once, for the play that `values` tells; returns the largest change."""
    change = 0.0
    for here in range(values.size - 1, -1, -1):
        layer, goal, total = _layer(graph, here), _backup(graph, values, here), 0.0
        for edge in range(graph.start[here], graph.start[here + 1]):
            there = graph.follow[edge]
            win = wins[there] if there >= 0 else (1.0 if there == WIN else 0.0)
            if layer == CHANCE:
                total += _chance(graph, here, edge) * win
            elif _worth(graph, values, edge) == goal:
                total = win
                break
        change = max(change, abs(total - wins[here]))
        wins[here] = total
    return change
