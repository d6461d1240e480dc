"""The arrays of the compiled searches, and how a maze, a round and a position become arrays. Needs no numba.

Cells are numbered in the order of `maze.floor`. A ghost's stand is its place, in half cells, and its direction, without
its timer. All moves come from the poses of `pacman.core.rules`, so the rules are written only once. All arrays of a
search exist before it starts, since compiled code makes no arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pacman.compiled import NEARNESS, NotSupported, hunted
from pacman.core.layout import Maze, cells
from pacman.core.rounds import RANDOM, GhostModel, Round
from pacman.core.rules import STEPS, GhostPose, Poses
from pacman.core.state import LOST, PLAYING, WON, GameState
from pacman.core.tree import Layer, score
from pacman.search.algorithms import Options
from pacman.search.bounds import ConstantBounds

Bytes = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.int16]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MOST_CELLS = 1024
MOST_GHOSTS = 8
LARGEST = 1 << 30
"""The largest absolute score or timer. A search can add its points to it without leaving 32 bits."""

# A position is one row of numbers: first these fields, then the stand and the timer of each ghost.
CELL, LEFT, SCORE, OUTCOME, GHOSTS = range(5)
NOTHING, FOOD, CAPSULE = range(3)
MAX, CHANCE, MIN = range(3)
LIVE, SCARED, RECOVERING = range(3)
"""How a ghost moves: LIVE a whole cell, SCARED half a cell, RECOVERING half a cell and then to a whole cell."""
UNIFORM = -1.0
"""The mass of a ghost that is not directional."""
WIDEST = 5
"""The largest number of actions that an agent can have."""
IS_SCORE = 8
"""A bit next to the index of an action: the value of the action is the score of a leaf."""
ACTIONS = tuple(STEPS)
"""All actions; the number of an action is its index here."""
LAYERS = {Layer.MAX: MAX, Layer.CHANCE: CHANCE, Layer.MIN: MIN}


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


class Position(NamedTuple):
    """A position and its descendants: one row per ply. `items` belong to the deepest row."""

    board: BoardTables
    rows: Ints  # (plies + 1, GHOSTS + 2 * ghosts)
    items: Bytes  # (cells): NOTHING, FOOD or CAPSULE
    homes: Ints  # (ghosts): the stand to which each ghost returns when Pacman eats it
    chance: Floats  # (plies + 1, WIDEST): the probability of each action of a CHANCE node


class Turns(NamedTuple):
    """The mover of every ply."""

    agent: Ints  # (plies): 0 is Pacman; 1 to k are the ghosts
    layer: Ints  # (plies): MAX, CHANCE or MIN
    mass: Floats  # (plies): the mass of a directional ghost, UNIFORM for any other mover


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
        fields |= {name: np.zeros(plies + 1, np.int64) for name in cls._fields[:4]}
        return cls(**fields | {name: np.zeros((plies + 1, WIDEST)) for name in ("lo", "hi")})


class Settings(NamedTuple):
    """The options of a search. Every value lies in [low, high]."""

    nearness: float  # the weight of a step in `hunted`; 0: the evaluation is the score
    strict: bool  # alpha-beta cuts only when alpha > beta, not when they are equal
    low: float
    high: float
    bounds_are_scores: bool  # the bounds are whole numbers, as scores are


class SearchWork(NamedTuple):
    """All arrays of a search. Row 0 of the position is the root; a search does not change it."""

    position: Position
    turns: Turns
    stack: SearchStack
    settings: Settings


class SearchAnswer(NamedTuple):
    """The result of a search and its counts. If a leaf lay outside its bounds, ignore the other fields."""

    value: float
    is_score: bool  # `value` is the score of a leaf
    action: int  # its number, or -1 if nobody chose
    is_within_bounds: bool
    leaves: int
    expanded: int
    generated: int
    cutoffs: int
    depth: int


class Tables:
    """The board of one maze, and the numbers of its cells and stands. NotSupported for too large a maze."""

    def __init__(self, maze: Maze) -> None:
        if len(maze.floor) > MOST_CELLS:
            raise NotSupported
        self.cells = {cell: number for number, cell in enumerate(maze.floor)}
        places = [(2 * x, 2 * y) for x, y in map(maze.position, maze.floor)]
        stands = [(place, direction) for place in places for direction in ACTIONS]
        floor = set(places)
        for x, y in places:
            for (dx, dy), directions in (((1, 0), ("West", "East")), ((0, 1), ("North", "South"))):
                if (x + 2 * dx, y + 2 * dy) in floor:
                    stands += [((x + dx, y + dy), direction) for direction in directions]
        self.stands = {stand: number for number, stand in enumerate(stands)}
        self.board = _board(maze, self.cells, self.stands)

    @classmethod
    @lru_cache(maxsize=16)
    def of(cls, maze: Maze) -> Tables:
        """The tables of a maze; those of the latest mazes are kept. NotSupported for too large a maze."""
        return cls(maze)

    def stand(self, ghost: GhostPose) -> int:
        """The number of a ghost's stand. NotSupported for a pose that no game leads to."""
        number = self.stands.get((ghost.place, ghost.direction))
        if number is None or (not ghost.timer and any(half % 2 for half in ghost.place)):
            raise NotSupported
        return number

    def position(self, state: GameState, plies: int) -> Position:
        """The arrays of a position, with rows for `plies` further positions. NotSupported for too large numbers."""
        outcome = WON if state.is_win else LOST if state.is_lose else PLAYING
        row = [self.cells[state.pacman.cell], state.food_left, state.score, outcome]
        for ghost in state.ghosts:
            row += [self.stand(ghost), ghost.timer]
        if len(state.ghosts) > MOST_GHOSTS or max(map(abs, row)) > LARGEST:
            raise NotSupported
        rows = np.zeros((plies + 1, len(row)), np.int32)
        rows[0] = row
        items = np.zeros(len(self.cells), np.uint8)
        for food, bits in ((CAPSULE, state.capsule_mask), (FOOD, state.food_mask)):
            items[np.array([self.cells[cell] for cell in cells(bits)], np.int32)] = food
        homes = np.array([self.stand(home) for home in state.homes], np.int32)
        return Position(self.board, rows, items, homes, np.zeros((plies + 1, WIDEST)))


def work(name: str, state: GameState, plies: int, options: Options) -> SearchWork:
    """The arrays of the compiled search with this name. NotSupported for what has no compiled form."""
    if options.order != "given" or options.evaluate not in (score, hunted):
        raise NotSupported
    nearness = NEARNESS if options.evaluate is hunted else 0.0
    settings = Settings(nearness, options.strict, -inf, inf, bounds_are_scores=False)
    if name == "star1":
        bounds = options.needed_bounds(name)
        if not isinstance(bounds, ConstantBounds):
            raise NotSupported
        are_scores = isinstance(bounds.low, int) and isinstance(bounds.high, int)
        settings = Settings(nearness, options.strict, float(bounds.low), float(bounds.high), are_scores)
    movers = turns(state.round, state.mover, plies)
    return SearchWork(Tables.of(state.maze).position(state, plies), movers, SearchStack.of(plies), settings)


def turns(round: Round, mover: int, plies: int) -> Turns:
    """The movers of the next `plies` plies, from the turn of `mover` on, and of the ply after them."""
    first, each = round.order.index(mover), [round.turns[agent] for agent in round.order]
    seats = np.arange(first, first + plies + 1) % len(each)
    return Turns(
        np.array(round.order, np.int32)[seats],
        np.array([LAYERS[turn.layer] for turn in each], np.int32)[seats],
        np.array([UNIFORM if turn.model is None else _mass(turn.model) for turn in each])[seats],
    )


def _mass(model: GhostModel) -> float:
    """The mass of a directional model, UNIFORM for a random or optimal one. NotSupported for any other model."""
    if model.mass is not None:
        return model.mass
    if model.layer is Layer.MIN or model == RANDOM:
        return UNIFORM
    raise NotSupported


def _board(maze: Maze, numbers: dict[int, int], stands: dict[tuple[tuple[int, int], str], int]) -> BoardTables:
    poses = Poses.of(maze)
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
    for cell, number in numbers.items():
        steps = maze.distances(cell)
        distance[number, [numbers[other] for other in steps]] = list(steps.values())
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
    )


def _padded(width: int, lists: Sequence[Iterable[int]]) -> Ints:
    """An array with one row per list; each row is filled with -1 up to `width`."""
    return np.array([[*entries, *[-1] * width][:width] for entries in lists], np.int32)
