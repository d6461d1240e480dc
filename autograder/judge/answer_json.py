"""Answers as JSON values, so that a case can be judged again without running it: `from_json(to_json(a)) == a`."""

from __future__ import annotations

from dataclasses import asdict, astuple
from typing import Any

from autograder.judge.submission_answer import Answer, Claim, Fault, LosingMove, LostGame
from autograder.student_process.fault_kind import FaultKind
from pacman.core.state import GameState
from pacman.play.game import Fault as GameFault
from pacman.play.game import Result
from pacman.record.trace import Trace


def to_json(answer: Answer) -> dict[str, Any]:
    """The answer as a JSON object. Parts that it does not have are left out."""
    values: dict[str, Any] = {"seconds": answer.seconds}
    if answer.claims:
        values["claims"] = [_claim_to_json(claim) for claim in answer.claims]
    if answer.results:
        values["results"] = [asdict(result) for result in answer.results]
    if answer.action is not None:
        values["action"] = answer.action
    if answer.fault:
        values["fault"] = list(astuple(answer.fault))
    if answer.processor_seconds:
        values["processor_seconds"] = answer.processor_seconds
    if answer.idle_seconds:
        values["idle_seconds"] = answer.idle_seconds
    if answer.output:
        values["output"] = answer.output
    if move := answer.losing_move:
        values["losing_move"] = [move.game, str(move.position), move.action, [list(pair) for pair in move.values]]
    if game := answer.lost_game:
        values["lost_game"] = [game.number, " ".join(game.moves)]
    return values


def from_json(values: dict[str, Any]) -> Answer:
    """The answer that `to_json` wrote."""
    fault, move, lost = values.get("fault"), values.get("losing_move"), values.get("lost_game")
    return Answer(
        claims=tuple(map(_claim_from_json, values.get("claims", ()))),
        results=tuple(map(_result_from_json, values.get("results", ()))),
        action=values.get("action"),
        fault=Fault(FaultKind(fault[0]), *fault[1:]) if fault else None,
        seconds=values["seconds"],
        output=values.get("output", ""),
        losing_move=move and LosingMove(move[0], GameState.parse(move[1]), move[2], tuple(map(_pair, move[3]))),
        processor_seconds=values.get("processor_seconds", 0.0),
        idle_seconds=values.get("idle_seconds", 0.0),
        lost_game=lost and LostGame(lost[0], tuple(lost[1].split())),
    )


def _claim_to_json(claim: Claim) -> dict[str, Any]:
    trace = None
    if claim.trace is not None:
        names = {name: number for number, name in enumerate(dict.fromkeys(claim.trace.actions))}
        actions = [names[action] for action in claim.trace.actions]
        trace = [list(names), claim.trace.parents, actions, claim.trace.successors]
    return {
        "value": claim.value,
        "value_text": claim.value_text,
        "action": claim.action,
        "choice": claim.choice,
        "generated": claim.generated,
        "trace": trace,
        "values": [[list(path), value] for path, value in claim.values],
    }


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


def _pair(values: list[Any]) -> tuple[str, float]:
    action, value = values
    return action, value
