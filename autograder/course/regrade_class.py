"""Grades a class again after a change, without adding a result before somebody has seen what changes.

What ran before is in the store and is only judged again; a case that changed runs again, and its answers are stored. So
after a look at the changes, adding the new results takes seconds.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.course.grade_class import Progress, Workers, grade_class, note_version
from autograder.course.intake.roster import Student, compared
from autograder.course.job import PackedGrader, Steps
from autograder.course.regrade_changes import Change, reasons
from autograder.course.store import Adjustment, CaseResult, Result, Store, Submission, adjusted
from autograder.grading.grade import Grader
from autograder.judge.points_as_text import points_text
from autograder.judge.scorecard import Scorecard
from autograder.report import json as report_json
from pacman.core.errors import InputError


class TrialStore(Store):
    """A store that keeps new results apart until `apply`. What runs meanwhile is stored as always."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.trial: dict[int, tuple[Result, bytes]] = {}
        """The new results by the ids of their submissions, with their scorecards."""
        self.steps_run = 0
        """How many cases, imports and diagnoses ran."""
        self.run_anew: dict[int, list[CaseResult]] = {}
        """The submissions that run as if nothing were known about them, with what was found out so far."""

    def case_results(self, submission_id: int, runner: str) -> list[CaseResult]:
        """What one version of the grader found out about a submission; of one that runs anew, only in this run."""
        if submission_id in self.run_anew:
            return list(self.run_anew[submission_id])
        return super().case_results(submission_id, runner)

    def add_result(self, result: Result, card: Scorecard | None, is_new_run: bool = False) -> None:
        """Keeps a result for `apply`."""
        self.trial[result.submission_id] = result, zlib.compress(report_json.dump(card).encode()) if card else b""

    def add_case_result(self, submission_id: int, result: CaseResult) -> None:
        """Adds what ran, as every store, and counts it; for a submission that runs anew, `apply` does."""
        self.steps_run += 1
        if submission_id in self.run_anew:
            self.run_anew[submission_id].append(result)
        else:
            super().add_case_result(submission_id, result)

    def trial_card(self, submission_id: int) -> Scorecard | None:
        """The scorecard of a new result; None if the submission could not be graded."""
        packed = self.trial[submission_id][1]
        return report_json.load(zlib.decompress(packed).decode()) if packed else None

    def apply(self) -> None:
        """Adds all new results. The old ones stay."""
        for number, (result, _) in sorted(self.trial.items()):
            if number in self.run_anew:
                self.replace_case_results(number, self.run_anew[number])
            super().add_result(result, self.trial_card(number), number in self.run_anew)


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
    store: TrialStore,
    packed: PackedGrader,
    workers: Workers,
    jobs: int,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    students: Collection[str] = (),
) -> Regrade:
    """Grades every submission again that has a result of another version. The store keeps the results apart.

    With `students` (their compared keys), runs only their submissions, and each of them anew, also without a change.

    InputError if there is no result, or if the results come from another key of games or from another API.
    """
    grader, steps = packed.unpack()
    name, version = grader.assignment.name, (steps.assignment_digest, steps.grader)
    old, given = store.some_results(name), store.adjustments(name)
    _check_is_graded_so(store, grader, steps, old)
    graded, waiting = [], 0
    for each in store.submissions(name):
        if not each.problem and (not students or compared(each.student.key) in students):
            graded += [each] if each.id in old else []
            waiting += each.id not in old
    outdated = [each for each in graded if students or old[each.id].version != version]
    store.run_anew = {each.id: [] for each in outdated} if students else {}
    note_version(store, grader, steps, remembers_key=False)
    failures = grade_class(store, outdated, packed, workers, jobs, on_progress=on_progress)
    new = [each for each in outdated if each.id in store.trial]
    changes = [_change(store, each, old[each.id], given.get(compared(each.student.key), ())) for each in new]
    changed = sorted(filter(None, changes), key=lambda change: (change.difference, change.student.key))
    return Regrade(
        tuple(changed),
        len(store.trial) - len(changed),
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


def _change(store: TrialStore, submission: Submission, old: Result, adjustments: Sequence[Adjustment]) -> Change | None:
    """The change of one submission; None if the points of the grader stay the same.

    What the staff adjusted stays, and the reasons say so: it takes back what the grader changes in such a question.
    """
    new = store.trial[submission.id][0]
    who = submission.student, submission.id, submission.received
    if not Change(*who, old.earned, new.earned, ()).difference:
        return None
    why = reasons(store.scorecard(old.id), store.trial_card(submission.id))
    stays = tuple(f"{each.question} stays at {points_text(each.points)} (adjusted)" for each in adjustments)
    before, after = adjusted(adjustments, old), adjusted(adjustments, new)
    return Change(*who, old.earned + before, new.earned + after, why + stays)
