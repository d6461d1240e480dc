"""Searches as functions from a case to an answer, in this process and without the sandbox. Only for trusted code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from random import Random
from types import ModuleType

from autograder.cases.case import Case, PositionInput, Question, TreeInput
from autograder.cases.truth import CaseTruth, searched_roots
from autograder.judge.compare import judge
from autograder.judge.diagnosis.questions import Scope
from autograder.judge.submission_answer import Answer, Claim, Fault
from autograder.judge.wrong_searches import Edit, possible, run, text_of
from autograder.sandbox.reader import TraceLimits, read_claim
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.plain_values import TooManySuccessors
from autograder.student_process.request_handler import api_named, search_reply
from autograder.student_process.tree_questions import LimitedTrace
from pacman.core.tree import Node
from pacman.record.program import MODULE, ImportState
from pacman.record.trace import Trace

MAX_MADE = 2_000
Program = Callable[[Case, CaseTruth], Answer]
"""A search: its answer to a case with a tree."""


def earned(program: Program, case: Case, truth: CaseTruth) -> float:
    """The share of a case that a program earns, from 0 to 1; of a hidden case all or nothing."""
    share = judge(case, truth, program(case, truth)).earned
    return float(share == 1) if case.input.hidden else share


def of_text(source: str, api_name: str, part: str) -> Program:
    """The search with this name in the text of a file. Raises what the file raises, and SubmissionError without it.

    Its answer is a fault if the search raises an error or does not end.
    """
    api, module = api_named(api_name), ModuleType(MODULE)
    with _modules_of(api_name, module):
        exec(compile(source, MODULE, "exec", dont_inherit=True), vars(module))
    api.make(module, part, 1, "search")

    def answer(case: Case, truth: CaseTruth) -> Answer:
        case_input, claims = case.input, list[Claim]()
        assert isinstance(case_input, TreeInput | PositionInput)
        is_score = not isinstance(case_input, TreeInput) or case_input.evaluation == "score"
        rounds, seed = (1, 0) if isinstance(case_input, TreeInput) else (case_input.rounds, case_input.seed)
        try:
            agent = api.make(module, part, rounds, "search")
            agent.begin(Random(f"{seed}/0"))
            for (root, plies), right in zip(searched_roots(case, truth), truth.moves, strict=True):
                most = 20 * max(each.generated for each in right.touched) + 200
                reply = search_reply(api, agent, root, plies, is_score, LimitedTrace(most))
                reply.pop("values", None)  # they only explain
                claims.append(read_claim(reply, TraceLimits(nodes=most, generated=most)))
        except TooManySuccessors:
            return Answer(fault=Fault(FaultKind.TIME, "the search does not end"))
        except (Exception, SystemExit) as error:
            return Answer(fault=Fault(FaultKind.RAISED, f"{type(error).__name__}: {error}"))
        return Answer(tuple(claims))

    return answer


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


def known_search(question: Question, edits: tuple[Edit, ...]) -> Program:
    """The right search of a question with these edits. Alpha-beta cuts as the case says."""

    def answer(case: Case, truth: CaseTruth) -> Answer:
        assert isinstance(case.input, TreeInput)
        text = text_of(edits, case.input.cut if question.reference == "alphabeta" else "")
        return answer_of(text, case.root, case.input.plies, MAX_MADE)

    return answer


def answer_of(text: str, root: Node, plies: int, most: int) -> Answer:
    """The answer of the search that a text defines; a fault if it fails, or above `most` generated successors."""
    try:
        result = run(text, root, plies, most=most)
    except TooManySuccessors:
        return Answer(fault=Fault(FaultKind.TIME, "too many successors"))
    if result.error:
        return Answer(fault=Fault(FaultKind.RAISED, result.error))
    return Answer((claim(result.value, result.action, result.trace),))


def claim(value: float, action: str | None, trace: Trace) -> Claim:
    """The claim of a search that returned a value and an action, and made the nodes of a trace."""
    shown = value if isfinite(value) else None
    return Claim(shown, str(value), action, str(action), trace.generated, trace, ())


def known_mistakes(question: Question) -> Mapping[str, Program]:
    """The searches with the known mistakes that are possible in a question, by name."""
    scope = Scope.of(question)
    return {name: known_search(question, each.edits) for name, each in possible(scope.layers, scope.cuts).items()}
