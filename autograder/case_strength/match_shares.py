"""How often an agent reaches the goals of the matches of a question, when a key draws the games."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
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
Reached = Mapping[str, Mapping[str, float]]
"""For each case, the share that was "earned"; and of a match that had no fault, what was reached of each goal."""


def play(cases: Sequence[Case], api: str, file: Path, keys: range) -> list[Reached]:
    """For each key with these numbers, what a file reaches in cases of a question that have no search.

    These are matches, and positions where one action is chosen. They run as in a grading, but in this process, without
    the sandbox and without a time limit: only for trusted code. For each case the file runs anew. InputError if the
    file cannot be loaded or lacks the part.
    """
    digest, errors = submission_files.read(file).digest, list[BaseException]()

    def note(error: BaseException) -> None:
        if isinstance(error, KeyboardInterrupt):
            raise error
        errors.append(error)

    runner = InProcess.of_file(file, api, note)
    with redirect_stdout(io.StringIO()):
        session, part = runner.session(1.0), cases[0].question
        if attempt(session, lambda: runner.load_part(session, part.role, part.part, 1)):
            raise InputError(f"{file}: {error_line(errors[0])}")
        seeds = [numbered_key(number).seeds(digest) for number in keys]
        return [{case.id: reached_in(case, run_case.run(case, None, runner, each)) for case in cases} for each in seeds]


def numbered_key(number: int) -> GameKey:
    """The key with this number: always the same one."""
    return GameKey(hashlib.sha256(f"key {number}".encode()).digest())


def reached_in(case: Case, answer: Answer) -> dict[str, float]:
    """What an answer to a case without a search earns and reaches."""
    earned = judge(case, None, replace(answer, seconds=0.0)).earned  # other work of this process takes time too
    return {"earned": earned} | ({kind: reached(kind, answer)[0] for kind in GOALS} if answer.results else {})


def step_shares(case: Case, of_keys: Sequence[Reached]) -> Iterator[tuple[str, float]]:
    """The name of each goal of a case, and the share of the keys with which it is reached."""
    of_case = [each[case.id] for each in of_keys]
    if not isinstance(case.input, MatchInput):
        yield "action", sum(each["earned"] for each in of_case) / len(of_case)
        return
    for kind in GOALS:
        for step in getattr(case.input.steps, kind) or ():
            count = sum(each["earned"] > 0 and each[kind] >= step for each in of_case)
            yield f"{kind} {step:g}", count / len(of_case)


def full_share(of_keys: Sequence[Reached]) -> float:
    """The share of the keys with which every case is earned in full."""
    return sum(all(case["earned"] >= 1 for case in each.values()) for each in of_keys) / len(of_keys)
