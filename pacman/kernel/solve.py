"""Every position of a small board as a graph of numbers, compiled: found by a walk, and then valued in sweeps.

A position is a key: seat, cell, each ghost's stand and timer, and the food and the capsules that are left, as the
digits of one whole number. The score is left out: what is still to come does not depend on it.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np

from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, SCARED_MOVES, WIN_POINTS
from pacman.core.state import PLAYING, WON
from pacman.kernel.games import mix
from pacman.kernel.jit import compiled, folded
from pacman.kernel.moves import chances, make, options, unmake
from pacman.kernel.stack import Block
from pacman.kernel.tables import (
    CAPSULE,
    CELL,
    CHANCE,
    FOOD,
    GHOSTS,
    LEFT,
    MAX,
    OUTCOME,
    SCORE,
    Array,
    Board,
    Root,
    Seats,
)

TIMERS = SCARED_MOVES + 1
WIN, LOSS = -1, -2
"""Where an edge leads that ends the game."""
TOO_MANY = -1


class Graph(NamedTuple):
    """Positions by number, in the order of a breadth-first walk, and their edges.

    The edges of position s are `start[s]` to `start[s + 1]`, in the order of its actions: `follow` is the position
    that one leads to (WIN, LOSS at an end), `points` what it earns, `chance` its probability (empty if every ghost
    that is drawn is uniform). `slots` is a hash table of position numbers plus one, by key.
    """

    keys: Array
    slots: Array
    start: Array
    follow: Array
    points: Array
    chance: Array


@folded
def encode(
    board: Board, seats: int, seat: int, rows: Array, at: int, things: Array, food: Array, capsules: Array
) -> int:
    """The key of the position in row `at`."""
    code: Any = 0
    for number in range(capsules.size):
        code = 2 * code + (1 if things[capsules[number]] == CAPSULE else 0)
    for number in range(food.size):
        code = 2 * code + (1 if things[food[number]] == FOOD else 0)
    for place in range(GHOSTS, rows.shape[1], 2):
        code = (code * board.ghost_count.size + rows[at, place]) * TIMERS + rows[at, place + 1]
    return (code * board.pacman_count.size + rows[at, CELL]) * seats + seat  # type: ignore[no-any-return]


@folded
def decode(board: Board, seats: int, key: int, rows: Array, things: Array, food: Array, capsules: Array) -> int:
    """Writes the position of a key, at score 0, into row 0; returns its seat."""
    seat = key % seats
    key //= seats
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
    for number in range(food.size - 1, -1, -1):
        if key % 2:
            things[food[number]] = FOOD
            rows[0, LEFT] += 1
        key //= 2
    for number in range(capsules.size - 1, -1, -1):
        if key % 2:
            things[capsules[number]] = CAPSULE
        key //= 2
    return int(seat)


@folded
def find(slots: Array, keys: Array, key: int) -> int:
    """The slot of a key, or the free one where it would go."""
    slot: Any = np.int64(mix(np.uint64(key)) & np.uint64(slots.size - 1))
    while slots[slot] and keys[slots[slot] - 1] != key:
        slot = slot + 1 if slot + 1 < slots.size else 0
    return slot  # type: ignore[no-any-return]


@compiled
def explore(
    board: Board, seats: Seats, key: int, work: Root, stack: Block, food: Array, capsules: Array, graph: Graph
) -> int:
    """Fills the graph with every position that `key` leads to; returns how many, TOO_MANY if they do not fit."""
    rows, things, homes, round = stack.rows, work.things, work.homes, seats.agent.size
    graph.keys[0] = key
    graph.slots[find(graph.slots, graph.keys, key)] = 1
    known, edges, here = 1, 0, 0
    while here < known:
        seat = decode(board, round, graph.keys[here], rows, things, food, capsules)
        agent, after = seats.agent[seat], seat + 1 if seat + 1 < round else 0
        graph.start[here] = edges
        if seats.layer[seat] == CHANCE:
            chances(board, rows, 0, agent, seats.mass[seat], stack.chance)
        for choice in range(options(board, rows, 0, agent)):
            eaten = make(board, homes, things, rows, 0, agent, choice)
            graph.points[edges] = rows[1, SCORE]
            if graph.chance.size:
                graph.chance[edges] = stack.chance[0, choice]
            if rows[1, OUTCOME]:
                graph.follow[edges] = WIN if rows[1, OUTCOME] == WON else LOSS
            else:
                there = encode(board, round, after, rows, 1, things, food, capsules)
                slot = find(graph.slots, graph.keys, there)
                if graph.slots[slot] == 0:
                    if known == graph.keys.size:
                        return TOO_MANY
                    graph.keys[known] = there
                    known += 1
                    graph.slots[slot] = known
                graph.follow[edges] = graph.slots[slot] - 1
            unmake(things, rows, 1, eaten)
            edges += 1
        here += 1
    graph.start[known] = edges
    return known


@compiled
def ceiling(
    board: Board, seats: Seats, work: Root, stack: Block, food: Array, capsules: Array, graph: Graph, high: Array
) -> None:
    """Writes what no play can beat: all food, the win, every ghost once now if it is scared and once a capsule."""
    rows, things, ghosts = stack.rows, work.things, work.homes.size
    for here in range(high.size):
        decode(board, seats.agent.size, graph.keys[here], rows, things, food, capsules)
        left = 0
        for number in range(capsules.size):
            if things[capsules[number]] == CAPSULE:
                left += ghosts
        for ghost in range(ghosts):
            if rows[0, GHOSTS + 2 * ghost + 1]:
                left += 1
        high[here] = FOOD_POINTS * rows[0, LEFT] + WIN_POINTS + GHOST_POINTS * left


@folded
def _backup(graph: Graph, layer: int, values: Array, here: int) -> float:
    """What a position is worth by the values of those that it leads to."""
    first, last = graph.start[here], graph.start[here + 1]
    total, best = 0.0, -inf if layer == MAX else inf
    for edge in range(first, last):
        there = graph.follow[edge]
        value = float(graph.points[edge])
        if there >= 0:
            value += values[there]
        if layer == CHANCE:
            total += (graph.chance[edge] if graph.chance.size else 1 / (last - first)) * value
        elif layer == MAX:
            best = max(best, value)
        else:
            best = min(best, value)
    return total if layer == CHANCE else best


@compiled
def sweep(seats: Seats, graph: Graph, values: Array) -> float:
    """Backs every value up once, the last position first, each from values already new; returns the largest change."""
    change = 0.0
    for here in range(values.size - 1, -1, -1):
        value = _backup(graph, seats.layer[graph.keys[here] % seats.agent.size], values, here)
        change = max(change, abs(value - values[here]))
        values[here] = value
    return change


@compiled
def residual(seats: Seats, graph: Graph, values: Array) -> float:
    """The largest difference between a value and its backup, none of them changed."""
    change = 0.0
    for here in range(values.size):
        value = _backup(graph, seats.layer[graph.keys[here] % seats.agent.size], values, here)
        change = max(change, abs(value - values[here]))
    return change


@compiled
def sweep_wins(seats: Seats, graph: Graph, values: Array, wins: Array) -> float:
    """Backs every probability of a win up once, for the play that `values` tells; returns the largest change."""
    change = 0.0
    for here in range(values.size - 1, -1, -1):
        layer = seats.layer[graph.keys[here] % seats.agent.size]
        first, last = graph.start[here], graph.start[here + 1]
        goal = _backup(graph, layer, values, here)
        total = 0.0
        for edge in range(first, last):
            there = graph.follow[edge]
            value = float(graph.points[edge])
            if there >= 0:
                value += values[there]
            win = wins[there] if there >= 0 else (1.0 if there == WIN else 0.0)
            if layer == CHANCE:
                total += (graph.chance[edge] if graph.chance.size else 1 / (last - first)) * win
            elif value == goal:
                total = win
                break
        change = max(change, abs(total - wins[here]))
        wins[here] = total
    return change
