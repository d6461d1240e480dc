"""A game as it is watched: everyone on his way from one position to the next, while time passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pacman.core.state import GameState
from pacman.play.game import Ply, Result
from pacman.view.picture.moment import FLOAT_SECONDS, Float, Moment, Status, winnings


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
    plies: int = field(init=False, default=0)
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

    def jump(self, state: GameState, plies: int) -> None:
        """Shows a position at once, after so many plies."""
        self.before = self.after = state
        self.beat, self.done, self.plies = (), 0.0, plies
        self.floats, self.result, self.ended = [], None, 0.0

    def begin(self, plies: Sequence[Ply]) -> None:
        """Everyone who moves in `plies` (at least one) is on the way."""
        self.before, self.after = self.after, plies[-1].state
        self.beat, self.done, self.plies = tuple(plies), 0.0, plies[-1].number + 1
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

    def moment(self, status: Status = Status()) -> Moment:  # noqa: B008  (it is frozen)
        """What is to be seen now."""
        under_way = self.beat[int(self.done)] if self.is_gliding else None
        return Moment(
            before=self.before,
            after=self.after,
            fraction=self.done / len(self.beat) if self.beat else 1.0,
            clock=self.clock,
            plies=self.plies,
            mover=under_way.agent if under_way else self.after.mover,
            names=tuple(self.names),
            floats=tuple(self.floats),
            result=None if self.is_gliding else self.result,
            ended=self.ended,
            status=status,
        )
