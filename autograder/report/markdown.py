"""Writes the blocks of a report as Markdown, for the student."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from autograder.judge.scorecard import CaseScore, Scorecard
from autograder.report.blocks import DRAWN, Block, Form, Kind, blocks, capitalized, case_blocks
from autograder.report.escape import block, code, prose, row


def dump(card: Scorecard, adjusted: float = 0.0, adjustments: Sequence[str] = ()) -> str:
    """The public part of a scorecard: of hidden cases only the number that passed.

    The `adjustments` of the course staff, as texts, change the points by `adjusted`.
    """
    return "\n\n".join(paragraphs(blocks(card, Form.FILE, False, adjusted, adjustments))) + "\n"


def details(case: CaseScore) -> str:
    """What one case lost, and why; for a case that passed, its notes."""
    return "\n\n".join(paragraphs(each for each in case_blocks(case) if each.kind is not Kind.CASE))


def paragraphs(report: Iterable[Block]) -> Iterator[str]:
    """Each block as one or more paragraphs."""
    for each in report:
        match each.kind, each.lines:
            case Kind.TITLE, (title, submission, earned, most):
                yield f"# {prose(title)}: {earned} of {most} points"
                yield code(submission)
            case Kind.POINTS, _:
                rows = (
                    row(f"{prose(name)} {prose(title)}{extra}", points, cases)
                    for name, title, extra, points, _, _, cases in each.rows
                )
                yield "\n".join([row("question", "points", "cases passed"), row("---", "---:", "---:"), *rows])
            case Kind.WARNING | Kind.REMARK, (text,):
                yield f"**{prose(text)}**"
            case Kind.HEADING, (question, title, *_):
                yield f"## {prose(question)} {prose(title)}"
            case Kind.NOTICE, (text,):
                yield f"**{prose(capitalized(text))}**"
            case Kind.SENTENCE, (first, *others):
                yield f"**{prose(first)}**"
                yield from map(prose, others)
            case kind, drawing if kind in DRAWN:
                yield block(drawing)
            case Kind.COMMAND, (label, command):
                yield f"{label} {code(command)}"
            case Kind.CASE, (name, shows, share):
                yield f"### {prose(name)}: {prose(shows)} ({share})"
            case Kind.MESSAGE, (text,):
                yield code(text)
            case Kind.LOST, _:
                rows = (row(prose(criterion), code(expected), code(got)) for criterion, expected, got in each.rows)
                yield "\n".join([row("criterion", "expected", "got"), row("---", "---", "---"), *rows])
            case Kind.SAME, names:
                yield f"The same in {', '.join(map(prose, names))}."
            case Kind.PRINTED, output:
                yield "Printed:"
                yield block(output)
            case Kind.CONDITIONS, (conditions, _):
                yield prose(conditions)
            case _, texts:
                yield from map(prose, texts)
