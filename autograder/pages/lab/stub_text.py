"""The stub as the editor of the lab shows it: a short header; the page shows the long text at its top as notes."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from dataclasses import dataclass

from autograder.cases.case import Assignment

FIRST = "Your file: write your code at each NotWritten line."
SEARCH = """\
A node has layer, is_terminal, actions(), successor(action);
at CHANCE outcomes(). `plies`: how many moves to look ahead.
Return Line(value, action). """
MORE = "The notes on this page say more."


@dataclass(frozen=True)
class Note:
    """A part of the notes: a paragraph; or rows, each with a name and a paragraph; or the lines of a program."""

    text: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    lines: tuple[str, ...] = ()


def editor_text(assignment: Assignment, stub: str) -> tuple[str, tuple[Note, ...]]:
    """The text of the editor, and the notes. A stub without a text at its top stays as it is, without notes.

    The first paragraph and the commands are left out: they are about files and programs that the lab does not have.
    """
    module = ast.parse(stub)
    documentation = ast.get_docstring(module, clean=False)
    if not documentation:
        return stub, ()
    last = module.body[0].end_lineno
    rest = stub.splitlines(keepends=True)[last:]
    has_search = any(question.role == "search" for question in assignment.questions)
    header = f'"""{FIRST}\n\n{SEARCH * has_search}{MORE}\n"""\n'
    notes = [_note(text) for text in inspect.cleandoc(documentation).split("\n\n")[1:] if "python -m" not in text]
    return header + "".join(rest), tuple(notes)


def _note(text: str) -> Note:
    if not text.startswith("    "):
        return Note(" ".join(text.split()))
    lines = textwrap.dedent(text).splitlines()
    rows = [re.split(r"  +", line, maxsplit=1) for line in lines]
    if any(len(row) == 1 for row in rows):
        return Note(lines=tuple(lines))
    table: list[tuple[str, str]] = []
    for name, words in rows:
        if name:
            table.append((name, words))
        else:  # the words of the row above go on
            table[-1] = table[-1][0], f"{table[-1][1]} {words}"
    return Note(rows=tuple(table))
