"""Grades one submission: runs, judges and explains each case, then scores the questions."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from threading import Barrier

from autograder.cases import loading
from autograder.cases.case import Assignment, Case, Question
from autograder.cases.game_seeds import GameKey, practice_seed
from autograder.cases.reference import Reference
from autograder.grading import rerun, submission
from autograder.grading.early_stop import EarlyStop
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.judge import diagnose, scoring
from autograder.judge.compare import Verdict, judge
from autograder.judge.diagnose import Explanation
from autograder.judge.examination.asking import with_advice
from autograder.judge.examination.examine import AnsweredCase, examine
from autograder.judge.points_as_text import counted
from autograder.judge.rerun_commands import SubmissionOptions
from autograder.judge.scorecard import CaseScore, Examination, QuestionScore, Scorecard
from autograder.judge.submission_answer import Answer, Fault, clean
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
    key: GameKey | None = None,
    is_upload: bool = False,
) -> Scorecard:
    """The scorecard of the submission at `path`: a file, or a folder with one file that defines the parts.

    The submission may also import the files `helpers`. The seeds of all games come from the `key`; without a key they
    are practice games. Of an upload, the student has the files, but not the folders of this machine.

    `jobs` cases run at the same time; the results are always in the order of the assignment. A case on which the grader
    itself fails runs again, alone. Hidden cases run last, in a sandbox that shares no process and no file with the
    first one. `on_progress` gets the unfinished scorecard after each question, `on_case` each case that is finished. A
    question ends early if the code never answers (see `early_stop`). InputError if nothing can be graded.
    """
    start = time.monotonic()
    assignment = api.without_unsupported(assignment)
    references = {case.id: loading.load_reference(assignment, case) for case in assignment.cases if case.has_reference}
    files = submission_files.read(path, helpers)
    check = sandbox_check or check_sandbox()
    if not (files.requested_file or allow_unsafe or check.level.is_safe):
        raise InputError(f"{path}: {unsafe_message(check)}")
    game_seed = key.seeds(files.digest) if key else practice_seed
    graded: dict[str, GradedCase] = {}
    scores: dict[str, QuestionScore] = {}
    examinations: dict[str, Examination | None] = {}
    stop = EarlyStop(assignment)
    hidden_seconds = 0.0

    def unfinished_card() -> Scorecard:
        done = [scores[question.id] for question in assignment.questions if question.id in scores]
        return Scorecard(
            assignment.name,
            assignment.title,
            str(path),
            check.level.text,
            scoring.withhold(done, assignment.questions),
            round(time.monotonic() - start, 3),
            files.notes,
            key.digest if key else "",
            hidden_seconds,
        )

    def examine_and_score(question: Question, sandbox: Sandbox) -> None:
        cases = [graded[case.id] for case in assignment.of(question) if case.id in graded]
        if not stop.ended(assignment.of(question)):  # an examination would only wait for the same endless loop
            examinations[question.id] = _examination(question, cases, sandbox, api, options)
        score(question)

    def score(question: Question) -> None:
        cases = [graded.get(case.id) or _not_run(case) for case in assignment.of(question)]
        score = scoring.question_score(question, [each.score for each in cases])
        scores[question.id] = replace(score, examination=examinations.get(question.id))
        on_progress(unfinished_card())

    def grade_cases(
        cases: Sequence[Case], sandbox: Sandbox, import_fault: Fault | None, finish: Callable[[Question], None]
    ) -> None:
        """Grades cases at the same time; then one by one, with nothing beside it, each on which the grader failed.

        Calls `finish` with each question after its cases.
        """

        def run(case: Case, reference: Reference | None) -> Answer:
            if import_fault:
                return Answer(fault=import_fault)
            if not_run := stop.answer(case):
                return not_run
            answer = run_case.run(case, reference, sandbox, game_seed)
            stop.record(case, answer)
            return replace(answer, fault=api.with_advice(answer.fault)) if answer.fault else answer

        def run_and_judge(case: Case) -> GradedCase:
            each = grade_case(case, references.get(case.id), run, api)
            on_case(case)
            return replace(each, score=rerun.with_game_command(case, each.score, each.answer, options))

        def without_late_answers(each: GradedCase) -> GradedCase:
            """The same, unless the question ended early and this later case had already run."""
            not_run = stop.answer(each.case)
            return grade_case(each.case, each.reference, lambda *_: not_run, api) if not_run else each

        try:
            for question, group in groupby(pool.map(run_and_judge, cases), lambda each: each.case.question):
                graded.update((each.case.id, without_late_answers(each)) for each in group)
                finish(question)
        except BaseException:  # raised again, without the cases that have not begun
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        for case in cases:
            if graded[case.id].score.is_ungraded:
                graded[case.id] = run_and_judge(case)
                finish(case.question)

    # A sandbox closes first: so an interrupted grading does not wait until a case has used up its time.
    with ThreadPoolExecutor(jobs) as pool:
        _start_threads(pool, min(jobs, len(assignment.cases)))
        with Sandbox(files, assignment.limits, check, api.name) as sandbox:
            try:
                sandbox.main_file = submission.find_candidate(path, sandbox, assignment, api)
                import_fault = submission.check_import(path, sandbox, assignment, api)
            except InputError:
                raise
            except Exception as error:
                raise InputError(f"{path}: not graded: the grader itself failed: {_problem(error)}") from error
            options = rerun.submission_options(path, files, sandbox.main_file, api, assignment, is_upload)
            open_cases = [case for case in assignment.cases if not case.input.hidden]
            grade_cases(open_cases, sandbox, import_fault, partial(examine_and_score, sandbox=sandbox))
        # All that a student sees of the open cases has been read, so hidden cases have no way to tell what they ask.
        if hidden := [case for case in assignment.cases if case.input.hidden]:
            hidden_start = time.monotonic()
            with sandbox.another() as hidden_sandbox:
                grade_cases(hidden, hidden_sandbox, import_fault, score)
            hidden_seconds = round(time.monotonic() - hidden_start, 3)
    return unfinished_card()


def _start_threads(pool: ThreadPoolExecutor, count: int) -> None:
    """Starts the threads of the pool. Later, a submission might leave none. InputError if they cannot start."""
    barrier = Barrier(count)
    try:
        list(pool.map(lambda _: barrier.wait(), range(count)))
    except RuntimeError:
        barrier.abort()
        raise InputError(
            f"cannot grade {counted(count, 'case')} at the same time: this machine starts no more threads; "
            "use a smaller --jobs, or raise the limit (ulimit -u, ulimit -v)"
        ) from None


def grade_case(
    case: Case,
    reference: Reference | None,
    run: Callable[[Case, Reference | None], Answer],
    api: SubmissionApi = NATIVE,
) -> GradedCase:
    """One case after all three steps: run, judge, explain. If the grader itself fails, the case is ungraded."""
    try:
        answer = run(case, reference)
        verdict = judge(case, reference, answer)
        count_note = api.count_note(case, reference, answer, verdict)
    except Exception as error:  # an error in the grader: what a submission raises is part of its answer
        return GradedCase(case, scoring.ungraded(case, _problem(error)))
    explanation = _explain(case, reference, answer, verdict)
    if count_note:
        verdict = replace(verdict, notes=(*verdict.notes, count_note))
    return GradedCase(case, scoring.case_score(case, answer, verdict, explanation), reference, answer)


def _not_run(case: Case) -> GradedCase:
    """A case that has not run yet."""
    return GradedCase(case, scoring.ungraded(case, "it has not run yet"))


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


def _examination(
    question: Question,
    graded: Sequence[GradedCase],
    sandbox: Sandbox,
    api: SubmissionApi,
    options: SubmissionOptions,
) -> Examination | None:
    """What an examination of the part finds out, if its search lost points on a case that the student may see."""
    open_cases = [each for each in graded if not each.case.input.hidden]
    if question.role != "search" or all(each.score.earned == 1 for each in open_cases):
        return None
    answered = [
        AnsweredCase(each.case, each.reference, each.answer, each.score.earned)
        for each in open_cases
        if each.reference and each.answer
    ]
    faults = [each.answer.fault.kind if each.answer.fault else "" for each in answered]
    if "not written" in faults or all(kind not in ("", "raised") for kind in faults):
        return None  # a part that never answers has nothing to say in an examination either
    try:
        with questioner(sandbox, question) as ask:
            found = examine(question, answered, with_advice(ask, api.with_advice), api.counts_agents)
        return found and rerun.with_tree_command(found, question, options)
    except Exception:  # the points do not depend on an explanation
        return None


def _problem(error: Exception) -> str:
    """The type, place and text of an error in the grader, on one line."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {clean(error, 120)}"
