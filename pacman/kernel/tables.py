"""A maze, a round and a position as arrays: what the compiled searches run over.

Everything is read off the poses of `pacman.core.rules`, so the rules are written down once. A ghost's stand is its
place, in half cells, and its direction; its timer is kept beside it.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from pacman.core.errors import InputError
from pacman.core.layers import GhostModel, Layer, Round, directional
from pacman.core.layout import Maze, cells
from pacman.core.natural_bounds import WALK
from pacman.core.rules import STEPS, GhostPose, Poses
from pacman.core.state import LOST, PLAYING, WON, GameState
from pacman.kernel import NotSupported
from pacman.kernel.arrays import Board, Ints, Position, Turns
from pacman.kernel.constants import CAPSULE, CHANCE, FOOD, LIVE, MAX, MIN, RECOVERING, SCARED, UNIFORM, WIDEST

MOST_CELLS = 1024
MOST_GHOSTS = 8
LARGEST = 1 << 30
"""The largest score or timer: with room for every point that a search can add in 32 bits."""

ACTIONS = tuple(STEPS)
"""An action's number is its place here."""
LAYERS = {Layer.MAX: MAX, Layer.CHANCE: CHANCE, Layer.MIN: MIN}


class Tables:
    """The board of one maze, and the numbers of its cells and stands."""

    _known: ClassVar[weakref.WeakKeyDictionary[Maze, Tables]] = weakref.WeakKeyDictionary()

    def __init__(self, maze: Maze) -> None:
        if len(maze.floor) > MOST_CELLS:
            raise NotSupported(f"the compiled kernel takes {MOST_CELLS} cells at most; this maze has {len(maze.floor)}")
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
        """The tables of a maze, made once. NotSupported for one that is too large."""
        tables = cls._known.get(maze)
        if tables is None:
            tables = cls._known[maze] = cls(maze)
        return tables

    def stand(self, ghost: GhostPose) -> int:
        """The number of a ghost's stand; NotSupported for one that no game leads to."""
        number = self.stands.get((ghost.place, ghost.direction))
        if number is None or (not ghost.timer and any(half % 2 for half in ghost.place)):
            raise NotSupported(f"the compiled kernel knows no stand {ghost!r}: no game leads to it")
        return number

    def position(self, state: GameState, plies: int) -> Position:
        """The arrays of a position, with room for those that `plies` moves make.

        NotSupported for more ghosts than `MOST_GHOSTS`, and for a score beyond `LARGEST`.
        """
        if len(state.ghosts) > MOST_GHOSTS:
            raise NotSupported(
                f"the compiled kernel takes {MOST_GHOSTS} ghosts at most; this position has {len(state.ghosts)}"
            )
        outcome = WON if state.is_win else LOST if state.is_lose else PLAYING
        row = [self.cells[state.pacman.cell], state.food_left, state.score, outcome]
        for ghost in state.ghosts:
            row += [self.stand(ghost), ghost.timer]
        if max(map(abs, row)) > LARGEST:
            raise NotSupported(f"the compiled kernel counts up to {LARGEST:,}; this position has {max(row, key=abs):,}")
        rows = np.zeros((plies + 1, len(row)), np.int32)
        rows[0] = row
        things = np.zeros(len(self.cells), np.uint8)
        things[self.numbers(state.capsule_mask)] = CAPSULE
        things[self.numbers(state.food_mask)] = FOOD
        homes = np.array([self.stand(home) for home in state.homes], np.int32)
        chance, walk = np.zeros((plies + 1, WIDEST)), np.zeros((3, WALK + 1), np.int32)
        return Position(self.board, rows, things, homes, chance, walk)

    def numbers(self, mask: int) -> Ints:
        """The numbers of the cells of a bit mask, ascending."""
        return np.array([self.cells[cell] for cell in cells(mask)], np.int32)


def turns(round: Round, mover: int, plies: int) -> Turns:
    """Who moves in `plies` plies from the turn of `mover` on, and in the one after them."""
    first, each = round.order.index(mover), [round.turns[agent] for agent in round.order]
    seats = np.arange(first, first + plies + 1) % len(each)
    return Turns(
        np.array(round.order, np.int32)[seats],
        np.array([LAYERS[turn.layer] for turn in each], np.int32)[seats],
        np.array([UNIFORM if turn.model is None else mass(turn.model) for turn in each])[seats],
    )


def mass(model: GhostModel) -> float:
    """A model's mass, UNIFORM if it has none. NotSupported for a CHANCE model with probabilities of its own."""
    if model.layer is Layer.MIN or model.name == "random":
        return UNIFORM
    try:
        found = 0.8 if model.name == "directional" else float(model.name.removeprefix("directional(").rstrip(")"))
        if directional(found) is model:
            return found
    except (ValueError, InputError):
        pass
    raise NotSupported(
        f"the compiled kernel knows no ghost '{model.name}': it takes random, directional and optimal ones"
    )


def _board(maze: Maze, poses: Poses, numbers: dict[int, int], stands: dict[tuple[tuple[int, int], str], int]) -> Board:
    pacmen = [poses.pacman(cell) for cell in numbers]
    ghosts = {(place, way): [poses.ghost(place, way, timer) for timer in (0, 2, 1)] for place, way in stands}
    touch = [[numbers[cell] for cell in (*one[0].touches, one[0].touches[0])[:2]] for one in ghosts.values()]
    after = np.full((3, len(stands), 4), -1, np.int32)
    for number, one in enumerate(ghosts.values()):
        half_way = any(half % 2 for half in one[0].place)
        for how in (SCARED, RECOVERING) if half_way else (LIVE, SCARED, RECOVERING):
            follow = (one[how].successors or one[how].compute_successors()).values()
            after[how, number, : len(follow)] = [stands[pose.place, pose.direction] for pose in follow]
    scared = [one[SCARED] for one in ghosts.values()]
    distance = np.full((len(numbers), len(numbers)), -1, np.int16)
    nearest = np.full((len(numbers), len(numbers)), -1, np.int16)
    for cell, number in numbers.items():
        walk = maze.distances(cell)
        distance[number, [numbers[there] for there in walk]] = list(walk.values())
        nearest[number, : len(walk)] = [numbers[there] for there in walk]  # a breadth-first walk: nearest first
    return Board(
        pacman_count=np.array([len(pose.successors or pose.compute_successors()) for pose in pacmen], np.int32),
        pacman_action=_filled(5, [map(ACTIONS.index, pose.successors) for pose in pacmen]),
        pacman_after=_filled(5, [[numbers[other.cell] for other in pose.successors.values()] for pose in pacmen]),
        ghost_count=np.array([len(pose.actions) for pose in scared], np.int32),
        ghost_action=_filled(4, [map(ACTIONS.index, pose.actions) for pose in scared]),
        ghost_after=after,
        ghost_touch=np.array(touch, np.int32),
        ghost_place=np.array([place for place, _ in stands], np.int32),
        cell_place=np.array([(2 * x, 2 * y) for x, y in map(maze.position, numbers)], np.int32),
        distance=distance,
        nearest=nearest,
    )


def _filled(width: int, lists: Sequence[Iterable[int]]) -> Ints:
    """A row for each list, -1 where it has no more."""
    return np.array([[*entries, *[-1] * width][:width] for entries in lists], np.int32)
