"""Which known mistake a submission makes, if any: wrong searches run over the same cases, their claims compared.

A wrong search *explains* a failed case if it makes the submission's claims there: the same value (where values are
asked), the same action, the same set of nodes, and as many successors (where they are counted), at every search of the
case that the submission missed; and where it missed none of a line's searches, the wrong search misses none either. A
case that the submission passed speaks *against* a wrong search that loses anything there. So a mistake is named only if

- it explains every failed case, and none speaks against it; or else
- the same holds of a search that makes two mistakes at once, and of neither alone; or else
- it explains more than half of the failed cases, two at least, and none speaks against it.

The first row wins where several do equally well. What ended in a fault of the submission is explained by a wrong search
that raises the same error; what ran out of time, or returned nothing readable, by none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import isfinite
from typing import Any

from autograder.cases.case import Case, Question
from autograder.cases.reference import Move, Reference, is_close, nodes_digest, searched_roots
from autograder.judge.compare import is_right
from autograder.judge.mistakes.known_mistakes import KnownMistake, known
from autograder.judge.mistakes.wrong_search import Endless, SearchVariant, base, dialects, run
from autograder.judge.scorecard import Mistake
from autograder.judge.submission_answer import Answer, Claim
from pacman.core.trace import Trace
from pacman.core.tree import Line, Node

MOST_MADE = 20_000
"""Successors that a wrong search may make in one search; it never needs more than the submission made."""
ALL_MADE = 300_000
"""Successors that all wrong searches of a question may make together: a second or two."""
PAIR_NEEDS = 3
"""Failed cases below which two mistakes at once would explain anything."""


@dataclass(frozen=True)
class Search:
    """One search of a case, and what came of it: a claim, an error that was raised, or neither."""

    case: Case
    root: Node
    plies: int
    move: Move
    claim: Claim | None
    raised: str
    is_right: bool

    @cached_property
    def most(self) -> int:
        """How many successors a wrong search may make before it cannot do what was done here."""
        if self.claim is None or self.is_right or not self.counts:
            return min(MOST_MADE, 4 * max(each.generated for each in self.move.touched) + 100)
        return min(MOST_MADE, self.claim.generated)

    @property
    def counts(self) -> bool:
        """True where a successor that is made again counts again."""
        return "generated" in self.case.question.criteria

    @cached_property
    def nodes(self) -> str:
        assert self.claim is not None
        return "" if self.claim.trace is None else nodes_digest(self.claim.trace)


@dataclass(frozen=True)
class Tried:
    """A case that a submission tried."""

    searches: tuple[Search, ...]
    failed: bool

    @property
    def size(self) -> int:
        return sum(search.most for search in self.searches)


def run_known_mistakes(case: Case, reference: Reference, answer: Answer) -> Tried:
    """What a submission did with a case, as the wrong searches are compared with it."""
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
    return Tried(tuple(searches), answer.fault is not None or not all(search.is_right for search in searches))


def recognise(all_tried: Sequence[Tried], question: Question) -> tuple[Mistake, ...]:
    """The mistakes that a submission makes in one question: none, one, or two at once."""
    failed = [each for each in all_tried if each.failed]
    if not failed:
        return ()
    budget = Budget(ALL_MADE)
    # The smallest first: most wrong searches are told apart from the submission's by a few nodes.
    ordered = sorted(failed, key=lambda each: each.size) + sorted(
        (each for each in all_tried if not each.failed), key=lambda each: each.size
    )
    rows = list(known(question))
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
    """What is left of the successors that may be made."""

    left: int


def _mistake(row: KnownMistake, explains: int, of: int) -> Mistake:
    return Mistake(row.name, row.sentence, row.hint, explains, of)


def _pairs(rows: Sequence[KnownMistake]) -> Iterator[tuple[KnownMistake, KnownMistake, Mapping[str, Any]]]:
    """Every two mistakes that one search can make at once."""
    for one, other in combinations(rows, 2):
        for first in one.habits:
            for second in other.habits:
                if not first.keys() & second.keys():
                    yield one, other, {**first, **second}


def _explained(
    habits: Mapping[str, Any], reference: str, ordered: Iterable[Tried], failed: int, spare: int, budget: Budget
) -> int:
    """How many failed cases these habits explain, in the dialect that explains most; 0 if a case speaks against them.

    Gives up, with 0, when more than `spare` failed cases are not explained.
    """
    most = 0
    for dialect in dialects(reference):
        if dialect.keys() & habits.keys():
            continue
        explained, missing = 0, 0
        for each in ordered:
            if _fits(habits, dialect, reference, each, budget):
                explained += each.failed
                continue
            missing += 1
            if not each.failed or missing > spare:
                explained = 0
                break
        most = max(most, explained)
        if most == failed:
            break
    return most


def _fits(habits: Mapping[str, Any], dialect: Mapping[str, Any], reference: str, each: Tried, budget: Budget) -> bool:
    """True when the wrong search does in a case what the submission did; in a passed one, when it passes too."""
    for search in each.searches:
        cut = getattr(search.case.input, "cut", "equal")
        wrong = replace(base(reference, cut), **dialect, **habits)
        if getattr(search.case.input, "ties", "any") == "first" and "ties" in dialect:
            wrong = replace(wrong, ties="first")  # there the other way is no dialect, but wrong
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
        return is_right(search.case, search.root, search.plies, search.move, claimed(line, trace))
    return _equal(search, search.claim, line, trace)


def _first_line(error: Exception) -> str:
    """How an error begins when a submission raises it too; texts are cut off somewhere behind that."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"[:60]


def claimed(line: Line, trace: Trace) -> Claim:
    """A wrong search's result as a claim."""
    value = line.value if isfinite(line.value) else None
    return Claim(value, str(line.value), line.action, str(line.action), trace.generated, trace, ())


def _equal(search: Search, claim: Claim, line: Line, trace: Trace) -> bool:
    """The same claim: action, set of nodes, and where they count, value and number of successors."""
    if claim.action != line.action or (search.counts and claim.generated != trace.generated):
        return False
    if "value" in search.case.question.criteria:
        if claim.value is None or not isfinite(line.value):
            if claim.value is not None or isfinite(line.value):
                return False
        elif not is_close(claim.value, line.value):
            return False
    return claim.trace is None or search.nodes == nodes_digest(trace)
