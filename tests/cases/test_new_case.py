"""Tests of new-case: it writes a position, or a small tree on which two mistakes differ. Both can be graded."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from autograder.case_strength import distinguishing_tree
from autograder.case_strength.distinguishing_tree import Match, Search
from autograder.case_strength.programs import Program, known_search
from autograder.cases import loading
from autograder.cases.case import Limits, PositionInput
from autograder.cases.yaml_file import parse, read, write
from autograder.course.new_assignment import small_assignment, write_files
from autograder.judge.diagnosis.questions import Scope
from autograder.judge.diagnosis.run import Search as Asked
from autograder.judge.diagnosis.shrinking import simplified
from autograder.judge.wrong_searches import possible
from pacman.core.tree_text import Outline
from tests.command_line import run_here
from tests.course.small_class import MINIMAX
from tests.simulated_search import simulated_claim

QUESTIONS = {question.id: question for question in loading.load("multiagent").questions}
SCOPES = {id: Scope.of(question) for id, question in QUESTIONS.items() if question.role == "search"}
KNOWN = {id: possible(scope.layers, scope.cuts) for id, scope in SCOPES.items()}


def new_case(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_here("autograder", "new-case", *arguments)


def test_a_tree_shows_the_difference_of_two_mistakes(tmp_path: Path) -> None:
    out = tmp_path / "cut.yaml"
    done = new_case("--question", "q3", "--distinguish", "strict-cut,no-cut", "--seed", "1", "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    assert " nodes; to add it to the assignment, move it to its folder cases/q3" in done.stdout
    case = loading.case_of(read(out), QUESTIONS["q3"], Limits())
    assert case.input.shows == "distinguishes strict-cut from no-cut"
    strict, none = (simulated_claim(QUESTIONS["q3"], name, case.root, 2).generated for name in ("strict-cut", "no-cut"))
    assert strict < none
    printed = new_case("--question", "q3", "--distinguish", "strict-cut,no-cut", "--seed", "1").stdout
    assert printed == out.read_text(encoding="utf-8")  # the same seed, the same tree


def test_a_case_in_its_folder_names_its_schema(tmp_path: Path) -> None:
    write_files(small_assignment("week"), tmp_path / "week")
    out = tmp_path / "week/cases/q1/03-new.yaml"
    words = "--assignment", str(tmp_path / "week"), "--question", "q1", "--layout", "nook", "--ghosts", "optimal"
    assert new_case(*words, "--out", str(out)).returncode == 0
    first = (tmp_path / "week/cases/q1/01-by-hand.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert out.read_text(encoding="utf-8").splitlines()[:2] == [first, "kind: position"]
    shutil.rmtree(tmp_path / "week/cases")
    keys = tmp_path / "week/assignment.yaml"
    keys.write_text(keys.read_text(encoding="utf-8") + "    hidden: {like: [03-new]}\n", encoding="utf-8")
    assert new_case(*words, "--out", str(out)).returncode == 0, "the folder of a new question is made"


def program(question: str, mistake: str | None) -> Program:
    edits = KNOWN[question][mistake].edits if mistake else ()
    return known_search(QUESTIONS[question], edits)


TELL = [
    ("q2", "ply-short", None),
    ("q2", "max-as-min", "min-as-max"),
    ("q3", "last-of-ties", None),
    ("q3", "own-bound-only", None),
    ("q4", "equal-chances", "sum-for-mean"),
    ("q5", "children-left-out", "by-turns"),
    ("q5", "finite-infinity", None),
]


@pytest.mark.slow("that grade or diagnose wrong searches", keep=2)
@pytest.mark.parametrize(("question", "one", "other"), TELL)
def test_no_smaller_tree_shows_the_difference(question: str, one: str, other: str | None) -> None:
    the_question = QUESTIONS[question]
    first, second = program(question, one), program(question, other)
    search = Search(the_question, first, second)
    match = distinguishing_tree.find_tree(search, Random(3), lambda tried, smallest: None)
    assert match is not None
    assert not match.idler

    def is_suitable(tree: Outline, plies: int) -> bool:
        return search.distinguishes(tree, plies) and not search.idler(tree, plies)

    assert is_suitable(match.tree, match.plies)
    smaller = [less for less in simplified(match.tree) if less.size() < match.tree.size() and less.height()]
    assert not any(is_suitable(less, min(match.plies, less.height())) for less in smaller)


def find_tree(question: str, mistake: str) -> Match | None:
    search = Search(QUESTIONS[question], program(question, mistake), program(question, None))
    return distinguishing_tree.find_tree(search, Random(1), lambda tried, smallest: None)


def test_no_tree_for_a_mistake_without_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    """In minimax without cuts, the last of equally good actions is as right as the first."""
    monkeypatch.setattr(distinguishing_tree, "TRIES", 200)
    assert find_tree("q2", "last-of-ties") is None


def test_no_tree_gives_points_to_a_program_that_does_not_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused if it is the only one; without this check, the smallest tree has such a value."""
    monkeypatch.setattr(distinguishing_tree, "TRIES", 100)
    with monkeypatch.context() as without:
        without.setattr(distinguishing_tree, "PROGRAMS", {})
        easy = find_tree("q2", "ply-short")
    assert easy
    right = program("q2", None)
    solved = Search(QUESTIONS["q2"], right, right).idler(easy.tree, easy.plies)
    assert solved
    trees = [Asked(easy.tree, easy.plies)] * 100
    monkeypatch.setattr(distinguishing_tree, "random_questions", lambda *arguments: trees)
    match = find_tree("q2", "ply-short")
    assert match
    assert match.idler == solved
    done = new_case("--question", "q2", "--distinguish", "ply-short")
    assert done.stderr == (
        "python -m autograder: --distinguish ply-short: none of 100 trees distinguishes ply-short from right without "
        f"giving points to a program that returns {solved} and does not search\n"
    )


WRONG = MINIMAX.replace("(max if node.layer is Layer.MAX else min)", "max").replace(
    "        if", "        print()\n        if"
)
WRONG += "\n\nclass Second(MinimaxAgent):\n    pass\n"


def test_a_tree_shows_the_mistake_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that takes the largest value everywhere. What it prints is not a part of the case."""
    file = tmp_path / "wrong.py"
    file.write_text(WRONG, encoding="utf-8")
    done = new_case("--question", "q2", "--distinguish", str(file))
    assert done.returncode == 0, done.stderr
    assert f"no sandbox: {file} can do everything" in done.stderr
    case = loading.case_of(parse(done.stdout, Path("q2.yaml")), QUESTIONS["q2"], Limits())
    assert case.input.shows == "distinguishes a wrong search from the right search"
    right, largest = (simulated_claim(QUESTIONS["q2"], name, case.root, 3).value for name in ("", "min-as-max"))
    assert right != largest
    monkeypatch.setattr(distinguishing_tree, "TRIES", 20)
    same = new_case("--question", "q2", "--distinguish", f"{file}:Second,min-as-max")
    assert (same.returncode, same.stdout) == (2, "")
    assert "none of 20 trees distinguishes" in same.stderr


def test_a_new_position_can_be_graded_and_a_layout_from_a_file_is_drawn_in_it(tmp_path: Path) -> None:
    out = tmp_path / "nook.yaml"
    arguments = ["--layout", "nook", "--ghosts", "optimal", "--rounds", "2", "--moves", "2", "--seed", "4", "--hidden"]
    done = new_case("--question", "q2", *arguments, "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    case = loading.case_of(read(out), QUESTIONS["q2"], Limits())
    assert isinstance(case.input, PositionInput)
    assert (case.input.rounds, case.input.moves, case.input.seed, case.input.hidden) == (2, 2, 4, True)
    (tmp_path / "mine.lay").write_text("%%%%%\n%P. %\n%%%%%\n", encoding="utf-8")
    drawn = new_case("--question", "q1", "--layout", str(tmp_path / "mine.lay"), "--accept", "East")
    assert (drawn.returncode, drawn.stderr) == (0, "")
    assert "layout: |\n  %%%%%\n  %P. %\n  %%%%%\n" in drawn.stdout
    assert "accept: [East]\n" in drawn.stdout


def test_written_yaml_is_read_back() -> None:
    mapping = {"shows": "a: colon, and # a hash", "plies": 2, "weight": 0.5, "ghosts": [], "tree": "max\n  a: 3\n"}
    assert parse(write(mapping), Path("x.yaml")).data == mapping
