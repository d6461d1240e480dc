"""A linear evaluation: features of a position, weighted. The readable form; `moves.linear` is the compiled one."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from pacman.core.layout import cells
from pacman.core.state import GameState


@dataclass(frozen=True)
class Linear:
    """The score, and each feature times its weight. Distances are steps of a walk from Pacman.

    - `food_left`, `capsules_left`: how many lie about
    - `food_distance`: to the nearest food
    - `feared`: of every live ghost within `reach`, 1 / (distance + 1)
    - `hunted`: of every scared ghost that can be caught (timer > 2 * distance), 1 / (distance + 1)
    - `live_distance`, `scared_distance`: to the live and to the scared ghosts, summed; 0 for one out of reach

    A position at its end is worth its score alone, unless `at_end`.

    >>> from pacman import start
    >>> Linear(food_left=-4)(start("nook"))
    -20.0
    """

    food_left: float = 0.0
    capsules_left: float = 0.0
    food_distance: float = 0.0
    feared: float = 0.0
    hunted: float = 0.0
    live_distance: float = 0.0
    scared_distance: float = 0.0
    reach: float = 3.0
    at_end: bool = False

    def __call__(self, state: GameState) -> float:
        if state.is_terminal and not self.at_end:
            return float(state.score)
        steps = state.maze.distances(state.pacman.cell)
        worth: float = state.score
        # What has no weight is not worked out: the ghosts' evaluation has two features, and sees many positions.
        if self.food_left or self.capsules_left:
            worth += self.food_left * state.food_left
            worth += self.capsules_left * state.capsule_mask.bit_count()
        if self.food_distance:
            worth += self.food_distance * min((steps[cell] for cell in cells(state.food_mask)), default=0)
        is_near_felt = self.hunted or self.feared
        for ghost in state.ghosts:
            distance = steps.get(ghost.touches[0])
            if distance is None:
                continue
            worth += (self.scared_distance if ghost.timer else self.live_distance) * distance
            if not is_near_felt:
                continue
            if ghost.timer > 2 * distance:
                worth += self.hunted / (distance + 1)
            elif not ghost.timer and distance <= self.reach:
                worth += self.feared / (distance + 1)
        return float(worth)

    @property
    def weights(self) -> tuple[float, ...]:
        """The numbers that the compiled form is handed."""
        return tuple(map(float, astuple(self)))
