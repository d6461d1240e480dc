"""The true value of every position of a small board: value iteration from above, and a proven bound on its error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pacman import kernel
from pacman.core.errors import InputError
from pacman.core.layers import Layer
from pacman.core.rules import SCARED_MOVES
from pacman.core.state import GameState, start
from pacman.kernel.arrays import Floats, Graph
from pacman.kernel.constants import WIDEST
from pacman.kernel.tables import Tables, turns

MOST_STATES = 2_000_000
ROOM = 1 << 28
MOST_SWEEPS = 20_000
CHANGE = 1e-12
"""Sweeps end when no value changes by more."""
ROUNDINGS = 8
"""A backup rounds at most twelve times, by half a unit in the last place: a sum, a product and a sum an outcome."""
TIMERS = SCARED_MOVES + 1
PURPOSE = "solving a board exactly"


@dataclass(frozen=True)
class Solution:
    """The value of each position that a game from `root` can reach, under perfect play of Pacman and of MIN ghosts.

    `values[n]` are the points still to come from position n; `number(state)` says which position that is. No value
    is wrong by more than `error`. `wins[n]` is the probability that this play wins, exact to `win_error`.
    """

    root: GameState
    values: Floats  # (states)
    wins: Floats  # (states)
    error: float
    win_error: float
    sweeps: int
    graph: Graph

    @property
    def states(self) -> int:
        """How many positions there are."""
        return len(self.values)

    def number(self, state: GameState) -> int:
        """A position's number. KeyError for one that a game from `root` does not reach."""
        from pacman.kernel import solve as compiled

        root = self.root
        if state.maze is not root.maze or state.homes != root.homes or state.round is not root.round:
            raise KeyError("this position is on another board, or against other ghosts")
        if state.food_mask & ~root.food_mask or state.capsule_mask & ~root.capsule_mask:
            raise KeyError("this position has food or capsules that the solved one has not")
        if any(ghost.timer > SCARED_MOVES for ghost in state.ghosts):
            raise KeyError("no game leads to this position: a ghost is scared for too long")
        position, seat = Tables.of(root.maze).position(state, 0), root.round.order.index(state.mover)
        number = compiled.number(position, seat, self.graph)
        if number < 0:
            raise KeyError("no game from the solved position leads to this one")
        return number

    def value(self, state: GameState) -> float:
        """The expected final score from `state` on."""
        return float(state.score if state.is_terminal else state.score + self.values[self.number(state)])

    def win_probability(self, state: GameState) -> float:
        """How likely perfect play wins from `state`."""
        return float(state.is_win if state.is_terminal else self.wins[self.number(state)])

    def save(self, file: Path) -> None:
        """Writes keys, values and win probabilities, one entry a position in the same order, as a numpy archive.

        InputError when the file cannot be written.
        """
        try:
            np.savez_compressed(file, keys=self.graph.keys, values=self.values, wins=self.wins, error=self.error)
        except OSError as error:
            raise InputError(f"{file}: cannot be written: {error.strerror}") from None

    def worths(self, state: GameState) -> dict[str, float]:
        """Each action of the mover, in order, and the expected final score after it."""
        return {action: self.value(state.successor(action)) for action in state.actions()}

    def action(self, state: GameState) -> str:
        """A perfect action of the mover, the first of equals. ValueError at a CHANCE node: nobody chooses there."""
        if state.layer is Layer.CHANCE:
            raise ValueError("nobody chooses at a CHANCE node")
        worths = self.worths(state)
        goal = (max if state.layer is Layer.MAX else min)(worths.values())
        return next(action for action, worth in worths.items() if abs(worth - goal) <= self.error)


def as_json(solution: Solution) -> dict[str, Any]:
    """What a solution says of its first position."""
    root = solution.root
    return {
        "states": solution.states,
        "expected_score": solution.value(root),
        "error": solution.error,
        "win_probability": solution.win_probability(root),
        "win_error": solution.win_error,
        "sweeps": solution.sweeps,
        "actions": solution.worths(root),
    }


def report(solution: Solution) -> str:
    """The same as lines for people."""
    root = solution.root
    lines = [
        f"{solution.states:,} positions, {solution.sweeps} sweeps",
        f"expected final score {solution.value(root):.6f}, wrong by at most {solution.error:.1e}",
        f"this play wins with probability {solution.win_probability(root):.6f} (± {solution.win_error:.1e})",
    ]
    return "\n".join(lines + [f"  {action:5} {worth:12.6f}" for action, worth in solution.worths(root).items()])


def solve(root: GameState, most_states: int = MOST_STATES) -> Solution:
    """Every position that `root` leads to, valued.

    InputError without numba, and for a board whose positions are more than `most_states` or do not fit into one
    number; `NotSupported` for what the kernel does not take; InputError too if the ghosts can hold Pacman off for ever.

    Why the values are right. Let U be the values, from a start U0 that nothing can beat, and e the largest change
    that one more backup would make. Play greedily by U for m plies, against any ghosts: U(s) <= E[points + U(there)]
    + e * E[plies]. Every round costs Pacman a point and everything earned is in U0, so the expected number of his
    moves is at most P = (U0(s) - U(s) + n e) / (1 - n e) for n agents, and that of plies at most n (P + 1). So
    this play earns at least U(s) - e n (P + 1); and U never falls below what the best play earns.
    """
    kernel.demand_numba(PURPOSE)
    if not 1 <= most_states <= ROOM:
        raise InputError(f"--states {most_states}: a number from 1 to {ROOM} was expected")
    if root.is_terminal:
        raise InputError("this game has ended: there is nothing to solve")
    if any(ghost.timer > SCARED_MOVES for ghost in root.ghosts):
        raise InputError(f"no game leads to this position: a ghost is scared for more than {SCARED_MOVES} moves")
    from pacman.kernel import solve as compiled

    tables = Tables.of(root.maze)
    order = turns(root.round, root.round.order[0], len(root.layers) - 1)
    position = tables.position(root, 1)
    content = root.food_left + root.capsule_mask.bit_count()
    places = len(tables.cells) * (len(tables.stands) * TIMERS) ** len(root.ghosts)
    allowed = float(places * len(root.layers) * 2**content)  # what the digits of a key can tell apart
    if allowed >= 2.0**63:
        raise InputError(f"this board allows {allowed:.2g} positions: too many to number, let alone to hold")
    graph = Graph(
        food=tables.numbers(root.food_mask),
        capsules=tables.numbers(root.capsule_mask),
        layers=order.layer,
        keys=np.zeros(most_states, np.int64),
        slots=np.zeros(1 << (2 * most_states - 1).bit_length(), np.int32),
        high=np.zeros(most_states),
        start=np.zeros(most_states + 1, np.int32),
        follow=np.zeros(WIDEST * most_states, np.int32),
        points=np.zeros(WIDEST * most_states, np.int16),
        chance=np.zeros(WIDEST * most_states if (order.mass >= 0).any() else 0),
    )
    states = compiled.explore(position, order, root.round.order.index(root.mover), graph)
    if states == compiled.TOO_MANY:
        raise InputError(
            f"this board has more than {most_states:,} positions (places, timers, food and capsules allow "
            f"{allowed:.2g}): too many to hold; --states N allows more, 60 bytes each"
        )
    graph = _cut(graph, states)
    values, sweeps = graph.high.copy(), 0
    while compiled.sweep(graph, values, True) > CHANGE:
        sweeps += 1
        if sweeps > MOST_SWEEPS:
            raise InputError(
                f"no value after {MOST_SWEEPS} sweeps: the ghosts can hold Pacman off for ever, at a point a move"
            )
    rounding = ROUNDINGS * float(np.spacing(max(graph.high.max(), -values.min())))
    change, agents = compiled.sweep(graph, values, False) + rounding, len(order.agent)
    moves = (float((graph.high - values).max()) + agents * change) / (1 - agents * change)
    least, most = np.zeros(states), np.ones(states)
    for wins in (least, most):
        while compiled.sweep_wins(graph, values, wins) > CHANGE:
            pass
    error = change * agents * (moves + 1)
    win_error = float((most - least).max()) + rounding * agents * (moves + 1)
    return Solution(root, values, (least + most) / 2, error, win_error, sweeps, graph)


def prepare(report: Callable[[str], object] = kernel.to_log) -> None:
    """Loads or compiles the solver. `report` gets a line before the compiler starts. InputError without numba."""
    kernel.demand_numba(PURPOSE)
    if kernel.must_compile("solve.explore"):
        report(kernel.COMPILING)
    root = start("%%%%%\n%P.G%\n%%%%%", ["optimal"])
    solve(root, most_states=1000).value(root)


def _cut(graph: Graph, states: int) -> Graph:
    """The graph without the room that it did not need."""
    edges = int(graph.start[states])
    cut = {"keys": states, "high": states, "start": states + 1, "follow": edges, "points": edges, "chance": edges}
    return graph._replace(**{name: getattr(graph, name)[:size].copy() for name, size in cut.items()})
