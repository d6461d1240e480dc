"""What is visible between two plies of a game: who is where, what was eaten, who won. No pixels, and no clock.

animation.begin(plies)               all agents that move in these plies glide together
animation.advance(seconds, speed)    time passes; the same time gives the same places
animation.visible()                  the present moment, which `paint` paints
ply_words(before, action, after)     one ply in words
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pacman.core.rules import GHOST_POINTS, LOSE_POINTS, STOP, WIN_POINTS, GhostPose
from pacman.core.state import GameState, Place
from pacman.core.tree import Layer
from pacman.play.game import Ply, Result

LAST_MOVES = 10
"""A scared ghost blinks during its last ten scared moves."""
RISING_SECONDS = 1.1
ENDING_SECONDS = 1.8
"""The time in which Pacman collapses after a loss, or fireworks rise after a win."""
BANNER_AFTER = 1.3
Cell = tuple[int, int]
"""(x, y) of a cell of the board."""


# ---- events between two positions: a ghost is eaten, the game is won or lost


def is_eaten(before: GhostPose, after: GhostPose) -> bool:
    """True if Pacman ate the ghost between the two poses: it returned to its home without walking there."""
    (x, y), (to_x, to_y) = before.position, after.position
    recovered_early = before.timer > 1 and not after.is_scared
    return (
        recovered_early
        or abs(to_x - x) + abs(to_y - y) > 1
        or (before.is_scared and after.direction == STOP != before.direction)
    )


def scoring_events(before: GameState, after: GameState) -> list[tuple[int, Place]]:
    """(points, place) of each notable event between two positions: a ghost eaten, the game won or lost."""
    poses = zip(before.ghosts, after.ghosts, strict=True)
    events: list[tuple[int, Place]] = [(GHOST_POINTS, old.position) for old, new in poses if is_eaten(old, new)]
    if after.is_terminal and not before.is_terminal:
        events.append((WIN_POINTS if after.is_win else LOSE_POINTS, after.pacman.position))
    return events


def ply_words(before: GameState, action: str, after: GameState) -> str:
    """What one ply does, in words."""
    mover = before.mover
    name = f"Ghost {mover}" if mover else "Pacman"
    events = [f"{name} stays" if action == STOP else f"{name} goes {action}"]
    if after.food_left < before.food_left:
        events.append("eats food")
    if len(after.capsules) < len(before.capsules):
        events.append("eats a capsule: all ghosts are scared")
    for number, (old, new) in enumerate(zip(before.ghosts, after.ghosts, strict=True), 1):
        if is_eaten(old, new):
            events.append("is eaten" if number == mover else f"eats ghost {number}")
    if after.is_lose:
        events.append("catches Pacman: the game is lost" if mover else "meets a ghost: the game is lost")
    elif after.is_win:
        events[-1] += ": the game is won"
    return f"{', '.join(events[:-1])}{' and ' if events[1:] else ''}{events[-1]}."


def ending(state: GameState, result: Result | None) -> tuple[str, str]:
    """How a game ended: WIN, LOST or STOPPED, and the reason why it stopped. There is no result in a replay."""
    if state.is_terminal:
        return "WIN" if state.is_win else "LOST", ""
    if result is None:
        return "STOPPED", "the recording ends here"
    return "STOPPED", str(result.fault) if result.fault else "ply limit reached"


# ---- one moment


RisingPoints = tuple[int, Place, float]
"""(points, place, age): points rise from the place where Pacman won or lost them, while the age goes from 0 to 1."""


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

    def _between(self, start: Place, end: Place) -> Place:
        (x, y), (to_x, to_y) = start, end
        return x + (to_x - x) * self.fraction, y + (to_y - y) * self.fraction

    @property
    def pacman(self) -> Place:
        """The place of Pacman, in cells."""
        return self._between(self.before.pacman.position, self.after.pacman.position)

    def ghost(self, number: int) -> tuple[GhostPose, Place, float]:
        """Ghost `number` (from 1): its pose, place and size. The size is below 1 while it returns home or vanishes."""
        before, after = self.before.ghosts[number - 1], self.after.ghosts[number - 1]
        pose = before if self.fraction < 0.5 else after
        if is_eaten(before, after):
            return pose, pose.position, abs(2 * self.fraction - 1)
        size = max(0.0, 1 - 2 * self.seconds_over / ENDING_SECONDS) if self.after.is_win else 1.0
        return pose, self._between(before.position, after.position), size


# ---- while time passes


class Animation:
    """The animation of a game: `begin` one or more plies, let time pass with `advance`, and get a `visible`.

    All agents that move in these plies glide together. The glide takes as long as its plies would take one by one.
    """

    def __init__(self, start: GameState) -> None:
        self.plies: tuple[Ply, ...] = ()
        self.plies_done = 0.0
        self.now = VisibleState(start, start)
        """The present snapshot, without the progress of the glide."""

    @property
    def plies_left(self) -> float:
        """The rest of this glide, as the time of that many plies."""
        return len(self.plies) - self.plies_done

    @property
    def is_gliding(self) -> bool:
        """True if the glide has not reached its end."""
        return self.plies_left > 0

    def jump(self, state: GameState) -> None:
        """Shows a position at once."""
        self.plies, self.plies_done = (), 0.0
        self.now = VisibleState(state, state, clock=self.now.clock)

    def begin(self, plies: Sequence[Ply]) -> None:
        """Begins the glide of `plies` (at least one)."""
        self.plies, self.plies_done = tuple(plies), 0.0
        before, last = self.now.after, plies[-1]
        events = ((*event, 0.0) for event in scoring_events(before, last.state))
        points = (*self.now.rising_points, *events)
        self.now = replace(self.now, before=before, after=last.state, rising_points=points)

    def skip_ending(self) -> None:
        """Shows the end of the game as it is after its animation."""
        self.now = replace(self.now, seconds_over=max(self.now.seconds_over, ENDING_SECONDS))

    def advance(self, seconds: float, speed: float, *, is_still: bool = False, has_ended: bool = False) -> None:
        """Lets time pass, at `speed` plies per second; `has_ended` is True if no ply comes after these.

        If the game `is_still`, mouths, skirts and capsules move only during a glide, and never after its end.
        """
        now, was_gliding = self.now, self.is_gliding
        is_over = not was_gliding and (has_ended or now.after.is_terminal)
        if self.plies_left <= seconds * speed * (1 + 1e-9):  # rounding errors of sums must not leave a tiny rest
            self.plies_done = float(len(self.plies))
        else:
            self.plies_done += seconds * speed
        points = now.rising_points
        if points:
            aged = ((number, place, age + seconds / RISING_SECONDS) for number, place, age in points)
            points = tuple(one for one in aged if one[2] < 1)
        seconds_over = now.seconds_over + seconds * is_over
        stops = seconds_over > ENDING_SECONDS or (is_still and not was_gliding)
        clock = now.clock + seconds * (not stops)
        self.now = replace(now, clock=clock, seconds_over=seconds_over, rising_points=points)

    def visible(self) -> VisibleState:
        """The present moment; it does not know the game, its result and what the bars show."""
        if not self.is_gliding:
            return replace(self.now, mover=self.now.after.mover)
        mover, fraction = self.plies[int(self.plies_done)].agent, self.plies_done / len(self.plies)
        return replace(self.now, fraction=fraction, mover=mover)
