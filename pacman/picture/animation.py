"""The animation of a game: all agents move from one position to the next while time passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pacman.core.state import GameState
from pacman.picture.game_events import scoring_events
from pacman.picture.visible_state import ENDING_SECONDS, RISING_SECONDS, RisingPoints, Status, VisibleState
from pacman.play.game import Ply, Result


class Animation:
    """The animation of a game: `begin` one or more plies, let time pass with `advance`, and get a `visible`.

    All agents that move in these plies glide together. The glide takes as long as its plies would take one by one.
    """

    def __init__(self, start: GameState, names: Sequence[str] = ()) -> None:
        self.plies: tuple[Ply, ...] = ()
        self.plies_done = 0.0
        self.now = VisibleState(start, start, names=tuple(names))
        """The present snapshot, without the progress of the glide."""

    @property
    def plies_left(self) -> float:
        """The rest of this glide, as the time of that many plies."""
        return len(self.plies) - self.plies_done

    @property
    def is_gliding(self) -> bool:
        """True if the glide has not reached its end."""
        return self.plies_left > 0

    def jump(self, state: GameState, plies: int) -> None:
        """Shows a position at once; `plies` is the number of plies before it."""
        self.plies, self.plies_done = (), 0.0
        self.now = VisibleState(state, state, clock=self.now.clock, plies=plies, names=self.now.names)

    def begin(self, plies: Sequence[Ply]) -> None:
        """Begins the glide of `plies` (at least one)."""
        self.plies, self.plies_done = tuple(plies), 0.0
        before, after = self.now.after, plies[-1].state
        points = (RisingPoints(points, place, 0.0) for points, place in scoring_events(before, after))
        self.now = replace(
            self.now,
            before=before,
            after=after,
            plies=plies[-1].number + 1,
            rising_points=(*self.now.rising_points, *points),
        )

    def end(self, result: Result | None) -> None:
        """Ends the game with `result`."""
        if self.now.result is not result:
            self.now = replace(self.now, result=result)

    def skip_ending(self) -> None:
        """Shows the end of the game as it is after its animation."""
        self.now = replace(self.now, seconds_over=max(self.now.seconds_over, ENDING_SECONDS))

    def advance(self, seconds: float, speed: float, *, is_still: bool = False) -> None:
        """Lets time pass, at `speed` plies per second. At speed 0 only mouths, skirts and capsules move.

        If the game `is_still`, they move only during a glide. After the end of a game all of them stop.
        """
        now, was_gliding = self.now, self.is_gliding
        is_over = not self.is_gliding and (now.result is not None or now.after.is_terminal)
        if self.plies_left <= seconds * speed * (1 + 1e-9):  # rounding errors of sums must not leave a tiny rest
            self.plies_done = float(len(self.plies))
        else:
            self.plies_done += seconds * speed
        rising_points = now.rising_points
        if speed and rising_points:
            aged = (replace(one, age=one.age + seconds / RISING_SECONDS) for one in rising_points)
            rising_points = tuple(one for one in aged if one.age < 1)
        seconds_over = now.seconds_over + seconds if is_over else now.seconds_over
        stops = seconds_over > ENDING_SECONDS or (is_still and not was_gliding)
        clock = now.clock if stops else now.clock + seconds
        self.now = replace(now, clock=clock, seconds_over=seconds_over, rising_points=rising_points)

    def visible(self, status: Status = Status()) -> VisibleState:  # noqa: B008  (it is frozen)
        """The present snapshot, with `status` for the bars."""
        if not self.is_gliding:
            return replace(self.now, mover=self.now.after.mover, status=status)
        mover, fraction = self.plies[int(self.plies_done)].agent, self.plies_done / len(self.plies)
        return replace(self.now, fraction=fraction, mover=mover, result=None, status=status)
