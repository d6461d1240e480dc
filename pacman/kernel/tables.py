"""A maze and a position as arrays: what the compiled searches run over.

Everything is read off the poses of `pacman.core.rules`, so the rules are written down once. Cells are numbered in the
order of `maze.floor`; a ghost's stand is its place, in half cells, and its direction; its timer is kept beside it.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from pacman.core.errors import InputError
from pacman.core.layers import GhostModel, Layer, Round, directional
from pacman.core.layout import Maze, cells
from pacman.core.rules import STEPS, GhostPose, Poses
from pacman.core.state import GameState
from pacman.kernel.unsuited import Unsuited

Array = npt.NDArray[Any]

MOST_CELLS = 1024
MOST_GHOSTS = 8
LARGEST = 1 << 30
"""The largest score or timer: with room for every point that a search can add in 32 bits."""
MOST_DRAWN = 4
"""The most CHANCE nodes in a row that Star2 takes: what it probes are trees of them."""
MOST_PLIES = 27
"""The most plies that Star2 takes: a node's number in the whole tree is to fit into 64 bits."""

ACTIONS = tuple(STEPS)
"""An action's number is its place here."""

LIVE, SCARED, RECOVERING = range(3)
"""How a ghost moves: a whole cell, half a cell, or half a cell and then onto a whole one."""

# A position is one row of numbers: these, then stand and timer of each ghost.
CELL, LEFT, SCORE, OUTCOME, GHOSTS = range(5)
NOTHING, FOOD, CAPSULE = range(3)
MAX, CHANCE, MIN = range(3)
LAYERS = {Layer.MAX: MAX, Layer.CHANCE: CHANCE, Layer.MIN: MIN}
RANDOM, GREEDY, REFLEX, ALPHABETA, EXHAUSTIVE = range(5)
"""How an agent of a compiled game chooses."""
UNIFORM = -1.0
"""The mass of a ghost that is not directional."""


class Board(NamedTuple):
    """The moves of one maze. Rows of actions are filled from the left, in the order of the legal actions.

    `ghost_after` has a table for each way to move: LIVE, SCARED, RECOVERING. Distances are steps of a walk, -1 where
    there is none; `nearest[cell]` lists the cells that a walk reaches, the nearest first, then -1.
    """

    pacman_count: Array
    pacman_action: Array
    pacman_after: Array
    ghost_count: Array
    ghost_action: Array
    ghost_after: Array
    ghost_touch: Array
    ghost_place: Array
    cell_place: Array
    distance: Array
    nearest: Array


class Seats(NamedTuple):
    """Who moves at each ply of a round: the agent, its layer, and for a directional ghost its mass."""

    agent: Array
    layer: Array
    mass: Array


class Root(NamedTuple):
    """A position: its row, what lies on each cell, and each ghost's stand at home."""

    row: Array
    things: Array
    homes: Array


class Terms(NamedTuple):
    """What a search is told. Bounds are [low, high] everywhere, or the `natural` ones of the score; they are scores
    themselves if `whole`. Alpha-beta cuts when alpha > beta if `strict`, and else already when they are equal.
    """

    strict: bool
    low: float
    high: float
    natural: bool
    whole: bool


PLAIN = Terms(strict=False, low=0.0, high=0.0, natural=False, whole=False)


class Tables:
    """The board of one maze, and the numbers of its cells and stands."""

    _known: ClassVar[weakref.WeakKeyDictionary[Maze, Tables]] = weakref.WeakKeyDictionary()

    def __init__(self, maze: Maze) -> None:
        if len(maze.floor) > MOST_CELLS:
            raise Unsuited(f"the compiled kernel takes {MOST_CELLS} cells at most; this maze has {len(maze.floor)}")
        poses = Poses.of(maze)
        self.cells = {cell: number for number, cell in enumerate(maze.floor)}
        places = [(2 * x, 2 * y) for x, y in map(maze.position, maze.floor)]
        stands = [(place, direction) for place in places for direction in ACTIONS]
        floor = set(places)
        for x, y in places:
            for (dx, dy), ways in (((1, 0), ("West", "East")), ((0, 1), ("North", "South"))):
                if (x + 2 * dx, y + 2 * dy) in floor:
                    stands += [((x + dx, y + dy), way) for way in ways]
        self.stands = {stand: number for number, stand in enumerate(stands)}
        self.board = _board(maze, poses, self.cells, self.stands)

    @classmethod
    def of(cls, maze: Maze) -> Tables:
        """The tables of a maze, made once. Unsuited for one that is too large."""
        tables = cls._known.get(maze)
        if tables is None:
            tables = cls._known[maze] = cls(maze)
        return tables

    def stand(self, ghost: GhostPose) -> int:
        """The number of a ghost's stand; Unsuited for one that no game leads to."""
        number = self.stands.get((ghost.place, ghost.direction))
        if number is None or (not ghost.timer and any(half % 2 for half in ghost.place)):
            raise Unsuited(f"the compiled kernel knows no stand {ghost!r}: no game leads to it")
        return number

    def root(self, state: GameState) -> Root:
        """The arrays of a position. Unsuited for more ghosts than `MOST_GHOSTS`, and for a score beyond `LARGEST`."""
        if len(state.ghosts) > MOST_GHOSTS:
            raise Unsuited(
                f"the compiled kernel takes {MOST_GHOSTS} ghosts at most; this position has {len(state.ghosts)}"
            )
        row = [0] * GHOSTS
        row[CELL] = self.cells[state.pacman.cell]
        row[LEFT] = state.food_left
        row[SCORE] = state.score
        row[OUTCOME] = 1 if state.is_win else 2 if state.is_lose else 0
        for ghost in state.ghosts:
            row += [self.stand(ghost), ghost.timer]
        if max(map(abs, row)) > LARGEST:
            raise Unsuited(f"the compiled kernel counts up to {LARGEST:,}; this position has {max(row, key=abs):,}")
        things = np.zeros(len(self.cells), np.uint8)
        for mask, what in ((state.capsule_mask, CAPSULE), (state.food_mask, FOOD)):
            things[[self.cells[cell] for cell in cells(mask)]] = what
        return Root(np.array(row, np.int32), things, np.array([self.stand(home) for home in state.homes], np.int32))


def seats(round: Round) -> Seats:
    """The seats of a round, in the order in which its agents move."""
    turns = [round.turns[agent] for agent in round.order]
    return Seats(
        np.array(round.order, np.int32),
        np.array([LAYERS[turn.layer] for turn in turns], np.int32),
        np.array([UNIFORM if turn.model is None else mass(turn.model) for turn in turns]),
    )


def mass(model: GhostModel) -> float:
    """A model's mass, UNIFORM if it has none. Unsuited for a CHANCE model with probabilities of its own."""
    if model.layer is Layer.MIN or model.name == "random":
        return UNIFORM
    try:
        found = 0.8 if model.name == "directional" else float(model.name.removeprefix("directional(").rstrip(")"))
        if directional(found) is model:
            return found
    except (ValueError, InputError):
        pass
    raise Unsuited(f"the compiled kernel knows no ghost '{model.name}': it takes random, directional and optimal ones")


def _board(maze: Maze, poses: Poses, numbers: dict[int, int], stands: dict[tuple[tuple[int, int], str], int]) -> Board:
    pacmen = [poses.pacman(cell) for cell in numbers]
    ghosts = {(place, way): [poses.ghost(place, way, timer) for timer in (0, 2, 1)] for place, way in stands}
    touch = [[numbers[cell] for cell in (*one[0].touches, one[0].touches[0])[:2]] for one in ghosts.values()]
    after = np.full((3, len(stands), 4), -1, np.int32)
    for number, one in enumerate(ghosts.values()):
        half_way = any(half % 2 for half in one[0].place)
        for how in (SCARED, RECOVERING) if half_way else (LIVE, SCARED, RECOVERING):
            follow = (one[how].after or one[how].look()).values()
            after[how, number, : len(follow)] = [stands[pose.place, pose.direction] for pose in follow]
    scared = [one[SCARED] for one in ghosts.values()]
    distance = np.full((len(numbers), len(numbers)), -1, np.int16)
    nearest = np.full((len(numbers), len(numbers)), -1, np.int16)
    for cell, number in numbers.items():
        walk = maze.distances(cell)
        distance[number, [numbers[there] for there in walk]] = list(walk.values())
        nearest[number, : len(walk)] = [numbers[there] for there in walk]  # a breadth-first walk: nearest first
    return Board(
        pacman_count=np.array([len(pose.after or pose.look()) for pose in pacmen], np.int32),
        pacman_action=_rows(pacmen, 5, lambda pose: [ACTIONS.index(action) for action in pose.after]),
        pacman_after=_rows(pacmen, 5, lambda pose: [numbers[other.cell] for other in pose.after.values()]),
        ghost_count=np.array([len(pose.actions) for pose in scared], np.int32),
        ghost_action=_rows(scared, 4, lambda pose: [ACTIONS.index(action) for action in pose.actions]),
        ghost_after=after,
        ghost_touch=np.array(touch, np.int32),
        ghost_place=np.array([place for place, _ in stands], np.int32),
        cell_place=np.array([(2 * x, 2 * y) for x, y in map(maze.position, numbers)], np.int32),
        distance=distance,
        nearest=nearest,
    )


def _rows(poses: Sequence[Any], width: int, entries: Any) -> Array:
    rows = np.full((len(poses), width), -1, np.int32)
    for number, pose in enumerate(poses):
        found = entries(pose)
        rows[number, : len(found)] = found
    return rows
