"""Runs right searches and mutants of them in this process, without the sandbox. Only for trusted code."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from types import ModuleType

from autograder.cases.case import Case, PositionInput, TreeInput
from autograder.cases.truth import CaseTruth, searched_roots
from autograder.judge.submission_answer import Answer, Fault
from autograder.sandbox.reader import TraceLimits, read_claim
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.plain_values import TooManySuccessors
from autograder.student_process.request_handler import api_named, search_reply
from autograder.student_process.tree_questions import LimitedTrace
from pacman.record.program import MODULE, ImportState


def load(source: str, api_name: str) -> ModuleType:
    """The module that the text of a file makes; whatever the file raises."""
    module = ModuleType(MODULE)
    with _modules_of(api_name, module):
        exec(compile(source, MODULE, "exec", dont_inherit=True), vars(module))
    return module


def answer(module: ModuleType, case: Case, truth: CaseTruth, api_name: str) -> Answer:
    """The answer of a module to a case with a search; a fault if the search raises an error or does not end."""
    case_input = case.input
    assert isinstance(case_input, TreeInput | PositionInput)
    is_score = not isinstance(case_input, TreeInput) or case_input.evaluation == "score"
    rounds, seed = (1, 0) if isinstance(case_input, TreeInput) else (case_input.rounds, case_input.seed)
    api, claims = api_named(api_name), []
    try:
        part = api.make(module, case.question.part, rounds, "search")
        part.begin(Random(f"{seed}/0"))
        for (root, plies), right in zip(searched_roots(case, truth), truth.moves, strict=True):
            most = 20 * max(each.generated for each in right.touched) + 200
            reply = search_reply(api, part, root, plies, is_score, LimitedTrace(most))
            reply.pop("values", None)  # they only explain
            claims.append(read_claim(reply, TraceLimits(nodes=most, generated=most)))
    except TooManySuccessors:
        return Answer(fault=Fault(FaultKind.TIME, "the search does not end"))
    except (Exception, SystemExit) as error:
        return Answer(fault=Fault(FaultKind.RAISED, f"{type(error).__name__}: {error}"))
    return Answer(tuple(claims))


@contextmanager
def _modules_of(api_name: str, module: ModuleType) -> Iterator[None]:
    """What a file can import while it is loaded; afterwards `pacman` and the others are the original modules again."""
    before = ImportState.now()
    try:
        if api_name != "native":  # the native API would only forbid imports
            api_named(api_name).prepare()
        sys.modules[MODULE] = module
        yield
    finally:
        # A module without a specification was made by the API. A library stays, as numpy must.
        before.restore(lambda module: getattr(module, "__spec__", None) is None)
