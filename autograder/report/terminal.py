"""Writes the blocks of a report to a terminal: in full, or what a student reads first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.judge.explain import HERE
from autograder.judge.scorecard import Scorecard
from autograder.report import escape
from autograder.report.blocks import Block, Form, Kind, blocks
from pacman.core.errors import counted

NOTICE = "color(130)"
"""The colour of what needs attention: an orange that can be read on a white and on a black terminal, unlike yellow."""
SPACED = {
    *(Kind.POINTS, Kind.WARNING, Kind.REMARK, Kind.HEADING, Kind.SENTENCE),
    *(Kind.TABLE, Kind.CAPTION, Kind.CASE, Kind.CONDITIONS),
}
"""The kinds of blocks with an empty line above."""
TEXTS = {
    Kind.WARNING: (NOTICE, 0),
    Kind.REMARK: ("", 0),
    Kind.NOTICE: (NOTICE, 2),
    Kind.SENTENCE: (f"bold {NOTICE}", 2),
    Kind.HINT: ("", 4),
    Kind.FACT: ("", 2),
    Kind.CAPTION: ("", 2),
    Kind.MESSAGE: ("red", 2),
    Kind.WHY: (NOTICE, 2),
    Kind.NOTE: ("dim", 2),
    Kind.REST: ("dim", 0),
}
"""Style and indentation of the kinds whose lines are texts."""


def render(card: Scorecard, console: Console, show_hidden: bool = False, is_short: bool = False) -> None:
    """Prints the scorecard with the drawings of all misses; `is_short`: only what a student reads first.

    Of hidden cases it prints only how many passed, and the time is that of the other cases. `show_hidden` prints them
    like the others: never show that to students.
    """
    write(blocks(card, Form.SHORT if is_short else Form.ALL, show_hidden), console)


def write(report: Iterable[Block], console: Console) -> None:
    """Prints blocks."""
    for block in report:
        if block.kind in SPACED:
            console.print()
        _write(block.cleaned(), console)


def _write(block: Block, console: Console) -> None:
    """Prints one block."""
    match block.kind, block.lines:
        case Kind.TITLE, (title, submission, *_):
            console.print(Text(f"{title}: {submission}", style="bold"))
        case Kind.POINTS, (total,):
            console.print(_points(block.rows, total))
        case Kind.HEADING, (question, title, *_):
            console.rule(Text(f"{question} {title}"), align="left", style="dim")
        case Kind.CODE, code:
            for line in code:
                style = f"bold {NOTICE}" if line.startswith(">") else "dim"
                console.print(Padding(Text(line, style=style, overflow="fold"), (0, 0, 0, 4)))
        case Kind.TABLE, table:
            for line in table:
                console.print(Text(f"    {line}"), no_wrap=True, overflow="ellipsis")
        case Kind.PICTURE, picture:
            _print_picture(picture, console)
        case Kind.COMMAND, (label, command):  # not wrapped, so that it can be copied
            console.print(Text(f"  {label} {command}"), soft_wrap=True)
        case Kind.CASE, (name, shows, share):
            console.print(Text.assemble((name, "bold"), f"  {share}  ", (shows, "dim")))
        case Kind.LOST, _:
            lost = plain_table("criterion", "expected", "got")
            for criterion, expected, got in block.rows:
                lost.add_row(Text(criterion, style="red"), Text(expected), Text(got))
            console.print(Padding(lost, (0, 0, 0, 2)))
        case Kind.SAME, names:
            _print_text(f"the same error in {counted(len(names), 'more case')}: {', '.join(names)}", console, "dim")
        case Kind.PRINTED, output:
            _print_text("printed: " + " | ".join(output), console, "dim")
        case Kind.CONDITIONS, (conditions, seconds):  # in a file one line, as the last ones
            console.print(Text(f"{conditions}; {seconds}", style="dim"), soft_wrap=not console.is_terminal)
        case Kind.LAST, (text,):
            console.print(Text(text, style=f"bold {NOTICE}"), soft_wrap=not console.is_terminal)
        case kind, texts if kind in TEXTS:
            for text in texts:
                _print_text(text, console, *TEXTS[kind])


def _print_text(text: str, console: Console, style: str = "", indent: int = 2) -> None:
    """Prints a text, indented."""
    words = Text(text, style=style)
    console.print(Padding(words, (0, 0, 0, indent)) if indent else words)


def _print_picture(picture: Sequence[str], console: Console) -> None:
    """Prints a picture: a drawing unchanged, a labelled sentence (`path to it: ...`) wrapped.

    The line of the first wrong node is in colour.
    """
    for line in picture:
        style = f"bold {NOTICE}" if line.endswith(HERE) else ""
        is_drawn = line.startswith((" ", "%")) or ": " not in line
        wrapped = wrap(line, console.width - 4, subsequent_indent="  ", break_long_words=False)
        for part in [line] if is_drawn else wrapped:
            console.print(Text("    " + part, style=style), no_wrap=True, overflow="ignore", crop=False)


def _points(rows: Sequence[Sequence[str]], total: str) -> Table:
    """The questions with their points and bars."""
    table = plain_table("", "question", "points>", "", "problems (cases)")
    for column in table.columns:
        column.no_wrap, column.overflow = column.header not in ("question", "problems (cases)"), "fold"
    for name, title, extra, points, bar, problems, _ in rows:
        table.add_row(name, Text(title + extra), points, _bar(bar), Text(problems, style="dim"))
    table.add_row("", Text("total", style="bold"), Text(total, style="bold"))
    return table


def _bar(bar: str) -> Text:
    """A bar in the colour of its share."""
    full = bar.rstrip("░")
    colour = "green" if full == bar else NOTICE if 2 * len(full) >= len(bar) else "red"
    return Text.assemble((full, colour), (bar[len(full) :], f"dim {colour}"))


def plain_table(*headings: str, no_wrap: bool = False, rows: Iterable[Sequence[str]] = ()) -> Table:
    """A table of texts, without lines. The cells below a heading that ends with `>` are at the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        name = heading.removesuffix(">")
        table.add_column(name, header_style="dim", justify="right" if name != heading else "left", no_wrap=no_wrap)
    for row in rows:
        table.add_row(*(Text(escape.line(cell)) for cell in row))
    return table
