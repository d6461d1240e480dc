"""Tests of how a part of a submission is found, and of the messages when it is not."""

from __future__ import annotations

from types import ModuleType

import pytest

from autograder.student_process.native_api import find_part
from autograder.student_process.plain_values import SubmissionError
from pacman.record.program import MODULE

TEXT = """
class MiniMaxAgent: pass
class Expectimax: pass
class St\u0430rAgent: pass
class ExpectiminimaxAgent: pass
AlphaBetaAgent = 3
def better_evaluation(state): return 0
"""


@pytest.fixture
def module() -> ModuleType:
    module = ModuleType(MODULE)
    exec(TEXT, vars(module))
    return module


def test_a_part_is_found_by_its_name_or_an_alias(module: ModuleType) -> None:
    assert find_part(module, "Expectimax", "search") is vars(module)["Expectimax"]
    assert find_part(module, "better", "evaluation", ("better_evaluation",)) is vars(module)["better_evaluation"]


@pytest.mark.parametrize(
    ("part", "role", "message"),
    [
        ("MinimaxAgent", "search", "the file defines no class MinimaxAgent; did you mean 'MiniMaxAgent'?"),
        ("ExpectimaxAgent", "search", "the file defines no class ExpectimaxAgent; did you mean 'Expectimax'?"),
        ("ReflexAgent", "choice", "the file defines no class ReflexAgent"),
        (
            "StarAgent",
            "search",
            "the file defines no class StarAgent; did you mean 'St\u0430rAgent'? "
            "Its letter 3 is CYRILLIC SMALL LETTER A.",
        ),
        (
            "betterEvaluation",
            "evaluation",
            "the file defines no function betterEvaluation; did you mean 'better_evaluation'?",
        ),
        ("AlphaBetaAgent", "search", "AlphaBetaAgent is not a class: it is 3 (int)"),
    ],
)
def test_a_missing_part_is_reported(module: ModuleType, part: str, role: str, message: str) -> None:
    with pytest.raises(SubmissionError) as raised:
        find_part(module, part, role)
    assert str(raised.value) == message
