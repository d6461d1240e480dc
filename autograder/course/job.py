"""Grades one submission of a class in a worker: uses what is known about it, and sends back what it finds out.

A job is plain data and the worker keeps nothing but its grader, so that any executor can run `run_job`.
"""

from __future__ import annotations

import gc
import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograder.cases.case import Case, MatchInput, Question
from autograder.cases.yaml_file import adapter
from autograder.course.records import Result, Step, result_of
from autograder.course.versions import Steps
from autograder.grading.early_stop import hangs, merely_waits
from autograder.grading.grade import IMPORT, Found, Grader, ImportCheck, Recorder
from autograder.judge import submission_answer
from autograder.judge.scorecard import CaseScore, Diagnosis, Scorecard
from autograder.judge.submission_answer import COMPUTED, ONE_ANSWER, Answer, Fault
from autograder.sandbox import GraderFailed
from autograder.sandbox.submission_files import SubmissionFiles, with_helpers
from autograder.student_process.fault_kind import FaultKind
from pacman.core.errors import InputError, error_line

_DIAGNOSIS = adapter(Diagnosis | None)


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
    """What came of a job: a `result`, with the scorecard if the submission could be graded.

    Without one, `repeat` says that the answers to some cases depend on how busy the machine was: the job has to run
    again, alone. Or else the grader itself failed, and `failure` says how.
    """

    work: int
    result: Result | None = None
    card: Scorecard | None = None
    repeat: bool = False
    failure: str = ""
    new: tuple[Step, ...] = ()


def run_job(packed: PackedGrader, job: Job) -> Outcome:
    """Grades a submission. Nothing is raised: what goes wrong is in the outcome."""
    grader, steps = packed.unpack()
    recorder = _StepRecorder(job, grader, steps)
    known = {each.case: each for each in job.known if steps.digests.get(each.case) == each.digest}
    doubtful = {name for name, each in known.items() if recorder.is_doubtful(each)}
    if doubtful and not job.alone:
        return Outcome(job.work, repeat=True)
    found = {name: _load(each) for name, each in known.items() if name not in doubtful}
    result, card, failure, place = None, None, "", (job.work, *steps.version)
    try:
        files = with_helpers(Path(job.name), job.files, steps.helpers)
        card = grader.grade(Path(job.name), files, is_upload=True, known=found, recorder=recorder)
        cases = (case for question in card.questions for case in question.cases if case.is_ungraded)
        requires = {each.id: each.requires for each in grader.assignment.questions}
        result, failure = result_of(*place, card, requires), next((f"{each.id}: {each.message}" for each in cases), "")
    except GraderFailed as error:
        failure = str(error)
    except InputError as error:
        result = Result(*place, 0, grader.assignment.points, str(error))
    except Exception as error:
        failure = f"the grader itself failed: {error_line(error)}"
    if card and recorder.doubtful:
        return Outcome(job.work, repeat=True, new=tuple(recorder.new))
    graded = (None, None) if failure else (result, card)
    return Outcome(job.work, *graded, failure=failure, new=tuple(recorder.new))


class _StepRecorder(Recorder):
    """Keeps each step for the outcome. `doubtful` are the cases that have to run again, alone."""

    def __init__(self, job: Job, grader: Grader, steps: Steps) -> None:
        self._is_alone, self._steps, self._assignment = job.alone, steps, grader.assignment
        self._cases = {case.id: case for case in grader.assignment.cases}
        self.new: list[Step] = []
        self.doubtful: set[str] = set()

    def record_step(self, name: str, found: Found) -> None:
        step = Step(name, self._steps.digests[name], self._steps.runner, self._is_alone, _dump(found))
        if self.is_doubtful(step):
            self.doubtful.add(name)
        self.new.append(step)

    def must_run_again(self, question: Question) -> bool:
        return any(case.id in self.doubtful for case in self._assignment.of(question))

    def runs_again(self, scores: Sequence[CaseScore]) -> bool:
        return bool(self.doubtful) or (not self._is_alone and any(score.is_ungraded for score in scores))

    def is_doubtful(self, step: Step) -> bool:
        """True if other submissions ran at the same time, and that may have changed what came of a step."""
        return not step.alone and _depends_on_load(self._cases.get(step.case), step.content)


def _depends_on_load(case: Case | None, content: Any) -> bool:
    """True if a less busy machine could have given another answer: out of time, over a target, or near the limit.

    Without a case, the `content` is of an import or a diagnosis. An answer that came in more than half of the time
    limit may come from a search that looks at the clock. But games that were played to the end are not played again,
    except for steps of seconds: a submission must not get two tries. A process that hangs or merely waits does so on a
    machine that does nothing else, too.
    """
    if case is None:
        fault: list[str] | None = content.get("fault") if content else None
        return fault is not None and fault[0] == FaultKind.TIME and {COMPUTED, ONE_ANSWER}.isdisjoint(fault)
    answer = submission_answer.from_json(content)
    if hangs(case, answer) or merely_waits(answer):
        return False
    if answer.fault and answer.fault.kind == FaultKind.TIME:
        return True
    targets = (case.input.steps.seconds or ()) if isinstance(case.input, MatchInput) else ()
    if isinstance(case.input, MatchInput) and not (answer.fault or targets):
        return False
    looks_at_clock = not answer.idle_seconds and answer.seconds > case.seconds / 2  # it computes all the time
    return looks_at_clock or any(answer.seconds > each for each in targets)


def _dump(found: Found) -> Any:
    """What a step found out, as JSON."""
    if isinstance(found, ImportCheck):
        return {"main_file": found.main_file, "fault": list(astuple(found.fault)) if found.fault else None}
    return submission_answer.to_json(found) if isinstance(found, Answer) else _DIAGNOSIS.dump_python(found, mode="json")


def _load(step: Step) -> Found:
    """What a step found out, as the grader reads it."""
    if step.case == IMPORT:
        fault = step.content["fault"]
        return ImportCheck(step.content["main_file"], Fault(FaultKind(fault[0]), *fault[1:]) if fault else None)
    if "/" in step.case:
        return submission_answer.from_json(step.content)
    diagnosis: Diagnosis | None = _DIAGNOSIS.validate_json(json.dumps(step.content))
    return diagnosis
