"""What a report for people says about a scorecard, as a list of blocks: the words, and their order.

A format is a writer of blocks: `terminal`, `markdown`, `junit` and `gradescope` here, a page in `autograder.pages`.
Texts in blocks are unchanged; `Block.cleaned`, or the writer, makes them harmless.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from textwrap import dedent

from agents.advice import other_letter
from autograder.grading.submission import IMPORT
from autograder.judge.points_as_text import percent, points_text
from autograder.judge.scorecard import (
    HIDDEN,
    PRACTICE_NOTE,
    UNGRADED,
    CaseScore,
    Diagnosis,
    Diagram,
    QuestionScore,
    Scorecard,
    WrongStep,
)
from autograder.report.drawing import drawing_lines
from autograder.report.escape import MAX_LINE, line, lines
from pacman.core.errors import counted

NOT_WRITTEN, MISSING_PART = "not written", "missing part"
IMPORT_FAULT = "import "
"""How the kind of a fault begins that ended the import of the file, where whole submissions are counted."""
MATCH = "match"
MOST_FAULTS = 3
"""How many further kinds of faults of a question have a line of their own in a short report."""
MOST_NAMES = 12
"""How many of the other missed cases are named in a short report."""
BAR_WIDTH = 20
MAX_BOARD = 12
"""The most rows of a board that an error is shown with."""
ADJUSTED = "Adjusted by the course staff: "
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

    >>> fault_name("hidden"), fault_name("import time"), fault_name("import raised: KeyError: 1")
    ('forbidden import', 'the file cannot be imported (time limit)', 'the file cannot be imported: KeyError: 1')
    """
    if kind.startswith(IMPORT_FAULT):
        kind, _, cause = kind.removeprefix(IMPORT_FAULT).partition(": ")
        return f"{IMPORT}: {cause}" if cause else f"{IMPORT} ({fault_name(kind)})"
    return FAULTS.get(kind, kind)


class Kind(Enum):
    """What a block is. Its lines are texts; a comment names those with a place of their own."""

    TITLE = auto()  # title of the assignment, submission, points earned, points possible
    POINTS = auto()  # rows: id, title, " (extra)" or "", points, bar, problems, passed cases; the line is the sum
    WARNING = auto()  # about the whole submission
    REMARK = auto()  # as a warning, but nothing is wrong
    HEADING = auto()  # of a question: id, title, " (extra)" or "", points earned, points possible
    NOTICE = auto()  # what a question is locked by, or in brief what is wrong
    SENTENCE = auto()
    HINT = auto()
    CAPTION = auto()  # above code or a drawing
    CODE = auto()  # a `>` marks the line of the wrong step; rows: number, text, whether it is that line
    TABLE = auto()  # a table of successors; its rows are also in the rows
    FACT = auto()
    PICTURE = auto()  # with what it can be drawn from
    COMMAND = auto()  # what it is for, and the command
    CASE = auto()  # id, what it shows, share
    MESSAGE = auto()
    LOST = auto()  # rows: criterion, expected, got
    WHY = auto()
    SAME = auto()  # ids of the cases with the same fault
    NOTE = auto()
    PRINTED = auto()
    REST = auto()  # about what a short report leaves out; in a page, about the cases that passed
    HIDDEN = auto()  # how many cases passed
    CONDITIONS = auto()  # how it was graded, seconds
    LAST = auto()  # what is wrong, once more


DRAWN = (Kind.CODE, Kind.TABLE, Kind.PICTURE)
"""The kinds whose lines are a drawing."""


@dataclass(frozen=True)
class Block:
    """One part of a report."""

    kind: Kind
    lines: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    diagram: Diagram | None = None

    def cleaned(self) -> Block:
        """The block with short, visible text. A diagram is unchanged: who draws it cleans its text."""
        most = 2 * MAX_LINE if self.kind in (Kind.FACT, Kind.REST, Kind.LAST) else MAX_LINE
        is_drawn = self.kind in (*DRAWN, Kind.PRINTED)
        texts = lines(self.lines) if is_drawn else [line(text, most) for text in self.lines]
        return replace(self, lines=texts, rows=[[*map(line, row)] for row in self.rows])


class Form(Enum):
    """How much a report says.

    What a student reads first, everything, a file in which a question stands alone, or a page, which folds cases.
    """

    SHORT, ALL, FILE, PAGE = range(4)


def blocks(
    card: Scorecard,
    form: Form,
    show_hidden: bool = False,
    adjusted: float = 0.0,
    adjustments: Sequence[str] = (),
) -> Iterator[Block]:
    """The whole report about a scorecard. Of hidden cases it says only how many passed, unless it may show them.

    SHORT has the first question that lost points with its sentence, the smallest failing tree and one missed case; of
    each further question only the sentence and one line about its cases. Large trees are folded, and the sentences
    are repeated at the end. The `adjustments` of the course staff, as texts, change the points by `adjusted`.
    """
    warning = not_final_warning(card)
    card = card if show_hidden else card.public()
    yield title_block(card, adjusted)
    yield from (Block(Kind.FACT, [f"{ADJUSTED}{text}"]) for text in adjustments)
    yield points_block(card)
    yield from _general((warning, *general_faults(card)))
    reported: set[str] = set()
    first_with: dict[str, str] | None = None
    for question in card.questions:
        if form is Form.SHORT:
            content = [*_in_short(question, first_with)]
            if content and first_with is None:
                first_with = {}
            if first_with is not None and (sentence := _first_sentence(question)):
                first_with.setdefault(sentence, question.id)
        else:
            content = [*_question(question, form, reported if form is Form.ALL else set())]
        if content:
            yield _heading(question)
        yield from content
        if form is Form.SHORT:
            yield from (Block(Kind.REST, [f"{question.id}: {note}"]) for note in costless_notes(question))
    yield from end_blocks(card, form)


def single_case_blocks(card: Scorecard) -> Iterator[Block]:
    """The report of a single case: the case, what the diagnosis found out, and how it was graded."""
    warning = not_final_warning(card)
    card = card.public()
    yield title_block(card)
    for question in card.questions:
        for case in question.cases:
            yield from case_blocks(case, form=Form.SHORT)
    yield from _general((warning, *card.notes))
    for question in card.questions:
        if shown_diagnosis(question):
            yield _heading(question)
            yield from question_blocks(question, is_folded=True)
    yield from end_blocks(card, Form.SHORT)


def _general(texts: Sequence[str]) -> Iterator[Block]:
    """What is said of the whole submission."""
    yield from (Block(Kind.REMARK if text == PRACTICE_NOTE else Kind.WARNING, [text]) for text in texts if text)


def title_block(card: Scorecard, adjusted: float = 0.0) -> Block:
    """What was graded with which assignment, and the points."""
    points = points_text(card.earned + adjusted), points_text(card.points)
    return Block(Kind.TITLE, [card.title, card.submission, *points])


def points_block(card: Scorecard) -> Block:
    """The table of the questions."""
    rows = []
    for each in card.questions:
        right = sum(case.earned >= 1 for case in each.cases)
        ungraded = sum(case.is_ungraded for case in each.cases)
        cases = f"{right}/{len(each.cases)}" + f" ({ungraded} ungraded)" * bool(ungraded)
        full = BAR_WIDTH if each.is_full else min(BAR_WIDTH - 1, int(BAR_WIDTH * each.share))
        bar = "█" * full + "░" * (BAR_WIDTH - full)
        points = f"{points_text(each.earned)}/{points_text(each.points)}"
        rows.append([each.id, each.title, " (extra)" * each.extra, points, bar, losses(each), cases])
    return Block(Kind.POINTS, [f"{points_text(card.earned)}/{points_text(card.points)}"], rows)


def _heading(question: QuestionScore) -> Block:
    points = points_text(question.earned), points_text(question.points)
    return Block(Kind.HEADING, [question.id, question.title, " (extra)" * question.extra, *points])


def question_blocks(question: QuestionScore, is_folded: bool = False) -> Iterator[Block]:
    """What concerns a whole question: what it is locked by, and what its diagnosis found out.

    The sentences, the hint, the first wrong step (its place, the code, a table of the successors, and what was expected
    and seen), and the smallest tree (its title, its drawing, perhaps folded, and the command to run it).
    """
    diagnosis = shown_diagnosis(question)
    parts = [Block(Kind.NOTICE, [question.withheld])]
    if diagnosis:
        parts += [Block(Kind.SENTENCE, diagnosis.sentences), Block(Kind.HINT, [diagnosis.hint])]
    if diagnosis and (step := diagnosis.step):
        code, marks = [*numbered_code(step)], {**dict.fromkeys(map(str, step.also), "also"), str(step.line): "marked"}
        parts += [
            Block(Kind.CAPTION, [f"{capitalized(step.place)}:"]),
            Block(Kind.CODE, code_lines(step), [(*each, marks.get(each[0], "")) for each in code]),
            Block(Kind.TABLE, _table_lines(step), [step.columns, *step.rows]),
            Block(Kind.FACT, [text for text in (step.words, step.proof, step.extent) if text]),
        ]
    if diagnosis and (smallest := diagnosis.smallest):
        what = "The tree, searched" if diagnosis.step else "The smallest tree on which it fails,"
        is_tree = not smallest.start.startswith("%")
        title = f"{what} {counted(smallest.plies, 'ply')} deep:" if is_tree else "A position that shows it:"
        parts += [
            Block(Kind.CAPTION, [title]),
            Block(Kind.PICTURE, drawing_lines(smallest, is_folded), diagram=smallest),
            *_command("To run just this:", diagnosis.command),
        ]
    return (part for part in parts if any(part.lines))


def case_blocks(case: CaseScore, others: Sequence[CaseScore] = (), form: Form = Form.ALL) -> Iterator[Block]:
    """What one case lost, and why, also if it was passed; the `others` have the same fault."""
    is_short = form is Form.SHORT
    yield Block(Kind.CASE, [case.id, case.shows, share_text(case)])
    if case.message:
        yield Block(Kind.MESSAGE, [case.message])
    elif case.lost:
        yield Block(Kind.LOST, rows=[(lost.criterion, lost.expected, lost.got) for lost in case.lost])
    if case.why:
        yield Block(Kind.WHY, [case.why])
    if case.diagram:
        picture = drawing_lines(case.diagram, is_short)
        if case.fault and not (case.diagram.start.startswith("%") and len(picture) <= MAX_BOARD):
            picture = []
        if picture or (form is Form.PAGE and case.diagram.start):
            yield Block(Kind.PICTURE, picture, diagram=case.diagram)
    yield from _command("To run this case:", case.case_command if form is Form.PAGE else "")
    yield from _command("To see this game:", case.command)
    if others:
        yield Block(Kind.SAME, [each.id for each in others])
    if not is_short:
        yield from (Block(Kind.NOTE, [note]) for note in case.notes)
    if output := case.output.splitlines():
        yield Block(Kind.PRINTED, output[-1:] if is_short else output)


def end_blocks(card: Scorecard, form: Form) -> Iterator[Block]:
    """How it was graded; in a short report then the sentences, each once: the last lines are what a terminal shows."""
    yield Block(Kind.CONDITIONS, [card.conditions, f"{card.seconds:.1f} s"])
    last: dict[str, list[str]] = {}
    for question in card.questions if form is Form.SHORT else ():
        if sentence := _first_sentence(question):
            last.setdefault(sentence, []).append(question.id)
        elif groups := misses(question):
            last.setdefault(_what_is_wrong(groups[0][0]), []).append(groups[0][0].id)
    yield from (Block(Kind.LAST, [f"{', '.join(names)}: {sentence}"]) for sentence, names in last.items())


def _question(question: QuestionScore, form: Form, reported: set[str]) -> Iterator[Block]:
    """All that is said of a question. A message in `reported` is not repeated."""
    public_cases = [case for case in question.cases if not case.hidden]
    groups = [group for group in misses(question) if group[0].message not in reported]
    reported |= {case.message for case in question.cases if case.message}
    content = [*question_blocks(question)]
    lost = losses(replace(question, cases=tuple(public_cases)), in_words=True)
    if form is Form.PAGE and lost and (groups or question.withheld) and not shown_diagnosis(question):
        content.append(Block(Kind.SENTENCE, [f"Lost points: {lost}."]))
    for case, *others in groups:
        content += case_blocks(case, others, form)
    kind = Kind.REST if form is Form.PAGE else Kind.NOTE
    content += [Block(kind, [note]) for note in costless_notes(question)]
    yield from content
    hidden = [f"{count}."] if (count := hidden_count(question)) else []
    if form is Form.FILE and hidden:
        yield Block(Kind.HIDDEN, hidden)
    elif form is Form.PAGE and (content or any(case.hidden and case.earned < 1 for case in question.cases)):
        full_cases = sum(case.earned >= 1 for case in public_cases)
        sentences = [f"{full_cases} of {counted(len(public_cases), 'case')} passed."] if public_cases else []
        yield Block(Kind.HIDDEN, [" ".join([*sentences, *hidden])])


def _in_short(question: QuestionScore, first_with: dict[str, str] | None) -> Iterator[Block]:
    """Of the first question the sentence with its smallest tree, one missed case, and a line for the rest.

    Of a further one the sentences, and a line about its cases; `first_with` has the question with each first sentence.
    """
    diagnosis, groups = shown_diagnosis(question), misses(question)
    if first_with is not None:
        yield from _further(question, first_with, diagnosis, groups)
        return
    yield from question_blocks(question, is_folded=True)
    if not groups:
        return
    (first, *same), *others = groups
    has_command = diagnosis is not None and diagnosis.command
    yield from case_blocks(first, form=Form.SHORT)
    yield from _command("To run just this:", "" if has_command else first.case_command)
    faults = [group for group in others if group[0].fault][:MOST_FAULTS]
    for case, *more in faults:
        times = f" (and in {counted(len(more), 'more case')})" if more else ""
        yield Block(Kind.REST, [f"{case.id}  {share_text(case)}  {case.message}{times}"])
    rest = [*same, *(case for group in others if group not in faults for case in group)]
    if rest:
        yield Block(Kind.REST, [f"{counted(len(rest), 'more case')}: {_names(rest)}; --all shows them"])


def _further(
    question: QuestionScore,
    first_with: Mapping[str, str],
    diagnosis: Diagnosis | None,
    groups: Sequence[Sequence[CaseScore]],
) -> Iterator[Block]:
    if question.withheld:
        yield Block(Kind.NOTICE, [question.withheld])
    if (sentence := _first_sentence(question)) in first_with:
        yield Block(Kind.NOTICE, [f"the same as in {first_with[sentence]}"])
    elif diagnosis:
        yield Block(Kind.SENTENCE, diagnosis.sentences)
        if diagnosis.hint:
            yield Block(Kind.HINT, [diagnosis.hint])
        yield from _command("To run its smallest tree:", diagnosis.command)
    elif groups:
        first = groups[0][0]
        yield Block(Kind.NOTICE, [f"{first.id}: {_what_is_wrong(first)}"])
        yield from _command("To run just this:", first.case_command)
    if cases := [case for group in groups for case in group]:
        names = f"{counted(len(cases), 'case')}: {_names(cases)}; --question {question.id} shows more"
        yield Block(Kind.REST, [names])


def _command(label: str, command: str) -> list[Block]:
    return [Block(Kind.COMMAND, [label, command])] if command else []


def _first_sentence(question: QuestionScore) -> str:
    """The first sentence of the diagnosis of a question; "" if it has none."""
    diagnosis = shown_diagnosis(question)
    return diagnosis.sentences[0] if diagnosis and diagnosis.sentences else ""


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
    """The lines of code with their numbers: `>` is the line of the step, `*` one that decides about it."""
    rows = [*numbered_code(step)]
    width = max((len(number) for number, _ in rows), default=0)
    signs = {**dict.fromkeys(map(str, step.also), "*"), str(step.line): ">"}
    return [f"{signs.get(number, ' ')} {number:>{width}}  {text}".rstrip() for number, text in rows]


def _table_lines(step: WrongStep) -> list[str]:
    """The table of the successors, in columns; empty if there is none."""
    rows = [step.columns, *step.rows] if step.rows else []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["   ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


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
    at_import = dict.fromkeys((case.message, case.why) for case in cases if case.at_import)
    lines = [*card.notes, *(f"{message}. {why}".removesuffix(". ") for message, why in at_import)]
    if unwritten := {case.fault_detail: case.why for case in cases if case.fault == NOT_WRITTEN}:
        named = (f"{part} ({why.removesuffix('.')})" if why else part for part, why in unwritten.items())
        lines.append(f"not written yet: {', '.join(named)}")
    missing = {
        question.part: f" (did you mean '{case.fault_detail}'?{other_letter(case.fault_detail)})"
        if case.fault_detail
        else ""
        for question in card.questions
        for case in question.cases
        if case.fault == MISSING_PART
    }
    if missing:
        lines.append(f"the file does not define: {', '.join(part + hint for part, hint in missing.items())}")
    return lines


def shown_diagnosis(question: QuestionScore) -> Diagnosis | None:
    """What the diagnosis found out; None if it found only that the file cannot be imported.

    `general_faults` says this once, and not for each question.
    """
    return None if any(case.at_import for case in question.cases) else question.diagnosis


def hidden_count(question: QuestionScore) -> str:
    """How many of a question's hidden cases passed, as text; empty if it has none."""
    cases = [case for case in question.cases if case.hidden]
    count = sum(case.earned >= 1 for case in cases)
    return f"{count} of {counted(len(cases), 'hidden case')} passed" if cases else ""


def losses(question: QuestionScore, in_words: bool = False) -> str:
    """How many cases lost each criterion or ended in each fault, and how many hidden cases passed.

    `in_words`: each number says that it counts cases, and `mean_score` is two words.
    """
    count: Counter[str] = Counter()
    for case in question.cases:
        if case.fault:
            is_none = case.fault == "refused" and " returned None" in case.message
            count["returned None" if is_none else fault_name(case.fault)] += 1
        else:
            count.update(lost.criterion for lost in case.lost)
    parts = ["no points"] if question.withheld else []
    for name, times in count.items():
        parts.append(f"{name.replace('_', ' ')} in {counted(times, 'case')}" if in_words else f"{name}: {times}")
    hidden = [case for case in question.cases if case.kind == HIDDEN]
    faults = {case.fault for case in question.cases if case.kind != HIDDEN}
    if hidden and (len(faults) != 1 or "" in faults):  # else that fault of all cases says enough
        parts.append(f"hidden: {sum(case.earned == 1 for case in hidden)} of {len(hidden)} passed")
    return ", ".join(parts)


def misses(question: QuestionScore) -> list[list[CaseScore]]:
    """The open cases that lost points or are ungraded, in groups: cases with the same fault are together.

    Without the cases that `general_faults` reports.
    """
    groups: dict[tuple[str, str], list[CaseScore]] = {}
    for case in question.cases:
        is_miss = case.kind != HIDDEN and case.earned < 1
        if is_miss and case.fault not in (NOT_WRITTEN, MISSING_PART) and not case.at_import:
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
