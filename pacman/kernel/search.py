"""The searches, compiled: by make and unmake, with the stack in one block of memory that is made beforehand.

Each is the readable search of the same name in `pacman.search`, which says what it must return: the same value to
the last bit, the same action, and the same nodes. A ply of the stack is one row in each array of `Block`.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from pacman.kernel.jit import compiled, folded
from pacman.kernel.moves import action, chances, make, options, unmake, worth
from pacman.kernel.tables import CHANCE, MAX, MIN, OUTCOME, Array, Board, Root, Seats

WIDEST = 5
"""The most actions that anybody has."""


class Block(NamedTuple):
    """The stack of a search: one row a ply.

    `rows` are positions; `options` and `tried` how many actions there are, and were followed; `eaten` what the move
    to here ate; `chosen` the place of the best action so far and `best` its value (at a CHANCE node, the sum so far).
    `chance`, and for each outcome `lo` and `hi`, are a CHANCE node's; (`alpha`, `beta`) is a node's window, and
    (`below`, `above`) the one that its outcome in hand was searched with.
    """

    rows: Array
    options: Array
    tried: Array
    eaten: Array
    chosen: Array
    best: Array
    chance: Array
    lo: Array
    hi: Array
    alpha: Array
    beta: Array
    below: Array
    above: Array


def block(width: int, plies: int) -> Block:
    """The memory of a search `plies` deep over positions of `width` numbers."""
    depth = plies + 1
    fields: dict[str, Array] = {name: np.zeros(depth) for name in Block._fields}
    fields |= {name: np.zeros(depth, np.int32) for name in ("options", "tried", "eaten", "chosen")}
    fields |= {name: np.zeros((depth, WIDEST)) for name in ("chance", "lo", "hi")}
    fields |= {"rows": np.zeros((depth, width), np.int32)}
    return Block(**fields)


class Counts(NamedTuple):
    """What a search found, and what it touched. `action` is -1 where nobody chose; `fits` is False when a leaf lay
    outside its bounds."""

    value: float
    action: int
    leaves: int
    expanded: int
    generated: int
    fits: bool


@compiled
def exhaustive(board: Board, seats: Seats, first: int, root: Root, stack: Block, plies: int, weights: Array) -> Counts:
    """`pacman.search.exhaustive`."""
    rows, things, homes, round = stack.rows, root.things, root.homes, seats.agent.size
    _place(rows, root)
    if plies == 0 or rows[0, OUTCOME]:
        return Counts(worth(board, things, rows, 0, homes, weights), -1, 1, 0, 0, True)
    leaves, expanded, generated = 0, 1, 0
    depth, seat = 0, first
    _open(board, seats, stack, depth, seat)
    while True:
        agent = seats.agent[seat]
        if stack.tried[depth] < stack.options[depth]:
            choice = stack.tried[depth]
            stack.tried[depth] = choice + 1
            generated += 1
            eaten = make(board, homes, things, rows, depth, agent, choice)
            if depth + 1 < plies and not rows[depth + 1, OUTCOME]:
                stack.eaten[depth + 1] = eaten
                expanded += 1
                depth += 1
                seat = seat + 1 if seat + 1 < round else 0
                _open(board, seats, stack, depth, seat)
                continue
            leaves += 1
            value = worth(board, things, rows, depth + 1, homes, weights)
            unmake(things, rows, depth + 1, eaten)
        else:
            if depth == 0:
                break
            value = stack.best[depth]
            unmake(things, rows, depth, stack.eaten[depth])
            depth -= 1
            seat = seat - 1 if seat else round - 1
        _weigh(stack, depth, seats.layer[seat], value)
    best = -1 if seats.layer[first] == CHANCE else action(board, rows, 0, seats.agent[first], stack.chosen[0])
    return Counts(stack.best[0], best, leaves, expanded, generated, True)


@folded
def _place(rows: Array, root: Root) -> None:
    for field in range(root.row.size):
        rows[0, field] = root.row[field]


@folded
def _open(board: Board, seats: Seats, stack: Block, depth: int, seat: int) -> None:
    """Enters a node that has successors."""
    agent = seats.agent[seat]
    stack.options[depth] = options(board, stack.rows, depth, agent)
    stack.tried[depth] = 0
    stack.chosen[depth] = -1
    stack.best[depth] = 0.0
    if seats.layer[seat] == CHANCE:
        chances(board, stack.rows, depth, agent, seats.mass[seat], stack.chance)


@folded
def _weigh(stack: Block, depth: int, layer: int, value: float) -> None:
    """The value of the successor that was tried last, for the node above it. The first best wins a tie."""
    choice = stack.tried[depth] - 1
    if layer == CHANCE:
        stack.best[depth] += stack.chance[depth, choice] * value
    elif choice == 0 or (value > stack.best[depth] if layer == MAX else value < stack.best[depth]):
        stack.best[depth] = value
        stack.chosen[depth] = choice


@compiled
def alphabeta(
    board: Board, seats: Seats, first: int, root: Root, stack: Block, plies: int, weights: Array, strict: bool
) -> Counts:
    """`pacman.search.alphabeta`, with the whole window at the root."""
    rows, things, homes, round = stack.rows, root.things, root.homes, seats.agent.size
    _place(rows, root)
    if plies == 0 or rows[0, OUTCOME]:
        return Counts(worth(board, things, rows, 0, homes, weights), -1, 1, 0, 0, True)
    leaves, expanded, generated = 0, 1, 0
    depth, seat = 0, first
    _open(board, seats, stack, depth, seat)
    stack.alpha[0], stack.beta[0] = -inf, inf
    while True:
        agent = seats.agent[seat]
        if stack.tried[depth] < stack.options[depth]:
            choice = stack.tried[depth]
            stack.tried[depth] = choice + 1
            generated += 1
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
                _open(board, seats, stack, depth, seat)
                continue
            leaves += 1
            value = worth(board, things, rows, depth + 1, homes, weights)
            unmake(things, rows, depth + 1, eaten)
        else:
            if depth == 0:
                break
            value = stack.best[depth]
            unmake(things, rows, depth, stack.eaten[depth])
            depth -= 1
            seat = seat - 1 if seat else round - 1
        _weigh(stack, depth, seats.layer[seat], value)
        _narrow(stack, depth, seats.layer[seat], value, strict)
    best = -1 if seats.layer[first] == CHANCE else action(board, rows, 0, seats.agent[first], stack.chosen[0])
    return Counts(stack.best[0], best, leaves, expanded, generated, True)


@folded
def _narrow(stack: Block, depth: int, layer: int, value: float, strict: bool) -> None:
    """Moves the window of a MAX or MIN node, and leaves out its other actions once the window is empty."""
    if layer == CHANCE:
        return
    if layer == MAX:
        stack.alpha[depth] = max(stack.alpha[depth], value)
    else:
        stack.beta[depth] = min(stack.beta[depth], value)
    if stack.alpha[depth] > stack.beta[depth] or (stack.alpha[depth] == stack.beta[depth] and not strict):
        stack.options[depth] = stack.tried[depth]


@compiled
def star1(
    board: Board,
    seats: Seats,
    first: int,
    root: Root,
    stack: Block,
    plies: int,
    weights: Array,
    low: float,
    high: float,
) -> Counts:
    """`pacman.search.star1`, with the whole window at the root and bounds [low, high] everywhere."""
    rows, things, homes, round = stack.rows, root.things, root.homes, seats.agent.size
    _place(rows, root)
    if plies == 0 or rows[0, OUTCOME]:
        value = worth(board, things, rows, 0, homes, weights)
        return Counts(value, -1, 1, 0, 0, low <= value <= high)
    leaves, expanded, generated, fits = 0, 1, 0, True
    depth, seat = 0, first
    _open(board, seats, stack, depth, seat)
    _enclose(stack, 0, seats.layer[first], -inf, inf, low, high)
    while fits:
        agent, layer = seats.agent[seat], seats.layer[seat]
        if stack.tried[depth] < stack.options[depth]:
            choice = stack.tried[depth]
            stack.tried[depth] = choice + 1
            generated += 1
            eaten = make(board, homes, things, rows, depth, agent, choice)
            alpha, beta = stack.alpha[depth], stack.beta[depth]
            if layer == CHANCE:
                alpha, beta = _window(stack, depth, choice)
                stack.below[depth], stack.above[depth] = alpha, beta
            if depth + 1 == plies or rows[depth + 1, OUTCOME]:
                leaves += 1
                value = worth(board, things, rows, depth + 1, homes, weights)
                fits = low <= value <= high
                unmake(things, rows, depth + 1, eaten)
            elif high <= alpha:
                value = high
                unmake(things, rows, depth + 1, eaten)
            elif low >= beta:
                value = low
                unmake(things, rows, depth + 1, eaten)
            else:
                stack.eaten[depth + 1] = eaten
                expanded += 1
                depth += 1
                seat = seat + 1 if seat + 1 < round else 0
                _open(board, seats, stack, depth, seat)
                _enclose(stack, depth, seats.layer[seat], alpha, beta, low, high)
                continue
        else:
            if depth == 0:
                break
            value = stack.best[depth]
            unmake(things, rows, depth, stack.eaten[depth])
            depth -= 1
            seat = seat - 1 if seat else round - 1
        if seats.layer[seat] == CHANCE:
            _settle(stack, depth, value)
        else:
            _weigh(stack, depth, seats.layer[seat], value)
            _narrow(stack, depth, seats.layer[seat], value, False)
    while depth and not fits:  # it stopped in the middle: put everything back
        unmake(things, rows, depth, stack.eaten[depth])
        depth -= 1
    best = -1 if seats.layer[first] == CHANCE else action(board, rows, 0, seats.agent[first], stack.chosen[0])
    return Counts(stack.best[0], best, leaves, expanded, generated, fits)


@folded
def _enclose(stack: Block, depth: int, layer: int, alpha: float, beta: float, low: float, high: float) -> None:
    """A node's window. Nothing beats U for MAX or L for MIN: the first action that reaches it will do."""
    stack.alpha[depth] = max(alpha, low) if layer == MIN else alpha
    stack.beta[depth] = min(beta, high) if layer == MAX else beta
    if layer == CHANCE:
        for choice in range(stack.options[depth]):
            stack.lo[depth, choice] = low
            stack.hi[depth, choice] = high


@folded
def _settle(stack: Block, depth: int, value: float) -> None:
    """What the value of the outcome searched last tells of its CHANCE node, and whether that is enough."""
    choice, alpha, beta = stack.tried[depth] - 1, stack.below[depth], stack.above[depth]
    exact_below, exact_above = alpha <= stack.lo[depth, choice], beta >= stack.hi[depth, choice]
    if value > alpha or exact_below:
        stack.lo[depth, choice] = value
    if value < beta or exact_above:
        stack.hi[depth, choice] = value
    count = stack.options[depth]
    most, least = _sum(stack.chance, stack.hi, depth, count), _sum(stack.chance, stack.lo, depth, count)
    stack.best[depth] = most if most <= stack.alpha[depth] else least
    if most <= stack.alpha[depth] or least >= stack.beta[depth]:
        stack.tried[depth] = count


@folded
def _sum(chance: Array, bound: Array, depth: int, count: int) -> float:
    total = 0.0
    for choice in range(count):
        total += chance[depth, choice] * bound[depth, choice]
    return total


@folded
def _window(stack: Block, depth: int, choice: int) -> tuple[float, float]:
    """The window of one outcome of a CHANCE node: `pacman.search.star1.window`."""
    chance, los, his, count = stack.chance, stack.lo, stack.hi, stack.options[depth]
    lo, hi, p = los[depth, choice], his[depth, choice], chance[depth, choice]
    if p == 0:
        return lo, hi
    most, least = _sum(chance, his, depth, count), _sum(chance, los, depth, count)
    below = (stack.alpha[depth] - (most - p * hi)) / p
    step = -_ulp(max(abs(most), abs(hi)))
    while (below - lo) * step < 0:
        his[depth, choice] = below
        cuts = _sum(chance, his, depth, count) <= stack.alpha[depth]
        his[depth, choice] = hi
        if cuts:
            break
        below += step
        step *= 2
    above = (stack.beta[depth] - (least - p * lo)) / p
    step = _ulp(max(abs(least), abs(lo)))
    while (above - hi) * step < 0:
        los[depth, choice] = above
        cuts = _sum(chance, los, depth, count) >= stack.beta[depth]
        los[depth, choice] = lo
        if cuts:
            break
        above += step
        step *= 2
    return max(lo, below), min(hi, above)


@folded
def _ulp(value: float) -> float:
    """`math.ulp` of a number that is finite and not negative."""
    return float(np.nextafter(value, inf) - value)
