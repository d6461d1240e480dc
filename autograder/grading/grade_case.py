"""The three steps of one case: run, judge, explain; and the diagnosis of a part that lost points.

The caller says what runs the code: a sandbox, or this process. Nothing here reads a file.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agents.advice import constructor_advice, grid_advice, layer_advice, time_advice, uncalled_advice
from autograder.cases.case import Case, MatchInput, Question, TreeInput
from autograder.cases.ghosts import GhostError
from autograder.cases.truth import CaseTruth
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.judge import scoring
from autograder.judge.compare import Verdict, judge
from autograder.judge.explain import Explanation, explain
from autograder.judge.scorecard import CaseScore, Diagnosis
from autograder.judge.submission_answer import ONE_ANSWER, Answer, Fault, clean
from autograder.student_process.fault_kind import FaultKind

if TYPE_CHECKING:
    from autograder.grading.early_stop import EarlyStop
    from autograder.judge.diagnosis.finder import AnsweredCase
    from autograder.sandbox.runner import Runner

Answering = Callable[[Case, CaseTruth | None], Answer]
"""The first step: it runs the code on a case."""
GRADER_FAILED = "grader-failed"
"""The name, for counting, of a diagnosis that failed itself."""
MAX_CODE_WIDTH = 160
"""The most characters of a line of code in a report."""


@dataclass(frozen=True)
class GradedCase:
    """One case after all three steps; without an answer if the grader itself failed."""

    case: Case
    score: CaseScore
    truth: CaseTruth | None = None
    answer: Answer | None = None


def answering(ask: Answering, import_fault: Fault | None, stop: EarlyStop, api: SubmissionApi) -> Answering:
    """The step `run` of a submission: `ask`, unless the file cannot be imported or the question ended early.

    A time-out in the answer hears what to look at.
    """

    def run(case: Case, truth: CaseTruth | None) -> Answer:
        if import_fault:
            return Answer(fault=import_fault)
        if unasked := stop.answer(case):
            return unasked
        answer = ask(case, truth)
        stop.record(case, answer)
        if answer.fault and answer.fault.kind == FaultKind.TIME and not answer.fault.advice:
            is_one = answer.fault.detail == ONE_ANSWER
            advice = time_advice(api.name, isinstance(case.input, MatchInput), is_one)
            return replace(answer, fault=replace(answer.fault, advice=advice))
        return answer

    return run


def grade_case(
    case: Case,
    truth: CaseTruth | None,
    run: Answering,
    api: SubmissionApi = NATIVE,
) -> GradedCase:
    """One case after all three steps: run, judge, explain. If the grader itself fails, the case is ungraded."""
    try:
        answer = run(case, truth)
        verdict = judge(case, truth, answer)
        # An error in the note leaves the case ungraded, as one in the judge does. An error in the explanation does not.
        count_note = api.count_note(case, truth, answer, verdict)
    except Exception as error:  # an error in the grader: what a submission raises is part of its answer
        return GradedCase(case, scoring.ungraded(case, problem_text(error)))
    if count_note:
        verdict = replace(verdict, notes=(*verdict.notes, count_note))
    explanation = _explain(case, truth, answer, verdict)  # it does not read the notes
    return GradedCase(case, scoring.case_score(case, answer, verdict, explanation), truth, answer)


def _explain(case: Case, truth: CaseTruth | None, answer: Answer, verdict: Verdict) -> Explanation:
    """The explanation of a miss. If the grader fails to find one, the explanation says so; the points stay the same."""
    if verdict.earned == 1:
        return Explanation("")
    try:
        return explain(case, truth, answer, verdict)
    except Exception as error:  # the points do not depend on an explanation
        return Explanation(
            f"the grader itself failed to explain the lost points; your code is not the cause: {problem_text(error)}"
        )


def needs_diagnosis(question: Question, graded: Sequence[GradedCase]) -> bool:
    """True if the part lost points on a case that the student may see. An evaluation or a reflex agent always needs it.

    A search must answer a case, or compute until the time limit on a drawn tree: then it is known where to look.
    """
    if question.role != "search":
        return any(each.answer for each in graded)
    if all(each.score.earned == 1 for each in graded if not each.case.input.hidden):
        return False
    answered = _answered(graded)
    if any(each.answer.never_ends and isinstance(each.case.input, TreeInput) for each in answered):
        return True
    faults = [each.answer.fault.kind if each.answer.fault else None for each in answered]
    return FaultKind.NOT_WRITTEN not in faults and any(kind in (None, FaultKind.RAISED) for kind in faults)


def _answered(graded: Sequence[GradedCase], is_match: bool = False) -> list[AnsweredCase]:
    """The answers to cases that the student may see, each with the right answer; or to matches, which have none."""
    from autograder.judge.diagnosis.finder import AnsweredCase

    return [
        AnsweredCase(each.case, each.answer, each.score.earned)
        for each in graded
        if bool(each.truth) is not is_match and each.answer and not each.case.input.hidden
    ]


def diagnosis_of(
    question: Question, graded: Sequence[GradedCase], sandbox: Runner, api: SubmissionApi
) -> Diagnosis | None:
    """What a diagnosis of the part finds out."""
    from autograder.judge.diagnosis import choices, finder
    from autograder.sandbox.run_case import ask_values
    from autograder.sandbox.watch import questioner

    lines = sandbox.submission.lines(sandbox.main_file)
    try:
        if question.role != "search":
            opened = [each for each in graded if each.answer and not each.case.input.hidden]
            missed = [(each.case, each.answer) for each in opened if each.answer and each.score.earned < 1]
            diagnosis = choices.find_mistake(question, missed, partial(ask_values, sandbox, question))
            is_wrong, hint = bool(missed), grid_advice(lines) if api.counts_agents else ""
        else:
            answered = [*_answered(graded), *_answered(graded, is_match=True)]
            with questioner(sandbox, question) as ask:
                diagnosis = finder.find_mistake(question, answered, ask, api.counts_agents)
            is_wrong, hint = True, layer_advice(lines) if api.name == NATIVE.name else ""
        cause = uncalled_advice(lines, question.part, api.name)
        if api.counts_agents:
            cause = cause or constructor_advice(lines, question.part)
        if diagnosis and is_wrong and cause:
            diagnosis = replace(diagnosis, sentences=(clean(cause), *diagnosis.sentences[:2]), hint="")
        elif diagnosis and is_wrong and hint:
            diagnosis = replace(diagnosis, hint=f"{clean(hint)} {diagnosis.hint}".strip())
        return diagnosis and with_code(diagnosis, sandbox)
    except Exception as error:  # the points do not depend on an explanation
        text = "The grader itself failed to look for the mistake; your code is not the cause"
        return Diagnosis((f"{text}: {problem_text(error)}",), "", (GRADER_FAILED,))


def with_code(diagnosis: Diagnosis, sandbox: Runner) -> Diagnosis:
    """The diagnosis with the text of the lines around its wrong step."""
    step = diagnosis.step
    if step is None:
        return diagnosis
    lines = sandbox.submission.lines(step.file or sandbox.main_file)
    code = tuple((number, clean(lines[number - 1], MAX_CODE_WIDTH)) for number, _ in step.code if number <= len(lines))
    return replace(diagnosis, step=replace(step, code=code))


def problem_text(error: Exception) -> str:
    """The type, place and text of an error in the grader, on one line; of a ghost of the course, its own line."""
    if isinstance(error, GhostError):
        return f"a ghost of the course has a mistake: {clean(error, 300)}"
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {clean(error, 120)}"
