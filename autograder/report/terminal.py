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
from autograder.report.markdown import misses
from autograder.report.points import percent, points_text

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
    table = _table("", "question", "points", "", "cases lost by")
    table.columns[2].justify = "right"
    for column in table.columns[:4]:
        column.no_wrap = True
    for question in card.questions:
        score = f"{points_text(question.earned)}/{points_text(question.points)}"
        title = Text(question.title + (" (extra)" if question.extra else ""))
        table.add_row(question.id, title, score, _bar(question), Text(_lost(question), style="dim"))
    total = f"{points_text(card.earned)}/{points_text(card.points)}"
    table.add_row("", Text("total", style="bold"), Text(total, style="bold"))
    console.print(table)
    told: set[str] = set()
    for question in card.questions:
        _misses(question, told, console, len(question.cases) if everything else DRAWN)
    console.print()
    console.print(Text(f"{card.level}; {card.seconds:.1f} s", style="dim"))


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, header_style="dim")
    return table


def _say(console: Console, text: str, style: str, indent: int = 2) -> None:
    console.print(Padding(Text(text, style=style), (0, 0, 0, indent)))


def _misses(question: QuestionScore, told: set[str], console: Console, most: int) -> None:
    """The misses of a question: `most` of them drawn, a line for each of the rest.

    What went wrong in the same way before (`told`) is not said again.
    """
    groups = [group for group in misses(question) if group[0].message not in told]
    told |= {case.message for case in question.cases if case.message}
    if not (groups or question.withheld or question.mistakes):
        return
    console.print()
    console.rule(Text(f"{question.id} {question.title}"), align="left", style="dim")
    if question.withheld:
        _say(console, f"no points yet: {question.withheld}", "yellow")
    _known(question, console)
    for case, *others in groups[:most]:
        _miss(case, console, len(others))
    if groups[most:]:
        console.print()
        for case, *_ in groups[most:]:
            lost = case.message or ", ".join(lost.criterion for lost in case.lost)
            console.print(Text.assemble((case.id, "bold"), f"  {percent(case.earned)}  lost: {lost}"))
        console.print(Text(f"drawn in full with --question {question.id}", style="dim"))


def _known(question: QuestionScore, console: Console) -> None:
    """One paragraph for the known mistakes: what the search does, how sure that is, and what to think about."""
    if not question.mistakes:
        return
    console.print()
    first = question.mistakes[0]
    explains = f"explains {first.explains} of {first.of} failed cases"
    is_only = len(question.mistakes) == 1
    if not is_only:
        _say(console, f"Two mistakes at once: {explains}", "bold yellow")
    for mistake in question.mistakes:
        sentence = Text(mistake.sentence, style="bold yellow")
        if is_only:
            sentence.append(f" ({explains})", style="not bold")
        console.print(Padding(sentence, (0, 0, 0, 2)))
        _say(console, mistake.hint, "", indent=4)


def _miss(case: CaseScore, console: Console, others: int) -> None:
    if case.fault == "not written" or case.message.startswith(IMPORT):
        _say(console, case.message, "yellow")
        return
    console.print()
    console.print(Text.assemble((case.id, "bold"), f"  {percent(case.earned)}  ", (case.shows, "dim")))
    if case.message:
        _say(console, case.message, "red")
        if others:
            _say(console, f"and the same in {others} more", "dim")
    else:
        table = _table("lost", "expected", "yours")
        for lost in case.lost:
            table.add_row(Text(lost.criterion, style="red"), Text(lost.expected), Text(lost.got))
        console.print(Padding(table, (0, 0, 0, 2)))
        if case.why:
            _say(console, case.why, "yellow")
    for line in case.picture:
        style = "bold yellow" if line.endswith(HERE) else ""
        for part in _parts(line, console.width - 4):
            console.print(Text("    " + part, style=style), no_wrap=True, overflow="ignore", crop=False)
    for note in case.notes:
        _say(console, note, "dim")
    if case.output:
        _say(console, "printed: " + case.output.replace("\n", " | "), "dim")


def _parts(line: str, width: int) -> list[str]:
    """A line of a picture: drawings as they are, words below a label (`path to it: ...`) broken where they end."""
    is_drawn = line.startswith((" ", "%")) or ": " not in line
    return [line] if is_drawn else wrap(line, width, subsequent_indent="  ", break_long_words=False)


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
