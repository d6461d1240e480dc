"""The searches, compiled: by make and unmake, with the stack in one block of memory that is made beforehand.

Each is the readable search of the same name in `pacman.search`, which says what it must return: the same value to
the last bit, the same action, and the same nodes. A ply of the stack is one row in each array of `Block`.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from pacman.bounds import WALK
from pacman.kernel.jit import compiled, folded
from pacman.kernel.moves import action, chances, make, options, unmake, worth
from pacman.kernel.tables import CHANCE, MAX, OUTCOME, Array, Board, Root, Seats

WIDEST = 5
"""The most actions that anybody has."""


class Block(NamedTuple):
    """The stack of a search: one row a ply.

    `rows` are positions; `options` and `tried` how many actions there are, and were followed; `eaten` what the move
    to here ate; `chosen` the place of the best action so far and `best` its value (at a CHANCE node, the sum so far),
    `whole` whether that value is the score of a leaf and no mean. `chance`, and for each outcome `lo` and `hi`, are a
    CHANCE node's; (`alpha`, `beta`) is a node's window, and (`below`, `above`) the one that its outcome in hand was
    searched with. `walk` is room for the natural bounds.
    """

    rows: Array
    options: Array
    tried: Array
    eaten: Array
    chosen: Array
    best: Array
    whole: Array
    chance: Array
    lo: Array
    hi: Array
    alpha: Array
    beta: Array
    below: Array
    above: Array
    walk: Array


def block(width: int, plies: int) -> Block:
    """The memory of a search `plies` deep over positions of `width` numbers."""
    depth = plies + 1
    fields: dict[str, Array] = {name: np.zeros(depth) for name in Block._fields}
    fields |= {name: np.zeros(depth, np.int32) for name in ("options", "tried", "eaten", "chosen")}
    fields |= {name: np.zeros((depth, WIDEST)) for name in ("chance", "lo", "hi")}
    fields |= {"whole": np.zeros(depth, np.bool_), "walk": np.zeros((3, WALK + 1), np.int32)}
    fields |= {"rows": np.zeros((depth, width), np.int32)}
    return Block(**fields)


class Counts(NamedTuple):
    """What a search found, and what it touched, counted as `pacman.search.algorithms.Statistics` counts.

    `action` is -1 where nobody chose; `whole` says that `value` is the score of a leaf; `fits` is False when a leaf
    lay outside its bounds.
    """

    value: float
    whole: bool
    action: int
    leaves: int
    expanded: int
    generated: int
    cutoffs: int
    depth: int
    fits: bool


@compiled
def exhaustive(board: Board, seats: Seats, first: int, root: Root, stack: Block, plies: int, weights: Array) -> Counts:
    """`pacman.search.exhaustive`."""
    rows, things, homes, round = stack.rows, root.things, root.homes, seats.agent.size
    place(rows, root)
    if plies == 0 or rows[0, OUTCOME]:
        return Counts(worth(board, things, rows, 0, homes, weights), True, -1, 1, 0, 0, 0, 0, True)
    leaves, expanded, generated, deepest = 0, 1, 0, 1
    depth, seat = 0, first
    enter(board, seats, stack, depth, seat)
    while True:
        agent = seats.agent[seat]
        if stack.tried[depth] < stack.options[depth]:
            choice = stack.tried[depth]
            stack.tried[depth] = choice + 1
            generated += 1
            deepest = max(deepest, depth + 1)
            eaten = make(board, homes, things, rows, depth, agent, choice)
            if depth + 1 < plies and not rows[depth + 1, OUTCOME]:
                stack.eaten[depth + 1] = eaten
                expanded += 1
                depth += 1
                seat = seat + 1 if seat + 1 < round else 0
                enter(board, seats, stack, depth, seat)
                continue
            leaves += 1
            whole = True
            value = worth(board, things, rows, depth + 1, homes, weights)
            unmake(things, rows, depth + 1, eaten)
        else:
            if depth == 0:
                break
            value, whole = stack.best[depth], stack.whole[depth]
            unmake(things, rows, depth, stack.eaten[depth])
            depth -= 1
            seat = seat - 1 if seat else round - 1
        weigh(stack, depth, seats.layer[seat], value, whole)
    best = -1 if seats.layer[first] == CHANCE else action(board, rows, 0, seats.agent[first], stack.chosen[0])
    return Counts(stack.best[0], stack.whole[0], best, leaves, expanded, generated, 0, deepest, True)


@folded
def place(rows: Array, root: Root) -> None:
    for field in range(root.row.size):
        rows[0, field] = root.row[field]


@folded
def enter(board: Board, seats: Seats, stack: Block, depth: int, seat: int) -> None:
    """Enters a node that has successors."""
    agent = seats.agent[seat]
    stack.options[depth] = options(board, stack.rows, depth, agent)
    stack.tried[depth] = 0
    stack.chosen[depth] = -1
    stack.best[depth] = 0.0
    stack.whole[depth] = False
    if seats.layer[seat] == CHANCE:
        chances(board, stack.rows, depth, agent, seats.mass[seat], stack.chance)


@folded
def weigh(stack: Block, depth: int, layer: int, value: float, whole: bool) -> None:
    """The value of the successor that was tried last, for the node above it. The first best wins a tie."""
    choice = stack.tried[depth] - 1
    if layer == CHANCE:
        stack.best[depth] += stack.chance[depth, choice] * value
    elif choice == 0 or (value > stack.best[depth] if layer == MAX else value < stack.best[depth]):
        stack.best[depth] = value
        stack.whole[depth] = whole
        stack.chosen[depth] = choice


@compiled
def alphabeta(
    board: Board, seats: Seats, first: int, root: Root, stack: Block, plies: int, weights: Array, strict: bool
) -> Counts:
    """`pacman.search.alphabeta`, with the whole window at the root."""
    rows, things, homes, round = stack.rows, root.things, root.homes, seats.agent.size
    place(rows, root)
    if plies == 0 or rows[0, OUTCOME]:
        return Counts(worth(board, things, rows, 0, homes, weights), True, -1, 1, 0, 0, 0, 0, True)
    leaves, expanded, generated, cutoffs, deepest = 0, 1, 0, 0, 1
    depth, seat = 0, first
    enter(board, seats, stack, depth, seat)
    stack.alpha[0], stack.beta[0] = -inf, inf
    while True:
        agent = seats.agent[seat]
        if stack.tried[depth] < stack.options[depth]:
            choice = stack.tried[depth]
            stack.tried[depth] = choice + 1
            generated += 1
            deepest = max(deepest, depth + 1)
            eaten = make(board, homes, things, rows, depth, agent, choice)
            if depth + 1 < plies and not rows[depth + 1, OUTCOME]:
                # One outcome does not bound a mean: below a CHANCE node the window is open again.
                chance = seats.layer[seat] == CHANCE
                stack.alpha[depth + 1] = -inf if chance else stack.alpha[depth]
                stack.beta[depth + 1] = inf if chance else stack.beta[depth]
                stack.eaten[depth + 1] = eaten
                expanded += 1
                depth += 1
                seat = seat + 1 if seat + 1 < round else 0
                enter(board, seats, stack, depth, seat)
                continue
            leaves += 1
            whole = True
            value = worth(board, things, rows, depth + 1, homes, weights)
            unmake(things, rows, depth + 1, eaten)
        else:
            if depth == 0:
                break
            value, whole = stack.best[depth], stack.whole[depth]
            unmake(things, rows, depth, stack.eaten[depth])
            depth -= 1
            seat = seat - 1 if seat else round - 1
        weigh(stack, depth, seats.layer[seat], value, whole)
        cutoffs += narrow(stack, depth, seats.layer[seat], value, strict)
    best = -1 if seats.layer[first] == CHANCE else action(board, rows, 0, seats.agent[first], stack.chosen[0])
    return Counts(stack.best[0], stack.whole[0], best, leaves, expanded, generated, cutoffs, deepest, True)


@folded
def narrow(stack: Block, depth: int, layer: int, value: float, strict: bool) -> int:
    """Moves the window of a MAX or MIN node, and leaves out its other actions once the window is empty.

    1 if there were any.
    """
    if layer == CHANCE:
        return 0
    if layer == MAX:
        stack.alpha[depth] = max(stack.alpha[depth], value)
    else:
        stack.beta[depth] = min(stack.beta[depth], value)
    if stack.alpha[depth] > stack.beta[depth] or (stack.alpha[depth] == stack.beta[depth] and not strict):
        left = stack.options[depth] - stack.tried[depth]
        stack.options[depth] = stack.tried[depth]
        return 1 if left else 0
    return 0
