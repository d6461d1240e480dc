"""The compiled solver of small boards: it finds every position by a breadth-first search and values them in sweeps.

The key of a position is one whole number. Its digits are the seat, Pacman's cell, each ghost's stand and timer, and the
food and capsules that are left. The score is not in the key, since the points still to come do not depend on it.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from pacman.compiled.arrays import Floats, Position, PositionGraph, Turns
from pacman.compiled.constants import CAPSULE, CELL, CHANCE, FOOD, GHOSTS, LEFT, MAX, OUTCOME, SCORE
from pacman.compiled.jit import compiled, inlined
from pacman.compiled.moves import count_actions, make, unmake, write_probabilities
from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, SCARED_MOVES, WIN_POINTS
from pacman.core.state import PLAYING, WON

TIMERS = SCARED_MOVES + 1
FIRST, SECOND, WORD = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, (1 << 64) - 1
"""The numbers of the finalizer of SplitMix64 (Steele, Lea & Flood 2014)."""
WIN, LOSS = -1, -2
"""The targets of edges that end the game."""
TOO_MANY = -1
"""The result of `explore` for a graph that is too small."""


@inlined
def encode(position: Position, row: int, seat: int, graph: PositionGraph) -> int:
    """The key of the position in row `row`."""
    board, rows, code = position.board, position.rows, 0
    for number in range(graph.capsules.size):
        code = 2 * code + (1 if position.items[graph.capsules[number]] == CAPSULE else 0)
    for number in range(graph.food.size):
        code = 2 * code + (1 if position.items[graph.food[number]] == FOOD else 0)
    for place in range(GHOSTS, rows.shape[1], 2):
        code = (code * board.ghost_count.size + rows[row, place]) * TIMERS + rows[row, place + 1]
    return (code * board.pacman_count.size + rows[row, CELL]) * graph.layers.size + seat  # type: ignore[no-any-return]


@inlined
def decode(position: Position, key: int, graph: PositionGraph) -> int:
    """Writes the position of a key into row 0, with score 0; returns its seat."""
    board, rows, items = position.board, position.rows, position.items
    seat = key % graph.layers.size
    key //= graph.layers.size
    rows[0, CELL] = key % board.pacman_count.size
    key //= board.pacman_count.size
    for place in range(rows.shape[1] - 2, GHOSTS - 1, -2):
        rows[0, place + 1] = key % TIMERS
        key //= TIMERS
        rows[0, place] = key % board.ghost_count.size
        key //= board.ghost_count.size
    rows[0, SCORE], rows[0, OUTCOME], rows[0, LEFT] = 0, PLAYING, 0
    for cell in range(items.size):
        items[cell] = 0
    for number in range(graph.food.size - 1, -1, -1):
        if key % 2:
            items[graph.food[number]] = FOOD
            rows[0, LEFT] += 1
        key //= 2
    for number in range(graph.capsules.size - 1, -1, -1):
        if key % 2:
            items[graph.capsules[number]] = CAPSULE
        key //= 2
    return int(seat)


@inlined
def mix(word: Any) -> Any:
    """A 64-bit number in which each bit depends on every bit of `word`."""
    word = (word ^ word >> 30) * FIRST & WORD
    word = (word ^ word >> 27) * SECOND & WORD
    return word ^ word >> 31


@inlined
def find_slot(graph: PositionGraph, key: int) -> int:
    """The slot of a key, or the free slot for it if the table does not contain it."""
    slots = graph.slots
    slot: Any = np.int64(mix(np.uint64(key)) & np.uint64(slots.size - 1))
    while slots[slot] and graph.keys[slots[slot] - 1] != key:
        slot = slot + 1 if slot + 1 < slots.size else 0
    return slot  # type: ignore[no-any-return]


@compiled
def number(position: Position, seat: int, graph: PositionGraph) -> int:
    """The number of the position in row 0; -1 if it is not in the graph."""
    return graph.slots[find_slot(graph, encode(position, 0, seat, graph))] - 1  # type: ignore[no-any-return]


@inlined
def upper_bound(position: Position, graph: PositionGraph) -> int:
    """An upper bound on the points from row 0 on: all food, the win, and all ghosts that Pacman could ever eat.

    He can eat each ghost that is scared now once, and each ghost once per capsule.
    """
    eaten, ghosts = 0, position.homes.size
    for number in range(graph.capsules.size):
        eaten += ghosts if position.items[graph.capsules[number]] == CAPSULE else 0
    for ghost in range(ghosts):
        eaten += 1 if position.rows[0, GHOSTS + 2 * ghost + 1] else 0
    return int(FOOD_POINTS * position.rows[0, LEFT] + WIN_POINTS + GHOST_POINTS * eaten)


@compiled
def explore(position: Position, turns: Turns, seat: int, graph: PositionGraph) -> int:
    """Fills the graph with every position that can follow row 0; returns their number, or TOO_MANY if it is too small.

    `turns` are the turns of one round; `seat` is the index of the current turn.
    """
    rows, agents = position.rows, graph.layers.size
    graph.keys[0] = encode(position, 0, seat, graph)
    graph.slots[find_slot(graph, graph.keys[0])] = 1
    count, edges, index = 1, 0, 0
    while index < count:
        seat = decode(position, graph.keys[index], graph)
        graph.high[index] = upper_bound(position, graph)
        agent, after = turns.agent[seat], seat + 1 if seat + 1 < agents else 0
        graph.start[index] = edges
        if turns.layer[seat] == CHANCE:
            write_probabilities(position, 0, agent, turns.mass[seat])
        for choice in range(count_actions(position, 0, agent)):
            eaten = make(position, 0, agent, choice)
            graph.points[edges] = rows[1, SCORE]
            if graph.chance.size:
                graph.chance[edges] = position.chance[0, choice]
            if rows[1, OUTCOME]:
                graph.target[edges] = WIN if rows[1, OUTCOME] == WON else LOSS
            else:
                key = encode(position, 1, after, graph)
                slot = find_slot(graph, key)
                if graph.slots[slot] == 0:
                    if count == graph.keys.size:
                        return TOO_MANY
                    graph.keys[count] = key
                    count += 1
                    graph.slots[slot] = count
                graph.target[edges] = graph.slots[slot] - 1
            unmake(position, 1, eaten)
            edges += 1
        index += 1
    graph.start[count] = edges
    return count


@inlined
def _layer(graph: PositionGraph, index: int) -> int:
    """The layer of a position."""
    return int(graph.layers[graph.keys[index] % graph.layers.size])


@inlined
def _chance(graph: PositionGraph, index: int, edge: int) -> float:
    """The probability of an edge of a CHANCE position."""
    return graph.chance[edge] if graph.chance.size else 1 / (graph.start[index + 1] - graph.start[index])  # type: ignore[no-any-return]


@inlined
def _edge_value(graph: PositionGraph, values: Floats, edge: int) -> float:
    """The points of an edge plus the value of the position that it leads to."""
    successor, value = graph.target[edge], float(graph.points[edge])
    return value + values[successor] if successor >= 0 else value


@inlined
def _backup(graph: PositionGraph, values: Floats, index: int) -> float:
    """The value of a position, computed from the values of its successors."""
    layer = _layer(graph, index)
    total, best = 0.0, -inf if layer == MAX else inf
    for edge in range(graph.start[index], graph.start[index + 1]):
        value = _edge_value(graph, values, edge)
        if layer == CHANCE:
            total += _chance(graph, index, edge) * value
        elif layer == MAX:
            best = max(best, value)
        else:
            best = min(best, value)
    return total if layer == CHANCE else best


@compiled
def sweep(graph: PositionGraph, values: Floats, in_place: bool) -> float:
    """Recomputes every value once, the last position first; returns the largest change.

    Unless `in_place` is set, the values stay as they were.
    """
    change = 0.0
    for index in range(values.size - 1, -1, -1):
        value = _backup(graph, values, index)
        change = max(change, abs(value - values[index]))
        if in_place:
            values[index] = value
    return change


@compiled
def sweep_wins(graph: PositionGraph, values: Floats, wins: Floats) -> float:
    """Recomputes every win probability once, for the play that is greedy by `values`; returns the largest change."""
    change = 0.0
    for index in range(values.size - 1, -1, -1):
        layer, best, total = _layer(graph, index), _backup(graph, values, index), 0.0
        for edge in range(graph.start[index], graph.start[index + 1]):
            successor = graph.target[edge]
            win = wins[successor] if successor >= 0 else (1.0 if successor == WIN else 0.0)
            if layer == CHANCE:
                total += _chance(graph, index, edge) * win
            elif _edge_value(graph, values, edge) == best:
                total = win
                break
        change = max(change, abs(total - wins[index]))
        wins[index] = total
    return change
