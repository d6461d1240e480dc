"""The right answer of a case for people: lines of text with a drawing, or the search itself for a window."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.cases.case import Case, MatchInput, PositionInput
from autograder.cases.truth import WITHOUT, CaseTruth, RightMove, searched_roots
from autograder.judge.explain import draw_search
from autograder.judge.points_as_text import value_text
from pacman.core.errors import InputError, counted
from pacman.record.report import SearchReport, report_from_trace
from pacman.search.algorithms import Options, run_search


def right_answer_lines(case: Case, truth: CaseTruth | None) -> Iterator[str]:
    """The value, the actions and the nodes of each search of a case, with a drawing; for a choice the right actions.

    InputError for a match: nobody knows its right answer.
    """
    if isinstance(case.input, MatchInput):
        raise InputError(f"--show: {case.id} is a match, which has no right answer; see its goals in {case.source}")
    yield f"{case.id}  {case.input.shows}"
    if truth is None:
        assert isinstance(case.input, PositionInput)
        yield f"right: {' or '.join(case.input.accept or ())}"
        yield from (f"  {line}" for line in case.start.board.splitlines())
        return
    for index, ((_, plies), move) in enumerate(zip(searched_roots(case, truth), truth.moves, strict=True)):
        if isinstance(case.input, PositionInput):
            yield f"Pacman's move {index + 1} ({counted(plies, 'ply')} deep)"
        yield from _move_lines(move)
        yield from (f"  {line}".rstrip() for line in draw_search(case, truth, index).picture)


def _move_lines(move: RightMove) -> Iterator[str]:
    yield f"right: value {value_text(move.value)}, action {' or '.join(move.best) or 'None'}"
    for nodes in move.touched:
        cut, without, action = nodes.cut.partition(WITHOUT)
        rule = {"equal": ", cuts at alpha >= beta", "strict": ", cuts at alpha > beta"}.get(cut, "")
        counts = f"{nodes.touched:,} touched, {nodes.expanded:,} expanded, {nodes.generated:,} generated"
        yield f"nodes{rule}{without}{action}: {counts}"


def right_report(case: Case, truth: CaseTruth) -> SearchReport:
    """The right search of the first root of a case, for a window."""
    root, plies = next(searched_roots(case, truth))
    strict = truth.moves[0].touched[0].cut.startswith("strict")
    result = run_search(case.question.reference or "exhaustive", root, plies, Options(strict=strict))
    title = f"{case.id}: the right search, {counted(plies, 'ply')}"
    return report_from_trace(root, plies, result.trace, title, result.line)
