"""Grades a Berkeley-style file in this process: adapter and judge, without the sandbox between them."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from autograder.cases import loading, reference, right_answer
from autograder.cases.case import Case
from autograder.judge import compare
from autograder.judge.submission_answer import Answer, Claim, Fault
from autograder.sandbox.evaluation_search import best_action
from autograder.student_process.cs188 import adapter
from autograder.student_process.native_api import EvaluationPart
from pacman.core.state import GameState
from pacman.core.trace import Trace
from pacman.play.game import Game

RIGHT = sorted((Path(__file__).parents[2] / "autograder/assignments/classic/styles").glob("*.py"))
ASSIGNMENT = loading.load("classic")


@contextmanager
def ready_api() -> Iterator[adapter.Cs188Api]:
    """The adapter, ready for submissions; afterwards the modules `pacman`, `util`, ... are the original ones again."""
    modules, finders = dict(sys.modules), list(sys.meta_path)
    api = adapter.Cs188Api()
    try:
        api.prepare()
        with redirect_stdout(io.StringIO()):
            yield api
    finally:
        sys.meta_path[:] = finders
        sys.modules.clear()
        sys.modules.update(modules)


def module_of(text: str, name: str = "multiAgents.py") -> ModuleType:
    """The module that a file with this text makes."""
    module = ModuleType("submission")
    exec(compile(text, name, "exec", dont_inherit=True), vars(module))
    return module


def answer(text: str, case: Case, expected: reference.Reference) -> Answer:
    """The answer of a file to a case of a search question; a fault if the file raises an error."""
    case_input: Any = case.input
    with ready_api() as api:
        try:
            part = api.make(module_of(text), case.question.part, getattr(case_input, "rounds", 1), "search")
            api.begin(part, Random("1/0"))
            claims = []
            for root, plies in reference.searched_roots(case, expected):
                trace = Trace()
                value, action = api.search(part, root, plies, trace)
                plain = action if isinstance(action, str) else None
                claims.append(Claim(value, repr(value), plain, repr(action), trace.generated, trace, ()))
        except (Exception, SystemExit) as error:
            return Answer(fault=Fault("raised", f"{type(error).__name__}: {error}"))
    return Answer(tuple(claims))


def verdict(text: str, case: Case) -> compare.Verdict:
    """The verdict on the answer of a file to a case of a search question."""
    expected = loading.load_reference(ASSIGNMENT, case)
    return compare.judge(case, expected, answer(text, case, expected))


def search_cases(question: str | None = None) -> list[Case]:
    """The cases with a reference, of one question or of all."""
    return [case for case in ASSIGNMENT.cases if case.has_reference and question in (None, case.question.id)]


def play(text: str, case: Case) -> compare.Verdict:
    """The verdict on a match or on a single choice."""
    case_input: Any = case.input
    role = case.question.role
    with ready_api() as api:
        part = api.make(module_of(text), case.question.part, case_input.rounds, role)
        api.begin(part, Random(f"{case_input.seed}/0"))
        if case_input.kind == "position":
            return compare.judge(case, None, Answer(action=api.choose(part, case.start)))
        player = Player(api, part, case_input.rounds)
        names = ["pacman", *case_input.ghosts]
        games = [
            Game(
                case.start,
                [player, *map(right_answer.ghost, case_input.ghosts)],
                names,
                1000 * case_input.seed + number,
                case_input.max_plies,
            )
            for number in range(1, case_input.games + 1)
        ]
        results = tuple(game.play() for game in games)
    assert not any(result.fault for result in results), results
    return compare.judge(case, None, Answer(results=results))


@dataclass
class Player:
    """An agent of a Berkeley-style file as a player of a game."""

    api: adapter.Cs188Api
    part: Any
    rounds: int

    def begin(self, rng: Random) -> None:
        self.api.begin(self.part, rng)

    def choose(self, state: GameState) -> str:
        if not isinstance(self.part, EvaluationPart):
            return self.api.choose(self.part, state)
        plies = self.rounds * len(state.layers)
        return best_action(state, plies, self.api.evaluate(self.part, state, plies))
