"""The turn loop. A `Game` is an iterator of plies; its caller decides when to play the next ply."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from traceback import FrameSummary, extract_tb
from typing import Any, Protocol, TypeVar

from pacman.core.errors import agent_name, error_line, one_line
from pacman.core.layout import AgentNumber
from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.play.own_code import OutOfTime, call_with_time_limit, location, own_frames, traceback_text

MAX_PLIES = 10_000
A = TypeVar("A")
Steer = Callable[[str], None]
"""A function that a view calls with each direction ("West", ...) that a person enters at the keyboard."""


class Agent(Protocol):
    """The two methods that a game calls on Pacman and on each ghost."""

    def begin(self, rng: Random) -> None:
        """Prepares for a new game. Every random choice in that game must come from `rng`."""

    def choose(self, state: GameState) -> str:
        """One of `state.actions()`."""


@dataclass(frozen=True)
class Ply:
    """One agent's move: `state` is the position after it, `seconds` the time that `choose` took."""

    number: int
    agent: AgentNumber
    action: str
    state: GameState
    seconds: float


@dataclass(frozen=True)
class Fault:
    """Why an agent ended its game: it raised an exception, returned no legal action, or ran out of time.

    `where` is the line of the agent's own code as FILE:LINE, "" if no line is known. `traceback` is the error with the
    frames of its own code, as text of several lines; `advice` says what to write instead. Both are not part of a
    recording.
    """

    agent: AgentNumber
    ply: int
    reason: str
    where: str = ""
    traceback: str = field(default="", compare=False, repr=False)
    advice: str = field(default="", compare=False, repr=False)

    @property
    def with_advice(self) -> str:
        """The fault as text, and the advice as a sentence behind it."""
        return f"{self}. {self.advice}" if self.advice else str(self)

    def __str__(self) -> str:
        return f"{agent_name(self.agent)} at ply {self.ply}{f', {self.where}' if self.where else ''}: {self.reason}"


@dataclass(frozen=True)
class Result:
    """How a game ended. `outcome` is "win", "loss", "truncated" (at the ply limit) or "fault".

    `seconds[i]` is the time that agent i used in total.
    """

    outcome: str
    score: int
    plies: int
    seed: int
    seconds: tuple[float, ...]
    fault: Fault | None = None

    def as_json(self) -> dict[str, Any]:
        """The result as a JSON object: seconds in microseconds, and a fault without its traceback and advice."""
        fault = asdict(self.fault) if self.fault else None
        if fault:
            del fault["traceback"], fault["advice"]
        return asdict(self) | {"seconds": [round(seconds, 6) for seconds in self.seconds], "fault": fault}


def stream(seed: int, agent: AgentNumber, first_ply: int = 0) -> Random:
    """The random generator of one agent in one game: the same on every machine, independent of all others.

    A game that goes on from a position in the middle of another one has streams of its own, by its `first_ply`.
    """
    return Random(f"{seed}/{agent}/{first_ply}" if first_ply else f"{seed}/{agent}")


@dataclass
class Game:
    """An iterator of one game: each step calls the mover's `choose`, plays the action and yields the `Ply`.

    `state` is the current position. `names` are the agents' names for display. `result` is None until the game is over.
    The game calls every function in `watchers` with each ply before it yields the ply. `move_timeout` is in seconds; an
    agent that takes longer ends the game with a fault. A branch of another game starts at its position after
    `first_ply` plies, and goes on counting from there. ValueError if the number of agents does not fit `start`.
    """

    start: GameState
    agents: Sequence[Agent]
    names: Sequence[str]
    seed: int = 0
    max_plies: int = MAX_PLIES
    move_timeout: float | None = None
    watchers: Sequence[Callable[[Ply], None]] = ()
    clock: Callable[[], float] = time.perf_counter
    first_ply: int = 0
    explain: Callable[[str, str, int], str] | None = None
    """What to write instead of code that raised an error, by its file and line."""
    state: GameState = field(init=False)
    plies: int = field(init=False, default=0)
    seconds: list[float] = field(init=False)
    result: Result | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        seats = len(self.start.ghosts) + 1
        if len(self.agents) != seats:
            raise ValueError(f"got {len(self.agents)} agents, but the position needs {seats} (Pacman and each ghost)")
        self.state, self.plies = self.start, self.first_ply
        self.seconds = [0.0] * seats
        for number, agent in enumerate(self.agents):
            _, seconds, fault = self._call(number, agent.begin, stream(self.seed, number, self.first_ply))
            self.seconds[number] += seconds
            if fault:
                self._end("fault", fault)
                break

    @property
    def assumes(self) -> Layer | None:
        """The layer that Pacman's search has for every ghost; None for those of the position, and for no search."""
        assumed = getattr(self.agents[0], "assumes", None)
        return assumed if assumed in (Layer.MIN, Layer.CHANCE) else None

    @property
    def steer(self) -> Steer | None:
        """What gets the directions of a person who plays Pacman; None if nobody does."""
        return getattr(self.agents[0], "press", None)

    def __iter__(self) -> Iterator[Ply]:
        return self

    def __next__(self) -> Ply:
        if self.result is None and self.state.is_terminal:
            self._end("win" if self.state.is_win else "loss")
        if self.result is None and self.plies >= self.max_plies:
            self._end("truncated")
        if self.result is not None:
            raise StopIteration
        mover = self.state.mover
        action, seconds, fault = self._call(mover, self.agents[mover].choose, self.state)
        self.seconds[mover] += seconds
        if not fault and (type(action) is not str or action not in self.state.actions()):
            reason = f"returned {one_line(action, 300)}, which is not legal; legal: {', '.join(self.state.actions())}"
            fault = Fault(mover, self.plies, reason)
        if fault:
            self._end("fault", fault)
            raise StopIteration
        self.state = self.state.successor(action)
        ply = Ply(self.plies, mover, action, self.state, seconds)
        self.plies += 1
        for watcher in self.watchers:
            watcher(ply)
        return ply

    def play(self) -> Result:
        """Plays the game to its end and returns the result."""
        for _ in self:
            pass
        assert self.result is not None
        return self.result

    def _call(self, number: AgentNumber, method: Callable[[A], Any], argument: A) -> tuple[Any, float, Fault | None]:
        """The result of a method of agent `number`, its seconds, and its fault or None."""
        result: Any = ""
        fault: Fault | None = None
        start_time = self.clock()
        try:
            result = (
                method(argument)
                if self.move_timeout is None
                else call_with_time_limit(method, argument, self.move_timeout)
            )
        except KeyboardInterrupt:
            raise
        except OutOfTime as error:
            fault = self._fault(number, self._timeout_reason, error.stack)
        except BaseException as error:  # an agent's error, of any kind, ends only its own game
            fault = self._fault(number, error_line(error), extract_tb(error.__traceback__))
        seconds = self.clock() - start_time
        if not fault and self.move_timeout is not None and seconds > self.move_timeout:
            fault = Fault(number, self.plies, self._timeout_reason)
        return result, seconds, fault

    def _fault(self, number: AgentNumber, reason: str, frames: Iterable[FrameSummary]) -> Fault:
        """The fault of an agent that was stopped in these frames."""
        own = own_frames(self.agents[number], frames)
        if not own:
            return Fault(number, self.plies, reason)
        advice = self.explain(reason, own[-1].filename, own[-1].lineno or 0) if self.explain else ""
        return Fault(number, self.plies, reason, location(own), traceback_text(reason, own), advice)

    @property
    def _timeout_reason(self) -> str:
        return f"no answer within {self.move_timeout:g} s"

    def _end(self, outcome: str, fault: Fault | None = None) -> None:
        self.result = Result(outcome, self.state.score, self.plies, self.seed, tuple(self.seconds), fault)
