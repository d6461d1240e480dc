"""What a report lets a student see again: each game that was not won, and the smallest tree on which a search fails."""

from __future__ import annotations

import html
import io
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from autograder.cases import loading
from autograder.grading.commands import MAX_LENGTH, SubmissionOptions, game_command, tree_command
from autograder.judge.explain import describe_games
from autograder.judge.scorecard import CaseScore, Diagnosis, Diagram, QuestionScore, Scorecard
from autograder.judge.submission_answer import Answer
from autograder.report import gradescope, markdown, terminal
from autograder.report import json as report_json
from autograder.report.drawing import drawing_lines
from pacman.core.state import GameState
from pacman.core.tree_text import Outline
from pacman.play.game import Result
from tests.command_line import run_here
from tests.course.small_class import RIGHT
from tests.every_report import checked
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


def native(folder: Path, extra: str = "", case: str = "q1/04-nook") -> CaseScore:
    return graded_text(folder, NATIVE.format(extra=extra), case)


@pytest.mark.parametrize(
    ("case", "api", "count"), [("q1/04-nook", "native", 12), ("q6/01-nook", "native", 5), ("q1/02-pillars", "cs188", 7)]
)
def test_a_lost_game_shows_the_values_of_the_last_move_and_can_be_played_again(
    case: str, api: str, count: int, tmp_path: Path
) -> None:
    """With random and directional ghosts, for an agent and for an evaluation."""
    score = graded_text(tmp_path, NATIVE.format(extra="") if api == "native" else BERKELEY, case, api)
    assert re.fullmatch(rf"games won: \d of {count}", score.why)
    assert score.diagram
    picture = drawing_lines(score.diagram)
    games = [line for line in picture if line.startswith("  game ")]
    assert len(games) == count
    assert games == sorted(games, key=lambda line: "win" in line)
    assert re.fullmatch(r"  game \d: loss, score -?\d+, \d+ plies", games[0])
    (move,) = (line for line in picture if line.startswith("  Pacman's last move in game "))
    (values,) = (line for line in picture if line.startswith("  your values there: "))
    pairs = [pair.split(" ") for pair in values.removeprefix("  your values there: ").split(", ")]
    best = max(pairs, key=lambda pair: float(pair[1]))[0]
    assert move.endswith(f": {best}")  # the agent took the action with the greatest value
    if api == "cs188":
        return
    assert score.case_command.startswith(f"python -m autograder case {case} --agent ")
    diagram = score.diagram
    state = GameState.parse(diagram.start)
    for action in diagram.moves.split():
        state = state.successor(action)
    assert state.is_lose
    assert games[0] == f"  game {diagram.game}: loss, score {state.score}, {len(diagram.moves.split())} plies"
    python, option, program, *arguments = shlex.split(score.command)
    assert (python, option, program, arguments[0]) == ("python", "-m", "pacman", "watch")
    result = json.loads(run_here("pacman", *arguments, "--view", "none", "--json", "-").stdout.splitlines()[0])
    ending = f"{result['outcome']}, score {result['score']}, {result['plies']} plies"
    assert games[0] == f"  game {result['seed'] % 1000}: {ending}"


def test_a_game_is_not_repeated_if_its_seed_is_secret_or_watch_cannot_play_it() -> None:
    case = next(case for case in loading.load("multiagent").cases if case.id == "q1/04-nook")
    result, options = Result("loss", -3, 9, 3002, (0.0,)), SubmissionOptions("my.py")
    known = game_command(case, result, 2, options)
    assert known.endswith("--ghosts random my.py:ReflexAgent --seed 3002 --max-plies 600")
    assert game_command(case, replace(result, seed=77), 2, options) == ""
    assert game_command(case, result, 2, replace(options, api="cs188")) == ""
    for change in ({"layout": "%%%%\n%P.%\n%%%%"}, {"ghosts": ("directional(0.5)",)}):
        other = replace(case, input=replace(case.input, **change))  # type: ignore[arg-type]
        assert game_command(other, result, 2, options) == ""


def test_a_wrong_action_is_shown_with_the_values_of_the_student(tmp_path: Path) -> None:
    """Infinity and truth values are values too."""
    score = native(tmp_path, "return -10 * state.successor(action).pacman.position[0]", "q1/02-death-next-to-you")
    assert score.why == "action: expected East (-50) or Stop (-40), got West (-30); your values are in parentheses"
    assert score.diagram
    assert drawing_lines(score.diagram) == ["%%%%%%%", "%.G P %", "%%%%% %", "%.    %", "%%%%%%%"]
    for line in ("if action == 'East': return float('-inf')", "return action == 'East'"):
        assert not native(tmp_path, line, "q1/01-food-next-to-you").fault


RETURNED = [("None", "None"), ("'7'", "'7' (str)"), ("(7, 1)", "(7, 1) (tuple)"), ("float('nan')", "nan (float)")]


@pytest.mark.parametrize("case", ["q1/01-food-next-to-you", "q1/04-nook"])
def test_a_reflex_agent_that_returns_no_number_hears_what_it_returned(case: str, tmp_path: Path) -> None:
    action = "West" if "food" in case else "Stop"
    for value, returned in RETURNED:
        score = native(tmp_path, f"return {value}", case)
        wrong = f"evaluate_action returned {returned} for {action}; expected a number (line 8: def evaluate_action("
        assert wrong in score.message
        assert score.diagram
        assert drawing_lines(score.diagram)[-1].startswith("%%%")  # the position of the case, or of the ply in the game


def test_a_truncated_game_is_explained() -> None:
    ends = [("win", 500), ("truncated", 90), ("loss", -300), ("truncated", 50)]
    results = tuple(Result(end, score, 600, seed, (0.0,)) for seed, (end, score) in enumerate(ends))
    match = next(case for case in loading.load("multiagent").cases if case.id == "q1/05-pillars")
    explanation = describe_games(match, Answer(results=results))
    assert explanation.sentence == (
        "games won: 1 of 4; a truncated game reached its limit of 600 plies before Pacman won or lost"
    )
    lines = (3, "loss", -300), (2, "truncated", 90), (4, "truncated", 50), (1, "win", 500)
    text = [f"  game {n}: {end}, score {score}, 600 plies" for n, end, score in lines]
    assert drawing_lines(explanation.diagram) == text
    assert drawing_lines(explanation.diagram, is_short=True) == text
    assert drawing_lines(describe_games(match, Answer(results=results * 2)).diagram, True)[3:] == ["  ... 5 more games"]


def test_no_values_cost_no_points_and_a_game_that_a_fault_ends_is_shown_up_to_there(tmp_path: Path) -> None:
    """An agent that fails only when the grader asks for the values of the last move keeps its result."""
    later = "import sys\n        if sys._getframe(1).f_code.co_name != '_number': "
    right, failing = native(tmp_path), native(tmp_path, f"{later}raise ValueError")
    assert (failing.fault, failing.lost) == ("", right.lost)
    assert failing.diagram
    assert failing.diagram.values is None
    assert native(tmp_path, f"{later}return 'a lot'").fault == ""
    score = native(tmp_path, "if len(state.food) < 8: raise ValueError")
    assert score.diagram
    assert score.message.startswith(f"game {score.diagram.game}, ply {len(score.diagram.moves.split())}: ")
    picture = native(tmp_path, "raise ValueError", "q1/01-food-next-to-you").diagram
    assert picture
    assert str(GameState.parse(picture.start)) == picture.start


WRONG = RIGHT.replace("(max if node.layer is Layer.MAX else min)", "max", 1)


def test_the_smallest_tree_has_a_command_that_fails_in_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "it's mine.py"
    path.write_text(WRONG, encoding="utf-8")
    reports = [tmp_path / name for name in ("report.json", "report.html")]
    options = "--question", "q2", "--json", str(reports[0]), "--html", str(reports[1])
    printed = run_here("pacman-grade", "grade", str(path), *options).stdout
    card = checked(report_json.load(reports[0].read_text(encoding="utf-8")))
    found = card.questions[0].diagnosis
    assert found
    assert found.smallest
    python, option, program, *arguments = shlex.split(found.command)
    assert (python, option, program, arguments[0]) == ("python", "-m", "autograder", "case")
    page = html.unescape(re.sub("<[^>]*>", "", reports[1].read_text(encoding="utf-8")))
    for text in (printed, page):  # what the person who started the script reads names the script
        assert found.command not in text
        assert found.command.replace("python -m autograder", "pacman-grade") in text
    assert Outline.parse(arguments[1]) == Outline.parse(found.smallest.start)
    done = run_here("autograder", *arguments)
    assert done.returncode == 1
    assert drawing_lines(found.smallest)[1].strip() in [line.strip() for line in done.stdout.splitlines()]
    assert f"To run just this: `{found.command}`" in markdown.dump(card)
    assert json.dumps(found.command)[1:-1] in gradescope.dump(card)


def test_a_command_that_is_too_long_is_left_out_and_the_terminal_prints_others_on_one_line() -> None:
    leaves, options = "\n".join(f"  action{number}: {number}" for number in range(20)), SubmissionOptions("my.py")
    assert tree_command(f"max\n{leaves}", 1, "MinimaxAgent", options) == ""
    assert len(tree_command("max\n  a: 1", 1, "MinimaxAgent", SubmissionOptions("x" * 400))) <= MAX_LENGTH
    assert tree_command("max\n  {: 1", 1, "MinimaxAgent", options) == ""
    command = "python -m autograder case 'max { a: 3; b: min { x: 2; y: 8 } }' --plies 2 --agent my.py:MinimaxAgent"
    found = Diagnosis(("Wrong.",), "", (), Diagram("max", 2), command=command)
    question = QuestionScore("q2", "Minimax", 5, (), found, withheld="locked")
    out = io.StringIO()
    terminal.render(Scorecard("a", "A", "my.py", "", (question,), 1), Console(file=out, width=60))
    assert f"  To run just this: {command}\n" in out.getvalue()
