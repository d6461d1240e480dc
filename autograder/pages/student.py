"""The page of one student: the points, what is wrong first, and each case that lost points with its picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from autograder.judge.points_as_text import counted, points_text
from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from autograder.pages.page import page
from autograder.pages.pictures import Picture, picture
from autograder.report.escape import cleaned, line, lines
from autograder.report.markdown import (
    capitalized,
    costless_notes,
    general_faults,
    hidden_count,
    losses,
    misses,
    not_final_warning,
    share_text,
    smallest_title,
)

MOST_MARKUP = 200_000
"""The most characters of pictures in a page. After that, cases have only their sentences."""


@dataclass(frozen=True)
class _Miss:
    """A case that lost points. `others` are the ids of further cases with the same message."""

    case: CaseScore
    others: str
    printed: Sequence[str]
    picture: Picture

    @property
    def share(self) -> str:
        return share_text(self.case)


@dataclass(frozen=True)
class _Section:
    """What the page says about one question."""

    question: QuestionScore
    smallest: Picture | None
    misses: Sequence[_Miss]

    @property
    def name(self) -> str:
        return f"{self.question.id} {self.question.title}" + " (extra)" * self.question.extra

    @property
    def points(self) -> str:
        return f"{points_text(self.question.earned)}/{points_text(self.question.points)}"

    @property
    def heading(self) -> str:
        return f"{self.name}: {points_text(self.question.earned)} of {points_text(self.question.points)} points"

    @property
    def withheld(self) -> str:
        return capitalized(self.question.withheld)

    @property
    def summary(self) -> str:
        """What is wrong, in one line: what the examination found out, or else what was lost."""
        examination = self.question.examination
        return examination.sentences[0] if examination else losses(self.question)

    @property
    def notes(self) -> Sequence[str]:
        return costless_notes(self.question)

    @property
    def passed(self) -> str:
        """How many cases passed, in one sentence."""
        opened = [case for case in self.question.cases if not case.hidden]
        passed = sum(case.earned >= 1 for case in opened)
        sentences = [f"{passed} of {counted(len(opened), 'case')} passed."] if opened else []
        hidden = hidden_count(self.question)
        return " ".join([*sentences, *([f"{hidden}."] if hidden else [])])

    @property
    def is_shown(self) -> bool:
        return bool(self.withheld or self.question.examination or self.misses or self.notes)


def student_page(card: Scorecard, student: str = "") -> str:
    """The text of the page for a student; `student` is the name, if it is known. Hidden cases stay hidden."""
    warning = not_final_warning(card)
    card = cleaned(card.public())
    budget = _Budget()
    sections = [_section(question, budget) for question in card.questions]
    earned = f"{points_text(card.earned)} of {points_text(card.points)} points"
    values = {
        "card": card,
        "student": line(student),
        "earned": earned,
        "warnings": [text for text in (warning, *general_faults(card)) if text],
        "sections": sections,
        "not_drawn": budget.sentence,
        "seconds": f"{card.seconds:.1f} s",
    }
    return page("student.html", f"{card.title}: {earned}", values)


class _Budget:
    """Counts the characters of pictures, and those pictures that have no room."""

    def __init__(self) -> None:
        self.left = MOST_MARKUP
        self.refused = 0

    def take(self, drawn: Picture) -> Picture:
        """The picture; without its drawing if there is no room for it."""
        size = len(drawn.svg) + sum(map(len, drawn.lines))
        if size > self.left:
            self.refused += 1
            return replace(drawn, svg="", lines=())
        self.left -= size
        return drawn

    @property
    def sentence(self) -> str:
        """How many pictures are missing; empty for none."""
        if not self.refused:
            return ""
        verb = "is" if self.refused == 1 else "are"
        return f"{counted(self.refused, 'more picture')} {verb} not drawn here: run these cases to see them."


def _section(question: QuestionScore, budget: _Budget) -> _Section:
    smallest = question.examination.smallest if question.examination else None
    drawn = None
    if smallest:
        label = f"{question.id}: the smallest tree on which it fails"
        prefix = f"{question.id}-smallest-"
        drawn = budget.take(picture(smallest.diagram, smallest.picture, label, prefix, smallest_title(smallest)))
    return _Section(question, drawn, list(_misses(question, budget)))


def _misses(question: QuestionScore, budget: _Budget) -> Iterator[_Miss]:
    for number, (case, *others) in enumerate(misses(question)):
        prefix = f"{question.id}-{number}-"
        drawn = picture(case.diagram, case.picture, f"{case.id}: {case.shows}", prefix)
        ids = ", ".join(each.id for each in others)
        yield _Miss(case, ids, lines(case.output), budget.take(drawn))
