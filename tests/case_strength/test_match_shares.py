"""Drawn games: a right file gets full marks, and an agent that does not see something does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.case_strength import programs
from autograder.case_strength.match_shares import LocalPlayer, earned_with_key, full_share, numbered_key, step_shares
from autograder.cases import loading
from autograder.cases.case import Case, MatchInput
from autograder.sandbox import submission_files
from tests.case_strength.match_agents import BLIND, ORDINARY, RIGHT, blind_agent
from tests.command_line import run_here
from tests.graded import graded_case

APIS = {"multiagent": "native", "classic": "cs188"}
DANGER = {"multiagent": ("q1/02-death-next-to-you", "q1/04-nook"), "classic": ("q1/03-death-next-to-you",)}
TRAP = {"multiagent": ("q6/06-trap",), "classic": ()}
HUNT = {"multiagent": ("q6/07-hunt",), "classic": ()}
LOST = {
    "ignores ghosts": (DANGER, TRAP, HUNT),
    "ignores danger": (DANGER, TRAP),
    "ignores scared ghosts": (HUNT,),
    "ignores capsules": (HUNT,),
}
"""What an agent does not see, and the cases in which it loses points."""
KEYS = 3
RANDOM_MOVES = """\
import random
from game import Agent


class ReflexAgent(Agent):
    def getAction(self, gameState):
        return random.choice(gameState.getLegalActions())
"""


def case_named(assignment: str, case: str) -> Case:
    return loading.load(assignment).only(None, case).cases[0]


def share(assignment: str, case: str, text: str, number: int) -> float:
    """The share of a case that a file gets with a key; the least of its criteria."""
    loaded, api = case_named(assignment, case), APIS[assignment]
    player = LocalPlayer(programs.load(text, api), loaded, api)
    return min(earned_with_key(loaded, player, numbered_key(number), "a digest").values())


@pytest.mark.parametrize("assignment", APIS)
def test_a_right_file_gets_full_marks(assignment: str) -> None:
    text = RIGHT[assignment].read_text(encoding="utf-8")
    for case in (case for kind in (DANGER, TRAP, HUNT) for case in kind[assignment]):
        assert [share(assignment, case, text, key) for key in range(KEYS)] == [1] * KEYS, case


def test_an_ordinary_file_gets_full_marks_in_classic() -> None:
    for case in loading.load("classic").cases:
        if isinstance(case.input, MatchInput):
            assert share("classic", case.id, ORDINARY, 1) == 1, case.id


@pytest.mark.slow("that grade or diagnose wrong searches", keep=2)
@pytest.mark.parametrize(("assignment", "name"), [(each, name) for each in APIS for name in BLIND[each]])
def test_a_blind_agent_loses_points(name: str, assignment: str) -> None:
    assert any(kind[assignment] for kind in LOST[name])
    text = blind_agent(assignment, name)
    for case in (case for kind in LOST[name] for case in kind[assignment]):
        assert max(share(assignment, case, text, key) for key in range(KEYS)) < 1, case


@pytest.mark.parametrize(
    ("assignment", "case"), [("multiagent", "q1/04-nook"), ("multiagent", "q6/07-hunt"), ("classic", "q1/01-meadow")]
)
def test_the_games_are_those_of_a_grading_with_the_same_key(assignment: str, case: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    text = blind_agent(assignment, "ignores ghosts") if assignment == "multiagent" else RANDOM_MOVES
    file.write_text(text, encoding="utf-8")
    loaded, api, key = case_named(assignment, case), APIS[assignment], numbered_key(0)
    player = LocalPlayer(programs.load(file.read_text(encoding="utf-8"), api), loaded, api)
    earned = earned_with_key(loaded, player, key, submission_files.read(file).digest)
    lost = {finding.criterion: finding.earned for finding in graded_case(file, case, api, key=key).lost}
    assert lost
    assert {criterion: value for criterion, value in earned.items() if value < 1} == lost


def test_shares_count_the_keys_that_reach_a_goal() -> None:
    case = case_named("multiagent", "q6/04-dash")
    of_keys = [{case.id: {"wins": wins, "mean_score": score}} for wins, score in ((1, 1), (1, 0.5), (0.5, 0), (0, 0))]
    assert dict(step_shares(case, of_keys)) == {
        "wins 1": 0.75,
        "wins 2": 0.5,
        "mean_score 200": 0.5,
        "mean_score 400": 0.25,
    }
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


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_the_command_check_shows_how_often_each_goal_is_reached(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    (folder / "cases" / "q").mkdir(parents=True)
    (folder / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
    (folder / "right.py").write_text(AGENT.replace("ACTION", "East"), encoding="utf-8")
    case, other = folder / "cases" / "q" / "short.yaml", tmp_path / "other.py"
    case.write_text(MATCH.replace("GOAL", "500"), encoding="utf-8")
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
    asked = ("autograder", "check", str(folder), "--mutants", "0", "--keys", "3", "--jobs", "1", "--agent")
    assert "full marks with 0 % of 3 keys\n  short: wins 1 0 %," in run_here(*asked, str(other)).stdout
    other.write_text("def", encoding="utf-8")
    broken = run_here(*asked, str(other))
    assert broken.returncode == 2
    assert broken.stderr.startswith(f"python -m autograder: {other}: SyntaxError: invalid syntax")
    absent = run_here(*asked, "absent.py")
    assert absent.stderr == "python -m autograder: absent.py: cannot be read: no such file or directory\n"
