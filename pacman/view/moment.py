"""What is to be seen at one instant: a position on its way to another. Pure: time comes in, places come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pacman.game import Ply, Result
from pacman.rules import GHOST_POINTS, LOSE_POINTS, STOP, WIN_POINTS, GhostPose
from pacman.state import GameState

FLOAT_SECONDS = 1.1
ENDING_SECONDS = 1.2
Place = tuple[float, float]


@dataclass(frozen=True)
class Float:
    """Points that rise from where they were won or lost; `age` runs from 0 to 1."""

    points: int
    place: Place
    age: float


@dataclass(frozen=True)
class Moment:
    """`fraction` (0 to 1) of the way from `before` to `after`.

    `clock` counts seconds of animation, `plies` those that were made so far, `mover` is whose ply is shown,
    `ended` counts the seconds since the game was over, and `result` says how. `pace` is a word on the speed, `hint`
    one on what the viewer can do at the end.
    """

    before: GameState
    after: GameState
    fraction: float = 1.0
    clock: float = 0.0
    plies: int = 0
    mover: int = 0
    names: tuple[str, ...] = ()
    pace: str = ""
    paused: bool = False
    thinking: bool = False
    floats: tuple[Float, ...] = ()
    result: Result | None = None
    ended: float = 0.0
    hint: str = ""

    @property
    def shown(self) -> GameState:
        """The position whose food, score and moods are drawn: the nearer one."""
        return self.after if self.fraction >= 0.5 else self.before

    @property
    def pacman(self) -> Place:
        return between(self.before.pacman.position, self.after.pacman.position, self.fraction)

    def ghost(self, number: int) -> tuple[GhostPose, Place, float]:
        """Ghost `number` (from 1): how it looks, where it is, and its size, below 1 while it is put back."""
        before, after = self.before.ghosts[number - 1], self.after.ghosts[number - 1]
        pose = before if self.fraction < 0.5 else after
        if jumps(before, after):
            return pose, pose.position, abs(2 * self.fraction - 1)
        return pose, between(before.position, after.position, self.fraction), 1.0

    @property
    def heading(self) -> str:
        """Where Pacman looks."""
        return self.after.pacman.direction if self.fraction > 0 else self.before.pacman.direction

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


def jumps(before: GhostPose, after: GhostPose) -> bool:
    """True for an eaten ghost: it is put back at its home, it does not walk there."""
    (x, y), (to_x, to_y) = before.position, after.position
    recovered_early = before.timer > 1 and not after.is_scared
    return (
        recovered_early
        or abs(to_x - x) + abs(to_y - y) > 1
        or (before.is_scared and after.direction == STOP != before.direction)
    )


def winnings(before: GameState, after: GameState) -> list[tuple[int, Place]]:
    """The points worth a word between two positions, and where: ghosts eaten, the game won or lost."""
    found: list[tuple[int, Place]] = []
    for old, new in zip(before.ghosts, after.ghosts, strict=True):
        if jumps(old, new):
            found.append((GHOST_POINTS, old.position))
    if after.is_terminal and not before.is_terminal:
        found.append((WIN_POINTS if after.is_win else LOSE_POINTS, after.pacman.position))
    return found


@dataclass
class Scene:
    """A game as it is watched: `begin` a beat of one or more plies, let time pass with `advance`, look with `moment`.

    All who move in a beat glide together, and a beat takes as long as its plies would one by one.
    """

    start: GameState
    names: Sequence[str] = ()
    before: GameState = field(init=False)
    after: GameState = field(init=False)
    beat: tuple[Ply, ...] = field(init=False, default=())
    done: float = field(init=False, default=0.0)
    clock: float = field(init=False, default=0.0)
    floats: list[Float] = field(init=False, default_factory=list)
    result: Result | None = field(init=False, default=None)
    ended: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self.before = self.after = self.start

    @property
    def left(self) -> float:
        """How many plies' time of this beat is still to come."""
        return len(self.beat) - self.done

    @property
    def is_gliding(self) -> bool:
        return self.left > 0

    def begin(self, plies: Sequence[Ply]) -> None:
        """Everyone who moves in `plies` (at least one) is on the way."""
        self.before, self.after = self.after, plies[-1].state
        self.beat, self.done = tuple(plies), 0.0
        self.floats += [Float(points, place, 0.0) for points, place in winnings(self.before, self.after)]

    def end(self, result: Result | None) -> None:
        """The game is over: `result` says how."""
        self.result = result

    def advance(self, seconds: float, speed: float) -> None:
        """Lets time pass, at so many plies a second. At speed 0 the game stands still; mouths and skirts do not."""
        self.clock += seconds
        if not self.is_gliding and (self.result is not None or self.after.is_terminal):
            self.ended += seconds
        if self.left <= seconds * speed * (1 + 1e-9):  # sums of slices must not leave a rest of nothing
            self.done = float(len(self.beat))
        else:
            self.done += seconds * speed
        if speed:
            aged = (replace(one, age=one.age + seconds / FLOAT_SECONDS) for one in self.floats)
            self.floats = [one for one in aged if one.age < 1]

    def moment(self, *, pace: str = "", paused: bool = False, thinking: bool = False, hint: str = "") -> Moment:
        """What is to be seen now."""
        under_way = self.beat[int(self.done)] if self.is_gliding else None
        return Moment(
            before=self.before,
            after=self.after,
            fraction=self.done / len(self.beat) if self.beat else 1.0,
            clock=self.clock,
            plies=self.beat[-1].number + 1 if self.beat else 0,
            mover=under_way.agent if under_way else self.after.mover,
            names=tuple(self.names),
            pace=pace,
            paused=paused,
            thinking=thinking,
            floats=tuple(self.floats),
            result=None if self.is_gliding else self.result,
            ended=self.ended,
            hint=hint,
        )


def is_round_over(ply: Ply) -> bool:
    """True when the next to move is the first of the round again, or nobody is."""
    state = ply.state
    return state.is_terminal or state.mover == state.round.order[0]
