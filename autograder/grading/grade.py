"""One submission graded: each case is run, judged and explained; then the question is scored."""

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
from autograder.grading import submission
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.judge import diagnose, scoring
from autograder.judge.compare import Verdict, judge
from autograder.judge.diagnose import Explanation
from autograder.judge.mistakes.recognition import collect_attempt, recognise
from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from autograder.judge.submission_answer import Answer, clean
from autograder.sandbox import Sandbox, SandboxCheck, check_sandbox, dialogue, submission_files, unsafe_message
from pacman.core.errors import InputError


@dataclass(frozen=True)
class Graded:
    """One case after all three steps; without an answer where the grader itself failed."""

    case: Case
    score: CaseScore
    reference: Reference | None = None
    answer: Answer | None = None


def grade(
    path: Path,
    assignment: Assignment,
    jobs: int,
    watch: Callable[[Scorecard], None] = lambda card: None,
    shield: SandboxCheck | None = None,
    allow_unsafe: bool = False,
    style: SubmissionApi = NATIVE,
) -> Scorecard:
    """The scorecard of the submission at `path`: a file, or a folder with one file that defines the parts.

    `jobs` cases run at a time; the order of the results is always that of the assignment. `watch` is
    handed the scorecard so far after each question. InputError when there is nothing that could be graded.
    """
    began = time.monotonic()
    assignment = style.without_unsupported(assignment)
    references = {case.id: loading.load_reference(assignment, case) for case in assignment.cases if case.has_reference}
    work = submission_files.read(path)
    shield = shield or check_sandbox()
    if not (work.requested_file or allow_unsafe or shield.level.is_safe):
        raise InputError(f"{path}: {unsafe_message(shield)}")
    questions: list[QuestionScore] = []

    def so_far() -> Scorecard:
        spent = round(time.monotonic() - began, 3)
        scores = scoring.withhold(questions, assignment.questions)
        return Scorecard(assignment.name, assignment.title, str(path), shield.level.text, scores, spent)

    # The sandbox is left first: whoever interrupts us does not wait for a case to use up its time.
    with ThreadPoolExecutor(jobs) as pool, Sandbox(work, assignment.limits, shield, style.api) as sandbox:
        sandbox.main_file = submission.find_candidate(path, sandbox, assignment, style)
        import_fault = submission.check_import(path, sandbox, assignment, style)

        def run(case: Case, reference: Reference | None) -> Answer:
            if import_fault:
                return Answer(fault=import_fault)
            answer = dialogue.run(case, reference, sandbox)
            return replace(answer, fault=style.with_advice(answer.fault)) if answer.fault else answer

        def one(case: Case) -> Graded:
            return grade_case(case, references.get(case.id), run, style)

        try:
            graded = pool.map(one, assignment.cases)
            for question in assignment.questions:
                questions.append(_grade_question(question, list(islice(graded, len(assignment.of(question))))))
                watch(so_far())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return so_far()


def grade_case(
    case: Case,
    reference: Reference | None,
    run: Callable[[Case, Reference | None], Answer],
    style: SubmissionApi = NATIVE,
) -> Graded:
    """The three steps for one case. A fault of the grader's own costs the student nothing."""
    try:
        answer = run(case, reference)
        verdict = judge(case, reference, answer)
        count_note = style.count_note(case, reference, answer, verdict)
    except Exception as error:  # anything here is ours: what a submission raises comes back as an answer
        return Graded(case, scoring.unjudged(case, _problem(error)))
    explanation = _explain(case, reference, answer, verdict)
    if count_note:
        verdict = replace(verdict, notes=(*verdict.notes, count_note))
    return Graded(case, scoring.case_score(case, answer, verdict, explanation), reference, answer)


def _explain(case: Case, reference: Reference | None, answer: Answer, verdict: Verdict) -> Explanation:
    """The explanation of a miss. Where the grader fails to find one, it says so, and the points are the same."""
    if verdict.earned == 1:
        return Explanation("")
    try:
        return diagnose.explain(case, reference, answer, verdict)
    except Exception as error:
        return Explanation(f"the grader cannot explain this miss: {_problem(error)}")


def _grade_question(question: Question, graded: Sequence[Graded]) -> QuestionScore:
    """A question's score, with the known mistakes that explain what it lost; none where looking for them fails."""
    score = scoring.question_score(question, [each.score for each in graded])
    if question.role != "search" or score.is_full:
        return score
    try:
        searched = [
            collect_attempt(each.case, each.reference, each.answer) for each in graded if each.reference and each.answer
        ]
        return replace(score, mistakes=recognise(searched, question))
    except Exception:  # an explanation is a courtesy: without one, the points are the same
        return score


def _problem(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {clean(error, 120)}"
