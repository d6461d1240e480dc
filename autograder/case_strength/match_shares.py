"""How often an agent reaches the goals of the matches of a question, when a key draws the games."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Literal

from autograder.case_strength.programs import load
from autograder.cases import loading
from autograder.cases.case import Case, MatchInput
from autograder.cases.game_seeds import GameKey
from autograder.cases.ghosts import check_players, players
from autograder.judge.compare import judge, reached
from autograder.judge.submission_answer import Answer, Fault
from autograder.sandbox.run_case import best_action
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.native_api import EvaluationPart
from autograder.student_process.request_handler import api_named, reseed
from pacman.core.errors import InputError, error_line, reason_of
from pacman.core.files import read_text
from pacman.core.state import GameState
from pacman.play.game import Agent, Game

GOALS: tuple[Literal["wins", "mean_score", "finished"], ...] = ("wins", "mean_score", "finished")
Earned = Mapping[str, Mapping[str, float]]
"""For each case, the share of each criterion that was earned."""
Measure = Callable[[Case, "LocalPlayer", GameKey, str], dict[str, float]]
"""What is counted of a case, with a key and the digest of the submission."""


def earned(assignment: str, api: str, question: str, file: Path, measure: Measure, keys: range) -> list[Earned]:
    """For each key with these numbers, what `measure` says of a file in the cases without a search.

    These are matches, and positions where one action is chosen. They run in this process, without the sandbox and
    without a time limit: only for trusted code. InputError if the file cannot be loaded or lacks the part.
    """
    try:
        source = read_text(file)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {reason_of(error)}") from None

    def player(case: Case) -> LocalPlayer:
        """The player of one match: the file runs anew, so no other key and no other match changes what it does."""
        try:
            return LocalPlayer(load(source, api), case, api)
        except (Exception, SystemExit) as error:  # whatever the file raises
            raise InputError(f"{file}: {error_line(error)}") from None

    digest, cases = hashlib.sha256(source.encode()).hexdigest(), _cases(assignment, question)
    with redirect_stdout(io.StringIO()):
        return [
            {case.id: measure(case, player(case), numbered_key(number), digest) for case in cases} for number in keys
        ]


def numbered_key(number: int) -> GameKey:
    """The key with this number: always the same one."""
    return GameKey(hashlib.sha256(f"key {number}".encode()).digest())


class LocalPlayer:
    """Plays Pacman in the games of a case with the part of a file, as a grading does, but in this process."""

    def __init__(self, module: ModuleType, case: Case, api: str) -> None:
        self.rounds: int = getattr(case.input, "rounds", 1)
        self.api = api_named(api)
        arguments = case.input.arguments if isinstance(case.input, MatchInput) else {}
        self.part = self.api.make(module, case.question.part, self.rounds, case.question.role, **arguments)
        self.games = 0
        if not isinstance(self.part, EvaluationPart):
            self.begin(Random(0))

    def begin(self, rng: Random) -> None:
        """Tells the part that a game begins. Its random numbers depend only on how many games began before.

        It gets nothing of `rng`, which follows from the key.
        """
        seed = f"{self.games}/0"
        self.games += 1
        reseed(seed)
        self.part.begin(Random(seed))

    def choose(self, state: GameState) -> str:
        """The action that the part chooses; for an evaluation, the action of a search with it."""
        if not isinstance(self.part, EvaluationPart):
            action: str = self.part.choose(state)
            return action
        plies = self.rounds * len(state.layers)
        return best_action(state, plies, self.api.evaluate(self.part, state, plies))


def earned_with_key(case: Case, player: LocalPlayer, key: GameKey, digest: str) -> dict[str, float]:
    """The share of each criterion that the player earns, if the submission with this digest is graded with the key."""
    verdict = judge(case, None, _answer(case, player, key, digest))
    return {finding.criterion: finding.earned for finding in verdict.findings}


def reached_with_key(case: Case, player: LocalPlayer, key: GameKey, digest: str) -> dict[str, float]:
    """The wins, the mean score and the finished games of the player in a match with the key; none after a fault."""
    answer = _answer(case, player, key, digest)
    return {kind: reached(kind, answer)[0] for kind in GOALS} if answer.results else {}


def _answer(case: Case, player: LocalPlayer, key: GameKey, digest: str) -> Answer:
    """The games of a match, or the action at a position."""
    if not isinstance(case.input, MatchInput):
        return Answer(action=player.choose(case.start))
    results = []
    names, seed = ["pacman", *case.input.ghosts], key.seeds(digest)
    for number in range(1, case.input.games + 1):
        agents: list[Agent] = [player, *players(case)]
        result = Game(case.start, agents, names, seed(case, number), case.input.max_plies).play()
        check_players(f"{case.id}, game {number}", agents)
        if result.fault:
            return Answer(fault=Fault(FaultKind.RAISED, f"game {number}: {result.fault.reason}"))
        results.append(result)
    return Answer(results=tuple(results))


@cache
def _cases(assignment: str, question: str) -> tuple[Case, ...]:
    return tuple(case for case in loading.load(assignment).only(question).cases if not case.has_truth)


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
