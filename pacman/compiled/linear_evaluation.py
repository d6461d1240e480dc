"""A linear evaluation: a weighted sum of features. This is the Python form; `moves.linear` is the compiled form."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from pacman.core.state import GameState


@dataclass(frozen=True)
class Linear:
    """An evaluation: the score plus the sum of weight * feature. Each field is the weight of its feature.

    Distances are numbers of steps from Pacman on a shortest path.

    - `food_left`, `capsules_left`: the number of food and of capsules left
    - `food_distance`: the distance to the nearest food
    - `feared`: the sum of 1 / (distance + 1) over the live ghosts within `reach` steps
    - `hunted`: the sum of 1 / (distance + 1) over the scared ghosts that can be caught (timer > 2 * distance)
    - `live_distance`, `scared_distance`: the sum of the distances to the live and to the scared ghosts; a ghost that
      cannot be reached counts 0

    The value of a terminal position is its score, unless `at_end` is True.

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
        value: float = state.score
        # Features without a weight are skipped: the ghosts' evaluation has two features and is called very often.
        if self.food_left or self.capsules_left:
            value += self.food_left * state.food_left
            value += self.capsules_left * state.capsule_mask.bit_count()
        if self.food_distance:
            food = state.food_mask  # `steps` has the nearest cells first
            value += self.food_distance * next((steps[cell] for cell in steps if food >> cell & 1), 0)
        has_near_features = self.hunted or self.feared
        for ghost in state.ghosts:
            distance = steps.get(ghost.touches[0])
            if distance is None:
                continue
            value += (self.scared_distance if ghost.timer else self.live_distance) * distance
            if not has_near_features:
                continue
            if ghost.timer > 2 * distance:
                value += self.hunted / (distance + 1)
            elif not ghost.timer and distance <= self.reach:
                value += self.feared / (distance + 1)
        return float(value)

    @property
    def weights(self) -> tuple[float, ...]:
        """The nine fields as floats, for the compiled form."""
        return tuple(map(float, astuple(self)))
