"""The stack of a compiled search: one block of memory, made beforehand, with a row a ply in each of its arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pacman.core.bounds import WALK
from pacman.kernel.jit import folded
from pacman.kernel.moves import chances, options
from pacman.kernel.tables import CHANCE, MAX, Array, Board, Root, Seats

WIDEST = 5
"""The most actions that anybody has."""
WHOLE = 8
"""A bit beside the place of an action: the value that it earns is the score of a leaf."""


class Block(NamedTuple):
    """The stack of a search: one row a ply.

    `rows` are positions; `options` and `tried` how many actions there are, and were followed; `eaten` what the move
    to here ate; `best` the value of the best action so far (at a CHANCE node, the sum so far), and `chosen` its place,
    plus WHOLE if that value is the score of a leaf and no mean. `chance`, and for each outcome `lo` and `hi`, are a
    CHANCE node's; (`alpha`, `beta`) is a node's window, and (`below`, `above`) the one that its outcome in hand was
    searched with. `walk` is room for the natural bounds.
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
    walk: Array


def block(width: int, plies: int) -> Block:
    """The memory of a search `plies` deep over positions of `width` numbers."""
    depth = plies + 1
    fields: dict[str, Array] = {name: np.zeros(depth) for name in Block._fields}
    fields |= {name: np.zeros(depth, np.int32) for name in ("options", "tried", "eaten", "chosen")}
    fields |= {name: np.zeros((depth, WIDEST)) for name in ("chance", "lo", "hi")}
    fields |= {"walk": np.zeros((3, WALK + 1), np.int32)}
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
    stack.chosen[depth] = 0
    stack.best[depth] = 0.0
    if seats.layer[seat] == CHANCE:
        chances(board, stack.rows, depth, agent, seats.mass[seat], stack.chance)


@folded
def weigh(stack: Block, depth: int, layer: int, value: float, whole: int) -> None:
    """The value of the successor that was tried last, for the node above it. The first best wins a tie."""
    choice = stack.tried[depth] - 1
    if layer == CHANCE:
        stack.best[depth] += stack.chance[depth, choice] * value
    elif choice == 0 or (value > stack.best[depth] if layer == MAX else value < stack.best[depth]):
        stack.best[depth] = value
        stack.chosen[depth] = choice | whole


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
