"""Ghosts of a course: a class in a file of the assignment plays in a match, and its mistakes cost nobody points."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from autograder.case_strength.match_shares import play
from autograder.cases import ghosts, loading, right_answer
from autograder.cases.assignment_text import from_text, to_text
from autograder.cases.case import Assignment
from autograder.course.job import Job, PackedGrader, run_job
from autograder.course.kit import release
from autograder.course.versions import case_digest
from autograder.grading.grade import Grader, grade
from autograder.judge.scorecard import CaseScore
from autograder.platforms import submission_api
from autograder.sandbox import submission_files
from pacman.core.errors import InputError
from pacman.core.rounds import RANDOM, directional
from pacman.play.game import Game
from tests.command_line import run_here
from tests.written_files import write_files

BERKELEY = """import random
import util
from game import Agent


class WallFollower(Agent):
    def __init__(self, index, prob=0.9):
        self.index, self.prob = index, prob

    def getDistribution(self, state):
        legal = state.getLegalActions(self.index)
        dist = util.Counter({legal[0]: self.prob})
        for action in legal:
            dist[action] += 1 - self.prob
        return dist

    def getAction(self, state):
        return util.chooseFromDistribution(self.getDistribution(state))


class Hunter(WallFollower):
    def getAction(self, state):
        return random.choice(state.getLegalActions(self.index))
"""
NATIVE = """from agents.base import BaseAgent
from pacman import directional


class Chaser(BaseAgent):
    model = directional(0.5)
    moves = []

    def choose(self, state):
        self.moves.append(state)
        return self.rng.choice(state.actions()) if len(self.moves) < 9 else state.actions()[0]
"""
ASSIGNMENT = """title: Ghosts of ours
api: cs188
stub: stub.py
questions:
  - {id: play, title: Reflex agent, part: ReflexAgent, points: 4, role: choice}
"""
CASE = """kind: match
shows: three games
layout: smallish
ghosts: [GHOSTS]
games: 3
max_plies: 60
steps: {mean_score: [-9000, 9000]}
"""
STUB = "from game import Agent\n\n\nclass ReflexAgent(Agent):\n    def getAction(self, gameState):\n        pass\n"
REFLEX = STUB.replace("pass", "return gameState.getLegalActions()[0]")


def course(folder: Path, names: str, **files: str) -> Path:
    """The folder of an assignment with one match against these ghosts; `files` are texts of Python files."""
    texts = {"assignment.yaml": ASSIGNMENT, "cases/play/games.yaml": CASE.replace("GHOSTS", names), "stub.py": STUB}
    write_files(folder, {"multiAgents.py": REFLEX})
    return write_files(folder / "week", texts | {f"{name}.py": text for name, text in files.items()})


def scored(assignment: Assignment, folder: Path) -> CaseScore:
    card = grade(folder / "multiAgents.py", assignment, 1, api=submission_api("cs188"))
    (case,) = card.questions[0].cases
    return case


def test_ghosts_of_both_styles_play_the_same_games_everywhere(tmp_path: Path) -> None:
    """They depend on the seed of the game alone; the kit has the file; a changed file is a changed case."""
    names = "ghosts.py:WallFollower:prob=0.5, own.py:Chaser"
    place = course(tmp_path, names, ghosts=BERKELEY, own=NATIVE)
    assignment = loading.load(str(place))
    (case,) = assignment.cases
    assert [turn.model for turn in case.start._turn.round.turns[1:]] == [RANDOM, directional(0.5)]

    def moves(seed: int) -> list[str]:
        from agents.pacmen import RandomPacman

        players = ghosts.players(case)
        return [ply.action for ply in Game(case.start, [RandomPacman(), *players], ["x"] * 3, seed, max_plies=90)]

    assert moves(1) == moves(1) != moves(2)
    first, again = (scored(each, tmp_path) for each in (assignment, from_text(to_text(assignment))))
    assert (first.earned, first.diagram) == (again.earned, again.diagram)
    assert first.diagram
    assert (first.earned, len(first.diagram.games)) == (0.5, 3)
    path, grader = tmp_path / "multiAgents.py", Grader.of(assignment, 1, submission_api("cs188"))
    packed = PackedGrader.of(grader)
    (place / "ghosts.py").write_text(BERKELEY.replace("0.9", "0.8"), encoding="utf-8")
    outcome = run_job(packed, Job(1, str(path), submission_files.read(path), (), True))
    assert outcome.card is not None
    assert (outcome.card.earned, outcome.failure) == (2, "")
    (changed,) = loading.load(str(place)).cases
    assert case_digest(changed, assignment, None) != case_digest(case, assignment, None)
    (of_key,) = play([changed], "cs188", path, range(1))
    assert of_key["play/games"]["earned"] == 0.5
    kit = zipfile.ZipFile(io.BytesIO(release(assignment)))
    assert kit.read("week/autograder/assignments/week/ghosts.py").decode() == BERKELEY
    assert "--ghosts autograder/assignments/week/ghosts.py:WallFollower:prob=0.5" in kit.read("week/README.md").decode()
    words = ("--ghosts", f"{place}/ghosts.py:Hunter,{place}/own.py:Chaser", "--max-plies", 40, "--view", "none")
    done = run_here("pacman", "watch", f"{path}:ReflexAgent", *map(str, words))
    assert (done.returncode, done.stdout.split(":")[0] in ("loss", "truncated")) == (0, True), done.stderr
    theirs = {"moves_of": "getLegalActions", "move": "getAction", "tools": "util"}
    text = BERKELEY.replace("0.9", "0.8")
    for name, ours in theirs.items():
        text = text.replace(ours, name)
    write_files(place, {"ghosts.py": text, "assignment.yaml": f"{ASSIGNMENT}names: {json.dumps(theirs)}\n"})
    assert loading.load(str(place)).cases == (changed,), "with the names of the course it is the same ghost"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("gosts.py:WallFollower", BERKELEY, "week/gosts.py: no such file; write it, or name a ghost"),
        ('"g\\0.py:WallFollower"', BERKELEY, ".py is not in the folder of the assignment; copy"),
        ("../ghosts.py:WallFollower", BERKELEY, "../ghosts.py is not in the folder of the assignment"),
        ("ghosts.py:WallFolower", BERKELEY, "ghosts.py: no ghost 'WallFolower': did you mean 'WallFollower'?"),
        ("ghosts.py:WallFollower:p=1", BERKELEY, "WallFollower has no option 'p': known: prob"),
        ("ghosts.py:WallFollower", "import searchAgents\n", "ghosts.py: imports 'searchAgents', which is not"),
        ("ghosts.py:WallFollower", "print 'x'\n", "ghosts.py:1: not valid Python: Missing parentheses"),
        ("ghosts.py:WallFollower", f"{BERKELEY}1 / 0\n", "ghosts.py:24: cannot be imported: ZeroDivision"),
        ("ghosts.py:Chaser", NATIVE.replace("model", "kind"), "ghosts.py:Chaser: a ghost needs an attribute 'model'"),
    ],
)  # fmt: skip
def test_a_ghost_that_cannot_play_is_one_line_of_the_case(tmp_path: Path, name: str, text: str, problem: str) -> None:
    place = course(tmp_path, name, ghosts=text)
    with pytest.raises(InputError) as caught:
        loading.load(str(place))
    assert str(caught.value).startswith(f"{place}/cases/play/games.yaml:4: ghosts: ")
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("legal = state", "legal = [1 / 0] or state", "ghosts.py:11: ZeroDivisionError: division by zero"),
        ("return util.chooseFromDistribution(self.getDistribution(state))", "return 'Up'",
         "ghosts.py:17: returned 'Up'; legal here: "),
        ("return dist", "return {}", "ghosts.py:18: "),
        ("class Hunter(WallFollower):", "class WallFollower:\n    def begin(self, rng): self.method = 'bfs'\n    "
         "def choose(self, state): pass\n    model = __import__('agents.ghosts').ghosts.RANDOM",
         "ghosts.py:23: returned None; legal here: "),
        ("return dist", "raise SystemExit(3)", "ghosts.py:15: SystemExit: 3"),
    ],
)  # fmt: skip
def test_a_mistake_of_a_ghost_names_its_line_and_costs_no_points(
    tmp_path: Path, old: str, new: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found before anybody is graded; one that shows only in a game that counts leaves the case ungraded."""
    assert old in BERKELEY
    place = course(tmp_path, "ghosts.py:WallFollower", ghosts=BERKELEY.replace(old, new))
    done = run_here("autograder", "grade", str(tmp_path / "multiAgents.py"), "--assignment", str(place))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"python -m autograder: {problem}")
    assert done.stderr.strip().endswith("(ghost 1 in play/games)")
    monkeypatch.setattr(right_answer, "try_ghosts", lambda *game: None)
    case = scored(loading.load(str(place)), tmp_path)
    assert case.is_ungraded
    assert problem in case.message
    assert "a ghost of the course has a mistake" in case.message
    with pytest.raises(InputError, match="play/games, game 1"):
        play(loading.load(str(place)).cases, "cs188", tmp_path / "multiAgents.py", range(1))


def test_a_ghost_with_random_numbers_of_its_own_is_refused(tmp_path: Path) -> None:
    text = NATIVE.replace("self.rng", "__import__('random')")
    place = course(tmp_path, "own.py:Chaser", own=text)
    with pytest.raises(ghosts.GhostError, match=r"^own.py: other moves in a second game .* \(in play/games\)"):
        right_answer.derive_all(loading.load(str(place)))


def test_a_ghost_of_the_course_plays_only_whole_games(tmp_path: Path) -> None:
    place = course(tmp_path, "ghosts.py:WallFollower", ghosts=BERKELEY)
    text = "kind: position\nshows: x\nlayout: smallish\nghosts: [ghosts.py:WallFollower]\naccept: [West]\n"
    (place / "cases/play/games.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"games.yaml:4: ghosts: a ghost in a file of the course plays only in a case"):
        loading.load(str(place))
