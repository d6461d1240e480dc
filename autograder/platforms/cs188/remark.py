"""What a miss looks like in that project's own terms, to stand beside ours in a report."""

from __future__ import annotations

from autograder.cases.case import Case
from autograder.cases.reference import Reference, roots, trace_of
from autograder.judge.answer import Answer
from autograder.judge.compare import Verdict
from autograder.platforms.cs188.terms import statement, touched


def remark(case: Case, reference: Reference | None, answer: Answer, verdict: Verdict) -> str:
    """How many states were expanded as that project counts them, at the first search that went wrong; "" if none did.

    Also "" for a fault, for whole games, and where more was made than was sent.
    """
    if reference is None or answer.fault or not verdict.missed:
        return ""
    index = verdict.missed[0]
    (root, plies), move, claim = list(zip(roots(case, reference), reference.moves, answer.claims, strict=True))[index]
    if claim.trace is None:
        return ""
    counts = [touched(root, trace_of(case, root, plies, right.cut)[1]) for right in move.touched]
    got = touched(root, claim.trace)
    return statement(got if got in counts else counts[0], got)
