"""The arrays of the compiled code, with their shapes and types. This file does not need numba.

`cells` are numbered in the order of `maze.floor`, `stands` as in `Tables.stands`. `ghosts` is the number of ghosts.
All arrays of a search exist before it starts, since compiled code makes no arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pacman.compiled.constants import WIDEST

Bytes = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.int16]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

Agent = int
"""0 is Pacman; 1 to k are the ghosts."""
Choice = int
"""The index of an action among the legal actions of the mover."""


class BoardTables(NamedTuple):
    """The moves of one maze. A row of actions starts with the legal actions in their order; the rest is -1."""

    pacman_count: Ints  # (cells): the number of actions
    pacman_action: Ints  # (cells, 5): the numbers of the actions
    pacman_after: Ints  # (cells, 5): the cell that each action leads to
    ghost_count: Ints  # (stands)
    ghost_action: Ints  # (stands, 4)
    ghost_after: Ints  # (3, stands, 4): the stand that each action leads to, for a LIVE, SCARED and RECOVERING ghost
    ghost_touch: Ints  # (stands, 2): the cells where the ghost meets Pacman; twice the same cell on a whole cell
    ghost_place: Ints  # (stands, 2): x and y in half cells
    cell_place: Ints  # (cells, 2): x and y in half cells
    distance: Shorts  # (cells, cells): the number of steps; -1 if there is no path
    nearest: Shorts  # (cells, cells): all cells that a path from this cell reaches, the nearest first; the rest is -1


class Turns(NamedTuple):
    """The mover of every ply."""

    agent: Ints  # (plies)
    layer: Ints  # (plies): MAX, CHANCE or MIN
    mass: Floats  # (plies): the mass of a directional ghost, UNIFORM for any other mover


class Position(NamedTuple):
    """A position and its descendants: one row per ply. `items` belong to the deepest row."""

    board: BoardTables
    rows: Ints  # (plies + 1, GHOSTS + 2 * ghosts)
    items: Bytes  # (cells): NOTHING, FOOD or CAPSULE
    homes: Ints  # (ghosts): the stand to which each ghost returns when Pacman eats it
    chance: Floats  # (plies + 1, WIDEST): the probability of each action of a CHANCE node
    walk: Ints  # (3, WALK + 1): on a walk of `natural_bounds`: its cells, actions tried, and 1 where it ate


class SearchStack(NamedTuple):
    """The data that a search stores for each node on its path: one row per ply."""

    action_count: Longs  # (plies + 1): the number of legal actions
    next_choice: Longs  # (plies + 1): the index of the next action to follow
    eaten: Longs  # (plies + 1): what Pacman ate in the move to this node
    best_choice: Longs  # (plies + 1): the index of the best action so far, plus IS_SCORE if its value is a leaf's score
    value: Floats  # (plies + 1): the value of that action; at a CHANCE node, the sum so far
    alpha: Floats  # (plies + 1): the window of the node
    beta: Floats  # (plies + 1)
    child_alpha: Floats  # (plies + 1): the window for the search of the current successor
    child_beta: Floats  # (plies + 1)
    lo: Floats  # (plies + 1, WIDEST): the bounds of each outcome of a CHANCE node
    hi: Floats  # (plies + 1, WIDEST)

    @classmethod
    def of(cls, plies: int) -> SearchStack:
        """An empty stack for a search of at most `plies` plies."""
        fields: dict[str, Any] = {name: np.zeros(plies + 1) for name in cls._fields}
        integers = ("action_count", "next_choice", "eaten", "best_choice")
        fields |= {name: np.zeros(plies + 1, np.int64) for name in integers}
        return cls(**fields | {name: np.zeros((plies + 1, WIDEST)) for name in ("lo", "hi")})


class SearchSettings(NamedTuple):
    """The options of a search. Every value lies in [low, high], or in the natural bounds if `moves` is not empty."""

    low: float
    high: float
    moves: Ints  # (plies + 1, agents): the moves that each agent has left at each depth; empty: no natural bounds
    bounds_are_scores: bool  # the bounds are whole numbers, as scores are
    strict: bool  # alpha-beta cuts only when alpha > beta, not when they are equal


class SearchWork(NamedTuple):
    """All arrays of a search. Row 0 of the position is the root; a search does not change it."""

    position: Position
    turns: Turns
    stack: SearchStack
    weights: Floats  # (9): the weights of a `Linear`; (0): the evaluation is the score
    settings: SearchSettings
    counts: Longs  # (COUNTS): the counts of the search


class SearchAnswer(NamedTuple):
    """The result of a search. `action` is a number, or -1 if nobody chose.

    `is_score` is True if `value` is the score of a leaf. If `is_within_bounds` is False, a leaf lay outside its bounds:
    ignore the other fields.
    """

    value: float
    is_score: bool
    action: int
    is_within_bounds: bool
