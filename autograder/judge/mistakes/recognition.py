"""Finds the known mistake that a submission makes: runs wrong searches on the same cases and compares the claims.

A wrong search *explains* a failed case if it makes the same claims as the submission in every search of the case that
the submission missed, and if it is right in every search that the submission got right. Two claims are the same if they
have the same action, the same set of nodes, the same value (if the question compares values) and the same number of
successors (if the question counts them). A case that the submission passed *contradicts* a wrong search that loses
anything there. A mistake is reported only if

- it explains every failed case, and no case contradicts it; otherwise, if
- a search that makes two mistakes at once does this, and neither mistake alone does; otherwise, if
- it explains more than half of the failed cases, at least two, and no case contradicts it.

If several rows do equally well, the first one wins. A wrong search that raises the same error explains a case that
ended in an error. No mistake explains a case that ran out of time or returned something unreadable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import isfinite
from typing import Any

from autograder.cases.case import Case, Question
from autograder.cases.reference import Reference, ReferenceMove, is_close, nodes_digest, searched_roots
from autograder.judge.compare import is_right
from autograder.judge.mistakes.known_mistakes import KnownMistake, possible_mistakes
from autograder.judge.mistakes.wrong_search import Endless, SearchVariant, dialects, right_variant, run
from autograder.judge.scorecard import Mistake
from autograder.judge.submission_answer import Answer, Claim
from pacman.core.trace import Trace
from pacman.core.tree import Line, Node

MOST_MADE = 20_000
"""Successors that a wrong search may generate in one search; it never needs more than the submission generated."""
ALL_MADE = 300_000
"""Successors that all wrong searches of a question may generate together, in one or two seconds."""
PAIR_NEEDS = 3
"""With fewer failed cases than this, some pair of mistakes would explain almost anything."""


@dataclass(frozen=True)
class Search:
    """One search of a case and its result: a claim, an error that the submission raised, or neither."""

    case: Case
    root: Node
    plies: int
    move: ReferenceMove
    claim: Claim | None
    raised: str
    is_right: bool

    @cached_property
    def most(self) -> int:
        """The number of successors after which a wrong search can no longer match the submission here."""
        if self.claim is None or self.is_right or not self.counts:
            return min(MOST_MADE, 4 * max(each.generated for each in self.move.touched) + 100)
        return min(MOST_MADE, self.claim.generated)

    @property
    def counts(self) -> bool:
        """True if a successor that is generated again counts again."""
        return "generated" in self.case.question.criteria


@dataclass(frozen=True)
class CaseAttempt:
    """What a submission did in one case. `is_failed` is true if it lost anything there."""

    searches: tuple[Search, ...]
    is_failed: bool

    @property
    def size(self) -> int:
        """The number of successors that a wrong search may generate in this case."""
        return sum(search.most for search in self.searches)


def collect_attempt(case: Case, reference: Reference, answer: Answer) -> CaseAttempt:
    """What a submission did in one case, in the form that `recognise` compares with wrong searches."""
    searches = []
    for index, ((root, plies), move) in enumerate(zip(searched_roots(case, reference), reference.moves, strict=True)):
        claim = answer.claims[index] if index < len(answer.claims) else None
        raised = ""
        if claim is None and answer.fault is not None and answer.fault.kind == "raised":
            raised = answer.fault.text
        right = claim is not None and is_right(case, root, plies, move, claim)
        searches.append(Search(case, root, plies, move, claim, raised, right))
        if claim is None:
            break
    is_failed = answer.fault is not None or not all(search.is_right for search in searches)
    return CaseAttempt(tuple(searches), is_failed)


def recognise(attempts: Sequence[CaseAttempt], question: Question) -> tuple[Mistake, ...]:
    """The mistakes that a submission makes in one question: none, one, or two at once."""
    failed = [each for each in attempts if each.is_failed]
    if not failed:
        return ()
    budget = Budget(ALL_MADE)
    # The smallest first: in most wrong searches a few nodes are enough to see a difference.
    ordered = sorted(failed, key=lambda each: each.size) + sorted(
        (each for each in attempts if not each.is_failed), key=lambda each: each.size
    )
    rows = list(possible_mistakes(question))
    reference = question.reference or ""
    most, best = 0, None
    for row in rows:
        for habits in row.habits:
            explained = _explained(habits, reference, ordered, len(failed), len(failed) // 2, budget)
            if explained == len(failed):
                return (_mistake(row, explained, explained),)
            if explained > most:
                most, best = explained, row
    if len(failed) >= PAIR_NEEDS:
        for one, other, habits in _pairs(rows):
            if _explained(habits, reference, ordered, len(failed), 0, budget) == len(failed):
                return tuple(_mistake(row, len(failed), len(failed)) for row in (one, other))
    if best is not None and most >= 2 and 2 * most > len(failed):
        return (_mistake(best, most, len(failed)),)
    return ()


@dataclass
class Budget:
    """The number of successors that may still be generated."""

    left: int


def _mistake(row: KnownMistake, explains: int, of: int) -> Mistake:
    return Mistake(row.name, row.sentence, row.hint, explains, of)


def _pairs(rows: Sequence[KnownMistake]) -> Iterator[tuple[KnownMistake, KnownMistake, Mapping[str, Any]]]:
    """Every pair of mistakes that one search can make at once, with the habits of both."""
    for one, other in combinations(rows, 2):
        for first in one.habits:
            for second in other.habits:
                if not first.keys() & second.keys():
                    yield one, other, {**first, **second}


def _explained(
    habits: Mapping[str, Any], reference: str, ordered: Iterable[CaseAttempt], failed: int, spare: int, budget: Budget
) -> int:
    """The number of failed cases that these habits explain, in the dialect that explains most.

    0 if a case contradicts them, or if more than `spare` failed cases remain unexplained.
    """
    most = 0
    for dialect in dialects(reference):
        if dialect.keys() & habits.keys():
            continue
        explained, missing = 0, 0
        for each in ordered:
            if _fits(habits, dialect, reference, each, budget):
                explained += each.is_failed
                continue
            missing += 1
            if not each.is_failed or missing > spare:
                explained = 0
                break
        most = max(most, explained)
        if most == failed:
            break
    return most


def _fits(
    habits: Mapping[str, Any], dialect: Mapping[str, Any], reference: str, attempt: CaseAttempt, budget: Budget
) -> bool:
    """True if the wrong search does the same as the submission in a case; in a passed case, if it passes too."""
    for search in attempt.searches:
        cut = getattr(search.case.input, "cut", "equal")
        wrong = replace(right_variant(reference, cut), **dialect, **habits)
        if getattr(search.case.input, "ties", "any") == "first" and "ties" in dialect:
            wrong = replace(wrong, ties="first")  # in this case the last action is wrong, not a dialect
        if not _same(wrong, search, budget):
            return False
    return True


def _same(wrong: SearchVariant, search: Search, budget: Budget) -> bool:
    if budget.left <= 0 or (search.claim is None and not search.raised):
        return False
    try:
        line, trace = run(wrong, search.root, search.plies, search.most)
    except Endless:
        budget.left -= search.most
        return False
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        budget.left -= 10
        return search.claim is None and search.raised.startswith(_first_line(error))
    budget.left -= trace.generated + 1
    if search.claim is None:
        return False
    if search.is_right:
        return is_right(search.case, search.root, search.plies, search.move, to_claim(line, trace))
    return _equal(search, search.claim, line, trace)


def _first_line(error: Exception) -> str:
    """The beginning of an error's text, to compare it with the text from a submission, which may be cut off."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"[:60]


def to_claim(line: Line, trace: Trace) -> Claim:
    """The result of a wrong search as a claim."""
    value = line.value if isfinite(line.value) else None
    return Claim(value, str(line.value), line.action, str(line.action), trace.generated, trace, ())


def _equal(search: Search, claim: Claim, line: Line, trace: Trace) -> bool:
    """True if the claims are the same: action, set of nodes and, if they count, value and number of successors."""
    if claim.action != line.action or (search.counts and claim.generated != trace.generated):
        return False
    if "value" in search.case.question.criteria:
        if claim.value is None or not isfinite(line.value):
            if claim.value is not None or isfinite(line.value):
                return False
        elif not is_close(claim.value, line.value):
            return False
    return claim.trace is None or claim.nodes == nodes_digest(trace)
