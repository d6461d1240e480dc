"""A scorecard at a terminal: one row a question, then what to look at, one case at a time."""

from __future__ import annotations

from collections import Counter
from textwrap import wrap

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.grading.submission import IMPORT
from autograder.judge.diagnose import HERE
from autograder.judge.scorecard import GRADERS_FAULT, HIDDEN, CaseScore, QuestionScore, Scorecard
from autograder.report.escape import cleaned
from pacman.core.outline import number

BAR = 20
DRAWN = 2
"""How many misses of a question are drawn, when not all are asked for."""


def render(card: Scorecard, console: Console, everything: bool = False, show_hidden: bool = False) -> None:
    """Prints the scorecard, and the first misses of each question with their drawings, or with `everything` all.

    Of hidden cases it prints how many were passed, and no more, unless `show_hidden` says that no student looks on.
    """
    card = cleaned(card if show_hidden else card.public())
    console.print(Text(f"{card.title}: {card.submission}", style="bold"))
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading, justify in (
        ("", "left"),
        ("question", "left"),
        ("points", "right"),
        ("", "left"),
        ("cases lost by", "left"),
    ):
        table.add_column(heading, justify=justify, header_style="dim", no_wrap=heading != "cases lost by")  # type: ignore[arg-type]
    for question in card.questions:
        score = f"{_points(question.earned)}/{_points(question.points)}"
        title = Text(question.title + (" (extra)" if question.extra else ""))
        table.add_row(question.id, title, score, _bar(question), Text(_lost(question), style="dim"))
    total = f"{_points(card.earned)}/{_points(card.points)}"
    table.add_row("", Text("total", style="bold"), Text(total, style="bold"))
    console.print(table)
    told: set[str] = set()
    for question in card.questions:
        if not question.is_full or any(case.fault == GRADERS_FAULT for case in question.cases):
            _misses(question, told, console, len(question.cases) if everything else DRAWN)
    console.print()
    console.print(Text(f"{card.level}; {card.seconds:.1f} s", style="dim"))


def _misses(question: QuestionScore, told: set[str], console: Console, most: int) -> None:
    """The misses of a question: `most` of them drawn, a line for each of the rest.

    What went wrong in the same way before (`told`) is not said again.
    """
    again = Counter(case.message for case in question.cases if case.message)
    misses: dict[str, CaseScore] = {}
    for case in question.cases:
        counts = case.earned < 1 or case.fault == GRADERS_FAULT
        if counts and case.kind != HIDDEN and not (case.message and case.message in told):
            misses.setdefault(case.message or case.id, case)
    told |= again.keys()
    if not misses and not question.withheld and not question.mistakes:
        return
    console.print()
    console.rule(Text(f"{question.id} {question.title}"), align="left", style="dim")
    if question.withheld:
        console.print(Padding(Text(f"no points yet: {question.withheld}", style="yellow"), (0, 0, 0, 2)))
    _known(question, console)
    shown = list(misses.values())
    for case in shown[:most]:
        _miss(case, console, again[case.message] - 1)
    if shown[most:]:
        console.print()
    for case in shown[most:]:
        lost = case.message or ", ".join(lost.criterion for lost in case.lost)
        console.print(Text.assemble((case.id, "bold"), f"  {_share(case)}  lost: {lost}"))
    if shown[most:]:
        console.print(Text(f"drawn in full with --question {question.id}", style="dim"))


def _known(question: QuestionScore, console: Console) -> None:
    """One paragraph for the known mistakes: what the search does, how sure that is, and what to think about."""
    if not question.mistakes:
        return
    first = question.mistakes[0]
    explains = f"explains {first.explains} of {first.of} failed cases"
    if len(question.mistakes) > 1:
        console.print(Padding(Text(f"Two mistakes at once: {explains}", style="bold yellow"), (1, 0, 0, 2)))
    for mistake in question.mistakes:
        said = Text(mistake.sentence, style="bold yellow")
        if len(question.mistakes) == 1:
            said.append(f" ({explains})", style="not bold")
        console.print(Padding(said, (1 if mistake is first and len(question.mistakes) == 1 else 0, 0, 0, 2)))
        console.print(Padding(Text(mistake.hint), (0, 0, 0, 4)))


def _miss(case: CaseScore, console: Console, others: int) -> None:
    if case.fault == "not written" or case.message.startswith(IMPORT):
        console.print(Padding(Text(case.message, style="yellow"), (0, 0, 0, 2)))
        return
    console.print()
    console.print(Text.assemble((case.id, "bold"), f"  {_share(case)}  ", (case.shows, "dim")))
    if case.message:
        console.print(Padding(Text(case.message, style="red"), (0, 0, 0, 2)))
        if others:
            console.print(Padding(Text(f"and the same in {others} more", style="dim"), (0, 0, 0, 2)))
    else:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=True)
        for heading in ("lost", "expected", "yours"):
            table.add_column(heading, header_style="dim")
        for lost in case.lost:
            table.add_row(Text(lost.criterion, style="red"), Text(lost.expected), Text(lost.got))
        console.print(Padding(table, (0, 0, 0, 2)))
        if case.why:
            console.print(Padding(Text(case.why, style="yellow"), (0, 0, 0, 2)))
    for line in case.picture:
        style = "bold yellow" if line.endswith(HERE) else ""
        for part in _parts(line, console.width - 4):
            console.print(Text("    " + part, style=style), no_wrap=True, overflow="ignore", crop=False)
    for note in case.notes:
        console.print(Padding(Text(note, style="dim"), (0, 0, 0, 2)))
    if case.output:
        console.print(Padding(Text("printed: " + case.output.replace("\n", " | "), style="dim"), (0, 0, 0, 2)))


def _parts(line: str, width: int) -> list[str]:
    """A line of a picture: drawings as they are, words below a label (`path to it: ...`) broken where they end."""
    is_drawn = line.startswith((" ", "%")) or ": " not in line
    return [line] if is_drawn else wrap(line, width, subsequent_indent="  ", break_long_words=False)


def _share(case: CaseScore) -> str:
    """What a case earned, in percent, never rounded up to all of it."""
    return f"{100 if case.earned >= 1 else min(99, round(100 * case.earned))} %"


def _lost(question: QuestionScore) -> str:
    """How many cases lost each criterion, or ended in a fault; of hidden ones how many were passed."""
    count: Counter[str] = Counter()
    for case in question.cases:
        if case.fault:
            count["the grader's own fault" if case.fault == GRADERS_FAULT else case.fault] += 1
        else:
            count.update(lost.criterion for lost in case.lost)
    said = [f"{what} {times}" for what, times in count.items()]
    hidden = [case for case in question.cases if case.kind == HIDDEN]
    if hidden:
        said.append(f"hidden: {sum(case.earned == 1 for case in hidden)} of {len(hidden)} passed")
    return ", ".join([*(["withheld"] if question.withheld else []), *said])


def _bar(question: QuestionScore) -> Text:
    share = question.earned / question.points
    full = BAR if question.is_full else min(BAR - 1, int(BAR * share))
    colour = "green" if question.is_full else "yellow" if share >= 0.5 else "red"
    return Text("█" * full, style=colour) + Text("░" * (BAR - full), style="dim")


def _points(points: float) -> str:
    """At most two digits, and never rounded up to full points."""
    return number(int(points * 100 + 1e-9) / 100)
