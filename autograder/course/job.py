"""Grades one submission of a class in a worker: uses what is known about it, and sends back what it finds out.

A job is plain data and the worker keeps nothing but its grader, so that any executor can run `run_job`.
"""

from __future__ import annotations

import gc
import json
import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograder.cases.case import Assignment, Case, MatchInput, Question
from autograder.cases.yaml_file import adapter
from autograder.course import versions
from autograder.course.records import Result, Step, result_of
from autograder.grading.early_stop import hangs, merely_waits
from autograder.grading.grade import Findings, Grader, ImportCheck, Recorder
from autograder.judge import answer_json
from autograder.judge.scorecard import CaseScore, Diagnosis, Scorecard
from autograder.judge.submission_answer import COMPUTED, Answer, Fault
from autograder.sandbox import GraderFailed
from autograder.sandbox.submission_files import SubmissionFiles, with_helpers
from autograder.student_process.fault_kind import FaultKind
from pacman.core.errors import InputError, error_line

IMPORT = "import"
"""The name of the first step in `Step.case`. Ids of cases contain a `/`, and no question has this id."""
_DIAGNOSIS = adapter(Diagnosis | None)


@dataclass(frozen=True)
class Steps:
    """The steps of a grading and the digests of what they depend on: the same for all submissions."""

    runner: str
    digests: Mapping[str, str]
    assignment_digest: str
    grader: str
    helpers: Mapping[str, bytes] = field(default_factory=dict)
    """The files of the course that every submission may import."""

    @classmethod
    def of(cls, grader: Grader, helpers: Mapping[str, bytes] = MappingProxyType({})) -> Steps:
        """The steps of a grader."""
        assignment, truths, key = grader.assignment, grader.truths, grader.key.digest if grader.key else ""
        found = {case.id: versions.case_digest(case, assignment, truths.get(case.id), key) for case in assignment.cases}
        found |= {each.id: versions.diagnosis_digest(each, assignment, found) for each in assignment.questions}
        return cls(
            versions.runner_digest(grader.api.name, helpers),
            found | {IMPORT: versions.import_digest(assignment)},
            versions.assignment_digest(assignment, truths, helpers),
            versions.grader_digest(grader.api.name, key, helpers),
            dict(helpers),
        )


@dataclass(frozen=True)
class PackedGrader:
    """A grader with its steps, as bytes that any worker can read."""

    content: bytes

    @classmethod
    def of(cls, grader: Grader, helpers: Mapping[str, bytes] = MappingProxyType({})) -> PackedGrader:
        """The grader, packed; `helpers` are files that every submission may import."""
        return cls(pickle.dumps((grader, Steps.of(grader, helpers)), pickle.HIGHEST_PROTOCOL))

    @lru_cache(maxsize=2)  # noqa: B019 - a worker unpacks each grader once
    def unpack(self) -> tuple[Grader, Steps]:
        """The grader and its steps."""
        unpacked: tuple[Grader, Steps] = pickle.loads(self.content)
        gc.freeze()  # the garbage collector need not look at the assignment after each submission
        return unpacked


@dataclass(frozen=True)
class Job:
    """A work to grade. `name` stands in its reports. `known` is what earlier gradings found out; the last of it counts.

    `alone` says that no other submission runs at the same time.
    """

    work: int
    name: str
    files: SubmissionFiles
    known: tuple[Step, ...]
    alone: bool


@dataclass(frozen=True)
class Outcome:
    """What came of a job: a scorecard, or the `reason` why the submission earns nothing.

    With `repeat`, the answers to these cases depend on how busy the machine was, and there is no result yet: the job
    has to run again, alone. With a `failure` the grader itself failed, and there is no result either.
    """

    work: int
    card: Scorecard | None = None
    reason: str = ""
    repeat: tuple[str, ...] = ()
    failure: str = ""
    new: tuple[Step, ...] = ()

    @property
    def is_final(self) -> bool:
        """True if there is a result."""
        return not (self.repeat or self.failure)

    def result(self, grader: Grader, steps: Steps) -> Result:
        """The result as a store keeps it."""
        place = self.work, steps.assignment_digest, steps.grader
        if self.card:
            requires = {each.id: each.requires for each in grader.assignment.questions}
            return result_of(*place, self.card, requires)
        return Result(*place, 0, grader.assignment.points, grader.check.level.text, self.reason)


def run_job(packed: PackedGrader, job: Job) -> Outcome:
    """Grades a submission. Nothing is raised: what goes wrong is in the outcome."""
    grader, steps = packed.unpack()
    known = {each.case: each for each in job.known if steps.digests.get(each.case) == each.digest}
    doubtful = {name for name, each in known.items() if not each.alone and _depends_on_load(each, grader.assignment)}
    if doubtful and not job.alone:
        return Outcome(job.work, repeat=tuple(sorted(doubtful)))
    recorder = _StepRecorder(job, steps, grader.assignment)
    is_certain = IMPORT not in doubtful
    findings = _findings([each for name, each in known.items() if is_certain and name not in doubtful])
    card, reason, failure, repeat = None, "", "", tuple[str, ...]()
    try:
        files = with_helpers(Path(job.name), job.files, steps.helpers)
        card = grader.grade(Path(job.name), files, is_upload=True, known=findings, recorder=recorder)
        repeat = tuple(sorted(recorder.doubtful))
        cases = (case for question in card.questions for case in question.cases if not repeat)
        failure = next((f"{case.id}: {case.message}" for case in cases if case.is_ungraded), "")
    except GraderFailed as error:
        failure = str(error)
    except InputError as error:
        reason = str(error)
    except Exception as error:
        failure = f"the grader itself failed: {error_line(error)}"
    if failure:
        card = None
    return Outcome(job.work, card, reason, repeat, failure, tuple(recorder.new))


class _StepRecorder(Recorder):
    """Keeps each step for the outcome."""

    def __init__(self, job: Job, steps: Steps, assignment: Assignment) -> None:
        self._job, self._steps, self._assignment = job, steps, assignment
        self.new: list[Step] = []
        self.doubtful: set[str] = set()
        """The cases that have to run again, alone."""

    def record_import(self, check: ImportCheck) -> None:
        fault = list(astuple(check.fault)) if check.fault else None
        self._add(IMPORT, {"main_file": check.main_file, "fault": fault})

    def record_answer(self, case: Case, answer: Answer) -> None:
        self._add(case.id, answer_json.to_json(answer))

    def record_diagnosis(self, question: Question, diagnosis: Diagnosis | None) -> None:
        self._add(question.id, _DIAGNOSIS.dump_python(diagnosis, mode="json"))

    def must_run_again(self, question: Question) -> bool:
        return any(case.id in self.doubtful for case in self._assignment.of(question))

    def runs_again(self, scores: Sequence[CaseScore]) -> bool:
        return bool(self.doubtful) or (not self._job.alone and any(score.is_ungraded for score in scores))

    def _add(self, name: str, content: Any) -> None:
        step = Step(name, self._steps.digests[name], self._steps.runner, self._job.alone, content)
        if not self._job.alone and _depends_on_load(step, self._assignment):
            self.doubtful.add(name)
        self.new.append(step)


def _depends_on_load(step: Step, assignment: Assignment) -> bool:
    """True if a less busy machine could have given another answer: out of time, over a target, or near the limit.

    An answer that came in more than half of the time limit may come from a search that looks at the clock. But games
    that were played to the end are not played again, except for steps of seconds: a submission must not get two tries.
    A process that hangs or merely waits does so on a machine that does nothing else, too.
    """
    case = next((case for case in assignment.cases if case.id == step.case), None)
    if case is None:
        fault: list[str] | None = step.content.get("fault") if step.content else None
        return fault is not None and fault[0] == FaultKind.TIME and COMPUTED not in fault
    answer = answer_json.from_json(step.content)
    if hangs(case, answer) or merely_waits(answer):
        return False
    if answer.fault and answer.fault.kind == FaultKind.TIME:
        return True
    if isinstance(case.input, MatchInput) and not (answer.fault or case.input.steps.seconds):
        return False
    times: list[float] = []
    if not answer.idle_seconds:  # a search that looks at the clock computes all the time
        times.append(case.seconds / 2)
    if isinstance(case.input, MatchInput):
        times += case.input.steps.seconds or ()
    return any(answer.seconds > each for each in times)


def _findings(steps: Iterable[Step]) -> Findings:
    """What the steps say, as the grader reads it."""
    check, answers, diagnoses = None, dict[str, Answer](), dict[str, Diagnosis | None]()
    for step in steps:
        if step.case == IMPORT:
            fault = step.content["fault"]
            check = ImportCheck(step.content["main_file"], Fault(FaultKind(fault[0]), *fault[1:]) if fault else None)
        elif "/" in step.case:
            answers[step.case] = answer_json.from_json(step.content)
        else:
            diagnoses[step.case] = _DIAGNOSIS.validate_json(json.dumps(step.content))
    return Findings(check, answers, diagnoses)
