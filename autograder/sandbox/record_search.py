"""Asks a submission for one search, and for all that can be seen of it: also for the part before an exception."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from autograder.cases.case import Question
from autograder.judge.submission_answer import Claim, Fault
from autograder.sandbox import Sandbox, Session, SessionBroken
from autograder.sandbox.process_session import read_fault
from autograder.sandbox.questioner import most_successors
from autograder.sandbox.reply_reader import UNREADABLE, TraceLimits, read_claim
from autograder.student_process.call_log import MAX_CALLS
from autograder.student_process.transport import BadFrame
from pacman.core.outline import Outline
from pacman.core.trace import Trace
from pacman.core.tree import Node

SECONDS = 30.0
"""The time for all, which is much more than a slow machine needs.

A search that hangs ends earlier, when it has used `call_log.SECONDS` of processor time.
"""


@dataclass(frozen=True)
class RecordedCall:
    """A call of one of the student's methods with a node, or its return.

    `generated` is the number of successors that the search had made before, `number` that of the node in the trace.
    `window` is (alpha, beta), None if the method has no such parameters. `value` is what a return gave back.
    """

    generated: int
    number: int
    is_return: bool
    window: tuple[float, float] | None
    value: float | None


@dataclass(frozen=True)
class RecordedRun:
    """What is known about one search of a submission; without a claim if its process ended before it could answer.

    The claim of a search that raised an exception has no value and no action; the `fault` is the exception.
    """

    claim: Claim | None
    calls: tuple[RecordedCall, ...] = ()
    fault: Fault | None = None


def record_search(
    sandbox: Sandbox, question: Question, root: Node, plies: int, rounds: int, nodes: int, actions: frozenset[str]
) -> RecordedRun:
    """The search of `root` by the part that `question` grades. `nodes` and `actions` are those of the whole tree."""
    try:
        with sandbox.session(SECONDS) as session:
            sandbox.load_part(session, question.role, question.part, rounds)
            kind = "tree" if isinstance(root, Outline) else "position"
            most = most_successors(nodes)
            reply = session.ask("record_search", plies=plies, most_successors=most, **{kind: str(root)})
            return _read_run(reply, session, TraceLimits(nodes=most, generated=most, actions=actions))
    except SessionBroken as broken:
        return RecordedRun(None, (), broken.fault)


def _read_run(reply: dict[str, Any], session: Session, limits: TraceLimits) -> RecordedRun:
    """The run in a reply; SessionBroken if it has another form than expected."""
    try:
        claim = read_claim(reply, limits)
        if claim.trace is not None:
            _check_order(claim.trace)
        calls = () if claim.trace is None else _read_calls(reply.get("calls"), len(claim.trace.parents), claim)
    except BadFrame as error:
        raise SessionBroken(Fault("garbled", f"{UNREADABLE}: {error}")) from None
    fault = read_fault(reply["raised"], session.limits) if "raised" in reply else None
    return RecordedRun(claim, calls, fault)


def _check_order(trace: Trace) -> None:
    """BadFrame unless each node is generated after its parent."""
    generated = {0}
    for number in trace.successors:
        if trace.parents[number] not in generated:
            raise BadFrame("one of the generated nodes comes before its parent")
        generated.add(number)


def _read_calls(calls: Any, nodes: int, claim: Claim) -> tuple[RecordedCall, ...]:
    """The calls in a reply: a list with six values for each of them.

    BadFrame for another form, an unknown node, or numbers that go back.
    """
    if type(calls) is not list or len(calls) > 6 * MAX_CALLS:
        raise BadFrame(f"the calls are not a list of at most {MAX_CALLS}")
    result, before = [], 0
    for start in range(0, len(calls), 6):
        call = calls[start : start + 6]
        if [type(each) for each in call[:4]] != [int, int, bool, bool] or len(call) != 6:
            raise BadFrame("one of the calls has another form")
        generated, number, is_return, is_known, first, second = call
        if not (before <= generated <= claim.generated and 0 <= number < nodes):
            raise BadFrame("one of the calls is out of order, or belongs to no node of the trace")
        if type(first) not in (int, float, type(None)) or type(second) not in (int, float, type(None)):
            raise BadFrame("one of the calls has a window or a value that is not a number")
        window = (-inf if first is None else first, inf if second is None else second) if is_known else None
        result.append(RecordedCall(generated, number, is_return, window, first if is_return else None))
        before = generated
    return tuple(result)
