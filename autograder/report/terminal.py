"""A scorecard in a terminal, in full: one row per question, then every missed case with its drawing.

`short` prints what a student reads first; it is made of the same parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.judge.points_as_text import points_text
from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from autograder.judge.tree_table import HERE
from autograder.report.contents import (
    costless_notes,
    diagnosis_parts,
    general_faults,
    losses,
    misses,
    not_final_warning,
    share_text,
    shown_diagnosis,
)
from autograder.report.escape import cleaned
from pacman.core.errors import counted

BAR_WIDTH = 20
NOTICE = "color(130)"
"""The colour of what needs attention: an orange that can be read on a white and on a black terminal, unlike yellow."""


def render(card: Scorecard, console: Console, show_hidden: bool = False) -> None:
    """Prints the scorecard with the drawings of all misses.

    Of hidden cases it prints only how many passed, and the time is that of the other cases. `show_hidden` prints them
    like the others: never show that to students.
    """
    card, warning = shown_card(card, show_hidden)
    print_points(card, warning, console)
    reported: set[str] = set()
    for question in card.questions:
        _misses(question, reported, console)
    print_conditions(card, console)


def shown_card(card: Scorecard, show_hidden: bool) -> tuple[Scorecard, str]:
    """What a terminal shows of a scorecard, with clean texts, and a warning if some cases are ungraded."""
    return cleaned(card if show_hidden else card.public()), not_final_warning(card)


def render_case(case: CaseScore, console: Console) -> None:
    """Prints one case, also if it was passed."""
    _miss(cleaned(case), console)


def print_points(card: Scorecard, warning: str, console: Console) -> None:
    """Prints the title, a row per question with its points, and the lines that concern the whole submission."""
    print_title(card, console)
    console.print()
    table = plain_table("", "question", "points>", "", "problems (cases)")
    for column in table.columns:
        column.no_wrap, column.overflow = column.header not in ("question", "problems (cases)"), "fold"
    for question in card.questions:
        score = f"{points_text(question.earned)}/{points_text(question.points)}"
        title = Text(question.title + (" (extra)" if question.extra else ""))
        table.add_row(question.id, title, score, _bar(question), Text(losses(question), style="dim"))
    total = f"{points_text(card.earned)}/{points_text(card.points)}"
    table.add_row("", Text("total", style="bold"), Text(total, style="bold"))
    console.print(table)
    print_warnings([warning, *general_faults(card)], console)


def print_title(card: Scorecard, console: Console) -> None:
    """Prints what was graded with which assignment."""
    console.print(Text(f"{card.title}: {card.submission}", style="bold"))


def print_warnings(lines: Sequence[str], console: Console) -> None:
    """Prints lines that concern the whole submission; not the empty ones."""
    for line in filter(None, lines):
        console.print()
        console.print(Text(line, style=NOTICE))


def print_conditions(card: Scorecard, console: Console) -> None:
    """Prints how it was graded, and how long that took: one line, however narrow the terminal is."""
    console.print()
    console.print(Text(f"{card.conditions}; {card.seconds:.1f} s", style="dim"), soft_wrap=True)


def print_heading(question: QuestionScore, console: Console) -> None:
    """Prints a rule with the name of a question, and what the question is locked by."""
    console.print()
    console.rule(Text(f"{question.id} {question.title}"), align="left", style="dim")
    if question.withheld:
        print_text(question.withheld, console, NOTICE)


def print_diagnosis(question: QuestionScore, console: Console, is_folded: bool = False) -> None:
    """Prints what the diagnosis found out: what is wrong, a hint, the smallest failing tree, and what is right."""
    diagnosis = shown_diagnosis(question)
    if diagnosis is None:
        return
    console.print()
    styles = {"sentence": f"bold {NOTICE}"}
    for kind, lines in diagnosis_parts(diagnosis, is_folded).items():
        if kind in ("place", "table", "title"):
            console.print()
        for line in lines if kind != "picture" else ():
            if kind == "code":
                style = f"bold {NOTICE}" if line.startswith(">") else "dim"
                console.print(Padding(Text(line, style=style, overflow="fold"), (0, 0, 0, 4)))
            elif kind == "table":
                console.print(Text(f"    {line}"), no_wrap=True, overflow="ellipsis")
            elif kind == "command":
                print_command("To run just this:", line, console)
            else:
                print_text(line, console, styles.get(kind, ""), indent=4 if kind == "hint" else 2)
        if kind == "picture":
            print_picture(lines, console)


def print_case(case: CaseScore, console: Console, is_folded: bool = False) -> None:
    """Prints what one case lost, and why: below its name, its share and what it shows."""
    console.print()
    console.print(Text.assemble((case.id, "bold"), f"  {share_text(case)}  ", (case.shows, "dim")))
    if case.message:
        print_text(case.message, console, "red")
    elif case.lost:
        table = plain_table("criterion", "expected", "got")
        for lost in case.lost:
            table.add_row(Text(lost.criterion, style="red"), Text(lost.expected), Text(lost.got))
        console.print(Padding(table, (0, 0, 0, 2)))
    if case.why:
        print_text(case.why, console, NOTICE)
    print_picture((is_folded and case.folded) or case.picture, console)
    print_command("To see this game:", case.command, console)


def print_text(text: str, console: Console, style: str = "", indent: int = 2) -> None:
    """Prints a text, indented."""
    console.print(Padding(Text(text, style=style), (0, 0, 0, indent)))


def print_command(label: str, command: str, console: Console) -> None:
    """Prints a command, not wrapped, so that it can be copied; nothing if there is none."""
    if command:
        console.print(Text(f"  {label} {command}"), soft_wrap=True)


def print_picture(picture: Sequence[str], console: Console) -> None:
    """Prints a picture; the line of the first wrong node in colour."""
    for line in picture:
        style = f"bold {NOTICE}" if line.endswith(HERE) else ""
        for part in _wrapped(line, console.width - 4):
            console.print(Text("    " + part, style=style), no_wrap=True, overflow="ignore", crop=False)


def _misses(question: QuestionScore, reported: set[str], console: Console) -> None:
    """Prints the misses of a question. A message in `reported` is not printed again."""
    groups = [group for group in misses(question) if group[0].message not in reported]
    reported |= {case.message for case in question.cases if case.message}
    notes = costless_notes(question)
    if not (groups or notes or question.withheld or shown_diagnosis(question)):
        return
    print_heading(question, console)
    print_diagnosis(question, console)
    for case, *others in groups:
        _miss(case, console, others)
    if notes:
        console.print()
    for note in notes:
        print_text(note, console, "dim")


def _miss(case: CaseScore, console: Console, others: Sequence[CaseScore] = ()) -> None:
    """Prints one case that lost points; the `others` have the same fault."""
    print_case(case, console)
    if others:
        names = ", ".join(each.id for each in others)
        print_text(f"the same error in {counted(len(others), 'more case')}: {names}", console, "dim")
    for note in case.notes:
        print_text(note, console, "dim")
    if case.output:
        print_text("printed: " + case.output.replace("\n", " | "), console, "dim")


def plain_table(*headings: str, no_wrap: bool = False) -> Table:
    """A table without lines. The cells below a heading that ends with `>` are at the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        name = heading.removesuffix(">")
        table.add_column(name, header_style="dim", justify="right" if name != heading else "left", no_wrap=no_wrap)
    return table


def _wrapped(line: str, width: int) -> list[str]:
    """A line of a picture: a drawing unchanged, a labelled sentence (`path to it: ...`) wrapped to `width`."""
    is_drawn = line.startswith((" ", "%")) or ": " not in line
    return [line] if is_drawn else wrap(line, width, subsequent_indent="  ", break_long_words=False)


def _bar(question: QuestionScore) -> Text:
    share = question.earned / question.points
    full = BAR_WIDTH if question.is_full else min(BAR_WIDTH - 1, int(BAR_WIDTH * share))
    colour = "green" if question.is_full else NOTICE if share >= 0.5 else "red"
    return Text("█" * full, style=colour) + Text("░" * (BAR_WIDTH - full), style="dim")
