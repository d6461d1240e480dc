"""The first wrong step of a search as lines of text: the student's code, a table of the successors, and sentences."""

from __future__ import annotations

from textwrap import dedent

from autograder.judge.scorecard import WrongStep


def code_lines(step: WrongStep) -> list[str]:
    """The lines of code with their numbers; a `>` marks the line of the step. None if the file has no such line."""
    if not step.code:
        return []
    width = len(str(step.line))
    texts = dedent("\n".join(text for _, text in step.code)).split("\n")
    numbers = [number for number, _ in step.code]
    return [
        f"{'>' if number == step.line else ' '} {number:>{width}}  {text}".rstrip()
        for number, text in zip(numbers, texts, strict=True)
    ]


def table_lines(step: WrongStep) -> list[str]:
    """The table of the successors, in columns; empty if there is none."""
    if not step.rows:
        return []
    rows = [step.columns, *step.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(step.columns))]
    return ["   ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def sentences(step: WrongStep) -> list[str]:
    """What was expected and seen, the proof, and at how many nodes the same happens."""
    return [text for text in (step.words, step.proof, step.extent) if text]
