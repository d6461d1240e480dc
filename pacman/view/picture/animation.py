"""A game as it is watched: everyone on his way from one position to the next, while time passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pacman.core.state import GameState
from pacman.play.game import Ply, Result
from pacman.view.events import winnings
from pacman.view.picture.snapshot import FLOAT_SECONDS, Float, Snapshot, Status


class Animation:
    """A game as it is watched: `begin` a beat of one or more plies, let time pass with `advance`, look with `moment`.

    All who move in a beat glide together, and a beat takes as long as its plies would one by one.
    """

    def __init__(self, start: GameState, names: Sequence[str] = ()) -> None:
        self.beat: tuple[Ply, ...] = ()
        self.done = 0.0
        self.now = Snapshot(start, start, names=tuple(names))
        """What is to be seen, but for who is how far in this beat."""

    @property
    def left(self) -> float:
        """How many plies' time of this beat is still to come."""
        return len(self.beat) - self.done

    @property
    def is_gliding(self) -> bool:
        return self.left > 0

    def jump(self, state: GameState, plies: int) -> None:
        """Shows a position at once, after so many plies."""
        self.beat, self.done = (), 0.0
        self.now = Snapshot(state, state, clock=self.now.clock, plies=plies, names=self.now.names)

    def begin(self, plies: Sequence[Ply]) -> None:
        """Everyone who moves in `plies` (at least one) is on the way."""
        self.beat, self.done = tuple(plies), 0.0
        before, after = self.now.after, plies[-1].state
        floats = (*self.now.floats, *(Float(points, place, 0.0) for points, place in winnings(before, after)))
        self.now = replace(self.now, before=before, after=after, plies=plies[-1].number + 1, floats=floats)

    def end(self, result: Result | None) -> None:
        """The game is over: `result` says how."""
        if self.now.result is not result:
            self.now = replace(self.now, result=result)

    def advance(self, seconds: float, speed: float) -> None:
        """Lets time pass, at so many plies a second. At speed 0 the game stands still; mouths and skirts do not."""
        now = self.now
        is_over = not self.is_gliding and (now.result is not None or now.after.is_terminal)
        if self.left <= seconds * speed * (1 + 1e-9):  # sums of slices must not leave a rest of nothing
            self.done = float(len(self.beat))
        else:
            self.done += seconds * speed
        floats = now.floats
        if speed and floats:
            aged = (replace(one, age=one.age + seconds / FLOAT_SECONDS) for one in floats)
            floats = tuple(one for one in aged if one.age < 1)
        ended = now.ended + seconds if is_over else now.ended
        self.now = replace(now, clock=now.clock + seconds, ended=ended, floats=floats)

    def moment(self, status: Status = Status()) -> Snapshot:  # noqa: B008  (it is frozen)
        """What is to be seen now."""
        if not self.is_gliding:
            return replace(self.now, mover=self.now.after.mover, status=status)
        mover, fraction = self.beat[int(self.done)].agent, self.done / len(self.beat)
        return replace(self.now, fraction=fraction, mover=mover, result=None, status=status)
