"""What is to be seen at one instant: a position on its way to another. Pure: time comes in, places come out."""

from __future__ import annotations

from dataclasses import dataclass

from pacman.core.rules import GhostPose
from pacman.core.state import GameState
from pacman.play.game import Result
from pacman.view.events import Place, jumps

FLOAT_SECONDS = 1.1
ENDING_SECONDS = 1.2
"""How long Pacman dies, or the walls flash because he has won."""
BANNER_AFTER = 0.9


@dataclass(frozen=True)
class Float:
    """Points that rise from where they were won or lost; `age` runs from 0 to 1."""

    points: int
    place: Place
    age: float


@dataclass(frozen=True)
class Status:
    """What the bars say beside the position.

    `pace` is a word on the speed, and `hint` one on what the viewer can do at the end. `seconds` are by agent what he
    thought about his last ply, `limit` is what he may; `thinking` is for how long the mover has been thinking by now.
    `shown` of `known` plies are on the time line, on which `marks` (plies, points) stand; no further will come if it
    `is_whole`.
    """

    pace: str = ""
    paused: bool = False
    rounds: int | None = None
    thinking: float = 0.0
    seconds: tuple[float, ...] = ()
    limit: float | None = None
    shown: int = 0
    known: int = 0
    marks: tuple[tuple[int, int], ...] = ()
    is_whole: bool = False
    hint: str = ""


@dataclass(frozen=True)
class Snapshot:
    """`fraction` (0 to 1) of the way from `before` to `after`.

    `clock` counts seconds of animation, `plies` those that were made so far, `mover` is whose ply is shown,
    `ended` counts the seconds since the game was over, and `result` says how. The bars show what `status` says.
    """

    before: GameState
    after: GameState
    fraction: float = 1.0
    clock: float = 0.0
    plies: int = 0
    mover: int = 0
    names: tuple[str, ...] = ()
    floats: tuple[Float, ...] = ()
    result: Result | None = None
    ended: float = 0.0
    status: Status = Status()

    @property
    def shown(self) -> GameState:
        """The position whose food, score and moods are drawn: the nearer one."""
        return self.after if self.fraction >= 0.5 else self.before

    @property
    def pacman(self) -> Place:
        return between(self.before.pacman.position, self.after.pacman.position, self.fraction)

    def ghost(self, number: int) -> tuple[GhostPose, Place, float]:
        """Ghost `number` (from 1): how it looks, where it is, and its size, below 1 while it is put back or goes."""
        before, after = self.before.ghosts[number - 1], self.after.ghosts[number - 1]
        pose = before if self.fraction < 0.5 else after
        if jumps(before, after):
            return pose, pose.position, abs(2 * self.fraction - 1)
        size = max(0.0, 1 - 2 * self.ended / ENDING_SECONDS) if self.after.is_win else 1.0
        return pose, between(before.position, after.position, self.fraction), size

    @property
    def heading(self) -> str:
        """Where Pacman looks."""
        return self.after.pacman.direction if self.fraction > 0 else self.before.pacman.direction

    @property
    def flashes(self) -> bool:
        """True while the walls are bright, for Pacman has won."""
        return self.after.is_win and 0 < self.ended < ENDING_SECONDS and self.ended % 0.4 < 0.2

    @property
    def is_walking(self) -> bool:
        """True while Pacman is under way, so his mouth moves."""
        return self.before.pacman.position != self.after.pacman.position and self.fraction < 1


def between(start: Place, end: Place, fraction: float) -> Place:
    """
    >>> between((1, 1), (2, 1), 0.25)
    (1.25, 1.0)
    """
    return start[0] + (end[0] - start[0]) * fraction, start[1] + (end[1] - start[1]) * fraction
