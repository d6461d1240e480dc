"""A scorecard as Markdown, for the student: a table of questions, then each failed case with its explanation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from autograder.grading.submission import IMPORT
from autograder.judge.points_as_text import percent, points_text
from autograder.judge.scorecard import HIDDEN, UNGRADED, CaseScore, Examination, QuestionScore, Scorecard, SmallestTree
from autograder.report.escape import block, code, prose, row
from autograder.report.fault_texts import MISSING_PART, NOT_WRITTEN, fault_name
from autograder.report.step_text import code_lines, sentences, table_lines
from pacman.core.words import counted


def dump(card: Scorecard, adjusted: float = 0.0, adjustments: Sequence[str] = ()) -> str:
    """The public part of a scorecard: of hidden cases only the number that passed.

    The `adjustments` of the course staff, as texts, change the points by `adjusted`.
    """
    warning = not_final_warning(card)
    card = card.public()
    parts = [
        f"# {prose(card.title)}: {points_text(card.earned + adjusted)} of {points_text(card.points)} points",
        code(card.submission),
        *map(adjustment, adjustments),
        f"**{warning}**" if warning else "",
        _table(card),
        *(f"**{prose(line)}**" for line in general_faults(card)),
        *map(_question, card.questions),
        prose(card.conditions),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def adjustment(text: str) -> str:
    """The paragraph about something that the course staff adjusted."""
    return f"Adjusted by the course staff: {prose(text)}"


def details(case: CaseScore) -> str:
    """What one case lost, and why; for a case that passed, its notes."""
    parts = [code(case.message)] if case.message else []
    if case.lost and not case.message:
        rows = [row(prose(each.criterion), code(each.expected), code(each.got)) for each in case.lost]
        parts.append("\n".join([row("criterion", "expected", "got"), row("---", "---", "---"), *rows]))
    if case.why:
        parts.append(prose(case.why))
    if case.picture:
        parts.append(block(case.picture))
    if case.command:
        parts.append(f"To see this game: {code(case.command)}")
    parts += [prose(note) for note in case.notes]
    if case.output:
        parts += ["Printed:", block(case.output)]
    return "\n\n".join(parts)


def remarks(question: QuestionScore) -> list[str]:
    """Remarks about a whole question, one paragraph each: what it is locked by, and what its examination found out."""
    paragraphs = [f"**{prose(capitalized(question.withheld))}**"] if question.withheld else []
    examination = shown_examination(question)
    if examination is None:
        return paragraphs
    paragraphs += [f"**{prose(sentence)}**" for sentence in examination.sentences[:1]]
    paragraphs += map(prose, examination.sentences[1:])
    if examination.hint:
        paragraphs.append(prose(examination.hint))
    if step := examination.step:
        paragraphs += [prose(f"{capitalized(step.place)}:"), block(code_lines(step))]
        if table := table_lines(step):
            paragraphs.append(block(table))
        paragraphs += map(prose, sentences(step))
    if examination.smallest:
        paragraphs += [smallest_title(examination, examination.smallest), block(examination.smallest.picture)]
        if examination.smallest.command:
            paragraphs.append(f"To run just this: {code(examination.smallest.command)}")
    if examination.right:
        paragraphs.append(prose(examination.right))
    return paragraphs


def smallest_title(examination: Examination, smallest: SmallestTree) -> str:
    """The line above the drawing of the smallest tree.

    If the sentences above name layers, it says that this tree can have others: it is the smallest failing tree of all.
    """
    depth = f"{counted(smallest.plies, 'ply')} deep"
    if examination.step:
        return f"The tree, searched {depth}:"
    if any(" > " in sentence for sentence in examination.sentences):
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
    return (
        ""
        if card.is_final
        else "Not final: some cases are ungraded and have no points yet. Grade again, or tell the course staff."
    )


def share_text(case: CaseScore) -> str:
    """The share of a case that was earned, as a percentage; or that the case is ungraded."""
    return UNGRADED if case.is_ungraded else percent(case.earned)


def general_faults(card: Scorecard) -> list[str]:
    """One line per note, and per fault of whole questions: a file that cannot be imported, parts that are missing."""
    cases = [case for question in card.questions for case in question.cases]
    lines = [*card.notes, *dict.fromkeys(case.message for case in cases if _fails_import(case))]
    unwritten = [case.message for case in cases if case.fault == NOT_WRITTEN]
    if unwritten:
        parts = dict.fromkeys(message.removesuffix(" is not written yet") for message in unwritten)
        lines.append(f"not written yet: {', '.join(parts)}")
    missing: dict[str, str] = {}
    for question in card.questions:
        for case in question.cases:
            if case.fault == MISSING_PART:
                missing[question.part] = f" (did you mean '{case.fault_detail}'?)" if case.fault_detail else ""
    if missing:
        lines.append(f"the file does not define: {', '.join(part + hint for part, hint in missing.items())}")
    return lines


def _fails_import(case: CaseScore) -> bool:
    return bool(case.fault) and case.message.startswith(IMPORT)


def shown_examination(question: QuestionScore) -> Examination | None:
    """What the examination found out; None if it found only that the file cannot be imported.

    `general_faults` says this once, and not for each question.
    """
    return None if any(map(_fails_import, question.cases)) else question.examination


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
        if is_miss and case.fault not in (NOT_WRITTEN, MISSING_PART) and not _fails_import(case):
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


def _table(card: Scorecard) -> str:
    rows = []
    for question in card.questions:
        passed = sum(case.earned >= 1 for case in question.cases)
        name = f"{prose(question.id)} {prose(question.title)}" + " (extra)" * question.extra
        points = f"{points_text(question.earned)}/{points_text(question.points)}"
        ungraded = sum(case.is_ungraded for case in question.cases)
        rows.append(row(name, points, f"{passed}/{len(question.cases)}" + f" ({ungraded} ungraded)" * bool(ungraded)))
    return "\n".join([row("question", "points", "cases passed"), row("---", "---:", "---:"), *rows])


def _question(question: QuestionScore) -> str:
    """A question's remarks and misses; empty if it has none. One message is written once, with all its cases."""
    parts = remarks(question)
    for first, *others in misses(question):
        parts += [f"### {prose(first.id)}: {prose(first.shows)} ({share_text(first)})", details(first)]
        if others:
            parts.append(f"The same in {', '.join(prose(case.id) for case in others)}.")
    parts += map(prose, costless_notes(question))
    if count := hidden_count(question):
        parts.append(f"{count}.")
    heading = f"## {prose(question.id)} {prose(question.title)}"
    return "\n\n".join([heading, *(part for part in parts if part)]) if parts else ""
