"""Grades whole Berkeley-style files with the real grader: sandbox, judge and diagnosis."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from agents.cs188.base_state import in_snake_case
from autograder.cases import loading
from autograder.cases.assignment_text import from_text, to_text
from autograder.cases.case import Assignment
from autograder.cases.game_seeds import GameKey
from autograder.commands import checks, contest
from autograder.course.intake.exports import Entry
from autograder.course.new_assignment import copy_of
from autograder.grading.grade import Grader, grade
from autograder.judge.scorecard import QuestionScore, Scorecard
from autograder.platforms.cs188 import API
from autograder.report.drawing import drawing_lines
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.platforms.cs188_grading import ASSIGNMENT, RIGHT
from tests.platforms.cs188_mistakes import SLIPS
from tests.written_files import write_files

INDEX = next(path for path in RIGHT if path.stem == "solutions")
SEARCHES = ("q2", "q3", "q4")


def few(*names: str) -> Assignment:
    """The search questions with only these cases."""
    chosen = tuple(case for case in ASSIGNMENT.cases if case.name in names and case.question.id in SEARCHES)
    questions = tuple(question for question in ASSIGNMENT.questions if question.id in SEARCHES)
    return replace(ASSIGNMENT, title="few", questions=questions, cases=chosen)


FEW = few("01-won-ends", "07-depth-b", "20-one-ghost", "21-one-ghost-wide", "26-two-ghosts-ragged")


def graded(path: Path, assignment: Assignment = FEW) -> Scorecard:
    return grade(path, assignment, jobs=2, api=API)


def of(card: Scorecard, id: str) -> QuestionScore:
    return next(question for question in card.questions if question.id == id)


def file(folder: Path, text: str) -> Path:
    return write_files(folder, {"multiAgents.py": text}) / "multiAgents.py"


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_right_files_get_full_marks(path: Path) -> None:
    card = graded(path)
    assert card.is_full, [case for question in card.questions for case in question.cases if case.earned < 1]


def test_a_file_in_snake_case_gets_full_marks(tmp_path: Path) -> None:
    write_files(tmp_path, {"multi_agents.py": in_snake_case(INDEX.read_text(encoding="utf-8"))})
    assert graded(tmp_path / "multi_agents.py").is_full


def test_an_unwritten_agent_costs_its_own_question(tmp_path: Path) -> None:
    text = INDEX.read_text(encoding="utf-8")
    head = "    def getAction(self, gameState):\n        return self.maxValue(gameState, 0, "
    assert head in text
    unwritten = "    def getAction(self, gameState):\n        util.raiseNotDefined()\n" + head[36:]
    card = graded(file(tmp_path, text.replace(head, unwritten)))
    assert [of(card, id).earned for id in SEARCHES] == [5, 0, 5]
    assert {(case.fault, case.message) for case in of(card, "q3").cases} == {
        ("not written", "AlphaBetaAgent.getAction is not written yet")
    }


def test_the_other_files_of_that_project_are_not_run_and_own_ones_are(tmp_path: Path) -> None:
    text = INDEX.read_text(encoding="utf-8")
    names = [f"{name}.py" for name in ("util", "game", "pacman", "autograder", "layout")]
    helper = "import util\nfrom game import Directions\n\n\ndef lowest(values):\n    return min(values)\n"
    theirs = dict.fromkeys(names, "raise Exception('the other project, which is not to be run')\n")
    write_files(tmp_path, {**theirs, "mysearch.py": helper})
    begin, end = text.index("class MinimaxAgent("), text.index("class AlphaBetaAgent(")
    body = text[begin:end].replace("best = min(best, ", "best = lowest([best, ")
    body = body.replace("depth))\n        return best\n", "depth)])\n        return best\n")
    file(tmp_path, "from mysearch import lowest\n" + text[:begin] + body + text[end:])
    assert graded(tmp_path).is_full


def explanation(path: Path, name: str, id: str) -> tuple[str, str]:
    """The sentence that explains a miss, and its picture."""
    case = next(case for case in of(graded(path, few(name)), id).cases if case.id == f"{id}/{name}")
    return case.why, "\n".join(drawing_lines(case.diagram)) if case.diagram else ""


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_a_value_is_never_mentioned(tmp_path: Path) -> None:
    """The searches of that project return no value."""
    slip = next(slip for slip in SLIPS if slip.name == "sum-for-mean")
    sentence, _ = explanation(file(tmp_path, slip.source), "08-mean-not-sum", "q4")
    assert sentence == "your search generated the right nodes, but the action is not a best action at the root"
    slip = next(slip for slip in SLIPS if slip.name == "ply-deep" and slip.part == "MinimaxAgent")
    _, picture = explanation(file(tmp_path, slip.source), "40-whole-game", "q2")
    assert "= 18" in picture
    assert "None" not in picture


def test_agents_out_of_turn_are_reported(tmp_path: Path) -> None:
    text = next(path for path in RIGHT if path.stem == "plies").read_text(encoding="utf-8")
    assert text.count("agent = -left % self.agents") == 3
    backwards = text.replace("agent = -left % self.agents", "agent = left % self.agents", 1)
    sentence, _ = explanation(file(tmp_path, backwards), "40-whole-game", "q2")
    assert sentence.endswith("but no legal move leads there; does each agent move only in its own turn?")


NAMES = {"getPossibleActions": "getLegalActions", "generateNextState": "generateSuccessor", "is_win": "isWin"}


def renamed() -> str:
    """The right file of a course with these names."""
    text = INDEX.read_text(encoding="utf-8")
    for theirs, ours in NAMES.items():
        assert ours in text
        text = text.replace(ours, theirs)
    return text


def test_a_course_that_renamed_methods_is_graded_with_its_names(tmp_path: Path) -> None:
    assert graded(file(tmp_path, renamed())).earned == 0
    card = graded(file(tmp_path, renamed()), replace(FEW, names=NAMES))
    assert card.is_full, [(case.id, case.message) for question in card.questions for case in question.cases]


def test_the_other_commands_know_the_names_of_a_course_too(tmp_path: Path) -> None:
    files = copy_of(loading.load("classic"), "ours")
    files["assignment.yaml"] += f"names: {json.dumps(NAMES)}\n"
    write_files(tmp_path / "ours", {**files, "solutions.py": renamed()})
    name, key = str(tmp_path / "ours"), GameKey.new()
    part = loading.load(name).only("q1", None)
    games = [each for each in checks.check_games(part, 1, None, 1) if "full marks" in each.text]
    assert [each.text for each in games] == ["full marks with 100 % of 1 key"]
    grader, work = Grader.of(part, 1, API, key), SubmissionFiles({"ada.py": renamed().encode()}, "ada.py")
    entry = Entry(("ada",), "ada.py", files=work)
    player = contest.play(grader, contest._match(grader, "q1", 1), key.seeds("contest"), {}, entry, "ada")
    assert (player.problem, len(player.results)) == ("", 1)
    agent = "--agent", str(file(tmp_path, renamed())), "--assignment", name, "--out", str(tmp_path / "page.html")
    assert "No difference: " in run_here("autograder", "explain", "q2/01-won-ends", *agent).stdout
    assert from_text(to_text(part)).names == NAMES, "in the lab"


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ("{is_win: isWon}", "nothing that files use is called 'isWon': did you mean 'isWin'?"),
        ("{isWin: isLose}", "'isWin' is no new name: it stands beside 'isLose' already"),
        ("{a b: isWin}", "'a b' is no name"),
    ],
)
def test_a_name_of_a_method_that_cannot_be_is_refused(names: str, problem: str, tmp_path: Path) -> None:
    files = copy_of(loading.load("classic"), "ours")
    write_files(tmp_path / "ours", {**files, "assignment.yaml": files["assignment.yaml"] + f"names: {names}\n"})
    with pytest.raises(InputError, match=re.escape(f"names: {problem}")):
        loading.load(str(tmp_path / "ours"))
