"""Grades a class again after a change: who changes, and because of which cases, before a result is added.

This is a grading that adds no result. What ran before is in the store and is only judged again; a case that changed
runs again, and its answers are stored. So after a look at the changes, adding the new results takes seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from autograder.course.grade import Progress, Workers, grade_class, how_graded, note_version
from autograder.course.intake.roster import Student, compared
from autograder.course.job import Outcome, PackedGrader
from autograder.course.records import Adjustment, Submission, adjusted, adjusted_questions
from autograder.course.store import Store
from autograder.judge.points_as_text import percent, points_text, rounded_down
from autograder.judge.scorecard import QuestionScore, Scorecard
from pacman.core.errors import InputError, counted


@dataclass(frozen=True)
class Change:
    """The points of one submission before and after, with what the staff adjusted.

    `reasons` name each case that earns another share, has another weight, or is new or gone; and each question that
    gives other points, or that is locked now or no longer.
    """

    student: Student
    received: str
    before: float
    after: float
    reasons: tuple[str, ...]

    @property
    def difference(self) -> float:
        """The difference between the marks, which are in whole hundredths."""
        return round(rounded_down(self.after) - rounded_down(self.before), 2)


@dataclass(frozen=True)
class Regrade:
    """What came of it. `up_to_date` submissions had a result of this version already, `waiting` ones have none yet.

    `outcomes` are what came of each work, with the steps that ran. If all of some students ran `anew`, as if nothing
    were known about them, these steps are not stored yet. `failures` say why a student has no new result.
    """

    changes: tuple[Change, ...]
    unchanged: int
    up_to_date: int
    waiting: int
    failures: tuple[tuple[Student, str], ...]
    outcomes: Sequence[Outcome]
    anew: bool

    @property
    def overview(self) -> str:
        """How many submissions change, in one line."""
        raised = sum(change.difference > 0 for change in self.changes)
        lowered = sum(change.difference < 0 for change in self.changes)
        total = len(self.changes) + self.unchanged
        same = f"{total - raised - lowered} unchanged"
        return f"{counted(total, 'submission')} compared: {raised} raised, {lowered} lowered, {same}"

    def apply(self, store: Store) -> int:
        """Adds all new results, and returns how many these are. The old ones stay."""
        final = [(each, each.result) for each in self.outcomes if each.result]
        for outcome, result in final:
            store.add_steps(outcome.work, outcome.new if self.anew else ())
            store.add_result(result, outcome.card)
        return len(final)


def regrade_class(
    store: Store,
    packed: PackedGrader,
    workers: Workers,
    jobs: int,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    students: Collection[str] = (),
) -> Regrade:
    """Grades every submission again that has a result of another version, and adds no result.

    With `students` (their compared keys), runs only their submissions, also without a change.

    InputError if there is no result, or if the results come from another key of games or from another API.
    """
    grader, steps = packed.unpack()
    name, adjustments = grader.assignment.name, store.adjustments(grader.assignment.name)
    works = {each.work: each for each in store.some_attempts(name) if not each.problem}
    asked = [each for each in works.values() if not students or compared(each.student.key) in students]
    graded = [each for each in asked if each.result]
    if graded and (names := how_graded(store, name).get("with", [])) != sorted(steps.helpers):
        how = " ".join(f"--with {each}" for each in names) or "without --with"
        raise InputError(f"store {store.name}: '{name}' was graded {how}; grade again in this way")
    outdated = [each for each in graded if students or (each.result and each.result.version != steps.version)]
    note_version(store, grader, steps, remembers_key=False)
    keeps: Literal["steps", "nothing"] = "nothing" if students else "steps"
    new = grade_class(store, packed, outdated, workers, jobs, on_progress, keeps)
    changes = []
    for each in (each for each in outdated if new[each.work].result):
        before = store.steps(each.work, steps.runner)
        changed = {step.case for step in before if step.digest != steps.digests.get(step.case)}
        own = adjustments.get(compared(each.student.key), ())
        changes.append(_change(store, each, new[each.work], own, changed))
    found = sorted(filter(None, changes), key=lambda change: (change.difference, change.student.key))
    return Regrade(
        changes=tuple(found),
        unchanged=len(changes) - len(found),
        up_to_date=len(graded) - len(outdated),
        waiting=len(asked) - len(graded),
        failures=tuple((works[work].student, each.failure) for work, each in new.items() if each.failure),
        outcomes=[new[work] for work in sorted(new)],
        anew=bool(students),
    )


def _change(
    store: Store, old: Submission, new: Outcome, adjustments: Sequence[Adjustment], changed: Collection[str]
) -> Change | None:
    """The change of one submission; None if its points stay the same, also without what the staff adjusted.

    The input of the cases `changed` is another one. What the staff adjusted stays, and the reasons say so: it takes
    back what the grader changes in such a question.
    """
    assert old.result
    assert new.result
    was, now = old.result, new.result
    before, after = (each.earned + adjusted(adjustments, each) for each in (was, now))
    if (rounded_down(was.earned), rounded_down(before)) == (rounded_down(now.earned), rounded_down(after)):
        return None
    points = adjusted_questions(adjustments, now)
    stays = tuple(
        f"{each.question} stays at {points_text(points[each.question])} (adjusted)"
        if each.question in points
        else f"{each.question} was adjusted to {points_text(each.points)}, and is gone: not counted"
        for each in adjustments
    )
    why = reasons(store.scorecard(was.id), new.card, changed)
    return Change(old.student, old.received, before, after, why + stays)


def reasons(old: Scorecard | None, new: Scorecard | None, changed: Collection[str] = ()) -> tuple[str, ...]:
    """What is different. None is a submission that could not be graded.

    Of a drawn case that is `changed` it says so: its tree follows from the case that it is like.
    """
    if old is None or new is None:
        return ("could not be graded" if new is None else "can be graded now",)
    before, after = ({question.id: question for question in card.questions} for card in (old, new))
    names = dict.fromkeys((*before, *after))
    found = (reason for name in names for reason in _of_question(name, before.get(name), after.get(name)))
    drawn = {case for case in changed if "/drawn-" in case}
    return tuple(f"{each} (another tree now)" if each.partition(" ")[0] in drawn else each for each in found)


def _of_question(name: str, old: QuestionScore | None, new: QuestionScore | None) -> Iterator[str]:
    """What is different in one question."""
    if old is None or new is None:
        yield f"{name} is {'gone' if new is None else 'new'}"
        return
    before, after = ({case.id: case for case in question.cases} for question in (old, new))
    for case in dict.fromkeys((*before, *after)):
        was, now = before.get(case), after.get(case)
        if was is None or now is None:
            yield f"{case} is {'gone' if now is None else 'new'}"
        elif was.earned != now.earned:
            yield f"{case} {percent(was.earned)} -> {percent(now.earned)}"
        elif was.weight != now.weight:
            yield f"weight of {case}"
    if old.points != new.points:
        yield f"points of {name}"
    if bool(old.withheld) != bool(new.withheld):
        yield f"{name} is {'locked' if new.withheld else 'not locked any more'}"


def signed(points: float) -> str:
    """A difference of points with its sign.

    >>> signed(0.5), signed(-1.25), signed(0)
    ('+0.5', '-1.25', '0')
    """
    text = points_text(abs(points) + 5e-7)
    return text if text == "0" else f"{'-' if points < 0 else '+'}{text}"
