"""Every array that the compiled code works over, with its shape and its type. Nothing here needs numba.

`cells` are numbered in the order of `maze.floor`, `stands` as in `Tables.stands`; `ghosts` is how many there are.
What a search works over is made before it starts, since compiled code makes no arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pacman.kernel.constants import WIDEST

Bytes = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.int16]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]

Agent = int
"""0 is Pacman, 1 to k the ghosts."""
Choice = int
"""The place of an action among the legal ones of the mover."""


class Board(NamedTuple):
    """The moves of one maze. Rows of actions are filled from the left in the order of the legal actions, then -1."""

    pacman_count: Ints  # (cells): how many actions
    pacman_action: Ints  # (cells, 5): the actions' numbers
    pacman_after: Ints  # (cells, 5): the cell that each leads to
    ghost_count: Ints  # (stands)
    ghost_action: Ints  # (stands, 4)
    ghost_after: Ints  # (3, stands, 4): the stand that each leads to, for a LIVE, SCARED and RECOVERING ghost
    ghost_touch: Ints  # (stands, 2): the cells on which it meets Pacman, twice the same on a whole cell
    ghost_place: Ints  # (stands, 2): x and y in half cells
    cell_place: Ints  # (cells, 2): x and y in half cells
    distance: Shorts  # (cells, cells): steps of a walk, -1 where there is none
    nearest: Shorts  # (cells, cells): the cells that a walk from here reaches, the nearest first, then -1


class Turns(NamedTuple):
    """Who moves, ply by ply."""

    agent: Ints  # (plies)
    layer: Ints  # (plies): MAX, CHANCE or MIN
    mass: Floats  # (plies): of a directional ghost, else UNIFORM


class Position(NamedTuple):
    """A position, and those that moves make from it: one row a ply, while `things` are those of the deepest."""

    board: Board
    rows: Ints  # (plies + 1, GHOSTS + 2 * ghosts)
    things: Bytes  # (cells): NOTHING, FOOD or CAPSULE
    homes: Ints  # (ghosts): each ghost's stand when it was eaten
    chance: Floats  # (plies + 1, WIDEST): of a CHANCE node, the probability of each action
    walk: Ints  # (3, WALK + 1): cells, ways tried and what was eaten on the walk of `bounds.natural`


class Stack(NamedTuple):
    """What a search keeps of each node on its path, a row a ply."""

    options: Longs  # (plies + 1): how many actions there are
    tried: Longs  # (plies + 1): how many were followed
    eaten: Longs  # (plies + 1): what the move to here ate
    chosen: Longs  # (plies + 1): the place of the best action so far, plus WHOLE if its value is the score of a leaf
    best: Floats  # (plies + 1): its value; at a CHANCE node, the sum so far
    alpha: Floats  # (plies + 1): the window of the node
    beta: Floats  # (plies + 1)
    below: Floats  # (plies + 1): the window that its successor in hand was searched with
    above: Floats  # (plies + 1)
    lo: Floats  # (plies + 1, WIDEST): bounds on each outcome of a CHANCE node
    hi: Floats  # (plies + 1, WIDEST)

    @classmethod
    def of(cls, plies: int) -> Stack:
        fields: dict[str, Any] = {name: np.zeros(plies + 1) for name in cls._fields}
        fields |= {name: np.zeros(plies + 1, np.int64) for name in ("options", "tried", "eaten", "chosen")}
        return cls(**fields | {name: np.zeros((plies + 1, WIDEST)) for name in ("lo", "hi")})


class Terms(NamedTuple):
    """What a search is told. Every value lies in [low, high]: those bounds, or with `moves` the natural ones."""

    low: float
    high: float
    moves: Ints  # (plies + 1, agents): the moves that each agent has left at each depth; empty: no natural bounds
    whole: bool  # bounds are scores themselves
    strict: bool  # alpha-beta cuts when alpha > beta, and not already when they are equal


class Work(NamedTuple):
    """All that a search works over. Row 0 of the position is its root, which it leaves as it was."""

    position: Position
    turns: Turns
    stack: Stack
    weights: Floats  # (9) of a `Linear`; (0): the score
    terms: Terms
    counts: Longs  # (FILLED + 1): what the search touched


class Answer(NamedTuple):
    """What a search found: `action` is a number, -1 where nobody chose.

    `whole` says that `value` is the score of a leaf; `fits` is False when a leaf lay outside its bounds; `room` is
    False when Star2's table of nodes was too small. Without either nothing else counts.
    """

    value: float
    whole: bool
    action: int
    fits: bool
    room: bool


class Probes(NamedTuple):
    """What Star2's probes have found, ply by ply; how its nodes stand; and the inner nodes that were met.

    A tree has one number for each node: the `WIDEST` successors of node n are WIDEST * n + 1 and those after it.
    Nodes of the whole game tree are numbered in the same way.
    """

    asked: int  # in each of `turns` turns every outcome is asked for so many of its moves
    turns: int
    lo: Floats  # (plies + 2, tree): an interval for each node of the ply's tree
    hi: Floats  # (plies + 2, tree)
    state: Bytes  # (plies + 2, tree): UNKNOWN, MADE or KNOWN
    doing: Longs  # (plies + 2): SEARCH, PROBE, JOIN, ASK or SETTLE
    tree: Longs  # (plies + 2): the row of the node's tree, -1 if it belongs to none
    place: Longs  # (plies + 2): its number there
    above: Longs  # (plies + 2): 1 if it pays to bound the outcomes from above, by MIN's moves
    below: Longs  # (plies + 2): 1 if it pays to bound them from below, by MAX's
    turn: Longs  # (plies + 2): turns of probes that are over
    before: Longs  # (plies + 2): the successors made when the probe began
    number: Longs  # (plies + 2): the node's number in the game tree
    seen: Longs  # (plies + 2): its place in `keys` and `bits`
    keys: Longs  # (a power of two): a hash table of node numbers plus one
    bits: Ints  # (a power of two): which successors were entered, searched and made

    @classmethod
    def of(cls, plies: int, chance_layers: int, asked: int, turns: int, size: int) -> Probes:
        """For a search where up to `chance_layers` CHANCE nodes come in a row, with room for `size` nodes."""
        shape = plies + 2, (WIDEST ** (chance_layers + 2) - 1) // (WIDEST - 1)
        fields: dict[str, Any] = {name: np.zeros(plies + 2, np.int64) for name in cls._fields}
        fields |= {"asked": asked, "turns": turns, "keys": np.zeros(size, np.int64), "bits": np.zeros(size, np.int32)}
        return cls(**fields | {"lo": np.zeros(shape), "hi": np.zeros(shape), "state": np.zeros(shape, np.uint8)})


class Match(NamedTuple):
    """What the games of one plan need. Pacman's `Work` and the ghosts' share everything but turns and weights."""

    row: Ints  # (GHOSTS + 2 * ghosts): how each game begins
    things: Bytes  # (cells)
    policy: Ints  # (agents): RANDOM, GREEDY, REFLEX, ALPHABETA or EXHAUSTIVE
    plies: Ints  # (agents): how far it looks
    pacman: Work  # its turns are those that he assumes
    ghosts: Work  # its turns are those that are played
    keys: Words  # (agents): where each agent's random stream begins
    counters: Words  # (agents): how many numbers were drawn from it


class Played(NamedTuple):
    """How each game ended."""

    outcome: Ints  # (games): PLAYING if it was truncated, WON or LOST
    score: Ints  # (games)
    plies: Ints  # (games)


class Graph(NamedTuple):
    """Every position of a board by number, in the order of a breadth-first walk, and its edges.

    The edges of position s are `start[s]` to `start[s + 1]`, in the order of its actions.
    """

    food: Ints  # the cells with food at the start: a digit each in a position's key
    capsules: Ints  # the cells with a capsule at the start
    layers: Ints  # (agents): MAX, CHANCE or MIN, by seat
    keys: Longs  # (states)
    slots: Ints  # (a power of two): a hash table of position numbers plus one, by key
    high: Floats  # (states): what no play from here can beat
    start: Ints  # (states + 1)
    follow: Ints  # (edges): the position that an edge leads to; WIN or LOSS at an end
    points: Shorts  # (edges): what it earns
    chance: Floats  # (edges): its probability; (0) if every ghost that is drawn is uniform
