"""The command in a report runs what it says: the smallest tree on which a search fails. (Games: test_lost_games.)"""

from __future__ import annotations

import html
import io
import json
import re
import shlex
from pathlib import Path

from rich.console import Console

from autograder.grading.commands import MAX_LENGTH, SubmissionOptions, tree_command
from autograder.judge.scorecard import Diagnosis, QuestionScore, Scorecard, SmallestTree
from autograder.report import gradescope, markdown, terminal
from autograder.report import json as report_json
from pacman.core.tree_text import Outline
from tests.command_line import run_here
from tests.course.small_class import RIGHT
from tests.every_report import checked

WRONG = RIGHT.replace("(max if node.layer is Layer.MAX else min)", "max", 1)


def test_the_smallest_tree_has_a_command_that_fails_in_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "it's mine.py"
    path.write_text(WRONG, encoding="utf-8")
    reports = [tmp_path / name for name in ("report.json", "report.html")]
    options = "--question", "q2", "--json", str(reports[0]), "--html", str(reports[1])
    shown = run_here("pacman-grade", "grade", str(path), *options).stdout
    card = checked(report_json.load(reports[0].read_text(encoding="utf-8")))
    smallest = card.questions[0].diagnosis and card.questions[0].diagnosis.smallest
    assert smallest
    python, option, program, *arguments = shlex.split(smallest.command)
    assert (python, option, program, arguments[0]) == ("python", "-m", "autograder", "case")
    page = html.unescape(re.sub("<[^>]*>", "", reports[1].read_text(encoding="utf-8")))
    for text in (shown, page):  # what the person who started the script reads names the script
        assert smallest.command not in text
        assert smallest.command.replace("python -m autograder", "pacman-grade") in text
    assert Outline.parse(arguments[1]) == Outline.parse(smallest.tree)
    done = run_here("autograder", *arguments)
    assert done.returncode == 1
    assert smallest.picture[1].strip() in [line.strip() for line in done.stdout.splitlines()]
    assert f"To run just this: `{smallest.command}`" in markdown.dump(card)
    assert json.dumps(smallest.command)[1:-1] in gradescope.dump(card)


def test_a_command_that_is_too_long_is_left_out_and_the_terminal_prints_others_on_one_line() -> None:
    leaves, options = "\n".join(f"  action{number}: {number}" for number in range(20)), SubmissionOptions("my.py")
    assert tree_command(f"max\n{leaves}", 1, "MinimaxAgent", options) == ""
    assert len(tree_command("max\n  a: 1", 1, "MinimaxAgent", SubmissionOptions("x" * 400))) <= MAX_LENGTH
    assert tree_command("max\n  {: 1", 1, "MinimaxAgent", options) == ""
    command = "python -m autograder case 'max { a: 3; b: min { x: 2; y: 8 } }' --plies 2 --agent my.py:MinimaxAgent"
    smallest = SmallestTree("max", 2, ("max",), command)
    question = QuestionScore("q2", "Minimax", 5, (), Diagnosis(("Wrong.",), "", (), smallest), withheld="locked")
    out = io.StringIO()
    terminal.render(Scorecard("a", "A", "my.py", "", (question,), 1), Console(file=out, width=60))
    assert f"  To run just this: {command}\n" in out.getvalue()
