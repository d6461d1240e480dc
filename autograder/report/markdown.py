"""A scorecard as Markdown, for the one who handed it in: a table of questions, then what was missed and why."""

from __future__ import annotations

from autograder.judge.scorecard import GRADERS_FAULT, HIDDEN, CaseScore, QuestionScore, Scorecard
from autograder.report.escape import block, code, prose, row
from autograder.report.points import percent, points_text


def dump(card: Scorecard) -> str:
    """The public part of a scorecard: of hidden cases only how many were passed."""
    warning = unsure(card)
    card = card.public()
    parts = [
        f"# {prose(card.title)}: {points_text(card.earned)} of {points_text(card.points)} points",
        code(card.submission),
        f"**{warning}**" if warning else "",
        _table(card),
        *map(_question, card.questions),
        prose(card.level),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def details(case: CaseScore) -> str:
    """What was missed in one case, and why; of a case that was passed, what there is to note."""
    parts = [code(case.message)] if case.message else []
    if case.lost and not case.message:
        rows = [row(prose(each.criterion), code(each.expected), code(each.got)) for each in case.lost]
        parts.append("\n".join([row("lost", "expected", "yours"), row("---", "---", "---"), *rows]))
    if case.why:
        parts.append(prose(case.why))
    if case.picture:
        parts.append(block(case.picture))
    parts += [prose(note) for note in case.notes]
    if case.output:
        parts += ["Printed:", block(case.output)]
    return "\n\n".join(parts)


def remarks(question: QuestionScore) -> list[str]:
    """What holds for a question as a whole: why it earns nothing, and the known mistakes behind its misses."""
    said = [f"**No points yet**: {prose(question.withheld)}"] if question.withheld else []
    if question.mistakes:
        first = question.mistakes[0]
        many = "Two mistakes at once explain" if len(question.mistakes) > 1 else "A known mistake explains"
        said.append(f"{many} {first.explains} of {first.of} missed searches:")
    return said + [f"**{prose(each.sentence)}** {prose(each.hint)}" for each in question.mistakes]


def unsure(card: Scorecard) -> str:
    """A warning where the grader itself failed on some cases; else empty."""
    return "" if card.is_final else "Not final: the grader itself failed on some cases. Tell the course staff."


def hidden(question: QuestionScore) -> str:
    """How many of a question's hidden cases were passed; empty where there are none."""
    cases = [case for case in question.cases if case.hidden]
    return f"{sum(case.earned >= 1 for case in cases)} of {len(cases)} hidden cases passed" if cases else ""


def misses(question: QuestionScore) -> list[list[CaseScore]]:
    """The open cases that lost something, or that the grader itself failed on; those with one message are together."""
    groups: dict[str, list[CaseScore]] = {}
    for case in question.cases:
        if case.kind != HIDDEN and (case.earned < 1 or case.fault == GRADERS_FAULT):
            groups.setdefault(case.message or case.id, []).append(case)
    return list(groups.values())


def _table(card: Scorecard) -> str:
    rows = []
    for question in card.questions:
        passed = sum(case.earned >= 1 for case in question.cases)
        name = f"{prose(question.id)} {prose(question.title)}" + " (extra)" * question.extra
        points = f"{points_text(question.earned)}/{points_text(question.points)}"
        rows.append(row(name, points, f"{passed}/{len(question.cases)}"))
    return "\n".join([row("question", "points", "cases passed"), row("---", "---:", "---:"), *rows])


def _question(question: QuestionScore) -> str:
    """A question's remarks and misses, or nothing; a message is told once, with the names of all that it holds for."""
    parts = remarks(question)
    for first, *others in misses(question):
        parts += [f"### {prose(first.id)}: {prose(first.shows)} ({percent(first.earned)})", details(first)]
        if others:
            parts.append(f"The same in {', '.join(prose(case.id) for case in others)}.")
    if count := hidden(question):
        parts.append(f"{count}.")
    heading = f"## {prose(question.id)} {prose(question.title)}"
    return "\n\n".join([heading, *(part for part in parts if part)]) if parts else ""
