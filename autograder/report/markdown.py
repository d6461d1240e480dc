"""A scorecard as Markdown, for the student: a table of questions, then each failed case with its explanation."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.judge.points_as_text import points_text
from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from autograder.report.contents import (
    DRAWN,
    capitalized,
    costless_notes,
    diagnosis_parts,
    general_faults,
    hidden_count,
    misses,
    not_final_warning,
    share_text,
    shown_diagnosis,
)
from autograder.report.escape import block, code, prose, row


def dump(card: Scorecard, adjusted: float = 0.0, adjustments: Sequence[str] = ()) -> str:
    """The public part of a scorecard: of hidden cases only the number that passed.

    The `adjustments` of the course staff, as texts, change the points by `adjusted`.
    """
    warning = not_final_warning(card)
    card = card.public()
    parts = [
        f"# {prose(card.title)}: {points_text(card.earned + adjusted)} of {points_text(card.points)} points",
        code(card.submission),
        *map(adjustment, adjustments),
        f"**{warning}**" if warning else "",
        _table(card),
        *(f"**{prose(line)}**" for line in general_faults(card)),
        *map(_question, card.questions),
        prose(card.conditions),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def adjustment(text: str) -> str:
    """The paragraph about something that the course staff adjusted."""
    return f"Adjusted by the course staff: {prose(text)}"


def details(case: CaseScore) -> str:
    """What one case lost, and why; for a case that passed, its notes."""
    parts = [code(case.message)] if case.message else []
    if case.lost and not case.message:
        rows = [row(prose(each.criterion), code(each.expected), code(each.got)) for each in case.lost]
        parts.append("\n".join([row("criterion", "expected", "got"), row("---", "---", "---"), *rows]))
    if case.why:
        parts.append(prose(case.why))
    if case.picture:
        parts.append(block(case.picture))
    if case.command:
        parts.append(f"To see this game: {code(case.command)}")
    parts += [prose(note) for note in case.notes]
    if case.output:
        parts += ["Printed:", block(case.output)]
    return "\n\n".join(parts)


def remarks(question: QuestionScore) -> list[str]:
    """Remarks about a whole question, one paragraph each: what it is locked by, and what its diagnosis found out."""
    paragraphs = [f"**{prose(capitalized(question.withheld))}**"] if question.withheld else []
    diagnosis = shown_diagnosis(question)
    if diagnosis is None:
        return paragraphs
    for kind, lines in diagnosis_parts(diagnosis).items():
        if kind in DRAWN:
            paragraphs.append(block(lines))
        elif kind == "command":
            paragraphs.append(f"To run just this: {code(lines[0])}")
        else:
            first = f"**{prose(lines[0])}**" if kind == "sentence" else prose(lines[0])
            paragraphs += [first, *map(prose, lines[1:])]
    return paragraphs


def _table(card: Scorecard) -> str:
    rows = []
    for question in card.questions:
        passed = sum(case.earned >= 1 for case in question.cases)
        name = f"{prose(question.id)} {prose(question.title)}" + " (extra)" * question.extra
        points = f"{points_text(question.earned)}/{points_text(question.points)}"
        ungraded = sum(case.is_ungraded for case in question.cases)
        rows.append(row(name, points, f"{passed}/{len(question.cases)}" + f" ({ungraded} ungraded)" * bool(ungraded)))
    return "\n".join([row("question", "points", "cases passed"), row("---", "---:", "---:"), *rows])


def _question(question: QuestionScore) -> str:
    """A question's remarks and misses; empty if it has none. One message is written once, with all its cases."""
    parts = remarks(question)
    for first, *others in misses(question):
        parts += [f"### {prose(first.id)}: {prose(first.shows)} ({share_text(first)})", details(first)]
        if others:
            parts.append(f"The same in {', '.join(prose(case.id) for case in others)}.")
    parts += map(prose, costless_notes(question))
    if count := hidden_count(question):
        parts.append(f"{count}.")
    heading = f"## {prose(question.id)} {prose(question.title)}"
    return "\n\n".join([heading, *(part for part in parts if part)]) if parts else ""
