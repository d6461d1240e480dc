"""A match that was not won: how each game ended, and the value of each action at Pacman's last move."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.cases.case import MatchInput
from autograder.judge.explain import describe_games
from autograder.judge.submission_answer import Answer
from pacman.core.state import GameState
from pacman.play.game import Result
from tests.graded import graded_text

NATIVE = """
from agents.base import ReflexBase


class ReflexAgent(ReflexBase):
    calls = 0

    def evaluate_action(self, state, action):
        {extra}
        x, y = state.successor(action).pacman.position
        return (7 * x + 3 * y + len(state.food)) % 5


def better_evaluation(state):
    return -state.score
"""
BERKELEY = """
from game import Agent


class ReflexAgent(Agent):
    def getAction(self, gameState):
        return max(gameState.getLegalActions(), key=lambda action: self.evaluationFunction(gameState, action))

    def evaluationFunction(self, state, action):
        x, y = state.generatePacmanSuccessor(action).getPacmanPosition()
        return (7 * x + 3 * y) % 5
"""


@pytest.mark.parametrize(
    ("case", "api", "count"), [("q1/04-nook", "native", 12), ("q6/01-nook", "native", 5), ("q1/02-pillars", "cs188", 7)]
)
def test_a_lost_game_shows_the_values_of_the_last_move(case: str, api: str, count: int, tmp_path: Path) -> None:
    score = graded_text(tmp_path, NATIVE.format(extra="") if api == "native" else BERKELEY, case, api)
    assert re.fullmatch(rf"games won: \d of {count}", score.why)
    games = [line for line in score.picture if line.startswith("  game ")]
    assert len(games) == count
    assert games == sorted(games, key=lambda line: "win" in line)
    assert re.fullmatch(r"  game \d: loss, score -?\d+, \d+ plies", games[0])
    (move,) = (line for line in score.picture if line.startswith("  Pacman's last move in game "))
    (values,) = (line for line in score.picture if line.startswith("  your values there: "))
    pairs = [pair.split(" ") for pair in values.removeprefix("  your values there: ").split(", ")]
    best = max(pairs, key=lambda pair: float(pair[1]))[0]
    assert move.endswith(f": {best}")  # the agent took the action with the greatest value


def test_a_wrong_action_is_shown_with_the_values_of_the_student(tmp_path: Path) -> None:
    text = NATIVE.replace("(7 * x + 3 * y + len(state.food)) % 5", "-10 * x").format(extra="")
    score = graded_text(tmp_path, text, "q1/02-death-next-to-you")
    assert score.why == "action: expected East (-50) or Stop (-40), got West (-30); your values are in parentheses"
    assert score.picture == ("%%%%%%%", "%.G P %", "%%%%% %", "%.    %", "%%%%%%%")


@pytest.mark.parametrize("case", ["q1/01-food-next-to-you", "q1/04-nook"])
@pytest.mark.parametrize(
    ("value", "returned"),
    [("None", "None"), ("'7'", "'7' (str)"), ("(7, 1)", "(7, 1) (tuple)"), ("float('nan')", "nan (float)")],
)
def test_a_reflex_agent_that_returns_no_number_hears_what_it_returned(
    case: str, value: str, returned: str, tmp_path: Path
) -> None:
    score = graded_text(tmp_path, NATIVE.format(extra=f"return {value}"), case)
    action = "West" if "food" in case else "Stop"
    wrong = f"evaluate_action returned {returned} for {action}; expected a number (line 8: def evaluate_action("
    assert wrong in score.message
    assert score.picture[-1].startswith("%%%")  # the position of the case, or of the ply in the game


@pytest.mark.parametrize("line", ["if action == 'East': return float('-inf')", "return action == 'East'"])
def test_a_reflex_agent_may_return_infinity_and_truth_values(line: str, tmp_path: Path) -> None:
    assert not graded_text(tmp_path, NATIVE.format(extra=line), "q1/01-food-next-to-you").fault


def test_a_truncated_game_is_explained() -> None:
    ends = [("win", 500), ("truncated", 90), ("loss", -300), ("truncated", 50)]
    results = tuple(Result(end, score, 600, seed, (0.0,)) for seed, (end, score) in enumerate(ends))
    match = next(case.input for case in loading.load("multiagent").cases if case.id == "q1/05-pillars")
    assert isinstance(match, MatchInput)
    explanation = describe_games(match, Answer(results=results))
    assert explanation.sentence == (
        "games won: 1 of 4; a truncated game reached its limit of 600 plies before Pacman won or lost"
    )
    assert explanation.picture == (
        "  game 3: loss, score -300, 600 plies",
        "  game 2: truncated, score 90, 600 plies",
        "  game 4: truncated, score 50, 600 plies",
        "  game 1: win, score 500, 600 plies",
    )


def test_no_values_cost_no_points(tmp_path: Path) -> None:
    """An agent that fails only when the grader asks for the values of the last move keeps its result."""
    right = graded_text(tmp_path, NATIVE.format(extra=""), "q1/04-nook")
    extra = "import sys\n        if sys._getframe(1).f_code.co_name != '_number': raise ValueError"
    failing = graded_text(tmp_path, NATIVE.format(extra=extra), "q1/04-nook")
    assert (failing.fault, failing.lost) == ("", right.lost)
    assert not any("your values" in line for line in failing.picture)
    extra = "import sys\n        if sys._getframe(1).f_code.co_name != '_number': return 'a lot'"
    assert graded_text(tmp_path, NATIVE.format(extra=extra), "q1/04-nook").fault == ""


@pytest.mark.parametrize("case", ["q1/04-nook", "q6/01-nook"])
def test_a_lost_game_can_be_played_again(case: str, tmp_path: Path) -> None:
    score = graded_text(tmp_path, NATIVE.format(extra=""), case)
    diagram = score.diagram
    assert diagram is not None
    state = GameState.parse(diagram.start)
    for action in diagram.moves.split():
        state = state.successor(action)
    assert state.is_lose
    line = f"  game {diagram.game}: loss, score {state.score}, {len(diagram.moves.split())} plies"
    assert next(line for line in score.picture if line.startswith("  game ")) == line
    assert score.case_command.startswith(f"python -m autograder case {case} --agent ")


def test_a_game_that_a_fault_ends_is_shown_up_to_there(tmp_path: Path) -> None:
    extra = "if len(state.food) < 8: raise ValueError"
    score = graded_text(tmp_path, NATIVE.format(extra=extra), "q1/04-nook")
    assert score.diagram is not None
    plies = len(score.diagram.moves.split())
    assert score.message.startswith(f"game {score.diagram.game}, ply {plies}: ")
    picture = graded_text(tmp_path, NATIVE.format(extra="raise ValueError"), "q1/01-food-next-to-you").diagram
    assert picture is not None
    assert str(GameState.parse(picture.start)) == picture.start
