"""How often an agent reaches the goals of the matches of a question, when a key draws the games."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Literal

from autograder.cases.case import Case, MatchInput
from autograder.cases.game_seeds import GameKey
from autograder.judge.compare import judge, reached
from autograder.judge.submission_answer import Answer
from autograder.sandbox import run_case, submission_files
from autograder.sandbox.in_process import InProcess
from autograder.sandbox.runner import attempt
from pacman.core.errors import InputError, error_line

GOALS: tuple[Literal["wins", "mean_score", "finished"], ...] = ("wins", "mean_score", "finished")
Earned = Mapping[str, Mapping[str, float]]
"""For each case, the share of each criterion that was earned."""
Measure = Callable[[Case, Answer], dict[str, float]]
"""What is counted of the answer to a case."""


def earned(cases: Sequence[Case], api: str, file: Path, measure: Measure, keys: range) -> list[Earned]:
    """For each key with these numbers, what `measure` says of a file in cases of a question that have no search.

    These are matches, and positions where one action is chosen. They run as in a grading, but in this process, without
    the sandbox and without a time limit: only for trusted code. For each case the file runs anew. InputError if the
    file cannot be loaded or lacks the part.
    """
    digest, errors = submission_files.read(file).digest, list[BaseException]()
    runner = local_runner(file, api, errors.append)
    with redirect_stdout(io.StringIO()):
        session, part = runner.session(1.0), cases[0].question
        if attempt(session, lambda: runner.load_part(session, part.role, part.part, 1)):
            raise InputError(f"{file}: {error_line(errors[0])}")
        seeds = [numbered_key(number).seeds(digest) for number in keys]
        return [{case.id: measure(case, run_case.run(case, None, runner, each)) for case in cases} for each in seeds]


def local_runner(file: Path, api: str, on_error: Callable[[BaseException], None] = lambda error: None) -> InProcess:
    """The runner of a trusted file in this process. `on_error` gets each error of the file; Ctrl-C is none."""

    def note(error: BaseException) -> None:
        if isinstance(error, KeyboardInterrupt):
            raise error
        on_error(error)

    return InProcess.of_file(file, api, note)


def numbered_key(number: int) -> GameKey:
    """The key with this number: always the same one."""
    return GameKey(hashlib.sha256(f"key {number}".encode()).digest())


def criteria_of(case: Case, answer: Answer) -> dict[str, float]:
    """The share of each criterion that an answer earns in a case without a search."""
    findings = judge(case, None, replace(answer, seconds=0.0)).findings  # other work of this process takes time too
    return {finding.criterion: finding.earned for finding in findings}


def reached_goals(case: Case, answer: Answer) -> dict[str, float]:
    """The wins, the mean score and the finished games of a match; none after a fault."""
    return {kind: reached(kind, answer)[0] for kind in GOALS} if answer.results else {}


def step_shares(case: Case, of_keys: Sequence[Earned]) -> Iterator[tuple[str, float]]:
    """The name of each goal of a case, and the share of the keys with which it is reached."""
    if not isinstance(case.input, MatchInput):
        yield "action", sum(each[case.id]["action"] for each in of_keys) / len(of_keys)
        return
    for criterion in GOALS:
        steps = getattr(case.input.steps, criterion) or ()
        for number, step in enumerate(steps, 1):
            count = sum(each[case.id][criterion] * len(steps) > number - 0.5 for each in of_keys)
            yield f"{criterion} {step:g}", count / len(of_keys)


def full_share(of_keys: Sequence[Earned]) -> float:
    """The share of the keys with which every criterion of every case is earned in full."""
    full = sum(all(share >= 1 for case in each.values() for share in case.values()) for each in of_keys)
    return full / len(of_keys)
