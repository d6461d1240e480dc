"""Compiled games: ply for ply the same as the games of the Python agents with streams of `compiled.random_stream`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pacman.compiled import random_stream
from pacman.compiled.arrays import Agent, Choice, Floats, GameResults, Match, Position
from pacman.compiled.constants import ALPHABETA, GREEDY, OUTCOME, RANDOM, REFLEX, SCORE
from pacman.compiled.jit import compiled, inlined
from pacman.compiled.moves import action, count_actions, evaluate, food_distance, make, unmake, write_probabilities
from pacman.compiled.position_tables import ACTIONS, MOST_CELLS
from pacman.compiled.search import alphabeta, exhaustive
from pacman.core.rules import STOP

_STOP = ACTIONS.index(STOP)
_ONE = np.uint64(1)  # same type as the counters, since numba converts unsigned plus signed integers to a float

mix: Any = inlined(random_stream.mix)


@inlined
def next_random(match: Match, agent: Agent) -> float:
    """The next random number x of the agent, with 0 <= x < 1."""
    match.counters[agent] += _ONE
    return float((mix(match.keys[agent] + match.counters[agent] * random_stream.GOLDEN) >> 11) / (1 << 53))


@inlined
def random_below(match: Match, agent: Agent, count: int) -> int:
    """A random whole number from 0 to count - 1, computed as `random.Random` computes it from `random()`."""
    limit = (9007199254740992 - 9007199254740992 % count) / 9007199254740992.0
    number = next_random(match, agent)
    while number >= limit:
        number = next_random(match, agent)
    return int(number * 9007199254740992.0) % count


@compiled
def play(match: Match, seed: int, max_plies: int, results: GameResults) -> None:
    """Plays `results.score.size` games with the seeds from `seed` on, and writes their results to `results`."""
    position, turns = match.ghosts.position, match.ghosts.turns
    rows, agents = position.rows, match.policy.size
    for game in range(results.score.size):
        for field in range(match.row.size):
            rows[0, field] = match.row[field]
        for cell in range(match.items.size):
            position.items[cell] = match.items[cell]
        for agent in range(agents):
            match.keys[agent] = mix(mix(np.uint64(seed + game)) + np.uint64(agent + 1))
            match.counters[agent] = np.uint64(0)
        plies, seat = 0, 0
        while plies < max_plies and not rows[0, OUTCOME]:
            make(position, 0, turns.agent[seat], choose(match, seat))
            for field in range(match.row.size):
                rows[0, field] = rows[1, field]
            plies += 1
            seat = seat + 1 if seat + 1 < agents else 0
        results.outcome[game] = rows[0, OUTCOME]
        results.score[game] = rows[0, SCORE]
        results.plies[game] = plies


@inlined
def choose(match: Match, seat: int) -> Choice:
    """The choice of the mover in the position in row 0."""
    position, turns = match.ghosts.position, match.ghosts.turns
    agent = turns.agent[seat]
    policy, count = match.policy[agent], count_actions(position, 0, agent)
    if policy == RANDOM:
        if agent == 0:
            return random_below(match, agent, count)
        write_probabilities(position, 0, agent, turns.mass[seat])
        point = next_random(match, agent)
        for choice in range(count):
            point -= position.chance[0, choice]
            if point < 0:
                return choice
        return count - 1
    if policy in (GREEDY, REFLEX):
        return best_move(position, count, policy, match.pacman.weights)
    if agent:
        answer = alphabeta(match.ghosts, seat, match.plies[agent])
    elif policy == ALPHABETA:
        answer = alphabeta(match.pacman, seat, match.plies[agent])
    else:
        answer = exhaustive(match.pacman, seat, match.plies[agent])
    for choice in range(count):
        if action(position, 0, agent, choice) == answer.action:
            return choice
    return 0


@compiled
def best_move(position: Position, count: int, policy: int, weights: Floats) -> Choice:
    """The choice of `GreedyPacman` or the reflex agent: the move to the best position, the first one on a tie."""
    best_choice, best = 0, 0.0
    for choice in range(count):
        eaten = make(position, 0, 0, choice)
        if policy == GREEDY:  # the score first, then the distance to food, whose term is always less than one point
            value = position.rows[1, SCORE] - food_distance(position, 1) / (2 * MOST_CELLS)
        else:
            value = evaluate(position, 1, weights) - (1 if action(position, 0, 0, choice) == _STOP else 0)
        unmake(position, 1, eaten)
        if choice == 0 or value > best:
            best_choice, best = choice, value
    return best_choice
