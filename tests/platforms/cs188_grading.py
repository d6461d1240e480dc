"""Grades a file of the Berkeley style inside this process: adapter and judge, without the sandbox between them."""

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

from autograder.cases import loading, reference, reference_recorder
from autograder.cases.case import Case
from autograder.judge import compare
from autograder.judge.submission_answer import Answer, Claim, Fault
from autograder.student_process.cs188 import adapter
from pacman.core.state import GameState
from pacman.core.trace import Trace
from pacman.play.game import Game

HERE = Path(__file__).parent / "cs188"
RIGHT = sorted((HERE / "submissions" / "right").glob("*.py"))
ASSIGNMENT = loading.load("classic")


@contextmanager
def desk(role: str) -> Iterator[adapter.Cs188Api]:
    """The adapter, readied; `pacman`, `util` and the like are put back afterwards."""
    modules, finders = dict(sys.modules), list(sys.meta_path)
    api = adapter.Cs188Api()
    try:
        api.prepare(role)
        with redirect_stdout(io.StringIO()):
            yield api
    finally:
        sys.meta_path[:] = finders
        sys.modules.clear()
        sys.modules.update(modules)


def module_of(text: str, name: str = "multiAgents.py") -> ModuleType:
    module = ModuleType("submission")
    exec(compile(text, name, "exec", dont_inherit=True), vars(module))
    return module


def answer(text: str, case: Case, expected: reference.Reference) -> Answer:
    """What a file answers to a case of a search question; a fault where it raises."""
    said: Any = case.input
    with desk("search") as api:
        try:
            part = api.make(module_of(text), case.question.part, getattr(said, "rounds", 1), "search")
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
    expected = loading.load_reference(ASSIGNMENT, case)
    return compare.judge(case, expected, answer(text, case, expected))


def search_cases(question: str | None = None) -> list[Case]:
    return [case for case in ASSIGNMENT.cases if case.has_reference and question in (None, case.question.id)]


def play(text: str, case: Case) -> compare.Verdict:
    """The verdict on a match or on a single choice."""
    said: Any = case.input
    role = case.question.role
    with desk(role) as api:
        part = api.make(module_of(text), case.question.part, said.rounds, role)
        api.begin(part, Random(f"{said.seed}/0"))
        if said.kind == "position":
            return compare.judge(case, None, Answer(action=api.choose(part, case.start)))
        player = Player(api, part)
        names = ["pacman", *said.ghosts]
        games = [
            Game(
                case.start,
                [player, *map(reference_recorder.ghost, said.ghosts)],
                names,
                1000 * said.seed + number,
                said.max_plies,
            )
            for number in range(1, said.games + 1)
        ]
        results = tuple(game.play() for game in games)
    assert not any(result.fault for result in results), results
    return compare.judge(case, None, Answer(results=results))


@dataclass
class Player:
    """An agent of such a file, as a game sees him."""

    api: adapter.Cs188Api
    part: Any

    def begin(self, rng: Random) -> None:
        self.api.begin(self.part, rng)

    def choose(self, state: GameState) -> str:
        return self.api.choose(self.part, state)
