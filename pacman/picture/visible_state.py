"""What a picture shows at one moment, between two positions. Pure: the same time gives the same places."""

from __future__ import annotations

from dataclasses import dataclass

from pacman.core.rules import GhostPose
from pacman.core.state import GameState, Place
from pacman.core.tree import Layer
from pacman.picture.game_events import is_eaten
from pacman.play.game import Result

RISING_SECONDS = 1.1
ENDING_SECONDS = 1.8
"""The time in which Pacman collapses after a loss, or fireworks rise after a win."""
BANNER_AFTER = 1.3


@dataclass(frozen=True)
class RisingPoints:
    """Points that rise from the place where Pacman won or lost them; `age` goes from 0 to 1."""

    points: int
    place: Place
    age: float


@dataclass(frozen=True)
class Status:
    """What the bars show in addition to the position.

    `speed_text` is the speed with its unit, and `hint` lists the keys at the end of the game. `move_seconds` are, by
    agent, the seconds for its latest ply, and `move_timeout` is their limit. `thinking_seconds` is how long the mover
    has been thinking so far. The time line shows `ply` of `ply_count` plies, and `marks` (plies, points) on it. No more
    plies will come if it `is_complete`. `is_replay` means that the end of the game has been shown already. `layers`
    are, by agent, the layers of Pacman's search, or of the search that is shown; empty for those of the position.
    """

    speed_text: str = ""
    is_paused: bool = False
    is_replay: bool = False
    layout: str = ""
    seed: int | None = None
    rounds: int | None = None
    thinking_seconds: float = 0.0
    move_seconds: tuple[float, ...] = ()
    move_timeout: float | None = None
    ply: int = 0
    ply_count: int = 0
    marks: tuple[tuple[int, int], ...] = ()
    is_complete: bool = False
    hint: str = ""
    layers: tuple[Layer, ...] = ()


@dataclass(frozen=True)
class VisibleState:
    """The moment at the fraction `fraction` (0 to 1) of the way from the position `before` to the position `after`.

    `clock` is the time of the animation in seconds, `plies` the number of plies so far, `mover` the agent whose ply is
    shown, and `names` are the agents' display names. `seconds_over` counts the seconds since the end of the game, and
    `result` is its result. `status` is for the bars.
    """

    before: GameState
    after: GameState
    fraction: float = 1.0
    clock: float = 0.0
    plies: int = 0
    mover: int = 0
    names: tuple[str, ...] = ()
    rising_points: tuple[RisingPoints, ...] = ()
    result: Result | None = None
    seconds_over: float = 0.0
    status: Status = Status()

    @property
    def visible_state(self) -> GameState:
        """The nearer of the two positions: the picture shows its food, its score and its scared ghosts."""
        return self.after if self.fraction >= 0.5 else self.before

    @property
    def pacman(self) -> Place:
        """The place of Pacman, in cells."""
        return between(self.before.pacman.position, self.after.pacman.position, self.fraction)

    def ghost(self, number: int) -> tuple[GhostPose, Place, float]:
        """Ghost `number` (from 1): its pose, place and size. The size is below 1 while it returns home or vanishes."""
        before, after = self.before.ghosts[number - 1], self.after.ghosts[number - 1]
        pose = before if self.fraction < 0.5 else after
        if is_eaten(before, after):
            return pose, pose.position, abs(2 * self.fraction - 1)
        size = max(0.0, 1 - 2 * self.seconds_over / ENDING_SECONDS) if self.after.is_win else 1.0
        return pose, between(before.position, after.position, self.fraction), size

    @property
    def heading(self) -> str:
        """The direction in which Pacman looks."""
        return self.after.pacman.direction if self.fraction > 0 else self.before.pacman.direction

    @property
    def is_flashing(self) -> bool:
        """True if the walls are bright at this moment, because Pacman has won."""
        return self.after.is_win and 0 < self.seconds_over < ENDING_SECONDS and self.seconds_over % 0.6 < 0.3

    @property
    def is_moving(self) -> bool:
        """True if Pacman is between two cells, so that its mouth moves."""
        return self.before.pacman.position != self.after.pacman.position and self.fraction < 1


def between(start: Place, end: Place, fraction: float) -> Place:
    """The place at a fraction of the way from `start` to `end`.

    >>> between((1, 1), (2, 1), 0.25)
    (1.25, 1.0)
    """
    return start[0] + (end[0] - start[0]) * fraction, start[1] + (end[1] - start[1]) * fraction
