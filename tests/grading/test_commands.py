"""The commands in reports run what they say: the smallest tree on which a search fails, and the lost game."""

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
from autograder.judge.scorecard import Diagnosis, QuestionScore, Scorecard, SmallestTree
from autograder.report import gradescope, markdown, terminal
from autograder.report import json as report_json
from pacman.core.tree_text import Outline
from pacman.play.game import Result
from tests.command_line import run_here
from tests.course.small_class import RIGHT
from tests.every_report import checked
from tests.graded import graded

MULTIAGENT = loading.load("multiagent")
LOSES = """
from agents.base import ReflexBase


class ReflexAgent(ReflexBase):
    def evaluate_action(self, state, action):
        x, y = state.successor(action).pacman.position
        return (7 * x + 3 * y + len(state.food)) % 5


def better_evaluation(state):
    x, y = state.pacman.position
    return state.score + (7 * x + 3 * y) % 5 - 100 * len(state.food)
"""
WRONG = RIGHT.replace("(max if node.layer is Layer.MAX else min)", "max", 1)


def watch(command: str) -> dict[str, object]:
    """The result of the game that a command shows."""
    python, option, program, *arguments = shlex.split(command)
    assert (python, option, program, arguments[0]) == ("python", "-m", "pacman", "watch")
    done = run_here("pacman", *arguments, "--view", "none", "--json", "-")
    result: dict[str, object] = json.loads(done.stdout.splitlines()[0])
    return result


@pytest.mark.parametrize("question", ["q1", "q6"])
def test_the_command_of_a_lost_game_plays_the_same_game(question: str, tmp_path: Path) -> None:
    """With random and directional ghosts, for an agent and for an evaluation."""
    path = tmp_path / "loses here.py"
    path.write_text(LOSES, encoding="utf-8")
    card = graded(path, question, jobs=2)
    commands = [case for case in card.questions[0].cases if case.command]
    assert len(commands) >= 2
    for case in commands:
        first = case.picture[0]
        result = watch(case.command)
        number = int(str(result["seed"])) % 1000
        assert first.startswith(
            f"  game {number}: {result['outcome']}, score {result['score']}, {result['plies']} plies"
        )
    markdown_text = markdown.dump(card)
    assert f"To see this game: `{commands[0].command}`" in markdown_text
    assert "To see this game: " in gradescope.dump(card)


def test_a_game_is_not_repeated_if_its_seed_is_secret_or_watch_cannot_play_it() -> None:
    case = next(case for case in MULTIAGENT.cases if case.id == "q1/04-nook")
    result = Result("loss", -3, 9, 3002, (0.0,))
    options = SubmissionOptions("my.py")
    known = game_command(case, result, 2, options)
    assert known.endswith("--ghosts random my.py:ReflexAgent --seed 3002 --max-plies 600")
    assert game_command(case, replace(result, seed=77), 2, options) == ""
    assert game_command(case, result, 2, replace(options, api="cs188")) == ""
    for change in ({"layout": "%%%%\n%P.%\n%%%%"}, {"ghosts": ("directional(0.5)",)}):
        other = replace(case, input=replace(case.input, **change))  # type: ignore[arg-type]
        assert game_command(other, result, 2, options) == ""


def test_the_smallest_tree_has_a_command_that_fails_in_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "it's mine.py"
    path.write_text(WRONG, encoding="utf-8")
    reports = [tmp_path / name for name in ("report.json", "report.html")]
    shown = run_here(
        "pacman-grade", "grade", str(path), "--question", "q2", "--json", str(reports[0]), "--html", str(reports[1])
    ).stdout
    card = checked(report_json.load(reports[0].read_text(encoding="utf-8")))
    diagnosis = card.questions[0].diagnosis
    assert diagnosis is not None
    assert diagnosis.smallest is not None
    smallest = diagnosis.smallest
    python, option, program, *arguments = shlex.split(smallest.command)
    assert (python, option, program, arguments[0]) == ("python", "-m", "autograder", "case")
    page = html.unescape(re.sub("<[^>]*>", "", reports[1].read_text(encoding="utf-8")))
    for text in (shown, page):  # what the person who started the script reads names the script
        assert smallest.command not in text
        assert smallest.command.replace("python -m autograder", "pacman-grade") in text
    assert Outline.parse(arguments[1]) == Outline.parse(smallest.tree)
    done = run_here("autograder", *arguments)
    assert done.returncode == 1
    drawn = [line.strip() for line in done.stdout.splitlines()]
    assert smallest.picture[1].strip() in drawn
    assert f"To run just this: `{smallest.command}`" in markdown.dump(card)
    assert json.dumps(smallest.command)[1:-1] in gradescope.dump(card)


def test_a_command_that_is_too_long_is_left_out() -> None:
    leaves = "\n".join(f"  action{number}: {number}" for number in range(20))
    assert tree_command(f"max\n{leaves}", 1, "MinimaxAgent", SubmissionOptions("my.py")) == ""
    assert len(tree_command("max\n  a: 1", 1, "MinimaxAgent", SubmissionOptions("x" * 400))) <= MAX_LENGTH
    assert tree_command("max\n  {: 1", 1, "MinimaxAgent", SubmissionOptions("my.py")) == ""


def test_the_terminal_prints_a_command_on_one_line() -> None:
    command = "python -m autograder case 'max { a: 3; b: min { x: 2; y: 8 } }' --plies 2 --agent my.py:MinimaxAgent"
    smallest = SmallestTree("max", 2, ("max",), command)
    question = QuestionScore("q2", "Minimax", 5, (), Diagnosis(("Wrong.",), "", (), smallest), withheld="locked")
    out = io.StringIO()
    terminal.render(Scorecard("a", "A", "my.py", "", (question,), 1), Console(file=out, width=60))
    assert f"  To run just this: {command}\n" in out.getvalue()
