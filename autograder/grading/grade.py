"""Grades one submission: runs, judges and explains each case, then scores the questions."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from autograder.cases import loading
from autograder.cases.case import Assignment, Case, Question
from autograder.cases.reference import Reference
from autograder.grading import rerun, submission
from autograder.grading.early_stop import EarlyStop
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.judge import diagnose, scoring
from autograder.judge.compare import Verdict, judge
from autograder.judge.diagnose import Explanation
from autograder.judge.examination.examine import AnsweredCase, examine
from autograder.judge.rerun_commands import SubmissionOptions
from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from autograder.judge.submission_answer import Answer, clean
from autograder.sandbox import Sandbox, SandboxCheck, check_sandbox, run_case, submission_files, unsafe_message
from autograder.sandbox.questioner import questioner
from pacman.core.errors import InputError


@dataclass(frozen=True)
class GradedCase:
    """One case after all three steps; without an answer if the grader itself failed."""

    case: Case
    score: CaseScore
    reference: Reference | None = None
    answer: Answer | None = None


def grade(
    path: Path,
    assignment: Assignment,
    jobs: int,
    on_progress: Callable[[Scorecard], None] = lambda card: None,
    sandbox_check: SandboxCheck | None = None,
    allow_unsafe: bool = False,
    api: SubmissionApi = NATIVE,
    helpers: Sequence[Path] = (),
    on_case: Callable[[Case], None] = lambda case: None,
) -> Scorecard:
    """The scorecard of the submission at `path`: a file, or a folder with one file that defines the parts.

    The submission may also import the files `helpers`.

    `jobs` cases run at the same time; the results are always in the order of the assignment. `on_progress` gets the
    unfinished scorecard after each question, `on_case` each case that is finished. A question ends early if the code
    never answers (see `early_stop`). InputError if nothing can be graded.
    """
    start = time.monotonic()
    assignment = api.without_unsupported(assignment)
    references = {case.id: loading.load_reference(assignment, case) for case in assignment.cases if case.has_reference}
    files = submission_files.read(path, helpers)
    check = sandbox_check or check_sandbox()
    if not (files.requested_file or allow_unsafe or check.level.is_safe):
        raise InputError(f"{path}: {unsafe_message(check)}")
    questions: list[QuestionScore] = []

    def unfinished_card() -> Scorecard:
        spent = round(time.monotonic() - start, 3)
        scores = scoring.withhold(questions, assignment.questions)
        return Scorecard(assignment.name, assignment.title, str(path), check.level.text, scores, spent, files.notes)

    # The sandbox closes first: so an interrupted grading does not wait until a case has used up its time.
    with ThreadPoolExecutor(jobs) as pool, Sandbox(files, assignment.limits, check, api.name) as sandbox:
        sandbox.main_file = submission.find_candidate(path, sandbox, assignment, api)
        import_fault = submission.check_import(path, sandbox, assignment, api)
        options = rerun.submission_options(path, files, sandbox.main_file, api, assignment)

        stop = EarlyStop(assignment)

        def run(case: Case, reference: Reference | None) -> Answer:
            if import_fault:
                return Answer(fault=import_fault)
            if not_run := stop.answer(case):
                return not_run
            answer = run_case.run(case, reference, sandbox)
            stop.record(case, answer)
            return replace(answer, fault=api.with_advice(answer.fault)) if answer.fault else answer

        def run_and_judge(case: Case) -> GradedCase:
            graded = grade_case(case, references.get(case.id), run, api)
            on_case(case)
            return replace(graded, score=rerun.with_game_command(case, graded.score, graded.answer, options))

        def without_late_answers(each: GradedCase) -> GradedCase:
            """The same, unless the question ended early and this later case had already run."""
            not_run = stop.answer(each.case)
            return grade_case(each.case, each.reference, lambda *_: not_run, api) if not_run else each

        try:
            graded = pool.map(run_and_judge, assignment.cases)
            for question in assignment.questions:
                all_graded = list(islice(graded, len(assignment.of(question))))
                of_question = [without_late_answers(each) for each in all_graded]
                if stop.ended(assignment.of(question)):  # an examination would only wait for the same endless loop
                    questions.append(scoring.question_score(question, [each.score for each in of_question]))
                else:
                    questions.append(_grade_question(question, of_question, sandbox, api, options))
                on_progress(unfinished_card())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return unfinished_card()


def grade_case(
    case: Case,
    reference: Reference | None,
    run: Callable[[Case, Reference | None], Answer],
    api: SubmissionApi = NATIVE,
) -> GradedCase:
    """One case after all three steps: run, judge, explain. An error in the grader costs the student no points."""
    try:
        answer = run(case, reference)
        verdict = judge(case, reference, answer)
        count_note = api.count_note(case, reference, answer, verdict)
    except Exception as error:  # an error in the grader: what a submission raises is part of its answer
        return GradedCase(case, scoring.unjudged(case, _problem(error)))
    explanation = _explain(case, reference, answer, verdict)
    if count_note:
        verdict = replace(verdict, notes=(*verdict.notes, count_note))
    return GradedCase(case, scoring.case_score(case, answer, verdict, explanation), reference, answer)


def _explain(case: Case, reference: Reference | None, answer: Answer, verdict: Verdict) -> Explanation:
    """The explanation of a miss. If the grader fails to find one, the explanation says so; the points stay the same."""
    if verdict.earned == 1:
        return Explanation("")
    try:
        return diagnose.explain(case, reference, answer, verdict)
    except Exception as error:
        return Explanation(
            f"the grader itself failed to explain the lost points; your code is not the cause: {_problem(error)}"
        )


def _grade_question(
    question: Question,
    graded: Sequence[GradedCase],
    sandbox: Sandbox,
    api: SubmissionApi,
    options: SubmissionOptions,
) -> QuestionScore:
    """A question's score. If a search lost points on a case that the student may see, its part is examined."""
    score = scoring.question_score(question, [each.score for each in graded])
    visible = [each for each in graded if not each.case.input.hidden]
    if question.role != "search" or all(each.score.earned == 1 for each in visible):
        return score
    answered = [
        AnsweredCase(each.case, each.reference, each.answer) for each in visible if each.reference and each.answer
    ]
    if any(each.answer.fault and each.answer.fault.kind == "not written" for each in answered):
        return score
    try:
        with questioner(sandbox, question) as ask:
            found = examine(question, answered, ask, api.counts_agents)
        return replace(score, examination=found and rerun.with_tree_command(found, question, options))
    except Exception:  # the points do not depend on an explanation
        return score


def _problem(error: Exception) -> str:
    """The type, place and text of an error in the grader, on one line."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {clean(error, 120)}"
