"""What changes for whom if a class is graded again after a change, and why: a pure comparison of two scorecards.

The difference of the points is divided among four reasons, one after the other: another weight (of a case, or the
points of a question), another case (changed, new or gone), another grader, another prerequisite that locks a question.
So the parts add up to the whole.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from autograder.course.intake.roster import Student
from autograder.judge.points_as_text import points_text, rounded_down
from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from pacman.core.words import counted

WIDTH = 40
MOST_NAMED = 3
"""How many cases a reason names."""

Kind = Literal["weight", "case", "grader", "prerequisite", "another run", "adjusted"]


@dataclass(frozen=True)
class Part:
    """A part of a change: how many points it brings, and the questions or cases that it is about."""

    kind: Kind
    points: float
    about: tuple[str, ...]

    @property
    def text(self) -> str:
        """The part for people, as in "case +0.5 (q2/01-figure)"."""
        named = ", ".join(self.about[:MOST_NAMED])
        more = f" and {len(self.about) - MOST_NAMED} more" if len(self.about) > MOST_NAMED else ""
        return f"{self.kind} {signed(self.points)}" + (f" ({named}{more})" if named else "")


@dataclass(frozen=True)
class Change:
    """The points of one submission before and after, with what the staff adjusted, and the parts of the difference."""

    student: Student
    submission_id: int
    received: str
    before: float
    after: float
    parts: tuple[Part, ...]

    @property
    def difference(self) -> float:
        """The difference between the marks, which are in whole hundredths."""
        return round(rounded_down(self.after) - rounded_down(self.before), 2)

    @property
    def shown_parts(self) -> list[Part]:
        """The parts in hundredths that add up to the difference. Those with the largest rests are rounded up."""
        steps = [math.floor(100 * part.points + 1e-6) for part in self.parts]
        rest = round(100 * self.difference) - sum(steps)
        by_rest = sorted(range(len(steps)), key=lambda place: steps[place] - 100 * self.parts[place].points)
        for place in by_rest[:rest] if rest >= 0 else by_rest[rest:]:
            steps[place] += 1 if rest > 0 else -1
        return [replace(part, points=step / 100) for part, step in zip(self.parts, steps, strict=True)]


def changed_cases(old: Mapping[str, str], new: Mapping[str, str], is_same_grader: bool) -> set[str]:
    """The ids of the cases that are not what they were, by their digests; without digests, all if nothing else can be.

    >>> changed_cases({"a": "1", "b": "1"}, {"a": "2", "b": "1"}, False), changed_cases({"a": "1"}, {}, False)
    ({'a'}, {'a'})
    >>> changed_cases({}, {"a": "1"}, is_same_grader=False), changed_cases({}, {"a": "1"}, is_same_grader=True)
    (set(), {'a'})
    """
    if not old:
        return set(new) if is_same_grader else set()
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def parts(old: Scorecard | None, new: Scorecard | None, changed: set[str]) -> tuple[Part, ...]:
    """Why the points differ. None is a submission that could not be graded."""
    if old is None or new is None:
        points = (new.earned if new else 0.0) - (old.earned if old else 0.0)
        return (Part("grader", points, ("could not be graded" if new is None else "can be graded now",)),)
    before = {question.id: question for question in old.questions}
    after = {question.id: question for question in new.questions}
    sums: dict[Kind, float] = {}
    about: dict[Kind, list[str]] = {}
    for name in dict.fromkeys((*before, *after)):
        for kind, points, names in _question_parts(before.get(name), after.get(name), changed):
            sums[kind] = sums.get(kind, 0.0) + points
            about.setdefault(kind, []).extend(names)
    kinds: tuple[Kind, ...] = ("weight", "case", "grader", "prerequisite")
    return tuple(Part(kind, sums[kind], tuple(about[kind])) for kind in kinds if abs(sums.get(kind, 0)) > 1e-9)


def _question_parts(
    old: QuestionScore | None, new: QuestionScore | None, changed: set[str]
) -> Iterable[tuple[Kind, float, Sequence[str]]]:
    """The parts of one question, with the names of what is different."""
    if old is None or new is None:
        question = old or new
        assert question is not None
        yield "case", (new.earned if new else 0.0) - (old.earned if old else 0.0), (question.id,)
        return
    old_cases = {case.id: case for case in old.cases}
    new_cases = {case.id: case for case in new.cases}
    reweighted = [name for name in old_cases if name in new_cases and old_cases[name].weight != new_cases[name].weight]
    weighed = [replace(case, weight=new_cases[case.id].weight) if case.id in new_cases else case for case in old.cases]
    exchanged = [
        case if case.id in changed or case.id not in old_cases else replace(case, earned=old_cases[case.id].earned)
        for case in new.cases
    ]
    replaced = [name for name in dict.fromkeys((*old_cases, *new_cases)) if _is_replaced(name, old_cases, new_cases)]
    steps: list[tuple[Kind, QuestionScore, Sequence[str]]] = [
        ("weight", replace(old, points=new.points, cases=tuple(weighed)), reweighted or (new.id,)),
        (
            "case",
            replace(old, points=new.points, cases=tuple(exchanged)),
            [name for name in replaced if name in changed or (name in old_cases) != (name in new_cases)],
        ),
        ("grader", replace(new, withheld=old.withheld), [name for name in replaced if name not in changed]),
        ("prerequisite", new, (new.id,)),
    ]
    last = old.earned
    for kind, question, names in steps:
        points = question.earned - last
        last = question.earned
        if abs(points) > 1e-9:
            yield kind, points, names


def _is_replaced(name: str, old: Mapping[str, CaseScore], new: Mapping[str, CaseScore]) -> bool:
    """True if the case is in one of the scorecards only, or earns another share."""
    return name not in old or name not in new or old[name].earned != new[name].earned


def signed(points: float) -> str:
    """A difference of points with its sign.

    >>> signed(0.5), signed(-1.25), signed(0)
    ('+0.5', '-1.25', '0')
    """
    text = points_text(abs(points) + 5e-7)
    return text if text == "0" else f"{'-' if points < 0 else '+'}{text}"


def histogram(differences: Sequence[float]) -> list[str]:
    """How many submissions change by how much, one line for each step of equal width that has any.

    >>> for line in histogram([0, 0, 0, -0.5, 1, 1]): print(line)
           change  submissions
                0            3  ########################################
        -0.5 to 0            1  #############
       +0.5 to +1            2  ###########################
    """
    largest = max(map(abs, differences), default=0.0)
    width = next(step for step in (0.1, 0.5, 1, 2, 5, 10, 50, 1e9) if largest <= 8 * step)
    counts: Counter[int] = Counter()
    for each in differences:
        steps = math.ceil(abs(each) / width - 1e-9)
        counts[steps if each > 0 else -steps] += 1
    most = max(counts.values(), default=1)
    lines = [f"{'change':>13}  submissions"]
    for step in sorted(counts, key=lambda each: (each != 0, each)):
        ends = sorted((step * width, (step - 1 if step > 0 else step + 1) * width))
        label = f"{signed(ends[0])} to {signed(ends[1])}" if step else "0"
        lines.append(f"{label:>13} {counts[step]:>12}  {'#' * max(1, round(WIDTH * counts[step] / most))}")
    return lines


def overview(changes: Sequence[Change], unchanged: int) -> str:
    """How many submissions change, in one line."""
    raised = sum(change.difference > 0 for change in changes)
    lowered = sum(change.difference < 0 for change in changes)
    same = len(changes) - raised - lowered + unchanged
    total = counted(len(changes) + unchanged, "submission")
    return f"{total} compared: {raised} raised, {lowered} lowered, {same} unchanged"
