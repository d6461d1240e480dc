"""Whole games, compiled: the same games, ply for ply, as the Python agents play on the streams of `kernel.stream`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pacman.core.rules import STOP
from pacman.kernel.jit import compiled, folded
from pacman.kernel.moves import action, chances, make, options, unmake, worth
from pacman.kernel.search import alphabeta, exhaustive
from pacman.kernel.stack import Block
from pacman.kernel.stream import FIRST, GOLDEN, SECOND
from pacman.kernel.tables import (
    ACTIONS,
    ALPHABETA,
    CELL,
    FOOD,
    GREEDY,
    LEFT,
    OUTCOME,
    PLAIN,
    RANDOM,
    REFLEX,
    SCORE,
    Array,
    Board,
    Root,
    Seats,
)

_STOP = ACTIONS.index(STOP)
_GOLDEN, _FIRST, _SECOND = np.uint64(GOLDEN), np.uint64(FIRST), np.uint64(SECOND)
_R30, _R27, _R31, _R11, _ONE = (np.uint64(number) for number in (30, 27, 31, 11, 1))


class Cast(NamedTuple):
    """How each agent plays: its policy, and for one that searches the plies; the seats as Pacman assumes them.

    `weights` are Pacman's evaluation (none: the score), `hunting` those of the ghosts that search.
    """

    policy: Array
    plies: Array
    assumed: Seats
    weights: Array
    hunting: Array


class Played(NamedTuple):
    """How each game ended: outcome (0 truncated, 1 won, 2 lost), score, plies."""

    outcome: Array
    score: Array
    plies: Array


@folded
def mix(word: Any) -> Any:
    word = (word ^ (word >> _R30)) * _FIRST
    word = (word ^ (word >> _R27)) * _SECOND
    return word ^ (word >> _R31)


@folded
def draw(keys: Array, counters: Array, agent: int) -> float:
    """The agent's next number, 0 <= it < 1."""
    counters[agent] += _ONE
    return float(mix(keys[agent] + counters[agent] * _GOLDEN) >> _R11) / 9007199254740992.0


@folded
def below(keys: Array, counters: Array, agent: int, count: int) -> int:
    """A whole number from 0 to count - 1, as `random.Random` makes it from `random()`."""
    limit = (9007199254740992 - 9007199254740992 % count) / 9007199254740992.0
    number = draw(keys, counters, agent)
    while number >= limit:
        number = draw(keys, counters, agent)
    return int(number * 9007199254740992.0) % count


@compiled
def play(
    board: Board, seats: Seats, start: Root, work: Root, stack: Block, cast: Cast, keys: Array, counters: Array,
    seed: int, max_plies: int, played: Played,
) -> None:  # fmt: skip
    """Plays `played.score.size` games, with `seed` and those after it, and writes how they ended."""
    rows, things, homes = stack.rows, work.things, work.homes
    for game in range(played.score.size):
        for field in range(start.row.size):
            work.row[field] = start.row[field]
        for cell in range(things.size):
            things[cell] = start.things[cell]
        for agent in range(keys.size):
            keys[agent] = mix(mix(np.uint64(seed + game)) + np.uint64(agent + 1))
            counters[agent] = np.uint64(0)
        plies, seat = 0, 0
        while plies < max_plies and not work.row[OUTCOME]:
            agent = seats.agent[seat]
            choice = choose(board, seats, seat, work, stack, cast, keys, counters)
            for field in range(work.row.size):
                rows[0, field] = work.row[field]
            make(board, homes, things, rows, 0, agent, choice)
            for field in range(work.row.size):
                work.row[field] = rows[1, field]
            plies += 1
            seat = seat + 1 if seat + 1 < seats.agent.size else 0
        played.outcome[game] = work.row[OUTCOME]
        played.score[game] = work.row[SCORE]
        played.plies[game] = plies


@compiled
def choose(
    board: Board, seats: Seats, seat: int, work: Root, stack: Block, cast: Cast, keys: Array, counters: Array
) -> int:
    """The place of the mover's choice among its actions."""
    agent = seats.agent[seat]
    policy, rows = cast.policy[agent], stack.rows
    for field in range(work.row.size):
        rows[0, field] = work.row[field]
    count = options(board, rows, 0, agent)
    if policy == RANDOM:
        if agent == 0:
            return below(keys, counters, agent, count)
        chances(board, rows, 0, agent, seats.mass[seat], stack.chance)
        point = draw(keys, counters, agent)
        for choice in range(count):
            point -= stack.chance[0, choice]
            if point < 0:
                return choice
        return count - 1
    if policy == GREEDY:
        return greedy(board, work, stack, count)
    if policy == REFLEX:
        return reflex(board, work, stack, cast.weights, count)
    if agent:
        found = alphabeta(board, seats, seat, work, stack, cast.plies[agent], cast.hunting, PLAIN)
    elif policy == ALPHABETA:
        found = alphabeta(board, cast.assumed, seat, work, stack, cast.plies[agent], cast.weights, PLAIN)
    else:
        found = exhaustive(board, cast.assumed, seat, work, stack, cast.plies[agent], cast.weights, PLAIN)
    for choice in range(count):
        if action(board, rows, 0, agent, choice) == found.action:
            return choice
    return 0


@compiled
def greedy(board: Board, work: Root, stack: Block, count: int) -> int:
    """`agents.pacmen.GreedyPacman`."""
    rows, things, chosen, best_score, best_way = stack.rows, work.things, 0, 0, 0
    for choice in range(count):
        eaten = make(board, work.homes, things, rows, 0, 0, choice)
        way = 0
        if rows[1, LEFT]:
            for near in range(things.size):
                there = board.nearest[rows[1, CELL], near]
                if things[there] == FOOD:
                    way = board.distance[rows[1, CELL], there]
                    break
        unmake(things, rows, 1, eaten)
        score = rows[1, SCORE]
        if choice == 0 or score > best_score or (score == best_score and way < best_way):
            chosen, best_score, best_way = choice, score, way
    return chosen


@compiled
def reflex(board: Board, work: Root, stack: Block, weights: Array, count: int) -> int:
    """the reflex agent: the best position after the action, less a point for standing still."""
    rows, things, chosen, best = stack.rows, work.things, 0, 0.0
    for choice in range(count):
        eaten = make(board, work.homes, things, rows, 0, 0, choice)
        value = worth(board, things, rows, 1, work.homes, weights)
        unmake(things, rows, 1, eaten)
        if action(board, rows, 0, 0, choice) == _STOP:
            value -= 1
        if choice == 0 or value > best:
            chosen, best = choice, value
    return chosen
