"""Answers as JSON values, so that a case can be judged again without running it: `from_json(to_json(a)) == a`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, astuple, fields, replace
from typing import Any

from autograder.judge.submission_answer import Answer, Claim, Fault, LosingMove, LostGame
from autograder.student_process.fault_kind import FaultKind
from pacman.core.state import GameState
from pacman.play.game import Fault as GameFault
from pacman.play.game import Result
from pacman.record.trace import Trace


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
