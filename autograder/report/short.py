"""What a student reads first in a terminal: for one mistake at most 60 lines, the most important one last.

The first question that lost points is shown with its sentence, the smallest failing tree and one missed case; of each
further question, only the sentence and one line about its cases. Large trees are folded.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from autograder.report.contents import costless_notes, misses, share_text, shown_diagnosis
from autograder.report.terminal import (
    NOTICE,
    print_case,
    print_command,
    print_conditions,
    print_diagnosis,
    print_heading,
    print_points,
    print_text,
    print_title,
    print_warnings,
    shown_card,
)
from pacman.core.errors import counted

MATCH = "match"
MOST_FAULTS = 3
"""How many further kinds of faults of a question have a line of their own."""
MOST_NAMES = 12
"""How many of the other missed cases are named."""


def render(card: Scorecard, console: Console, show_hidden: bool = False) -> None:
    """Prints the points, what is wrong, and at the end the first sentence about each question once more."""
    card, warning = shown_card(card, show_hidden)
    print_points(card, warning, console)
    is_first, first_with = True, dict[str, str]()
    for question in card.questions:
        groups = misses(question)
        if groups or question.withheld or shown_diagnosis(question):
            print_heading(question, console)
            sentence = _first_sentence(question)
            if is_first:
                _print_question(question, groups, console)
            else:
                _print_briefly(question, groups, first_with.get(sentence, ""), console)
            is_first = False
            if sentence:
                first_with.setdefault(sentence, question.id)
        for note in costless_notes(question):
            print_text(f"{question.id}: {note}", console, "dim", indent=0)
    _print_end(card, console)


def render_first_case(card: Scorecard, console: Console, show_hidden: bool = False) -> None:
    """Prints the only case of a scorecard, before its question is diagnosed. `render_diagnosis` prints the rest."""
    card, _ = shown_card(card, show_hidden)
    print_title(card, console)
    for question in card.questions:
        for case in question.cases:
            _print_case(case, console)


def render_diagnosis(card: Scorecard, console: Console, show_hidden: bool = False) -> None:
    """Prints what `render_first_case` could not know: what the diagnosis found out, and how it was graded."""
    card, warning = shown_card(card, show_hidden)
    print_warnings([warning, *card.notes], console)
    for question in card.questions:
        if shown_diagnosis(question):
            print_heading(question, console)
            print_diagnosis(question, console, is_folded=True)
    _print_end(card, console)


def _first_sentence(question: QuestionScore) -> str:
    """The first sentence of the diagnosis of a question; "" if it has none."""
    diagnosis = shown_diagnosis(question)
    return diagnosis.sentences[0] if diagnosis and diagnosis.sentences else ""


def _print_question(question: QuestionScore, groups: Sequence[Sequence[CaseScore]], console: Console) -> None:
    """Prints the sentence with its smallest tree, one missed case, and a line for the rest."""
    print_diagnosis(question, console, is_folded=True)
    if not groups:
        return
    (first, *same), *others = groups
    _print_case(first, console)
    if shown_diagnosis(question) is None:
        print_command("To run just this:", first.case_command, console)
    faults = [group for group in others if group[0].fault]
    for case, *more in faults[:MOST_FAULTS]:
        times = f" (and in {counted(len(more), 'more case')})" if more else ""
        text = f"  {share_text(case)}  {case.message}{times}"
        console.print(Text.assemble((case.id, "bold"), text))
    rest = [
        case for group in (same, *(group for group in others if group not in faults[:MOST_FAULTS])) for case in group
    ]
    if rest:
        print_text(f"{counted(len(rest), 'more case')}: {_names(rest)}; --all shows them", console, "dim", indent=0)


def _print_briefly(
    question: QuestionScore, groups: Sequence[Sequence[CaseScore]], same_as: str, console: Console
) -> None:
    """Prints the sentences about a question, and a line about its cases. `same_as` has the same first sentence."""
    diagnosis = shown_diagnosis(question)
    if same_as:
        print_text(f"the same as in {same_as}", console, NOTICE)
    elif diagnosis:
        for sentence in diagnosis.sentences:
            print_text(sentence, console, f"bold {NOTICE}")
        if diagnosis.hint:
            print_text(diagnosis.hint, console, indent=4)
        if diagnosis.smallest:
            print_command("To run its smallest tree:", diagnosis.smallest.command, console)
    elif groups:
        first = groups[0][0]
        print_text(f"{first.id}: {_what_is_wrong(first)}", console, NOTICE)
        print_command("To run just this:", first.case_command, console)
    if cases := [case for group in groups for case in group]:
        names = f"{counted(len(cases), 'case')}: {_names(cases)}; --question {question.id} shows more"
        print_text(names, console, "dim", indent=0)


def _print_case(case: CaseScore, console: Console) -> None:
    print_case(case, console, is_folded=True)
    if case.output:
        print_text("printed: " + case.output.rpartition("\n")[2], console, "dim")


def _print_end(card: Scorecard, console: Console) -> None:
    """Prints how it was graded, and then the sentences, each once: the last lines are what a terminal shows."""
    print_conditions(card, console)
    last_lines: dict[str, list[str]] = {}
    for question in card.questions:
        if sentence := _first_sentence(question):
            last_lines.setdefault(sentence, []).append(question.id)
        elif groups := misses(question):
            case = groups[0][0]
            last_lines.setdefault(_what_is_wrong(case), []).append(case.id)
    for sentence, names in last_lines.items():
        console.print(Text(f"{', '.join(names)}: {sentence}", style=f"bold {NOTICE}"), soft_wrap=True)


def _what_is_wrong(case: CaseScore) -> str:
    """The fault of a case, or the first difference in its tree or position; of a match, the first lost criterion."""
    if case.message or case.kind != MATCH or not case.lost:
        return case.message or case.why
    lost = case.lost[0]
    return f"{lost.criterion}: expected {lost.expected}, got {lost.got}"


def _names(cases: Sequence[CaseScore]) -> str:
    """The cases as a list of short names: the number with which the name of a case begins, if no other begins so."""
    names = [case.id.partition("/")[2] for case in cases]
    numbers = [name.partition("-")[0] for name in names]
    short = [
        number if number.isdigit() and numbers.count(number) == 1 else name
        for name, number in zip(names, numbers, strict=True)
    ]
    return ", ".join(short[:MOST_NAMES]) + ", ..." * (len(short) > MOST_NAMES)
