"""The submission API of Berkeley-style files. Their searches return only an action, so no value is compared."""

from __future__ import annotations

from autograder.cases.case import Case
from autograder.cases.reference import Reference, reference_trace, searched_roots
from autograder.grading.submission_api import SubmissionApi
from autograder.judge.compare import Verdict
from autograder.judge.submission_answer import Answer
from autograder.platforms.cs188.messages import statement, touched, with_advice, with_syntax_advice


def count_note(case: Case, reference: Reference | None, answer: Answer, verdict: Verdict) -> str:
    """How many states the first wrong search expanded, counted as the Berkeley project does; "" if none is wrong.

    Also "" for a fault, for whole games, and for a search that made more nodes than the process sends.
    """
    if reference is None or answer.fault or not verdict.missed_searches:
        return ""
    index = verdict.missed_searches[0]
    (root, plies), claim = list(searched_roots(case, reference))[index], answer.claims[index]
    if claim.trace is None:
        return ""
    counts = [touched(root, reference_trace(root, plies, right.cut)) for right in reference.moves[index].touched]
    got = touched(root, claim.trace)
    return statement(got if got in counts else counts[0], got)


API = SubmissionApi(
    name="cs188",
    assignment="classic",
    counts_agents=True,
    unsupported_criteria=frozenset({"value"}),
    with_advice=with_advice,
    with_syntax_advice=with_syntax_advice,
    count_note=count_note,
)
