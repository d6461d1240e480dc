"""Whole games, compiled: the same games, ply for ply, as the Python agents play on the streams of `kernel.stream`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pacman.core.rules import STOP
from pacman.kernel import random_stream
from pacman.kernel.arrays import Agent, Choice, Floats, Match, Played, Position
from pacman.kernel.constants import ALPHABETA, GREEDY, OUTCOME, RANDOM, REFLEX, SCORE
from pacman.kernel.jit import compiled, folded
from pacman.kernel.moves import action, chances, food_distance, make, options, unmake, worth
from pacman.kernel.search import alphabeta, exhaustive
from pacman.kernel.tables import ACTIONS, MOST_CELLS

_STOP = ACTIONS.index(STOP)
_ONE = np.uint64(1)  # of the counters' type: numba makes a float of an unsigned and a signed whole number

mix: Any = folded(random_stream.mix)


@folded
def draw(match: Match, agent: Agent) -> float:
    """The agent's next number, 0 <= it < 1."""
    match.counters[agent] += _ONE
    return float((mix(match.keys[agent] + match.counters[agent] * random_stream.GOLDEN) >> 11) / (1 << 53))


@folded
def below(match: Match, agent: Agent, count: int) -> int:
    """A whole number from 0 to count - 1, as `random.Random` makes it from `random()`."""
    limit = (9007199254740992 - 9007199254740992 % count) / 9007199254740992.0
    number = draw(match, agent)
    while number >= limit:
        number = draw(match, agent)
    return int(number * 9007199254740992.0) % count


@compiled
def play(match: Match, seed: int, max_plies: int, played: Played) -> None:
    """Plays `played.score.size` games, with `seed` and those after it, and writes how they ended."""
    position, turns = match.ghosts.position, match.ghosts.turns
    rows, agents = position.rows, match.policy.size
    for game in range(played.score.size):
        for field in range(match.row.size):
            rows[0, field] = match.row[field]
        for cell in range(match.things.size):
            position.things[cell] = match.things[cell]
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
        played.outcome[game] = rows[0, OUTCOME]
        played.score[game] = rows[0, SCORE]
        played.plies[game] = plies


@folded
def choose(match: Match, seat: int) -> Choice:
    """The choice of the mover of the position in row 0."""
    position, turns = match.ghosts.position, match.ghosts.turns
    agent = turns.agent[seat]
    policy, count = match.policy[agent], options(position, 0, agent)
    if policy == RANDOM:
        if agent == 0:
            return below(match, agent, count)
        chances(position, 0, agent, turns.mass[seat])
        point = draw(match, agent)
        for choice in range(count):
            point -= position.chance[0, choice]
            if point < 0:
                return choice
        return count - 1
    if policy in (GREEDY, REFLEX):
        return best_move(position, count, policy, match.pacman.weights)
    if agent:
        found = alphabeta(match.ghosts, seat, match.plies[agent])
    elif policy == ALPHABETA:
        found = alphabeta(match.pacman, seat, match.plies[agent])
    else:
        found = exhaustive(match.pacman, seat, match.plies[agent])
    for choice in range(count):
        if action(position, 0, agent, choice) == found.action:
            return choice
    return 0


@compiled
def best_move(position: Position, count: int, policy: int, weights: Floats) -> Choice:
    """What `GreedyPacman` and the reflex agent choose: the move to the best position, the first of equals."""
    chosen, best = 0, 0.0
    for choice in range(count):
        eaten = make(position, 0, 0, choice)
        if policy == GREEDY:  # points first, and the way to the food, which is shorter than a point is worth, second
            value = position.rows[1, SCORE] - food_distance(position, 1) / (2 * MOST_CELLS)
        else:
            value = worth(position, 1, weights) - (1 if action(position, 0, 0, choice) == _STOP else 0)
        unmake(position, 1, eaten)
        if choice == 0 or value > best:
            chosen, best = choice, value
    return chosen
