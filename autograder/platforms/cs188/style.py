"""This project's files as the grader meets them. Only an action comes back from a search: no value is compared."""

from __future__ import annotations

from autograder.cases.case import Case
from autograder.cases.reference import Reference, roots, trace_of
from autograder.grading.style import Style
from autograder.judge.answer import Answer
from autograder.judge.compare import Verdict
from autograder.platforms.cs188.terms import advised, advised_import, statement, touched


def remark(case: Case, reference: Reference | None, answer: Answer, verdict: Verdict) -> str:
    """How many states were expanded as that project counts them, at the first search that went wrong; "" if none did.

    Also "" for a fault, for whole games, and where more was made than was sent.
    """
    if reference is None or answer.fault or not verdict.missed:
        return ""
    index = verdict.missed[0]
    (root, plies), claim = list(roots(case, reference))[index], answer.claims[index]
    if claim.trace is None:
        return ""
    counts = [touched(root, trace_of(root, plies, right.cut)) for right in reference.moves[index].touched]
    got = touched(root, claim.trace)
    return statement(got if got in counts else counts[0], got)


STYLE = Style(
    api="cs188",
    assignment="classic",
    unanswered=frozenset({"value"}),
    advised=advised,
    advised_syntax=advised_import,
    remark=remark,
)
