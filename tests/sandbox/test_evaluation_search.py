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
from autograder.sandbox import check_sandbox
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


@pytest.mark.parametrize("evaluate", [rough, lambda state: state.score, lambda state: 0], ids=["rough", "score", "0"])
@pytest.mark.parametrize(
    "ghosts", [["random"], ["optimal", "directional"], ["directional(1.0)", "random"], []], ids=str
)
def test_the_values_of_the_leaves_are_enough_for_the_search(ghosts: list[str], evaluate: object) -> None:
    assert callable(evaluate)
    rng = Random(str(ghosts))
    ended = 0
    for layout in ("smallish", "nook") if len(ghosts) < 2 else ("smallish",):
        state = start(layout, ghosts)
        for _ in range(60):
            plies = rng.choice([1, 2, 3]) * len(state.layers) if len(ghosts) < 2 else len(state.layers)
            nodes = leaves(state, plies)
            searched: list[GameState] = []
            line = exhaustive(state, plies, lambda leaf, searched=searched: searched.append(leaf) or evaluate(leaf))
            assert nodes == searched
            assert best_action(state, plies, [evaluate(leaf) for leaf in nodes]) == line.action
            ended += sum(leaf.is_terminal for leaf in nodes)
            while not state.is_terminal:
                state = state.successor(rng.choice(state.actions()))
                if state.mover == 0:
                    break
            if state.is_terminal:
                state = start(layout, ghosts)
    assert ended or not ghosts


STATE = start("nook", ["random"])


def test_another_number_of_values_is_refused() -> None:
    count = len(leaves(STATE, 2))
    for given in (0, 1, count - 1):
        with pytest.raises(BadFrame, match=f"^expected one value for each leaf of the search, got only {given}$"):
            best_action(STATE, 2, [0.0] * given)
    message = f"^expected {count} values, one for each leaf of the search, got {count + 2}$"
    with pytest.raises(BadFrame, match=message):
        best_action(STATE, 2, [0.0] * (count + 2))


def test_values_whose_mean_is_not_finite_still_choose_an_action() -> None:
    values = [1.7e308, 1.7e308, -1.7e308] * len(leaves(STATE, 4))
    assert best_action(STATE, 4, values[: len(leaves(STATE, 4))]) in STATE.actions()


HEAD = BY_HAND + "import gc\n\n"
PART = "def PART(state):\n    "
NOT_NUMBERS = "the answer could not be read: the values of the leaves are not a list of numbers"
TOO_FEW = "the answer could not be read: expected one value for each leaf of the search, got only"

# Name -> the body of the evaluation, the kind of the fault and a part of its text.
ATTEMPTS = {
    "chooses the action itself": ("take_over(lambda asked: {'action': 'West'})", "garbled", NOT_NUMBERS),
    "no values": ("take_over(lambda asked: {'values': []})", "garbled", f"{TOO_FEW} 0"),
    "one value": ("take_over(lambda asked: {'values': [7]})", "garbled", f"{TOO_FEW} 1"),
    "too many values": ("take_over(lambda asked: {'values': [7] * 99_000})", "garbled", "of the search, got 99,000"),
    "values without end": (
        "take_over(lambda asked: {'values': [7] * 900_000})",
        "garbled",
        "it has 2700020 bytes, the limit is 2097152",
    ),
    "NaN as a value": ("send(request(), b'{\"n\":NUMBER,\"values\":[NaN]}')", "garbled", "NaN is not a finite number"),
    "a value above all others": (
        "send(request(), b'{\"n\":NUMBER,\"values\":[1e999]}')", "garbled", "1e999 is not a finite number",
    ),
    "a value of 350 digits": (
        "send(request(), b'{\"n\":NUMBER,\"values\":[' + b'9' * 350 + b']}')", "garbled", "too many digits",
    ),
    "two answers to one question": (
        "count = 64\n    send(request(), {'values': []}); send(request(), {'values': []})", "garbled", TOO_FEW,
    ),
    "a fault that is not one": ("take_over(lambda asked: {'fault': 7})", "garbled", "the answer could not be read"),
    "returns text": ("return 'West'", "refused", "PART returned 'West' (str); expected a "),
    "returns a list": ("return [0, 1]", "refused", "PART returned [0, 1] (list); expected a "),
    "returns NaN": ("return float('nan')", "refused", "PART returned nan (float); expected a "),
    "ends the process": ("os._exit(0)", "exit", "exited with status 0 before it answered"),
}  # fmt: skip


def grade_evaluation(tmp_path: Path, body: str, api_name: str) -> CaseScore:
    """The score of one match of a submission whose evaluation has this body."""
    check = check_sandbox()
    api, assignment, question, part = APIS[api_name]
    file = tmp_path / "mine.py"
    file.write_text(HEAD + PART.replace("PART", part) + body + "\n", encoding="utf-8")
    card = grade(file, loading.load(assignment).only(question, "01-nook"), 1, sandbox_check=check, api=api)
    return card.questions[0].cases[0]


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
    score = grade_evaluation(tmp_path, LOOK_FOR_THE_SEARCH, api_name)
    assert score.fault == "", score.message
    assert score.output.splitlines() == ["found: []"] * 2


def test_what_an_evaluation_returns_instead_of_a_number_has_the_line_of_the_function(tmp_path: Path) -> None:
    score = grade_evaluation(tmp_path, "return 0 if state.score > -3 else 'x'", "native")
    line = HEAD.count("\n") + 1
    assert score.message == (
        "game 1, ply 4: better_evaluation returned 'x' (str); expected a finite number "
        f"(line {line}: def better_evaluation(state):)"
    )
