"""Commands, as text for a POSIX shell, with which a student runs one case, one tree or one game again."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.cases.case import Case, MatchInput, layout_path
from autograder.judge.explain import worst_first
from autograder.judge.scorecard import CaseScore
from autograder.judge.submission_answer import Answer
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

    def case_command(self, *words: str, part: str = "") -> str:
        """The command that runs a case of the assignment, or a part on a tree; "" if it is too long to be of use.

        >>> SubmissionOptions("multiAgents.py", "cs188").case_command("q2/01-figure")
        'python -m autograder case q2/01-figure --agent multiAgents.py --api cs188'
        """
        options = ["--api", self.api] if self.api else []
        options += ["--assignment", self.assignment] if self.assignment else []
        agent = f"{self.file}:{part}" if part else self.file
        return _command("autograder", "case", *words, "--agent", agent, *options)


def _command(*words: str) -> str:
    command = shlex.join(["python", "-m", *words])
    return command if len(command) <= MAX_LENGTH else ""


def tree_command(tree: str, plies: int, part: str, options: SubmissionOptions) -> str:
    """The command that runs a part on the tree in an outline; "" if it is too long to be of use.

    >>> tree_command("max\\n  a: 3\\n  b: 5", 1, "MinimaxAgent", SubmissionOptions("my.py"))
    "python -m autograder case 'max { a: 3; b: 5 }' --plies 1 --agent my.py:MinimaxAgent"
    """
    try:
        line = Outline.parse(tree).to_one_line()
    except ValueError:  # an action or a name with a brace
        return ""
    return options.case_command(line, "--plies", str(plies), part=part)


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
    agent = f"{options.file}:{question.part}"
    if question.role != "choice":
        search = agent if question.role == "search" else f"expectiminimax:evaluation={agent}"
        agent = f"{search}:rounds={match.rounds}"
    agent += "".join(f":{name}={value}" for name, value in match.arguments.items())
    ghosts = ["--ghosts", ",".join(match.ghosts)] if match.ghosts else []
    limits = ["--seed", str(result.seed), "--max-plies", str(match.max_plies)]
    return _command("pacman", "watch", "--layout", match.layout, *ghosts, agent, *limits)


def with_commands(case: Case, score: CaseScore, answer: Answer | None, options: SubmissionOptions) -> CaseScore:
    """The score of a case with the commands for what lost points.

    One runs the case. For a match, another one shows its first lost or truncated game.
    """
    if score.earned < 1 and not score.hidden:
        score = replace(score, case_command=options.case_command(case.id))
    if not isinstance(case.input, MatchInput) or answer is None or not answer.results or score.earned == 1:
        return score
    number, result = worst_first(answer.results)[0]
    command = "" if result.outcome == "win" else game_command(case, result, number, options)
    return replace(score, command=command)
