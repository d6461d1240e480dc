"""A student's evaluation is asked for the values of leaves. The grader searches, and no forged answer earns a point."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from autograder.cases import loading
from autograder.grading.grade import grade
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.judge.scorecard import CaseScore
from autograder.platforms.cs188 import API as CS188
from autograder.sandbox import check_sandbox, run_case
from autograder.sandbox.in_process import InProcess
from autograder.sandbox.run_case import best_action
from autograder.student_process.messages import BadFrame
from autograder.student_process.native_api import leaves
from pacman.core.state import GameState, start
from pacman.search import exhaustive
from tests.sandbox.hostile.attacks import BY_HAND

APIS: dict[str, tuple[SubmissionApi, str, str, str]] = {
    "native": (NATIVE, "multiagent", "q6", "better_evaluation"),
    "cs188": (CS188, "classic", "q5", "betterEvaluationFunction"),
}


def rough(state: GameState) -> float:
    """An evaluation with many ties, and with numbers that add up differently in another order."""
    return (state.score + state.pacman.cell) % 5 / 3


@pytest.mark.parametrize(
    "ghosts", [["random"], ["optimal", "directional"], ["directional(1.0)", "random"], []], ids=str
)
def test_the_values_of_the_leaves_are_enough_for_the_search(ghosts: list[str]) -> None:
    rng, ended = Random(str(ghosts)), 0
    for layout in ("smallish", "nook") if len(ghosts) < 2 else ("smallish",):
        state = start(layout, ghosts)
        for number in range(60):
            evaluate = (rough, lambda each: each.score, lambda each: 0)[number % 3]
            plies = (rng.choice([1, 2, 3]) if len(ghosts) < 2 else 1) * len(state.layers)
            nodes, searched = leaves(state, plies), list[GameState]()
            line = exhaustive(state, plies, lambda leaf, to=searched, value=evaluate: to.append(leaf) or value(leaf))
            assert nodes == searched
            assert best_action(state, plies, list(map(evaluate, nodes))) == line.action
            ended += sum(leaf.is_terminal for leaf in nodes)
            while not state.is_terminal:
                state = state.successor(rng.choice(state.actions()))
                if state.mover == 0:
                    break
            state = start(layout, ghosts) if state.is_terminal else state
    assert ended or not ghosts


def test_another_number_of_values_is_refused_and_a_mean_that_is_not_finite_is_not() -> None:
    state = start("nook", ["random"])
    count = len(leaves(state, 2))
    for given in (0, 1, count - 1):
        with pytest.raises(BadFrame, match=f"^expected one value for each leaf of the search, got only {given}$"):
            best_action(state, 2, [0.0] * given)
    with pytest.raises(BadFrame, match=f"^expected {count} values, one for each leaf of the search, got {count + 2}$"):
        best_action(state, 2, [0.0] * (count + 2))
    count = len(leaves(state, 4))
    assert best_action(state, 4, ([1.7e308, 1.7e308, -1.7e308] * count)[:count]) in state.actions()


@pytest.mark.parametrize(("case_id", "kept"), [("q6/06-trap", 2), ("q6/02-pillars", 1)])
def test_the_first_lost_game_is_kept_or_else_the_first_truncated_one(case_id: str, kept: int, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def better_evaluation(state):\n    return state.score\n", encoding="utf-8")
    case = next(each for each in loading.load("multiagent").cases if each.id == case_id)
    answer = run_case.run(case, None, InProcess.of_file(file, "native"))
    assert answer.results[0].outcome == "truncated"
    assert answer.lost_game
    assert answer.lost_game.number == kept


HEAD = BY_HAND + "import gc\n\n"
PART = "def PART(state):\n    "

# Name -> the body of the evaluation, the kind of the fault and a part of its text. More wrong replies: test_reader.py.
ATTEMPTS = {
    "one value": ("take_over(lambda asked: {'values': [7]})", "garbled", "of the search, got only 1"),
    "values without end": ("take_over(lambda asked: {'values': [7] * 900_000})", "garbled", "the limit is 2097152"),
    "returns text": ("return 'West'", "refused", "PART returned 'West' (str); expected a "),
    "returns a list": ("return [0, 1]", "refused", "PART returned [0, 1] (list); expected a "),
    "returns NaN": ("return float('nan')", "refused", "PART returned nan (float); expected a "),
}  # fmt: skip


def grade_evaluation(tmp_path: Path, body: str, api_name: str) -> CaseScore:
    """The score of one match of a submission whose evaluation has this body."""
    api, assignment, question, part = APIS[api_name]
    file = tmp_path / "mine.py"
    file.write_text(HEAD + PART.replace("PART", part) + body + "\n", encoding="utf-8")
    asked = loading.load(assignment).only(question, "01-nook")
    return grade(file, asked, 1, sandbox_check=check_sandbox(), api=api).questions[0].cases[0]


@pytest.mark.slow("that attack the sandbox", keep=4)
@pytest.mark.skipif(sys.platform == "win32", reason="the attempts write to a descriptor")
@pytest.mark.parametrize(
    ("name", "api_name"),
    [(name, api) for name in ATTEMPTS for api in APIS if api == "native" or name.startswith("returns")],
)
def test_a_forged_answer_earns_nothing_and_is_named_in_one_line(tmp_path: Path, name: str, api_name: str) -> None:
    """What answers by hand does so in every API; what an evaluation returns goes through its own API."""
    body, kind, text = ATTEMPTS[name]
    score = grade_evaluation(tmp_path, body, api_name)
    assert (score.earned, score.fault) == (0, kind), score.message
    assert text.replace("PART", APIS[api_name][3]) in score.message
    assert "\n" not in score.message


# Looks for the grader's search in everything that this process can reach: at import, and at the first evaluation.
LOOK_FOR_THE_SEARCH = """if len(LOOKED) < 2:
        look()
    return 0

LOOKED = []

def look():
    LOOKED.append(1)
    gc.unfreeze()
    frame, everything = sys._getframe(), gc.get_objects()
    while frame is not None:
        everything += [frame.f_locals, *(each for each in frame.f_locals.values() if isinstance(each, dict))]
        frame = frame.f_back
    for _ in range(2):
        everything = [*{id(each): each for each in [*everything, *gc.get_referents(*everything)]}.values()]
    texts = [each for each in everything if isinstance(each, str) and len(each) > 99]
    found = [text[:60] for text in texts if "def exhaustive" in text or "checked_outcomes" in text]
    found += [name for name in sys.modules if "search" in name]
    found += [each for each in everything if getattr(each, "__name__", "") in ("exhaustive", "Exhaustive")]
    print("found:", found)

look()"""


@pytest.mark.slow("that attack the sandbox", keep=2)
@pytest.mark.parametrize("api_name", APIS)
def test_the_process_of_an_evaluation_has_no_search(tmp_path: Path, api_name: str) -> None:
    """What it returns in place of a number has the line of the function."""
    score = grade_evaluation(tmp_path, LOOK_FOR_THE_SEARCH, api_name)
    assert score.fault == "", score.message
    assert score.output.splitlines() == ["found: []"] * 2
    if api_name == "native":
        score = grade_evaluation(tmp_path, "return 0 if state.score > -3 else 'x'", "native")
        line = HEAD.count("\n") + 1
        assert score.message == (
            "game 1, ply 4: better_evaluation returned 'x' (str); expected a finite number "
            f"(line {line}: def better_evaluation(state):)"
        )
