"""Drawn games: a right file gets full marks, and an agent that does not see something does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.case_strength.match_shares import (
    full_share,
    numbered_key,
    play,
    reached_in,
    step_shares,
)
from autograder.cases import loading
from autograder.cases.case import Case, MatchInput
from autograder.sandbox import run_case
from autograder.sandbox.in_process import InProcess
from tests.command_line import run_here
from tests.graded import graded_case
from tests.paths import ROOT
from tests.written_files import write_files

APIS = {"multiagent": "native", "classic": "cs188"}
KEYS = 3
SOLUTIONS = {name: ROOT / "autograder" / "assignments" / name / "solutions.py" for name in APIS}
"""Files with a good reflex agent and a good evaluation."""
DANGER = ("q1/02-death-next-to-you", "q1/04-nook")
TRAP, HUNT, CLASSIC = "q6/06-trap", "q6/07-hunt", "q1/03-death-next-to-you"
NO_CAPSULES = (" - 20.0 * state.capsule_mask.bit_count()", "")
NO_CHASE = ("if ghost.timer > 2 * distance:", "if False:")
NO_STATES = ("in zip(newGhostStates, newScaredTimes):", "in ():")
BLIND = {
    ("multiagent", "ghosts"): ((("in state.ghosts:", "in ():"),), (*DANGER, TRAP, HUNT)),
    ("multiagent", "danger"): ((("elif not ghost.timer and distance <= 3:", "elif False:"),), (*DANGER, TRAP)),
    ("multiagent", "scared ghosts"): ((NO_CAPSULES, NO_CHASE), (HUNT,)),
    ("multiagent", "capsules"): (
        (NO_CAPSULES, NO_CHASE, ("elif not ghost.timer and distance", "elif distance")),
        (HUNT,),
    ),
    ("classic", "ghosts"): ((NO_STATES, ("in currentGameState.getGhostStates():", "in ():")), (CLASSIC,)),
    ("classic", "danger"): ((NO_STATES, ("elif distance < 2:", "elif False:")), (CLASSIC,)),
}
"""What an agent does not see: the changes of the sample answer that make it so, and the cases that show it."""


def blind(assignment: str, name: str) -> str:
    """The text of a file whose reflex agent and evaluation do not see something."""
    text = SOLUTIONS[assignment].read_text(encoding="utf-8")
    for old, new in BLIND[assignment, name][0]:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


OTHER = ROOT / "tests/submissions/classic/closures.py"
"""A reflex agent and an evaluation as many students write them."""
RANDOM_MOVES = """\
import random
from game import Agent


class ReflexAgent(Agent):
    def getAction(self, gameState):
        return random.choice(gameState.getLegalActions())
"""


def case_named(assignment: str, case: str) -> Case:
    return loading.load(assignment).only(None, case).cases[0]


def share(assignment: str, case: str, file: Path, number: int) -> float:
    """The share of a case that a file gets with a key."""
    loaded, seeds = case_named(assignment, case), numbered_key(number).seeds("a digest")
    return reached_in(loaded, run_case.run(loaded, None, InProcess.of_file(file, APIS[assignment]), seeds))["earned"]


def test_a_right_file_gets_full_marks_and_another_one_in_classic() -> None:
    for assignment, case in sorted({(each, case) for (each, _), (_, cases) in BLIND.items() for case in cases}):
        assert [share(assignment, case, SOLUTIONS[assignment], key) for key in range(KEYS)] == [1] * KEYS, case
    for loaded in loading.load("classic").cases:
        if isinstance(loaded.input, MatchInput):
            assert share("classic", loaded.id, OTHER, 1) == 1, loaded.id


@pytest.mark.slow("that grade or diagnose wrong searches", keep=2)
@pytest.mark.parametrize(("assignment", "name"), BLIND)
def test_a_blind_agent_loses_points(assignment: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "blind.py").write_text(blind(assignment, name), encoding="utf-8")
    for case in BLIND[assignment, name][1]:
        assert max(share(assignment, case, tmp_path / "blind.py", key) for key in range(KEYS)) < 1, case


@pytest.mark.parametrize(
    ("assignment", "case"), [("multiagent", "q1/04-nook"), ("multiagent", "q6/07-hunt"), ("classic", "q1/01-meadow")]
)
def test_the_games_are_those_of_a_grading_with_the_same_key(assignment: str, case: str, tmp_path: Path) -> None:
    file, loaded, api, key = tmp_path / "mine.py", case_named(assignment, case), APIS[assignment], numbered_key(0)
    file.write_text(blind(assignment, "ghosts") if assignment == "multiagent" else RANDOM_MOVES, encoding="utf-8")
    (of_key,) = play([loaded], api, file, range(1))
    assert of_key[case]["earned"] == graded_case(file, case, api, key=key).earned < 1


def test_shares_count_the_keys_that_reach_a_goal() -> None:
    case = case_named("multiagent", "q6/04-dash")
    numbers = ((1, 2, 400), (0.75, 3, 399), (0.25, 1, 100), (0, 2, 500))
    of_keys = [{case.id: {"earned": e, "wins": wins, "mean_score": score}} for e, wins, score in numbers]
    goals = {"wins 1": 0.75, "wins 2": 0.5, "mean_score 200": 0.5, "mean_score 400": 0.25}
    assert dict(step_shares(case, of_keys)) == goals
    assert full_share(of_keys) == 0.25


ASSIGNMENT = """\
title: Games
solutions: right.py
questions:
  - {id: q, title: Q, part: ReflexAgent, points: 1, role: choice}
"""
MATCH = """\
kind: match
shows: a short way
layout: |
  %%%%%%
  %P. G%
  %%%%%%
ghosts: [random]
games: 2
steps: {wins: [1], mean_score: [GOAL]}
"""
AGENT = """\
from agents.base import ReflexBase


class ReflexAgent(ReflexBase):
    def evaluate_action(self, state, action):
        return action == "ACTION"
"""


def test_each_key_and_each_match_begin_anew_as_in_a_grading(tmp_path: Path) -> None:
    """Whatever else is played in the same process: so the number of workers changes nothing."""
    files = {"assignment.yaml": ASSIGNMENT, "cases/q/short.yaml": MATCH.replace("GOAL", "500")}
    text = AGENT.replace('"ACTION"', '("East" if len(GAMES) < 4 else "Stop")').replace("class", "GAMES = []\n\n\nclass")
    text += "\n    def begin(self, rng):\n        GAMES.append(rng.random())\n"
    folder, file = write_files(tmp_path / "games", files), write_files(tmp_path, {"mine.py": text}) / "mine.py"
    of_keys = play(loading.load(str(folder)).cases, "native", file, range(2))
    assert [each["q/short"]["earned"] for each in of_keys] == [1, 1]


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_the_command_check_shows_how_often_each_goal_is_reached(tmp_path: Path) -> None:
    files = {"assignment.yaml": ASSIGNMENT, "right.py": AGENT.replace("ACTION", "East")}
    folder = write_files(tmp_path / "games", {**files, "cases/q/short.yaml": MATCH.replace("GOAL", "500")})
    case, other = folder / "cases/q/short.yaml", tmp_path / "other.py"
    right = run_here("autograder", "check", str(folder), "--mutants", "0", "--keys", "3", "--jobs", "1")
    assert (
        "\nq games     full marks with 100 % of 3 keys\n  short: wins 1 100 %, mean_score 500 100 %\n" in right.stdout
    )
    assert "q: a program that returns the action with the best score and compares nothing earns 100 %" in right.stdout
    case.write_text(MATCH.replace("GOAL", "600"), encoding="utf-8")
    hard = run_here("autograder", "check", str(folder), "--mutants", "0", "--keys", "3", "--jobs", "1")
    assert "\n  expected full marks with at least 99 % of the keys\n" in hard.stdout
    assert hard.returncode == 1
    other.write_text(AGENT.replace("ACTION", "Stop"), encoding="utf-8")
    words = ("autograder", "check", str(folder), "--mutants", "0", "--keys", "3", "--jobs", "1", "--agent")
    assert "full marks with 0 % of 3 keys\n  short: wins 1 0 %," in run_here(*words, str(other)).stdout
    other.write_text("def", encoding="utf-8")
    broken = run_here(*words, str(other))
    assert broken.returncode == 2
    assert broken.stderr.startswith(f"python -m autograder: {other}: SyntaxError: invalid syntax")
    absent = run_here(*words, "absent.py")
    assert absent.stderr.startswith("python -m autograder: absent.py: no such file or folder")
