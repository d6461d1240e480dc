"""Adds to scores the commands with which a student runs one tree or one game again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from autograder.cases import loading
from autograder.cases.case import Assignment, Case, MatchInput, Question
from autograder.grading import submission
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.judge.explain import worst_first
from autograder.judge.rerun_commands import SubmissionOptions, case_command, game_command, tree_command
from autograder.judge.scorecard import CaseScore, Diagnosis
from autograder.judge.submission_answer import Answer
from autograder.sandbox.submission_files import SubmissionFiles


def submission_options(
    path: Path, files: SubmissionFiles, main_file: str, api: SubmissionApi, assignment: Assignment, is_upload: bool
) -> SubmissionOptions:
    """How the commands name the graded file, and the options that they need."""
    name = assignment.name if is_upload else loading.name_or_folder(assignment)
    file = main_file if is_upload else submission.display_path(path, files, main_file)
    is_usual = api.name == NATIVE.name == assignment.api
    return SubmissionOptions(file, "" if is_usual else api.name, "" if name == api.assignment else name)


def with_commands(case: Case, score: CaseScore, answer: Answer | None, options: SubmissionOptions) -> CaseScore:
    """The score of a case with the commands for what lost points.

    One runs the case. For a match, another one shows its first lost or truncated game.
    """
    if score.earned < 1 and not score.hidden:
        score = replace(score, case_command=case_command(case.id, options))
    if not isinstance(case.input, MatchInput) or answer is None or not answer.results or score.earned == 1:
        return score
    number, result = worst_first(answer.results)[0]
    if result.outcome == "win":
        return score
    return replace(score, command=game_command(case, result, number, options))


def with_tree_command(diagnosis: Diagnosis, question: Question, options: SubmissionOptions) -> Diagnosis:
    """The diagnosis with the command that runs the part on the smallest tree."""
    if diagnosis.smallest is None:
        return diagnosis
    smallest = diagnosis.smallest
    command = tree_command(smallest.tree, smallest.plies, question.part, options)
    return replace(diagnosis, smallest=replace(smallest, command=command))
