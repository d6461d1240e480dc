"""Grades a class again after a change: who changes, and because of which cases, before a result is added.

What ran before is in the store and is only judged again; a case that changed runs again, and its answers are stored. So
after a look at the changes, adding the new results takes seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.course.grade import Keeper, Progress, Workers, grade_class, note_version
from autograder.course.intake.roster import Student, compared
from autograder.course.job import Outcome, PackedGrader, Steps
from autograder.course.store import Adjustment, CaseResult, Result, Store, Submission, adjusted, adjusted_questions
from autograder.grading.grade import Grader
from autograder.judge.points_as_text import percent, points_text, rounded_down
from autograder.judge.scorecard import QuestionScore, Scorecard
from pacman.core.errors import InputError, counted


class Trial(Keeper):
    """Keeps new results apart until `apply`. What runs meanwhile is stored as always.

    If submissions run `anew`, as if nothing were known about them, what they run is kept apart too.
    """

    def __init__(self, store: Store, packed: PackedGrader, anew: bool = False) -> None:
        super().__init__(store, packed)
        self.anew = anew
        self.outcomes: dict[int, Outcome] = {}
        self.ran: dict[int, list[CaseResult]] = {}
        """The cases, imports and diagnoses that ran, by the ids of their submissions."""

    def known(self, submission_id: int) -> Sequence[CaseResult]:
        """What earlier gradings found out about a submission; of one that runs anew, only this one."""
        return self.ran.get(submission_id, ()) if self.anew else super().known(submission_id)

    def keep(self, outcome: Outcome) -> None:
        """Keeps an outcome for `apply`."""
        self.ran.setdefault(outcome.submission_id, []).extend(outcome.new)
        if outcome.is_final:
            self.outcomes[outcome.submission_id] = outcome
        if not self.anew:
            for each in outcome.new:
                self.store.add_case_result(outcome.submission_id, each)

    def apply(self) -> None:
        """Adds all new results. The old ones stay."""
        for number, outcome in sorted(self.outcomes.items()):
            if self.anew:
                self.store.replace_case_results(number, self.ran[number])
            self.store.add_result(outcome.result(self.grader, self.steps), outcome.card, self.anew)


@dataclass(frozen=True)
class Change:
    """The points of one submission before and after, with what the staff adjusted.

    `reasons` name each case that earns another share, has another weight, or is new or gone; and each question that
    gives other points, or that is locked now or no longer.
    """

    student: Student
    submission_id: int
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

    `failures` are pairs of a student and the reason why there is no new result.
    """

    changes: tuple[Change, ...]
    unchanged: int
    up_to_date: int
    waiting: int
    failures: tuple[tuple[Student, str], ...]


def regrade_class(
    trial: Trial,
    packed: PackedGrader,
    workers: Workers,
    jobs: int,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    students: Collection[str] = (),
) -> Regrade:
    """Grades every submission again that has a result of another version. The trial keeps the results apart.

    With `students` (their compared keys), runs only their submissions, also without a change.

    InputError if there is no result, or if the results come from another key of games or from another API.
    """
    store, grader, steps = trial.store, trial.grader, trial.steps
    name, version = grader.assignment.name, (steps.assignment_digest, steps.grader)
    old, given = store.some_results(name), store.adjustments(name)
    _check_is_graded_so(store, grader, steps, old)
    graded, waiting = [], 0
    for each in store.submissions(name):
        if not each.problem and (not students or compared(each.student.key) in students):
            graded += [each] if each.id in old else []
            waiting += each.id not in old
    outdated = [each for each in graded if students or old[each.id].version != version]
    note_version(store, grader, steps, remembers_key=False)
    failures = grade_class(trial, outdated, packed, workers, jobs, on_progress)
    new = [each for each in outdated if each.id in trial.outcomes]
    changes = [_change(trial, each, old[each.id], given.get(compared(each.student.key), ())) for each in new]
    changed = sorted(filter(None, changes), key=lambda change: (change.difference, change.student.key))
    return Regrade(
        tuple(changed),
        len(trial.outcomes) - len(changed),
        len(graded) - len(outdated),
        waiting,
        tuple((each.student, failures[each.id]) for each in outdated if each.id in failures),
    )


def _check_is_graded_so(store: Store, grader: Grader, steps: Steps, old: Mapping[int, Result]) -> None:
    """InputError if the results come from another API or from other files of the course."""
    name = grader.assignment.name
    for digest in dict.fromkeys(result.assignment_digest for result in old.values()):
        if (api := store.assignment(digest).get("api", grader.api.name)) != grader.api.name:
            raise InputError(f"store {store.name}: '{name}' was graded with --api {api}; grade again with --api {api}")
    last = store.assignment(max(old.values(), key=lambda result: result.id).assignment_digest)
    if (names := last.get("with", [])) != sorted(steps.helpers):
        how = " ".join(f"--with {name}" for name in names) or "without --with"
        raise InputError(f"store {store.name}: '{name}' was graded {how}; grade again in this way")


def _change(trial: Trial, submission: Submission, old: Result, adjustments: Sequence[Adjustment]) -> Change | None:
    """The change of one submission; None if the points of the grader stay the same.

    What the staff adjusted stays, and the reasons say so: it takes back what the grader changes in such a question.
    """
    outcome = trial.outcomes[submission.id]
    new = outcome.result(trial.grader, trial.steps)
    who = submission.student, submission.id, submission.received
    if not Change(*who, old.earned, new.earned, ()).difference:
        return None
    why = reasons(trial.store.scorecard(old.id), outcome.card)
    points = adjusted_questions(adjustments, new)
    stays = tuple(
        f"{each.question} stays at {points_text(points[each.question])} (adjusted)"
        if each.question in points
        else f"{each.question} was adjusted to {points_text(each.points)}, and is gone: not counted"
        for each in adjustments
    )
    before, after = adjusted(adjustments, old), adjusted(adjustments, new)
    return Change(*who, old.earned + before, new.earned + after, why + stays)


def reasons(old: Scorecard | None, new: Scorecard | None) -> tuple[str, ...]:
    """What is different. None is a submission that could not be graded."""
    if old is None or new is None:
        return ("could not be graded" if new is None else "can be graded now",)
    before = {question.id: question for question in old.questions}
    after = {question.id: question for question in new.questions}
    names = dict.fromkeys((*before, *after))
    return tuple(reason for name in names for reason in _of_question(name, before.get(name), after.get(name)))


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


def overview(changes: Sequence[Change], unchanged: int) -> str:
    """How many submissions change, in one line."""
    raised = sum(change.difference > 0 for change in changes)
    lowered = sum(change.difference < 0 for change in changes)
    same = len(changes) - raised - lowered + unchanged
    total = counted(len(changes) + unchanged, "submission")
    return f"{total} compared: {raised} raised, {lowered} lowered, {same} unchanged"
