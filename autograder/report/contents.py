"""What every report for people says about a scorecard, in any format: the words, and their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import dedent

from autograder.grading.submission import IMPORT
from autograder.judge.points_as_text import percent
from autograder.judge.scorecard import (
    HIDDEN,
    UNGRADED,
    CaseScore,
    Diagnosis,
    QuestionScore,
    Scorecard,
    SmallestTree,
    WrongStep,
)
from pacman.core.errors import counted

NOT_WRITTEN, MISSING_PART = "not written", "missing part"
IMPORT_FAULT = "import "
"""How the kind of a fault begins that ended the import of the file, where whole submissions are counted."""
DRAWN = ("code", "table", "picture")
"""The parts of a diagnosis whose lines are a drawing. Each line of the other parts is one text."""
FAULTS = {
    "hidden": "forbidden import",
    MISSING_PART: "not in the file",
    "refused": "wrong definition or return value",
    "garbled": "answer unreadable for the grader",
    "illegal": "illegal action",
    "memory": "memory limit",
    "time": "time limit",
    "exit": "exit called",
    "died": "process ended",
    "raised": "exception",
}
"""Kind of fault -> its name in plain words, where they differ."""


def fault_name(kind: str) -> str:
    """The name of a kind of fault in plain words; a kind that has no other name is returned unchanged.

    >>> fault_name("hidden"), fault_name("not written"), fault_name("import time")
    ('forbidden import', 'not written', 'the file cannot be imported (time limit)')
    """
    if kind.startswith(IMPORT_FAULT):
        return f"{IMPORT} ({fault_name(kind.removeprefix(IMPORT_FAULT))})"
    return FAULTS.get(kind, kind)


def diagnosis_parts(found: Diagnosis, is_folded: bool = False) -> dict[str, Sequence[str]]:
    """What a diagnosis found out, in the order of every report: the kind of each part, and its lines.

    The sentences, the hint, the first wrong step (its place, the code, a table of the successors, and what was expected
    and seen), and the smallest tree (its title, its drawing, perhaps folded, and the command to run it).
    Parts without a text are left out.
    """
    parts: dict[str, Sequence[str]] = {"sentence": found.sentences, "hint": [found.hint]}
    if step := found.step:
        facts = [text for text in (step.words, step.proof, step.extent) if text]
        place = f"{capitalized(step.place)}:"
        parts |= {"place": [place], "code": code_lines(step), "table": _table_lines(step), "fact": facts}
    if smallest := found.smallest:
        picture = (is_folded and smallest.folded) or smallest.picture
        parts |= {"title": [smallest_title(found, smallest)], "picture": picture, "command": [smallest.command]}
    return {kind: lines for kind, lines in parts.items() if any(lines)}


def numbered_code(step: WrongStep) -> Iterator[tuple[str, str]]:
    """The numbers and texts of the lines of code, without the indentation of all; "..." where lines are left out."""
    texts = dedent("\n".join(text for _, text in step.code)).split("\n")
    before = None
    for (number, _), text in zip(step.code, texts, strict=False):
        if before not in (None, number - 1):
            yield "...", ""
        yield str(number), text
        before = number


def code_lines(step: WrongStep) -> list[str]:
    """The lines of code with their numbers; a `>` marks the line of the step. None if the file has no such line."""
    rows = [*numbered_code(step)]
    width = max((len(number) for number, _ in rows), default=0)
    return [f"{'>' if number == str(step.line) else ' '} {number:>{width}}  {text}".rstrip() for number, text in rows]


def _table_lines(step: WrongStep) -> list[str]:
    """The table of the successors, in columns; empty if there is none."""
    rows = [step.columns, *step.rows] if step.rows else []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["   ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def smallest_title(diagnosis: Diagnosis, smallest: SmallestTree) -> str:
    """The line above the drawing of the smallest tree.

    If the sentences above name layers, it says that this tree can have others: it is the smallest failing tree of all.
    """
    depth = f"{counted(smallest.plies, 'ply')} deep"
    if diagnosis.step:
        return f"The tree, searched {depth}:"
    if any(" > " in sentence for sentence in diagnosis.sentences):
        return f"The smallest of all trees on which it fails, {depth}; it need not have the layers above:"
    return f"The smallest tree on which it fails, {depth}:"


def capitalized(text: str) -> str:
    """`text` with a capital first letter.

    >>> capitalized("locked until Minimax reaches 50 %")
    'Locked until Minimax reaches 50 %'
    """
    return text[:1].upper() + text[1:]


def not_final_warning(card: Scorecard) -> str:
    """A warning if some cases are ungraded; empty if not."""
    warning = "Not final: some cases are ungraded and have no points yet. Grade again, or tell the course staff."
    return "" if card.is_final else warning


def share_text(case: CaseScore) -> str:
    """The share of a case that was earned, as a percentage; or that the case is ungraded."""
    return UNGRADED if case.is_ungraded else percent(case.earned)


def general_faults(card: Scorecard) -> list[str]:
    """One line per note, and per fault of whole questions: a file that cannot be imported, parts that are missing."""
    cases = [case for question in card.questions for case in question.cases]
    lines = [*card.notes, *dict.fromkeys(case.message for case in cases if fails_import(case))]
    unwritten = [case.message for case in cases if case.fault == NOT_WRITTEN]
    if unwritten:
        parts = dict.fromkeys(message.removesuffix(" is not written yet") for message in unwritten)
        lines.append(f"not written yet: {', '.join(parts)}")
    missing = {
        question.part: f" (did you mean '{case.fault_detail}'?)" if case.fault_detail else ""
        for question in card.questions
        for case in question.cases
        if case.fault == MISSING_PART
    }
    if missing:
        lines.append(f"the file does not define: {', '.join(part + hint for part, hint in missing.items())}")
    return lines


def fails_import(case: CaseScore) -> bool:
    """True if the case was missed because the file cannot be imported."""
    return bool(case.fault) and case.message.startswith(IMPORT)


def shown_diagnosis(question: QuestionScore) -> Diagnosis | None:
    """What the diagnosis found out; None if it found only that the file cannot be imported.

    `general_faults` says this once, and not for each question.
    """
    return None if any(map(fails_import, question.cases)) else question.diagnosis


def hidden_count(question: QuestionScore) -> str:
    """How many of a question's hidden cases passed, as text; empty if it has none."""
    cases = [case for case in question.cases if case.hidden]
    passed = sum(case.earned >= 1 for case in cases)
    return f"{passed} of {counted(len(cases), 'hidden case')} passed" if cases else ""


def losses(question: QuestionScore, in_words: bool = False) -> str:
    """How many cases lost each criterion or ended in each fault, and how many hidden cases passed.

    `in_words`: each number says that it counts cases, and `mean_score` is two words.
    """
    count: Counter[str] = Counter()
    for case in question.cases:
        if case.fault:
            count[fault_name(case.fault)] += 1
        else:
            count.update(lost.criterion for lost in case.lost)
    parts = ["locked"] if question.withheld else []
    for name, times in count.items():
        parts.append(f"{name.replace('_', ' ')} in {counted(times, 'case')}" if in_words else f"{name}: {times}")
    hidden = [case for case in question.cases if case.kind == HIDDEN]
    if hidden:
        parts.append(f"hidden: {sum(case.earned == 1 for case in hidden)} of {len(hidden)} passed")
    return ", ".join(parts)


def misses(question: QuestionScore) -> list[list[CaseScore]]:
    """The open cases that lost points or are ungraded, in groups: cases with the same fault are together.

    Without the cases that `general_faults` reports.
    """
    groups: dict[tuple[str, str], list[CaseScore]] = {}
    for case in question.cases:
        is_miss = case.kind != HIDDEN and case.earned < 1
        if is_miss and case.fault not in (NOT_WRITTEN, MISSING_PART) and not fails_import(case):
            groups.setdefault((case.fault, case.fault_detail) if case.fault else ("", case.id), []).append(case)
    return list(groups.values())


def costless_notes(question: QuestionScore) -> list[str]:
    """The notes on the cases that passed: each kind of note once, with the number of further cases that have it."""
    first: dict[str, str] = {}
    count: Counter[str] = Counter()
    for case in question.cases:
        for note in case.notes if case.earned >= 1 else ():
            kind = note.partition(":")[0]
            first.setdefault(kind, f"{case.id}: {note}")
            count[kind] += 1
    more = {kind: f" (similar in {counted(times - 1, 'more case')})" * (times > 1) for kind, times in count.items()}
    return [text + more[kind] for kind, text in first.items()]
