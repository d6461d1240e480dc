"""What a submission claims. The types are checked; none of the values is trusted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, astuple, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from autograder.cases.truth import nodes_digest
from autograder.student_process.fault_kind import FaultKind
from pacman.core.state import GameState
from pacman.play.game import Fault as GameFault
from pacman.play.game import Result
from pacman.record.trace import Path, Trace

MAX_TEXT = 300
# Characters that could control a terminal or change the direction of text: control, surrogate, direction marks.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]")


COMPUTED = "computed"
"""The detail of a time-out of a process that used all its processor time. It does not depend on the load."""
ONE_ANSWER = "computed one answer"
"""The same of a process that used it all for one answer, as in an endless loop."""


@dataclass(frozen=True)
class Fault:
    """The reason why a case has no answer, in one line. `kind` is for programs.

    `detail` is equal in faults with the same cause, also if their texts differ in a value: the type of an exception and
    its line, for a part that is missing the nearest name in the file, or the name of a part that is not written.
    `advice` says what to write instead. `at_import` is True if it ended the import of the file.
    """

    kind: FaultKind
    text: str
    detail: str = ""
    advice: str = ""
    at_import: bool = False


@dataclass(frozen=True)
class Claim:
    """The result of one search by a submission.

    `value` is None if it was not a finite number; `value_text` then shows what it was. `choice` shows the action in
    the same way. `trace` is None if it is too large to send or to compare. `values` are the values of the nodes on
    which the search called itself; they cost no points and only help to explain a miss.
    """

    value: float | None
    value_text: str
    action: str | None
    choice: str
    generated: int
    trace: Trace | None
    values: tuple[tuple[Path, float], ...]

    @cached_property
    def nodes(self) -> str:
        """The digest of the claimed set of nodes; empty without a trace."""
        return "" if self.trace is None else nodes_digest(self.trace)


@dataclass(frozen=True)
class LosingMove:
    """Pacman's last move in a lost game, and the value that the submission gives to each action there.

    In a case that asks for one action it is that action, if it is wrong; the game is then 0.
    """

    game: int
    position: GameState
    action: str
    values: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class LostGame:
    """All moves of a game that was not won, in order, up to the fault if there was one. Its number counts from 1."""

    number: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """The whole answer to one case: `claims` for searches, `results` for a match, `action` for a single choice.

    `losing_move` is that of the first lost game of a match, if the submission gives its actions values. `lost_game` is
    the game that ended with a fault, or the first lost one, or the first truncated one. `processor_seconds` is 0
    where it is not measured. `idle_seconds` is the time that it waited without computing, as far as this is known.
    """

    claims: tuple[Claim, ...] = ()
    results: tuple[Result, ...] = ()
    action: str | None = None
    fault: Fault | None = None
    seconds: float = 0.0
    output: str = field(default="", repr=False)
    losing_move: LosingMove | None = None
    lost_game: LostGame | None = None
    processor_seconds: float = 0.0
    idle_seconds: float = 0.0

    @property
    def never_ends(self) -> bool:
        """True if the code computed until the time limit."""
        fault = self.fault
        return fault is not None and fault.kind == FaultKind.TIME and fault.detail in (COMPUTED, ONE_ANSWER)


def clean(text: object, cap: int = MAX_TEXT) -> str:
    """Text from a submission as one line of at most `cap` characters that is safe to show."""
    line = _UNSAFE.sub(" ", str(text)[: 4 * cap])
    return line if len(line) <= cap else line[: cap - 3] + "..."


# As JSON values, so that a case can be judged again without running it: `from_json(to_json(a)) == a`.


def to_json(answer: Answer) -> dict[str, Any]:
    """The answer as a JSON object. Parts that it does not have are left out."""
    values = {each.name: getattr(answer, each.name) for each in fields(answer)}
    values = {name: value for name, value in values.items() if value not in (None, (), "", 0.0) or name in _ALWAYS}
    return {name: _WRITERS.get(name, _same)(value) for name, value in values.items() if value is not None}


def from_json(values: Mapping[str, Any]) -> Answer:
    """The answer that `to_json` wrote."""
    return Answer(**{name: _READERS.get(name, _same)(value) for name, value in values.items()})


def _same(value: Any) -> Any:
    return value


def _claim_to_json(claim: Claim) -> dict[str, Any]:
    trace = None
    if claim.trace is not None:
        names = {name: number for number, name in enumerate(dict.fromkeys(claim.trace.actions))}
        actions = [names[action] for action in claim.trace.actions]
        trace = [list(names), claim.trace.parents, actions, claim.trace.successors]
    return {**asdict(replace(claim, trace=None)), "trace": trace}


def _claim_from_json(values: dict[str, Any]) -> Claim:
    trace = None
    if values["trace"] is not None:
        names, parents, actions, successors = values["trace"]
        trace = Trace()
        trace.parents, trace.successors = parents, successors
        trace.actions = [names[action] for action in actions]
    pairs = tuple((tuple(path), value) for path, value in values["values"])
    return Claim(**{**values, "trace": trace, "values": pairs})


def _result_from_json(values: dict[str, Any]) -> Result:
    fault = values["fault"]
    return Result(**{**values, "seconds": tuple(values["seconds"]), "fault": GameFault(**fault) if fault else None})


_ALWAYS = ("seconds", "action")
_WRITERS: Mapping[str, Callable[[Any], Any]] = {
    "claims": lambda claims: [*map(_claim_to_json, claims)],
    "results": lambda results: [*map(asdict, results)],
    "fault": astuple,
    "losing_move": lambda move: [move.game, str(move.position), move.action, move.values],
    "lost_game": lambda game: [game.number, " ".join(game.moves)],
}
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "claims": lambda rows: tuple(map(_claim_from_json, rows)),
    "results": lambda rows: tuple(map(_result_from_json, rows)),
    "fault": lambda row: Fault(FaultKind(row[0]), *row[1:]),
    "losing_move": lambda row: LosingMove(row[0], GameState.parse(row[1]), row[2], tuple(map(tuple, row[3]))),
    "lost_game": lambda row: LostGame(row[0], tuple(row[1].split())),
}
