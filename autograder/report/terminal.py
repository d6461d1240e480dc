"""A scorecard in a terminal: one row per question, then the failed cases one by one."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.judge.diagnose import HERE
from autograder.judge.points_as_text import counted, points_text
from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from autograder.report.escape import cleaned
from autograder.report.markdown import (
    costless_notes,
    general_faults,
    losses,
    misses,
    not_final_warning,
    share_text,
    shown_examination,
    smallest_title,
)

BAR_WIDTH = 20
NOTICE = "color(130)"
"""The colour of what needs attention: an orange that can be read on a white and on a black terminal, unlike yellow."""
DRAWN_MISSES = 2
"""How many misses of a question are drawn unless all of them are requested."""


def render(card: Scorecard, console: Console, everything: bool = False, show_hidden: bool = False) -> None:
    """Prints the scorecard with drawings of the first misses of each question; of all misses with `everything`.

    Of hidden cases it prints only how many passed, and the time is that of the other cases. `show_hidden` prints them
    like the others: never show that to students.
    """
    warning = not_final_warning(card)
    card = cleaned(card if show_hidden else card.public())
    console.print(Text(f"{card.title}: {card.submission}", style="bold"))
    console.print()
    table = _table("", "question", "points", "", "problems (cases)")
    table.columns[2].justify = "right"
    for column in table.columns[:4]:
        column.no_wrap = True
    for question in card.questions:
        score = f"{points_text(question.earned)}/{points_text(question.points)}"
        title = Text(question.title + (" (extra)" if question.extra else ""))
        table.add_row(question.id, title, score, _bar(question), Text(losses(question), style="dim"))
    total = f"{points_text(card.earned)}/{points_text(card.points)}"
    table.add_row("", Text("total", style="bold"), Text(total, style="bold"))
    console.print(table)
    for line in filter(None, (warning, *general_faults(card))):
        console.print()
        console.print(Text(line, style=NOTICE))
    reported: set[str] = set()
    for question in card.questions:
        _misses(question, reported, console, len(question.cases) if everything else DRAWN_MISSES)
    console.print()
    console.print(Text(f"{card.conditions}; {card.seconds:.1f} s", style="dim"), soft_wrap=True)


def render_case(case: CaseScore, console: Console) -> None:
    """Prints one case, also if it was passed."""
    _miss(cleaned(case), console, 0)


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, header_style="dim")
    return table


def _print(console: Console, text: str, style: str, indent: int = 2) -> None:
    console.print(Padding(Text(text, style=style), (0, 0, 0, indent)))


def _misses(question: QuestionScore, reported: set[str], console: Console, most: int) -> None:
    """Prints the misses of a question: `most` of them with drawings, one line for each of the rest.

    A message in `reported` is not printed again.
    """
    groups = [group for group in misses(question) if group[0].message not in reported]
    reported |= {case.message for case in question.cases if case.message}
    notes = costless_notes(question)
    if not (groups or notes or question.withheld or shown_examination(question)):
        return
    console.print()
    console.rule(Text(f"{question.id} {question.title}"), align="left", style="dim")
    if question.withheld:
        _print(console, question.withheld, NOTICE)
    _examination(question, console)
    for case, *others in groups[:most]:
        _miss(case, console, len(others))
    if groups[most:]:
        console.print()
        for case, *_ in groups[most:]:
            lost = case.message or "lost: " + ", ".join(lost.criterion for lost in case.lost)
            console.print(Text.assemble((case.id, "bold"), f"  {share_text(case)}  {lost}"))
        console.print(Text(f"To see every case in full: --question {question.id}", style="dim"))
    if notes:
        console.print()
    for note in notes:
        _print(console, note, "dim")


def _examination(question: QuestionScore, console: Console) -> None:
    """Prints what the examination found out: what is wrong, a hint, the smallest failing tree, and what is right."""
    examination = shown_examination(question)
    if examination is None:
        return
    console.print()
    for sentence in examination.sentences:
        _print(console, sentence, f"bold {NOTICE}")
    if examination.hint:
        _print(console, examination.hint, "", indent=4)
    if examination.smallest:
        console.print()
        _print(console, smallest_title(examination, examination.smallest), "")
        _picture(examination.smallest.picture, console)
        _print_command(console, "To run just this:", examination.smallest.command)
    if examination.right:
        _print(console, examination.right, "dim")


def _miss(case: CaseScore, console: Console, others: int) -> None:
    """Prints one case that lost points; `others` is the number of further cases with the same message."""
    console.print()
    console.print(Text.assemble((case.id, "bold"), f"  {share_text(case)}  ", (case.shows, "dim")))
    if case.message:
        _print(console, case.message, "red")
        if others:
            _print(console, f"the same error in {counted(others, 'more case')}", "dim")
    elif case.lost:
        table = _table("criterion", "expected", "got")
        for lost in case.lost:
            table.add_row(Text(lost.criterion, style="red"), Text(lost.expected), Text(lost.got))
        console.print(Padding(table, (0, 0, 0, 2)))
    if case.why:
        _print(console, case.why, NOTICE)
    _picture(case.picture, console)
    _print_command(console, "To see this game:", case.command)
    for note in case.notes:
        _print(console, note, "dim")
    if case.output:
        _print(console, "printed: " + case.output.replace("\n", " | "), "dim")


def _print_command(console: Console, label: str, command: str) -> None:
    """Prints a command, not wrapped, so that it can be copied; nothing if there is none."""
    if command:
        console.print(Text(f"  {label} {command}"), soft_wrap=True)


def _picture(picture: Sequence[str], console: Console) -> None:
    """Prints a picture; the line of the first wrong node in colour."""
    for line in picture:
        style = f"bold {NOTICE}" if line.endswith(HERE) else ""
        for part in _wrapped(line, console.width - 4):
            console.print(Text("    " + part, style=style), no_wrap=True, overflow="ignore", crop=False)


def _wrapped(line: str, width: int) -> list[str]:
    """A line of a picture: a drawing unchanged, a labelled sentence (`path to it: ...`) wrapped to `width`."""
    is_drawn = line.startswith((" ", "%")) or ": " not in line
    return [line] if is_drawn else wrap(line, width, subsequent_indent="  ", break_long_words=False)


def _bar(question: QuestionScore) -> Text:
    share = question.earned / question.points
    full = BAR_WIDTH if question.is_full else min(BAR_WIDTH - 1, int(BAR_WIDTH * share))
    colour = "green" if question.is_full else NOTICE if share >= 0.5 else "red"
    return Text("█" * full, style=colour) + Text("░" * (BAR_WIDTH - full), style="dim")
