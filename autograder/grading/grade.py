"""Grades one submission: runs, judges and explains each case, then scores the questions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from threading import Barrier
from types import MappingProxyType

from agents.advice import assumes_advice
from autograder.cases import loading
from autograder.cases.case import Assignment, Case, Question
from autograder.cases.game_seeds import GameKey, practice_seed
from autograder.cases.hidden import has_drawn_cases, with_hidden
from autograder.cases.right_answer import derive_all
from autograder.cases.truth import CaseTruth
from autograder.grading import commands, submission
from autograder.grading.early_stop import EarlyStop
from autograder.grading.grade_case import (
    GRADER_FAILED,
    GradedCase,
    answering,
    diagnosis_of,
    grade_case,
    needs_diagnosis,
    problem_text,
)
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.judge import scoring
from autograder.judge.compare import COSTLESS
from autograder.judge.points_as_text import percent
from autograder.judge.scorecard import PRACTICE_NOTE, CaseScore, Diagnosis, QuestionScore, Scorecard
from autograder.judge.submission_answer import Answer, Fault
from autograder.sandbox import (
    GraderFailed,
    Sandbox,
    SandboxCheck,
    check_sandbox,
    run_case,
    submission_files,
    unsafe_message,
)
from autograder.sandbox.readable_files import read_into_memory
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError, counted


@dataclass(frozen=True)
class ImportCheck:
    """The file of a submission that is graded, and the fault that ended its import."""

    main_file: str
    fault: Fault | None


Found = ImportCheck | Answer | Diagnosis | None
"""What a step finds out: the import, a case, or a diagnosis (None if it finds nothing)."""
IMPORT = "import"
"""The name of the first step. The others have the id of a case, which contains a `/`, or of a question."""


class Recorder:
    """Gets everything that happens in a grading, to store or to show it. This one does nothing."""

    def record_step(self, name: str, found: Found) -> None:
        """Records what a step found out that ran. Several threads may call this."""

    def record_case(self, case: Case) -> None:
        """Records that a case is judged, also one that did not have to run. Several threads may call this."""

    def record_scores(self, card: Scorecard) -> None:
        """Records the unfinished scorecard, after each question: before and after its diagnosis."""

    def must_run_again(self, question: Question) -> bool:
        """True if a case of the question has to run again later. Then the question is not diagnosed before."""
        return False

    def runs_again(self, scores: Sequence[CaseScore]) -> bool:
        """True if one of the open cases, which have these scores, runs again later. Then no hidden case runs before."""
        return False


def grade(
    path: Path,
    assignment: Assignment,
    jobs: int,
    api: SubmissionApi = NATIVE,
    key: GameKey | None = None,
    sandbox_check: SandboxCheck | None = None,
    helpers: Sequence[Path] = (),
) -> Scorecard:
    """The scorecard of the submission at `path`: a file, or a folder with one file that defines the parts.

    The submission may also import the files `helpers`. See `Grader`. InputError if nothing can be graded.
    """
    grader = Grader.of(assignment, jobs, api, key, sandbox_check)
    return grader.grade(path, grader.read(path, helpers))


@dataclass(frozen=True)
class Grader:
    """What a grading needs besides the submission. The same grader can grade many submissions.

    The seeds of all games come from the `key`; without a key they are practice games. `jobs` cases run at the same
    time; the results are always in the order of the assignment.
    """

    assignment: Assignment
    truths: Mapping[str, CaseTruth]
    check: SandboxCheck
    jobs: int
    api: SubmissionApi = NATIVE
    key: GameKey | None = None

    @classmethod
    def of(
        cls,
        assignment: Assignment,
        jobs: int,
        api: SubmissionApi = NATIVE,
        key: GameKey | None = None,
        sandbox_check: SandboxCheck | None = None,
    ) -> Grader:
        """The grader with the right answers of an assignment, without the criteria that the API cannot grade.

        InputError if a case has no right answer.
        """
        assignment = with_hidden(api.without_unsupported(assignment), key)
        return cls(assignment, derive_all(assignment), sandbox_check or check_sandbox(), jobs, api, key)

    def read(self, path: Path, helpers: Sequence[Path] = (), allow_unsafe: bool = False) -> SubmissionFiles:
        """The files of the submission at `path`, with the files `helpers`, which it may import.

        InputError if they cannot be read, and if a folder or an archive would be graded in a sandbox that is not safe.
        """
        files = submission_files.read(path, helpers)
        if not (files.requested_file or allow_unsafe or self.check.level.is_safe):
            raise InputError(f"{path}: {unsafe_message(self.check)}")
        return files

    def grade(
        self,
        path: Path,
        files: SubmissionFiles,
        recorder: Recorder | None = None,
        known: Mapping[str, Found] = MappingProxyType({}),
        is_upload: bool = False,
    ) -> Scorecard:
        """The scorecard of a submission that was read already; `path` is its name.

        A case on which the grader itself fails runs again, alone. Hidden cases run last, in a sandbox that shares no
        process and no copy of the files with the first one; they do not run if an open case `runs_again` later. A
        question ends early if the code never answers (see `early_stop`). The steps that are `known` from an earlier
        grading of the same files are judged again, but do not run again. Of an upload, the student has the files, but
        not the folders of this machine. InputError if nothing can be graded.
        """
        return _Grading(self, path, files, recorder or Recorder(), known, is_upload).run()


@dataclass
class _Grading:
    """The grading of one submission, while it runs."""

    grader: Grader
    path: Path
    files: SubmissionFiles
    recorder: Recorder
    known: Mapping[str, Found]
    is_upload: bool
    graded: dict[str, GradedCase] = field(default_factory=dict)
    scores: dict[str, QuestionScore] = field(default_factory=dict)
    diagnoses: dict[str, Diagnosis | None] = field(default_factory=dict)
    main_file: str = ""
    import_fault: Fault | None = None
    hidden_seconds: float = 0.0
    start_time: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.assignment, self.api, key = self.grader.assignment, self.grader.api, self.grader.key
        self.game_seed = key.seeds(self.files.digest) if key else practice_seed
        self.stop = EarlyStop(self.assignment)

    def run(self) -> Scorecard:
        """Grades the open cases, diagnoses their questions, then grades the hidden cases."""
        cases, jobs = self.assignment.cases, self.grader.jobs
        for case in cases:
            if isinstance(answer := self.known.get(case.id), Answer):
                self.stop.record(case, answer)
        # A sandbox closes first: so an interrupted grading does not wait until a case has used up its time.
        with ThreadPoolExecutor(jobs) as self.pool:
            _start_threads(self.pool, min(jobs, len(cases)))
            hidden = [case for case in cases if case.input.hidden]
            if hidden:
                read_into_memory()
            api = self.api.named_for(self.assignment)
            sandbox = Sandbox(self.files, self.assignment.limits, self.grader.check, api)
            with ExitStack() as stack:
                self.open_sandbox = cache(lambda: stack.enter_context(sandbox))  # only if something has to run
                self._choose_file(sandbox)
                open_cases = [case for case in cases if not case.input.hidden]
                self._start_if_needed(open_cases)
                self._grade_cases(open_cases, sandbox, self._diagnose_and_score)
            # All that a student sees of the open cases has been read: hidden cases have no way to tell what they ask.
            if hidden and not self.recorder.runs_again([self.graded[case.id].score for case in open_cases]):
                hidden_start = time.monotonic()
                with ExitStack() as stack:
                    hidden_sandbox = sandbox.another()
                    self.open_sandbox = cache(lambda: stack.enter_context(hidden_sandbox))
                    self._start_if_needed(hidden)
                    self._grade_cases(hidden, hidden_sandbox, self._score)
                self.hidden_seconds = round(time.monotonic() - hidden_start, 3)
        return self._unfinished_card()

    def _start_if_needed(self, cases: Sequence[Case]) -> None:
        """Starts the sandbox in this thread if one of the cases has to run."""
        if not self.import_fault and any(case.id not in self.known and not self.stop.answer(case) for case in cases):
            self.open_sandbox()

    def _choose_file(self, sandbox: Sandbox) -> None:
        """Chooses the file to grade, and imports it once. InputError if nothing can be graded."""
        path, assignment, api = self.path, self.assignment, self.api
        check = self.known.get(IMPORT)
        if not isinstance(check, ImportCheck):
            self.open_sandbox()
            try:
                sandbox.main_file = submission.find_candidate(path, sandbox, assignment, api)
                check = ImportCheck(sandbox.main_file, submission.check_import(path, sandbox, assignment, api))
            except InputError as error:
                if self.is_upload:
                    error.args = (submission.for_student(str(error)),)
                raise
            except Exception as error:  # what the submission raises is a SessionBroken, handled in both functions
                raise GraderFailed(f"{path}: not graded: the grader itself failed: {problem_text(error)}") from error
            self.recorder.record_step(IMPORT, check)
        sandbox.main_file = self.main_file = check.main_file
        self.import_fault = check.fault
        name = assignment.name if self.is_upload else loading.name_or_folder(assignment)
        file = check.main_file if self.is_upload else submission.display_path(path, self.files, check.main_file)
        style = "" if api.name == NATIVE.name == assignment.api else api.name
        self.options = commands.SubmissionOptions(file, style, "" if name == api.assignment else name)

    def _grade_cases(self, cases: Sequence[Case], sandbox: Sandbox, finish: Callable[[Question], None]) -> None:
        """Grades cases at the same time; then one by one, with nothing beside it, each on which the grader failed.

        Calls `finish` with each question after its cases.
        """
        run_and_judge = partial(self._run_and_judge, sandbox=sandbox)
        try:
            for question, group in groupby(self.pool.map(run_and_judge, cases), lambda each: each.case.question):
                self.graded.update((each.case.id, self._without_late_answer(each)) for each in group)
                finish(question)
        except BaseException:  # raised again, without the cases that have not begun
            self.pool.shutdown(wait=False, cancel_futures=True)
            raise
        for case in cases:
            if self.graded[case.id].score.is_ungraded:
                self.graded[case.id] = run_and_judge(case)
                finish(case.question)

    def _run_and_judge(self, case: Case, sandbox: Sandbox) -> GradedCase:
        run = answering(partial(self._ask, sandbox=sandbox), self.import_fault, self.stop, self.api)
        each = grade_case(case, self.grader.truths.get(case.id), run, self.api)
        self.recorder.record_case(case)
        return replace(each, score=commands.with_commands(case, each.score, each.answer, self.options))

    def _ask(self, case: Case, truth: CaseTruth | None, sandbox: Sandbox) -> Answer:
        answer = self.known.get(case.id)
        if not isinstance(answer, Answer):
            answer = run_case.run(case, truth, sandbox, self.game_seed)
            self.recorder.record_step(case.id, answer)
        return answer

    def _without_late_answer(self, each: GradedCase) -> GradedCase:
        """The same, unless the question ended early and this later case had already run."""
        unasked = self.stop.answer(each.case)
        return grade_case(each.case, each.truth, lambda *_: unasked, self.api) if unasked else each

    def _diagnose_and_score(self, question: Question) -> None:
        """Scores a question, then diagnoses it. What the score says can be shown before the diagnosis ends.

        Where the file cannot be imported, no search ran, and there is nothing to diagnose.
        """
        self._score(question)
        if self.import_fault:
            return
        cases = [self.graded[case.id] for case in self.assignment.of(question) if case.id in self.graded]
        known = self.known.get(question.id)
        if question.id in self.known and (known is None or isinstance(known, Diagnosis)):
            self.diagnoses[question.id] = known
        elif not self.recorder.must_run_again(question) and needs_diagnosis(question, cases):
            diagnosis = diagnosis_of(question, cases, self.open_sandbox(), self.api)
            if diagnosis and (tree := diagnosis.smallest):
                command = commands.tree_command(tree.start, tree.plies, question.part, self.options)
                diagnosis = replace(diagnosis, command=command)
            self.diagnoses[question.id] = diagnosis
            self.recorder.record_step(question.id, diagnosis)
        if question.id in self.diagnoses:
            self._score(question)

    def _score(self, question: Question) -> None:
        own, diagnosis = self.assignment.of(question), self.diagnoses.get(question.id)
        scores = [
            self.graded[case.id].score if case.id in self.graded else scoring.ungraded(case, "it has not run yet")
            for case in own
        ]
        if diagnosis and question.role != "search" and all(each.earned >= 1 for each in scores if not each.hidden):
            if all(each.earned >= 1 for each in scores) and diagnosis.mistakes != (GRADER_FAILED,):
                note = f"in another position ({COSTLESS}): {diagnosis.sentences[0]} {diagnosis.hint}"
                scores[0] = replace(scores[0], notes=(*scores[0].notes, note))
            diagnosis = None
        if question.role == "search" and self.api is NATIVE:
            scores[0], diagnosis = self._with_assumed_layer(question, scores, diagnosis)
        self.scores[question.id] = replace(scoring.question_score(question, scores), diagnosis=diagnosis)
        self.recorder.record_scores(self._unfinished_card())

    def _with_assumed_layer(
        self, question: Question, scores: Sequence[CaseScore], diagnosis: Diagnosis | None
    ) -> tuple[CaseScore, Diagnosis | None]:
        """The first score and the diagnosis; one of them says if the class takes the ghosts of a game for others."""
        words = assumes_advice(self.files.lines(self.main_file), question.part, question.layers or ("min", "chance"))
        first = scores[0]
        if words and all(each.earned == 1 for each in scores):
            first = replace(first, notes=(*first.notes, f"in a game ({COSTLESS}): {words}"))
        elif words and (diagnosis is None or diagnosis.step is None) and not all(each.fault for each in scores):
            sentences = (words, *(diagnosis.sentences[:2] if diagnosis else ()))
            diagnosis = replace(diagnosis or Diagnosis((), "", ()), sentences=sentences, hint="")
        return first, diagnosis

    def _unfinished_card(self) -> Scorecard:
        """The scorecard with the questions that are scored so far."""
        questions, key = self.assignment.questions, self.grader.key
        done = [self.scores[question.id] for question in questions if question.id in self.scores]
        return Scorecard(
            self.assignment.name,
            self.assignment.title,
            str(self.path),
            self.grader.check.level.text,
            scoring.withhold(done, questions),
            round(time.monotonic() - self.start_time, 3),
            (*self.files.notes, *self._notes()),
            key.digest if key else "",
            self.hidden_seconds,
        )

    def _notes(self) -> Iterator[str]:
        """What the points depend on besides the submission: a practice key, and questions that are not graded here."""
        if not self.grader.key and has_drawn_cases(self.assignment):
            yield PRACTICE_NOTE
        known = {question.id for question in self.assignment.questions}
        for question in self.assignment.questions:
            for needed, share in question.requires.items():
                if needed not in known:
                    yield f"{question.id} also needs {percent(share)} of the points of {needed}, not graded now"


def _start_threads(pool: ThreadPoolExecutor, count: int) -> None:
    """Starts the threads of the pool. Later, a submission might leave none. InputError if they cannot start."""
    barrier = Barrier(count)
    try:
        list(pool.map(lambda _: barrier.wait(), range(count)))
    except RuntimeError:
        barrier.abort()
        raise GraderFailed(
            f"cannot grade {counted(count, 'case')} at the same time: this machine starts no more threads; "
            "use a smaller --jobs, or raise the limit (ulimit -u, ulimit -v)"
        ) from None
