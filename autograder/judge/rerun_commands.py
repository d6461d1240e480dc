"""Commands, as text for a POSIX shell, with which a student runs one case, one tree or one game again."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from autograder.cases.case import Case, MatchInput, Question
from autograder.cases.file_names import layout_path
from pacman.core.rounds import MODELS
from pacman.core.tree_text import Outline
from pacman.play.game import Result

MAX_LENGTH = 290
"""The longest command, in characters: a longer one does not help, and a report would cut it."""


@dataclass(frozen=True)
class SubmissionOptions:
    """The file of a submission as the student writes it, and the options with which it was graded.

    `api` and `assignment` are "" if they have their defaults.
    """

    file: str
    api: str = ""
    assignment: str = ""


def tree_command(tree: str, plies: int, part: str, options: SubmissionOptions) -> str:
    """The command that runs a part on the tree in an outline; "" if it is too long to be of use.

    >>> tree_command("max\\n  a: 3\\n  b: 5", 1, "MinimaxAgent", SubmissionOptions("my.py"))
    "python -m autograder case 'max { a: 3; b: 5 }' --plies 1 --agent my.py:MinimaxAgent"
    """
    try:
        line = Outline.parse(tree).to_one_line()
    except ValueError:  # an action or a name with a brace
        return ""
    return _case_command([line, "--plies", str(plies)], f"{options.file}:{part}", options)


def case_command(case_id: str, options: SubmissionOptions) -> str:
    """The command that runs one case of the assignment.

    >>> case_command("q2/01-figure", SubmissionOptions("multiAgents.py", "cs188"))
    'python -m autograder case q2/01-figure --agent multiAgents.py --api cs188'
    """
    return _case_command([case_id], options.file, options)


def _case_command(words: list[str], agent: str, options: SubmissionOptions) -> str:
    words = ["python", "-m", "autograder", "case", *words, "--agent", agent]
    words += ["--api", options.api] if options.api else []
    words += ["--assignment", options.assignment] if options.assignment else []
    command = shlex.join(words)
    return command if len(command) <= MAX_LENGTH else ""


def game_command(case: Case, result: Result, number: int, options: SubmissionOptions) -> str:
    """The command that shows a game of a match again; "" if `watch` cannot play the same game.

    It can if everybody may know the seed of the game: if that comes from the case and the `number` of the game alone.
    """
    match, question = case.input, case.question
    assert isinstance(match, MatchInput)
    is_known = result.seed == 1000 * match.seed + number
    is_named = "\n" not in match.layout and layout_path(match.layout, Path()) is None
    if options.api or not is_known or not is_named or not set(match.ghosts) <= set(MODELS):
        return ""
    words = ["python", "-m", "pacman", "watch", "--layout", match.layout]
    words += ["--ghosts", ",".join(match.ghosts)] if match.ghosts else []
    words += [_pacman(question, match, options.file)]
    words += ["--seed", str(result.seed), "--max-plies", str(match.max_plies)]
    command = shlex.join(words)
    return command if len(command) <= MAX_LENGTH else ""


def _pacman(question: Question, match: MatchInput, file: str) -> str:
    """The Pacman of a match, with options: the student's class, or a search with the student's evaluation."""
    part = f"{file}:{question.part}"
    if question.role == "choice":
        return part
    agent = part if question.role == "search" else f"expectiminimax:evaluation={part}"
    return f"{agent}:rounds={match.rounds}"
