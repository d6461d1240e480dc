"""Which mistakes a class makes by now, which questions are hard for it, and what to say in the next lecture.

The board counts codes: the names that diagnoses give to mistakes, and the kinds of faults. It quotes no report, because
a report can quote a student's program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean, median
from typing import Literal

from autograder.course.grade import tenths
from autograder.course.marks.marks import Late, Mark, late_of, marks
from autograder.course.records import FAULT, UNNAMED, Result
from autograder.course.store import Store
from autograder.judge.diagnosis.step_words import FROM_VALUES
from autograder.judge.diagnosis.steps import Breach
from autograder.judge.points_as_text import percent, points_text, rounded_down
from autograder.judge.scorecard import Diagram, Scorecard
from autograder.judge.wrong_searches import LAYER_HINTS, by_name
from autograder.report.blocks import IMPORT_FAULT, MISSING_PART, NOT_WRITTEN, fault_name
from autograder.report.escape import json_text
from pacman.core.errors import counted

VERSION = 4
"""Of the JSON: a change that an old reader cannot read needs a new one."""
FEW = 2
"""The fewest students about whom something is said to the whole class."""
HARD = 0.8
"""A question with at least this average share of its points is not hard."""
_NO_NAME = "Its answers are wrong in a way that has no name."
_ANY = {"layer": "", "at": "", "at_or_layer": "", "left": "plies", "bound": "alpha or beta",
        "leaf": "the end of the game or a node with no plies left"}  # fmt: skip
"""What the summary of a wrong step says where it says more about one search."""
SHARED = {
    "last-value": "At some nodes, your search returns the value of the last action that it tried, not the best value.",
    "starts-at-zero": "Your search starts with 0 as its best value.",
    "wrong-cut-test": "In its test for a cut, your search compares with the node's own bound, not with the opponent's.",
    "never-ends": "Your search does not end on a small tree.",
    "wrong-stored-value": "Your search takes a wrong value for a node that it does not search.",
    "wrong-plies-passed": "Your search passes on a wrong number of plies or rounds.",
    "searches-the-same-node": "Your search searches the same node again, and not a successor.",
    "compares-names": "Your search compares actions by their names, and not by their values.",
    "keeps-state": "Your search gives other answers after other questions: it keeps something from one to the next.",
    "pair-swapped": "Your search returns its pair the wrong way round: the action, then the value.",
    "random-answers": "Your search gives different answers to the same question.",
    "score-not-evaluation": "Your search takes the node's score, and never calls the agent's own evaluation function.",
    "wrong-result": "Your search returns something else than the value and the action that the question asks for.",
    "made-up-infinity": "Your search begins with a number in place of infinity, and values can lie beyond it.",
}
"""One sentence for a name that several mistakes share, each with a sentence of its own; or that is no wrong search."""


_Kind = Literal["mistake", "fact", "fault"]
_Key = tuple[str, str]
"""The question and the name of a row."""


@dataclass(frozen=True)
class MistakeRow:
    """A mistake in a question. `name` is a name of a diagnosis, `UNNAMED`, or the kind of a fault.

    A part that is not written, or a file that cannot be imported, is one row for all questions: its `question` is
    empty. `students` is how many had it in any attempt, `now` how many of them in the last one that was graded, `who`
    are these; the others have `overcome` it. `since` is the time of the first attempt with it, in the zone of the due
    time.
    """

    question: str
    name: str
    kind: _Kind
    students: int
    now: int
    overcome: int
    since: str
    sentence: str
    hint: str
    who: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The mistake with its name, or with its kind if it has no name."""
        if self.kind == "mistake":
            return self.name if self.sentence == self.name else f"{self.name}: {self.sentence}"
        return f"{self.kind}: {self.sentence}"


@dataclass(frozen=True)
class QuestionRow:
    """A question. `average` is the share of its points that the last attempts earn on average."""

    question: str
    title: str
    points: float
    average: float
    full: int
    none: int
    students: int


@dataclass(frozen=True)
class FlatCase:
    """A case in which everybody earns the same share: it tells nobody apart."""

    case: str
    earned: float


@dataclass(frozen=True)
class Saying:
    """Something to say in the next lecture, and the rule that chose it."""

    text: str
    rule: str


@dataclass(frozen=True)
class Board:
    """A class in one assignment. `average` and `median` are of the points of the last attempts that were graded.

    These are with what the staff adjusted, and with the late days that the assignment counts. `histogram` counts these
    attempts by tenths of the points; its last number is that of those with all points.
    """

    assignment: str
    students: int
    without_submission: int
    submissions: int
    not_graded: int
    points: float
    average: float
    median: float
    mistakes: tuple[MistakeRow, ...]
    questions: tuple[QuestionRow, ...]
    flat_cases: tuple[FlatCase, ...]
    sayings: tuple[Saying, ...] = ()
    histogram: tuple[int, ...] = ()
    version: int = VERSION

    @property
    def overview(self) -> str:
        """How many students and submissions there are, and their points, in one line."""
        average, middle, most = map(points_text, (self.average, self.median, self.points))
        last = sum(self.histogram)
        points = (
            f"last graded attempt of {counted(last, 'student')}: average {average}, median {middle} of {most} points"
        )
        return (
            f"{counted(self.students, 'student')}, {self.without_submission} without a submission; "
            f"{counted(self.submissions, 'submission')}, {self.not_graded} not graded; "
            f"{points if last else 'no result yet'}"
        )


def load_board(store: Store, assignment: str) -> Board:
    """The board of an assignment. InputError if nothing is graded yet."""
    late, last, earned = late_of(store, assignment), list[Result](), list[float]()
    rows = marks(store, assignment, "last", late)
    attempts = [each for row in rows for each in row.attempts]
    for row in rows:
        for attempt, result in row.graded[-1:]:
            last.append(result)
            earned.append(replace(row, attempt=attempt).earned)
    ids = {each.id for each in last}
    cases = [each.cases for each in store.results(assignment) if each.id in ids]
    shares = sorted(cases[0].items()) if len(cases) >= FEW else []
    most = [each.points for each in last]
    board = Board(
        assignment,
        students=len(rows),
        without_submission=sum(not row.attempts for row in rows),
        submissions=len(attempts),
        not_graded=sum(bool(each.reason) for each in attempts),
        points=max(most, default=0.0),
        average=rounded_down(fmean(earned or [0.0])),
        median=rounded_down(median(earned or [0.0])),
        mistakes=tuple(_mistakes(rows, late)),
        questions=tuple(_questions(last, store.scorecard(max(ids)) if ids else None)),
        flat_cases=tuple(FlatCase(*pair) for pair in shares if all(each.get(pair[0]) == pair[1] for each in cases)),
        histogram=tuple(tenths(own / points if points else 0.0 for own, points in zip(earned, most, strict=True))),
    )
    return replace(board, sayings=tuple(_sayings(board)))


def common_mistakes(store: Store, board: Board, most: int = 3) -> list[tuple[MistakeRow, Diagram | None]]:
    """The mistakes that most students have now, each with the smallest tree on which a submission with it fails.

    Only mistakes that at least `FEW` students have or had. The tree is that of the first scorecard in which this
    mistake comes first. A mistake that is made in several questions is there once.
    """
    shared = [row for row in board.mistakes if row.now and row.students >= FEW and row.kind == "mistake"]
    rows = {row.name: row for row in reversed(shared)}
    results, found = store.results(board.assignment), list[tuple[MistakeRow, Diagram | None]]()
    for row in [row for row in shared if rows[row.name] is row][:most]:
        first = next((each for each in results if [*each.mistakes.get(row.question, ())][:1] == [row.name]), None)
        card = store.scorecard(first.id) if first else None
        diagnoses = (each.diagnosis for each in (card.questions if card else ()) if each.id == row.question)
        found.append((row, next((each.smallest for each in diagnoses if each), None)))
    return found


def dump(board: Board) -> str:
    """The board as JSON."""
    return json_text(asdict(board), indent=2) + "\n"


def sentence_of(name: str) -> tuple[str, str]:
    """A sentence and a hint that are true for all code with this mistake; the name itself if it is not known.

    >>> sentence_of("last-value")[0]
    'At some nodes, your search returns the value of the last action that it tried, not the best value.'
    >>> sentence_of("wrong-value-at-min")[0]
    "At some MIN nodes, your search returns a value that is not the smallest of its successors' values."
    """
    from autograder.judge.diagnosis.choices import MISTAKES  # not needed for the help of a command

    known = {row.name: (row.sentence, row.hint) for row in by_name().values()}
    known |= {each: (f"{text}.", hint) for each, (text, hint, *_) in MISTAKES.items()}
    for layer, chosen in FROM_VALUES.items():
        summary = Breach.RESULT.words.summary.format(at_or_some=f"At some {layer.name} nodes", chosen_short=chosen)
        known[f"wrong-value-at-{layer.value}"] = f"{summary}.", LAYER_HINTS[layer]
    for words in (breach.words for breach in Breach if breach.words.name == name):
        known[name] = f"{words.summary.format_map(_ANY)}.", words.hint
    text, hint = known.get(name, (name, ""))
    return " ".join(SHARED.get(name, text).split()), hint


def _mistakes(marks: Sequence[Mark], late: Late) -> list[MistakeRow]:
    """The mistakes of all attempts, those that most students still make first; after them, what has no name.

    Times are in the zone of the due time.
    """
    who, had, since = dict[_Key, list[str]](), Counter[_Key](), dict[_Key, str]()
    for mark in marks:
        ever, present = set[_Key](), set[_Key]()
        for attempt, result in mark.graded:
            present = {_key(question, name) for question, names in result.mistakes.items() for name in names}
            for key in present - ever:
                since[key] = min(filter(None, (since.get(key), attempt.time)), default="")
            ever |= present
        had.update(ever)
        for key in present:
            who.setdefault(key, []).append(mark.student.label)
    first = {key: late.in_zone(time) or time for key, time in since.items()}
    rows = [_row(*key, count, tuple(who.get(key, ())), first[key]) for key, count in had.items()]
    return sorted(rows, key=lambda row: (row.kind == "fact", -row.now, -row.students, row.question, row.name))


def _row(question: str, name: str, count: int, who: tuple[str, ...], since: str) -> MistakeRow:
    fault, (sentence, hint) = name.removeprefix(FAULT), sentence_of(name)
    kind: _Kind = "fault" if fault != name else "fact" if name == UNNAMED else "mistake"
    sentence = {"fault": fault_name(fault), "fact": _NO_NAME, "mistake": sentence}[kind]
    return MistakeRow(question, name, kind, count, len(who), count - len(who), since, sentence, hint, who)


def _key(question: str, name: str) -> _Key:
    """The row of a mistake. One row for all questions has what is not written, and what cannot be imported."""
    if name in (FAULT + NOT_WRITTEN, FAULT + MISSING_PART):
        return "", FAULT + NOT_WRITTEN
    if name.startswith(FAULT + IMPORT_FAULT):
        return "", FAULT + name.removeprefix(FAULT).partition(": ")[0]  # without the cause, which quotes a program
    return question, name


def _questions(last: Sequence[Result], newest: Scorecard | None) -> list[QuestionRow]:
    """The questions, the hardest first, with the titles of the newest scorecard."""
    titles = {question.id: question.title for question in newest.questions} if newest else {}
    earned: dict[str, list[Sequence[float]]] = {}
    for result in last:
        for name, pair in result.questions.items():
            earned.setdefault(name, []).append(pair)
    rows = []
    for name, pairs in earned.items():
        shares = [min(1.0, own / points) if points else 0.0 for own, points in pairs]
        full, none = sum(share > 1 - 1e-9 for share in shares), sum(share == 0 for share in shares)
        rows.append(QuestionRow(name, titles.get(name, name), pairs[-1][1], fmean(shares), full, none, len(pairs)))
    return sorted(rows, key=lambda row: (row.average, row.question))


def _sayings(board: Board) -> Iterator[Saying]:
    """What to say in the next lecture, by three rules."""
    titles = {row.question: row.title for row in board.questions}
    common = []
    for row in sorted(board.mistakes, key=lambda row: -row.now):
        if row.kind != "fault" and row.now >= FEW:
            title = titles.get(row.question, row.question)
            where = row.question if title == row.question else f"{row.question} ({title})"
            hint = f" Ask: {row.hint}" if row.hint else ""
            common.append(f"{counted(row.now, 'student')} in {where}: {row.sentence}{hint}")
    if common:
        yield Saying(common[0], f"the mistake or fact that most students have in their last attempt, at least {FEW}")
    for hard in board.questions[:1]:
        if hard.average < HARD and hard.students >= FEW:
            text = f"{hard.title} ({hard.question}) is the hardest question: {percent(hard.average)} of its points on "
            text += f"average, {hard.none} of {counted(hard.students, 'student')} with none"
            yield Saying(text, f"the question with the lowest average, if that is below {percent(HARD)}")
    if common[1:]:
        yield Saying(common[1], "the mistake or fact that comes second")
