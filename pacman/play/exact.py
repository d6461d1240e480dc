"""The exact value of every position of a small board, by value iteration from above with a proven error bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pacman import compiled
from pacman.compiled.arrays import Floats, PositionGraph
from pacman.compiled.constants import WIDEST
from pacman.compiled.position_tables import Tables, turns
from pacman.core.errors import InputError
from pacman.core.layers import Layer
from pacman.core.rules import SCARED_MOVES
from pacman.core.state import GameState, start

DEFAULT_LIMIT = 2_000_000
LARGEST_LIMIT = 1 << 28
"""The default and the largest value of `most_states`."""
MOST_SWEEPS = 20_000
CHANGE = 1e-12
"""The sweeps end when no value changes by more than this."""
ROUNDINGS = 8
"""An upper bound on the rounding error of one backup, in units in the last place.

A backup rounds at most twelve times, each time by at most half a unit: per outcome a sum, a product and a sum.
"""
TIMERS = SCARED_MOVES + 1
PURPOSE = "solving a board exactly"


@dataclass(frozen=True)
class Solution:
    """The value of each position that a game from `root` can reach, if Pacman and the MIN ghosts play perfectly.

    `values[n]` is the expected number of points still to come from position n, with an error of at most `error`.
    `wins[n]` is the probability that this play wins, with an error of at most `win_error`. `number(state)` is n.
    """

    root: GameState
    values: Floats  # (states)
    wins: Floats  # (states)
    error: float
    win_error: float
    sweeps: int
    graph: PositionGraph

    @property
    def states(self) -> int:
        """The number of positions."""
        return len(self.values)

    def number(self, state: GameState) -> int:
        """The number of a position. KeyError if no game from `root` reaches it."""
        from pacman.compiled import solve as fast

        root = self.root
        if state.maze is not root.maze or state.homes != root.homes or state.round is not root.round:
            raise KeyError("this position has another board or other ghosts than the solved position")
        if state.food_mask & ~root.food_mask or state.capsule_mask & ~root.capsule_mask:
            raise KeyError("this position has food or capsules that the solved position does not have")
        if any(ghost.timer > SCARED_MOVES for ghost in state.ghosts):
            raise KeyError("no game leads to this position: a ghost is scared for too long")
        position, seat = Tables.of(root.maze).position(state, 0), root.round.order.index(state.mover)
        number = fast.number(position, seat, self.graph)
        if number < 0:
            raise KeyError("no game from the solved position leads to this one")
        return number

    def value(self, state: GameState) -> float:
        """The expected final score of a game that continues from `state`. KeyError as in `number`."""
        return float(state.score if state.is_terminal else state.score + self.values[self.number(state)])

    def win_probability(self, state: GameState) -> float:
        """The probability that perfect play wins from `state`. KeyError as in `number`."""
        return float(state.is_win if state.is_terminal else self.wins[self.number(state)])

    def save(self, file: Path) -> None:
        """Writes a numpy archive with the arrays `keys`, `values` and `wins` (one entry per position) and `error`.

        InputError if the file cannot be written.
        """
        try:
            np.savez_compressed(file, keys=self.graph.keys, values=self.values, wins=self.wins, error=self.error)
        except OSError as error:
            raise InputError(f"{file}: cannot be written: {error.strerror}") from None

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


def solve(root: GameState, most_states: int = DEFAULT_LIMIT) -> Solution:
    """The value of every position that a game from `root` can reach.

    InputError without numba, if the board has more than `most_states` positions, if a position does not fit into one
    64-bit number, or if the ghosts can keep the game going for ever. `NotSupported` for a position that the compiled
    kernel does not support.

    Why the values are right: let U be the values after the last sweep, U0 the first values, which no play can exceed,
    and e the largest change that one more backup would make. Let Pacman play greedily by U for some plies, against any
    ghosts. Then U(s) <= E[points + U(reached)] + e * E[plies]. Every round costs Pacman a point, and U0 contains
    everything he can earn, so for n agents the expected number of his moves is at most
    P = (U0(s) - U(s) + n e) / (1 - n e), and that of plies at most n (P + 1). So this play earns at least
    U(s) - e n (P + 1); and U is never below what the best play earns.
    """
    compiled.demand_numba(PURPOSE)
    from pacman.compiled import solve as fast

    graph = _explore(root, most_states)
    values, sweeps = graph.high.copy(), 0
    while fast.sweep(graph, values, True) > CHANGE:
        sweeps += 1
        if sweeps > MOST_SWEEPS:
            raise InputError(
                f"no result after {MOST_SWEEPS:,} sweeps: the ghosts can keep the game going for ever, "
                "and every move costs Pacman a point; use other ghosts or another layout"
            )
    rounding = ROUNDINGS * float(np.spacing(max(graph.high.max(), -values.min())))
    change, agents = fast.sweep(graph, values, False) + rounding, len(graph.layers)
    moves = (float((graph.high - values).max()) + agents * change) / (1 - agents * change)
    least, most = np.zeros(len(values)), np.ones(len(values))
    for wins in (least, most):
        while fast.sweep_wins(graph, values, wins) > CHANGE:
            pass
    error = change * agents * (moves + 1)
    win_error = float((most - least).max()) + rounding * agents * (moves + 1)
    return Solution(root, values, (least + most) / 2, error, win_error, sweeps, graph)


def _explore(root: GameState, most_states: int) -> PositionGraph:
    """Every position that a game from `root` can reach. InputError as in `solve`."""
    from pacman.compiled import solve as fast

    if not 1 <= most_states <= LARGEST_LIMIT:
        raise InputError(f"--states {most_states}: expected a number from 1 to {LARGEST_LIMIT}")
    if root.is_terminal:
        raise InputError("this game is over; there is nothing to solve")
    if any(ghost.timer > SCARED_MOVES for ghost in root.ghosts):
        raise InputError(f"no game leads to this position: a ghost is scared for more than {SCARED_MOVES} moves")
    tables = Tables.of(root.maze)
    order = turns(root.round, root.round.order[0], len(root.layers) - 1)
    position = tables.position(root, 1)
    items = root.food_left + root.capsule_mask.bit_count()
    places = len(tables.cells) * (len(tables.stands) * TIMERS) ** len(root.ghosts)
    key_count = float(places * len(root.layers) * 2**items)
    if key_count >= 2.0**63:
        raise InputError(f"this board is too large to solve: up to {key_count:.2g} positions; the solver needs < 2^63")
    graph = PositionGraph(
        food=tables.numbers(root.food_mask),
        capsules=tables.numbers(root.capsule_mask),
        layers=order.layer,
        keys=np.zeros(most_states, np.int64),
        slots=np.zeros(1 << (2 * most_states - 1).bit_length(), np.int32),
        high=np.zeros(most_states),
        start=np.zeros(most_states + 1, np.int32),
        target=np.zeros(WIDEST * most_states, np.int32),
        points=np.zeros(WIDEST * most_states, np.int16),
        chance=np.zeros(WIDEST * most_states if (order.mass >= 0).any() else 0),
    )
    states = fast.explore(position, order, root.round.order.index(root.mover), graph)
    if states == fast.TOO_MANY:
        raise InputError(
            f"this board has more than {most_states:,} positions (upper bound: {key_count:.2g}); "
            "raise the limit with --states N (60 bytes per position)"
        )
    # Shorter arrays, as long as the positions and edges need.
    edges = int(graph.start[states])
    sizes = {"keys": states, "high": states, "start": states + 1, "target": edges, "points": edges, "chance": edges}
    return graph._replace(**{name: getattr(graph, name)[:size].copy() for name, size in sizes.items()})


def prepare(on_progress: Callable[[str], object] = compiled.to_log) -> None:
    """Loads or compiles the solver. Calls `on_progress` with one line before it compiles; InputError without numba."""
    compiled.demand_numba(PURPOSE)
    if compiled.must_compile("solve.explore"):
        on_progress(compiled.COMPILING)
    root = start("%%%%%\n%P.G%\n%%%%%", ["optimal"])
    solve(root, most_states=1000).value(root)
