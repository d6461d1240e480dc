"""The exact value of every position of a small board, by value iteration from above with a proven error bound."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pacman.core.errors import InputError
from pacman.core.layout import AgentNumber, Cell, Mask
from pacman.core.rules import FOOD_POINTS, GHOST_POINTS, WIN_POINTS, GhostPose
from pacman.core.state import GameState
from pacman.core.tree import Layer

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Key = tuple[AgentNumber, Cell, tuple[GhostPose, ...], Mask, Mask]
"""What the points still to come depend on: all of a position but the score and Pacman's direction."""

MOST_SWEEPS = 20_000
CHANGE = 1e-12
"""The sweeps end when no value changes by more than this."""
ROUNDINGS = 8
"""An upper bound on the rounding error of one backup, in units in the last place.

A backup rounds at most twelve times, each time by at most half a unit: per outcome a sum, a product and a sum.
"""
WIN, LOSS = -2, -1
"""The targets of edges that end the game. An array of values has two entries for them behind those of the positions."""


class Level(NamedTuple):
    """The positions that the same number of plies reaches first, so that one agent moves in all, and their edges.

    No edge leads to a later level than the next one. The edges of each position are in the order of its actions.
    """

    layer: Layer
    positions: slice
    first: Ints  # (positions): the index of the first edge of each position
    target: Ints  # (edges): the number of the position that an edge leads to, or WIN or LOSS
    points: Floats  # (edges): what the move earns
    chance: Floats  # (edges): the probability of the move at a CHANCE level; 1 at any other

    def backup(self, values: Floats) -> Floats:
        """The value of each position, computed from the values of its successors."""
        worth = self.chance * (self.points + values[self.target])
        join = {Layer.MAX: np.maximum, Layer.MIN: np.minimum, Layer.CHANCE: np.add}[self.layer]
        return join.reduceat(worth, self.first)

    def greedy(self, values: Floats) -> Level:
        """The same positions with the edges of greedy play by `values`, the first one on a tie, and without points."""
        edges = np.arange(len(self.target))
        first = self.first
        if self.layer is not Layer.CHANCE:
            size = np.diff(first, append=len(edges))
            is_best = self.points + values[self.target] == np.repeat(self.backup(values), size)
            edges = np.minimum.reduceat(np.where(is_best, edges, len(edges)), first)
            first = np.arange(len(edges))
        return self._replace(
            first=first, target=self.target[edges], points=np.zeros(len(edges)), chance=self.chance[edges]
        )


@dataclass(frozen=True)
class Solution:
    """The value of each position that a game from `root` can reach, if Pacman and the MIN ghosts play perfectly.

    `values[n]` is the expected number of points still to come from position n, with an error of at most `error`.
    `wins[n]` is the probability that this play wins, with an error of at most `win_error`. `number(state)` is n.
    """

    root: GameState
    numbers: Mapping[Key, int]
    values: Floats
    wins: Floats
    error: float
    win_error: float
    sweeps: int

    @property
    def states(self) -> int:
        """The number of positions."""
        return len(self.numbers)

    def number(self, state: GameState) -> int:
        """The number of a position. KeyError if no game from `root` reaches it."""
        if state not in self:
            raise KeyError("no game from the solved position leads to this one")
        return self.numbers[_key(state)]

    def __contains__(self, state: GameState) -> bool:
        """True if some game from `root` leads to the position, with the same board and the same ghosts."""
        is_same_game = (state.maze, state.homes, state.round) == (self.root.maze, self.root.homes, self.root.round)
        return is_same_game and _key(state) in self.numbers

    def value(self, state: GameState) -> float:
        """The expected final score of a game that continues from `state`. KeyError as in `number`."""
        return float(state.score if state.is_terminal else state.score + self.values[self.number(state)])

    def win_probability(self, state: GameState) -> float:
        """The probability that perfect play wins from `state`. KeyError as in `number`."""
        return float(state.is_win if state.is_terminal else self.wins[self.number(state)])

    def positions(self) -> Iterator[GameState]:
        """Every position, by number, with the score 0."""
        turns, poses = self.root.round.turns, self.root.pacman.poses
        for mover, cell, ghosts, food, capsules in self.numbers:
            yield GameState(turns[mover], poses.pacman(cell), ghosts, self.root.homes, food, capsules)

    def action_values(self, state: GameState) -> dict[str, float]:
        """The expected final score after each legal action of the mover, in the order of the actions."""
        return {action: self.value(state.successor(action)) for action in state.actions()}

    def action(self, state: GameState) -> str:
        """A perfect action of the mover, the first one on a tie. ValueError at a CHANCE node, where nobody chooses."""
        if state.layer is Layer.CHANCE:
            raise ValueError("there is no best action at a CHANCE node: nobody chooses there")
        values = self.action_values(state)
        best = (max if state.layer is Layer.MAX else min)(values.values())
        return next(action for action, value in values.items() if abs(value - best) <= self.error)


def solve(
    root: GameState, most_states: int = 500_000, on_progress: Callable[[str], object] = lambda line: None
) -> Solution:
    """The value of every position that a game from `root` can reach. `on_progress` often gets a line of text.

    InputError if the board has more than `most_states` positions, or if the ghosts can keep the game going for ever.

    Why the values are right: let U be the values after the last sweep, U0 the first values, which no play can exceed,
    and e the largest change that one more backup would make. Let Pacman play greedily by U for some plies, against any
    ghosts. Then U(s) <= E[points + U(reached)] + e * E[plies]. Every round costs Pacman a point, and U0 contains
    everything he can earn, so for n agents the expected number of his moves is at most
    P = (U0(s) - U(s) + n e) / (1 - n e), and that of plies at most n (P + 1). So this play earns at least
    U(s) - e n (P + 1); and U is never below what the best play earns.
    """
    if root.is_terminal:
        raise InputError("this game is over; there is nothing to solve")
    numbers, high, levels = _explore(root, most_states, on_progress)
    values, sweeps = high.copy(), 0
    while sweep(levels, values) > CHANGE:
        sweeps += 1
        on_progress(f"sweep {sweeps:,} over {len(numbers):,} positions")
        if sweeps > MOST_SWEEPS:
            raise InputError(
                f"no result after {MOST_SWEEPS:,} sweeps: the ghosts can keep the game going for ever, "
                "and every move costs Pacman a point; use other ghosts or another layout"
            )
    rounding = ROUNDINGS * float(np.spacing(max(high.max(), -values.min())))
    last = np.concatenate([level.backup(values) for level in levels])
    change, agents = float(abs(last - values[:WIN]).max()) + rounding, len(root.layers)
    moves = (float((high - values).max()) + agents * change) / (1 - agents * change)
    least, most = np.zeros(len(values)), np.ones(len(values))
    least[WIN], most[LOSS] = 1, 0
    play = [level.greedy(values) for level in levels]
    for bound in (least, most):
        while sweep(play, bound) > CHANGE:
            pass
    error = change * agents * (moves + 1)
    win_error = float((most - least).max()) + rounding * agents * (moves + 1)
    wins = (least + most) / 2
    return Solution(root, numbers, values[:WIN], wins[:WIN], error, win_error, sweeps)


def sweep(levels: list[Level], values: Floats) -> float:
    """Computes every value once more, the last level first; returns the largest change."""
    change = 0.0
    for level in reversed(levels):
        new = level.backup(values)
        change = max(change, float(abs(new - values[level.positions]).max()))
        values[level.positions] = new
    return change


def _explore(
    root: GameState, most_states: int, on_progress: Callable[[str], object]
) -> tuple[dict[Key, int], Floats, list[Level]]:
    """The number of every position that a game from `root` can reach, their first values, and their levels."""
    numbers, high, levels, states = {_key(root): 0}, array("d"), list[Level](), [root]
    while states:
        start, layer, positions = len(high), states[0].layer, list[GameState]()
        first, target, points, chance = array("q"), array("q"), array("d"), array("d")
        for state in states:
            first.append(len(target))
            high.append(_most_points(state))
            moves = state.outcomes() if layer is Layer.CHANCE else [(action, 1.0) for action in state.actions()]
            for action, probability in moves:
                after, number = state.successor(action), len(numbers)
                chance.append(probability)
                points.append(after.score - state.score)
                if after.is_terminal:
                    target.append(WIN if after.is_win else LOSS)
                    continue
                target.append(numbers.setdefault(_key(after), number))
                if len(numbers) > number:
                    positions.append(after)
            if len(numbers) > most_states:
                raise InputError(
                    f"this board has more than {most_states:,} positions; raise the limit with --states N "
                    "(of the agent: perfect:states=N); 100,000 positions take about a second and 40 MB"
                )
        edges = [np.asarray(part) for part in (first, target, points, chance)]
        levels.append(Level(layer, slice(start, len(high)), *edges))
        states = positions
        on_progress(f"{len(numbers):,} positions found")
    return numbers, np.array([*high, 0, 0]), levels


def _key(state: GameState) -> Key:
    return state.mover, state.pacman.cell, state.ghosts, state.food_mask, state.capsule_mask


def _most_points(state: GameState) -> int:
    """An upper bound on the points still to come: all food, the win, and all ghosts that Pacman could ever eat.

    He can eat each ghost that is scared now once, and each ghost once per capsule.
    """
    eaten = len(state.ghosts) * state.capsule_mask.bit_count() + sum(ghost.is_scared for ghost in state.ghosts)
    return FOOD_POINTS * state.food_left + WIN_POINTS + GHOST_POINTS * eaten
