"""Converts a maze, a round and a position to the arrays of the compiled searches.

All moves come from the poses of `pacman.core.rules`, so the rules are written only once. A ghost's stand is its place,
in half cells, and its direction, without its timer.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from pacman.compiled import NotSupported
from pacman.compiled.arrays import BoardTables, Ints, Position, Turns
from pacman.compiled.constants import CAPSULE, CHANCE, FOOD, LIVE, MAX, MIN, RECOVERING, SCARED, UNIFORM, WIDEST
from pacman.core.layout import Maze, cells
from pacman.core.rounds import MODELS, RANDOM, GhostModel, Round
from pacman.core.rules import STEPS, GhostPose, Poses
from pacman.core.state import LOST, PLAYING, WON, GameState
from pacman.core.tree import Layer
from pacman.search.bounds import WALK

MOST_CELLS = 1024
MOST_GHOSTS = 8
LARGEST = 1 << 30
"""The largest absolute score or timer. A search can add its points to it without leaving 32 bits."""

ACTIONS = tuple(STEPS)
"""All actions; the number of an action is its index here."""
LAYERS = {Layer.MAX: MAX, Layer.CHANCE: CHANCE, Layer.MIN: MIN}


class Tables:
    """The board of one maze, and the numbers of its cells and stands. NotSupported for too large a maze."""

    _cache: ClassVar[weakref.WeakKeyDictionary[Maze, Tables]] = weakref.WeakKeyDictionary()

    def __init__(self, maze: Maze) -> None:
        if len(maze.floor) > MOST_CELLS:
            raise NotSupported(
                f"the compiled kernel supports at most {MOST_CELLS} cells; this maze has {len(maze.floor)}"
            )
        poses = Poses.of(maze)
        self.cells = {cell: number for number, cell in enumerate(maze.floor)}
        places = [(2 * x, 2 * y) for x, y in map(maze.position, maze.floor)]
        stands = [(place, direction) for place in places for direction in ACTIONS]
        floor = set(places)
        for x, y in places:
            for (dx, dy), directions in (((1, 0), ("West", "East")), ((0, 1), ("North", "South"))):
                if (x + 2 * dx, y + 2 * dy) in floor:
                    stands += [((x + dx, y + dy), direction) for direction in directions]
        self.stands = {stand: number for number, stand in enumerate(stands)}
        self.board = _board(maze, poses, self.cells, self.stands)

    @classmethod
    def of(cls, maze: Maze) -> Tables:
        """The tables of a maze; made once per maze, then cached. NotSupported for too large a maze."""
        tables = cls._cache.get(maze)
        if tables is None:
            tables = cls._cache[maze] = cls(maze)
        return tables

    def stand(self, ghost: GhostPose) -> int:
        """The number of a ghost's stand. NotSupported for a pose that no game leads to."""
        number = self.stands.get((ghost.place, ghost.direction))
        if number is None or (not ghost.timer and any(half % 2 for half in ghost.place)):
            raise NotSupported(f"the compiled kernel does not support the ghost {ghost!r}: no game leads to this pose")
        return number

    def position(self, state: GameState, plies: int) -> Position:
        """The arrays of a position, with rows for `plies` further positions.

        NotSupported for more than `MOST_GHOSTS` ghosts, and for a score beyond `LARGEST`.
        """
        if len(state.ghosts) > MOST_GHOSTS:
            raise NotSupported(
                f"the compiled kernel supports at most {MOST_GHOSTS} ghosts; this position has {len(state.ghosts)}"
            )
        outcome = WON if state.is_win else LOST if state.is_lose else PLAYING
        row = [self.cells[state.pacman.cell], state.food_left, state.score, outcome]
        for ghost in state.ghosts:
            row += [self.stand(ghost), ghost.timer]
        if max(map(abs, row)) > LARGEST:
            raise NotSupported(
                f"the compiled kernel supports numbers up to {LARGEST:,}; this position has {max(row, key=abs):,}"
            )
        rows = np.zeros((plies + 1, len(row)), np.int32)
        rows[0] = row
        items = np.zeros(len(self.cells), np.uint8)
        items[self.numbers(state.capsule_mask)] = CAPSULE
        items[self.numbers(state.food_mask)] = FOOD
        homes = np.array([self.stand(home) for home in state.homes], np.int32)
        chance, walk = np.zeros((plies + 1, WIDEST)), np.zeros((3, WALK + 1), np.int32)
        return Position(self.board, rows, items, homes, chance, walk)

    def numbers(self, mask: int) -> Ints:
        """The numbers of the cells in a bit mask, in ascending order."""
        return np.array([self.cells[cell] for cell in cells(mask)], np.int32)


def turns(round: Round, mover: int, plies: int) -> Turns:
    """The movers of the next `plies` plies, from the turn of `mover` on, and of the ply after them."""
    first, each = round.order.index(mover), [round.turns[agent] for agent in round.order]
    seats = np.arange(first, first + plies + 1) % len(each)
    return Turns(
        np.array(round.order, np.int32)[seats],
        np.array([LAYERS[turn.layer] for turn in each], np.int32)[seats],
        np.array([UNIFORM if turn.model is None else mass(turn.model) for turn in each])[seats],
    )


def mass(model: GhostModel) -> float:
    """The mass of a directional model, UNIFORM for a random or optimal one. NotSupported for any other model."""
    if model.mass is not None:
        return model.mass
    if model.layer is Layer.MIN or model == RANDOM:
        return UNIFORM
    raise NotSupported(f"the compiled kernel does not support the ghost '{model.name}'; supported: {', '.join(MODELS)}")


def _board(
    maze: Maze, poses: Poses, numbers: dict[int, int], stands: dict[tuple[tuple[int, int], str], int]
) -> BoardTables:
    pacmen = [poses.pacman(cell) for cell in numbers]
    # The three poses of each stand, by index LIVE, SCARED and RECOVERING.
    ghosts = [[poses.ghost(place, direction, timer) for timer in (0, 2, 1)] for place, direction in stands]
    touch = [[numbers[cell] for cell in (*three[0].touches, three[0].touches[0])[:2]] for three in ghosts]
    after = np.full((3, len(stands), 4), -1, np.int32)
    for number, three in enumerate(ghosts):
        is_half_way = any(half % 2 for half in three[0].place)
        for mode in (SCARED, RECOVERING) if is_half_way else (LIVE, SCARED, RECOVERING):
            successors = (three[mode].successors or three[mode].compute_successors()).values()
            after[mode, number, : len(successors)] = [stands[pose.place, pose.direction] for pose in successors]
    scared = [three[SCARED] for three in ghosts]
    distance = np.full((len(numbers), len(numbers)), -1, np.int16)
    nearest = np.full((len(numbers), len(numbers)), -1, np.int16)
    for cell, number in numbers.items():
        steps = maze.distances(cell)  # in breadth-first order: the nearest cells first
        distance[number, [numbers[other] for other in steps]] = list(steps.values())
        nearest[number, : len(steps)] = [numbers[other] for other in steps]
    return BoardTables(
        pacman_count=np.array([len(pose.successors or pose.compute_successors()) for pose in pacmen], np.int32),
        pacman_action=_padded(5, [map(ACTIONS.index, pose.successors) for pose in pacmen]),
        pacman_after=_padded(5, [[numbers[other.cell] for other in pose.successors.values()] for pose in pacmen]),
        ghost_count=np.array([len(pose.actions) for pose in scared], np.int32),
        ghost_action=_padded(4, [map(ACTIONS.index, pose.actions) for pose in scared]),
        ghost_after=after,
        ghost_touch=np.array(touch, np.int32),
        ghost_place=np.array([place for place, _ in stands], np.int32),
        cell_place=np.array([(2 * x, 2 * y) for x, y in map(maze.position, numbers)], np.int32),
        distance=distance,
        nearest=nearest,
    )


def _padded(width: int, lists: Sequence[Iterable[int]]) -> Ints:
    """An array with one row per list; each row is filled with -1 up to `width`."""
    return np.array([[*entries, *[-1] * width][:width] for entries in lists], np.int32)
