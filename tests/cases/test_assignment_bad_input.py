"""Assignments and cases: what is read, and errors, each with its exact one-line message."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.cases.case import Assignment
from autograder.cases.right_answer import derive_all
from autograder.commands.checks import check_without_games
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.mistakes import changed, mistakes
from tests.written_files import write_files

ASSIGNMENT = """title: A small one
questions:
  - id: q1
    title: Minimax
    part: MinimaxAgent
    points: 3
    role: search
    reference: exhaustive
    layers: [max, min]
    criteria: {value: 2, action: 1}
  - id: q2
    title: Reflexes
    part: ReflexAgent
    points: 2
    role: choice
    requires: {q1: 0.5}
"""
TREE = """kind: tree
shows: a small tree
plies: 2
tree: |
  max
    a: 3
    b: min
      x: 2
      y: 9
"""
LINE = """kind: position
shows: a line of play
layout: nook
ghosts: [optimal]
rounds: 1
moves: 2
"""
CHOICE = """kind: position
shows: food beside him
layout: |
  %%%%%
  %P. %
  %%%%%
ghosts: []
accept: [East]
"""
MATCH = """kind: match
shows: games
layout: nook
ghosts: [optimal]
games: 2
steps: {wins: [1, 2]}
"""
FILES = {
    "assignment.yaml": ASSIGNMENT,
    "cases/q1/tree.yaml": TREE,
    "cases/q1/line.yaml": LINE,
    "cases/q1/match.yaml": MATCH,
    "cases/q2/choice.yaml": CHOICE,
}
A, T, _, _, C = FILES

WRONG = mistakes(Path(__file__).with_name("mistakes.txt"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("assignment"), FILES)


@pytest.fixture
def copied(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copied"))


def refusal(folder: Path, check: Callable[[Assignment], object] = derive_all) -> str:
    """Why an assignment cannot be loaded or checked; "" if it can."""
    try:
        check(loading.load(str(folder)))
    except InputError as error:
        return str(error)
    return ""


def test_the_assignment_without_errors_loads(copied: Path) -> None:
    assert not refusal(copied)
    assert len(loading.load(str(copied)).cases) == len(list((copied / "cases").rglob("*.yaml"))) > 0


@pytest.mark.parametrize(("file", "change", "line"), WRONG, ids=[f"{row[0]}-{n}" for n, row in enumerate(WRONG)])
def test_one_line_names_the_place_and_what_was_expected(copied: Path, file: str, change: str, line: str) -> None:
    path = copied / file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    write_files(copied, {file: changed(text, change)})
    message = refusal(copied).replace("\\", "/").removeprefix(copied.as_posix() + "/")
    assert message.replace(copied.parent.as_posix(), "FOLDER") == line


def test_a_match_with_too_large_a_search_over_an_evaluation_is_refused(copied: Path) -> None:
    (copied / A).write_text(ASSIGNMENT.replace("role: choice", "role: evaluation"), encoding="utf-8")
    for ghosts, rounds, problem in (
        ("", 101, "the search is too deep; expected at most 100 plies"),
        ("optimal", 20, "the search is too large; expected at most 500,000 nodes"),
    ):
        (copied / C).write_text(MATCH.replace("optimal", ghosts) + f"rounds: {rounds}\n", encoding="utf-8")
        assert refusal(copied) == f"{copied / C}:7: rounds: {problem}; write a smaller number"


def test_the_commands_give_an_error_or_the_list_of_all(copied: Path) -> None:
    """What is wrong in a file ends a grading with status 2; `check` goes on, if only a right answer is missing."""
    (copied / T).write_text(TREE.replace("plies: 2", "plies: two"), encoding="utf-8")
    done = run_here("autograder", "grade", "agents/student.py", "--assignment", str(copied))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.endswith("tree.yaml:3: plies: expected a whole number, not 'two'\n")
    (copied / T).write_text(TREE.replace("plies: 2", "plies: 1"), encoding="utf-8")
    result = next(check_without_games(loading.load(str(copied)), 1))
    assert (result.name, result.text) == ("cases", "4 public cases; 1 of 2 with a search have a right answer")
    assert [problem.rpartition("/")[2] for problem in result.problems] == [
        "tree.yaml: node b: this min node has no score: it is no leaf and has no evaluation (~)"
    ]
    (copied / A).write_text(f"{ASSIGNMENT}stub: stbu.py\n", encoding="utf-8")
    (copied / "stub.py").write_text(STUB, encoding="utf-8")
    with pytest.raises(InputError, match=r"yaml:\d\d: stub: no such file: stbu.py; did you mean 'stub.py'\?$"):
        next(check_without_games(loading.load(str(copied)), 1))


STUB = "class MinimaxAgent:\n    pass\n\n\nclass ReflexAgent:\n    pass\n"
PARTS = [
    (STUB, "MinimxAgent", "assignment.yaml:6: q1.part: no class or function 'MinimxAgent' in stub.py: "
                          "did you mean 'MinimaxAgent'?"),
    (STUB.replace("class ReflexAgent:\n    pass", "ReflexAgent = 3"), "MinimaxAgent", ""),
    ("class MinimaxAgent(:\n", "MinimaxAgent", "stub.py:1: not valid Python: invalid syntax"),
    (None, "MinimxAgent", ""),
]  # fmt: skip


@pytest.mark.parametrize("key", ["stub", "solutions"])
def test_each_part_is_checked_against_the_stub_or_the_solutions(copied: Path, key: str) -> None:
    """Nothing is checked if there is none of the two files, or if the assignment names none."""
    loading.check_parts(loading.load(str(copied)))
    for stub, part, line in PARTS:
        (copied / "stub.py").unlink(missing_ok=True)
        if stub:
            (copied / "stub.py").write_text(stub, encoding="utf-8")
        (copied / A).write_text(f"{key}: stub.py\n" + ASSIGNMENT.replace("MinimaxAgent", part), encoding="utf-8")
        message = refusal(copied, loading.check_parts)
        assert message.replace("\\", "/").replace(copied.as_posix() + "/", "") == line
    (copied / A).write_text(f"{key}: stub.py\n{ASSIGNMENT}", encoding="utf-8")
    (copied / "stub.py").write_text("class MinimaxAgent:\n    pass\n", encoding="utf-8")
    with pytest.raises(InputError, match="yaml:1[0-9]: q2.part: no class"):
        loading.check_parts(loading.load(str(copied)).only("q2"))


def test_every_question_of_multiagent_has_five_cases_and_a_match() -> None:
    loaded = loading.load("multiagent")
    for question in loaded.questions:
        kinds = [case.input.kind for case in loaded.of(question)]
        assert len(kinds) >= 5
        assert "match" in kinds
        if question.role == "search":
            assert kinds.count("position") >= 2
            assert kinds.count("tree") >= 5


def test_one_question_can_be_read_without_the_others(copied: Path) -> None:
    """A student who asks for one question does not wait for the others, and not for their mistakes."""
    (copied / T).write_text("kind: nothing\n", encoding="utf-8")
    assignment = loading.load(str(copied), cases_of="q2")
    assert {case.question.id for case in assignment.cases} == {"q2"}
    assert [question.id for question in assignment.questions] == ["q1", "q2"]
    with pytest.raises(InputError, match="kind"):
        loading.load(str(copied))


def test_parts_of_the_own_assignments_are_in_their_stubs() -> None:
    for name in loading.names():
        loading.check_parts(loading.load(name))


NAMES = ["Woche 4 für alle", "第四周", "الأسبوع ٤", "Q1 (neu)", "неделя_4"]


@pytest.mark.parametrize("name", NAMES)
def test_names_in_any_script_are_accepted(copied: Path, name: str) -> None:
    folder = copied.rename(copied.parent / name)
    (folder / "cases" / "q1").rename(folder / "cases" / name)
    (folder / "cases" / name / "tree.yaml").rename(folder / "cases" / name / f"{name}.yaml")
    (folder / A).write_text(ASSIGNMENT.replace("id: q1", f"id: {name}").replace("{q1:", f"{{{name}:"), encoding="utf-8")
    assert not refusal(folder)
    loaded = loading.load(str(folder))
    assert loaded.name == name
    assert f"{name}/{name}" in [case.id for case in loaded.only(name, name).cases]


def test_a_decomposed_name_is_the_same_name(copied: Path) -> None:
    """An archive from macOS can store an umlaut as a letter and a separate accent."""
    (copied / "cases" / "q1").rename(copied / "cases" / "fru\u0308h")
    (copied / A).write_text(ASSIGNMENT.replace("q1", "fr\u00fch"), encoding="utf-8")
    assert not refusal(copied)
    assert loading.load(str(copied)).only("fru\u0308h", "tree").cases


UNSAFE = {
    "a\tb": "contains a character that cannot be printed",
    "week\u202e4": "contains a character that cannot be printed",
    "aux": "is reserved by Windows",
    "a:b": "contains ':'",
    "-4": "begins with '-', which starts an option on a command line",
}


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot create such files")
def test_an_unsafe_name_of_a_case_or_a_folder_is_refused_in_one_line(copied: Path) -> None:
    for name, problem in UNSAFE.items():
        case = (copied / T).rename(copied / "cases" / "q1" / f"{name}.yaml")
        message = refusal(copied)
        assert message.endswith(f".yaml: the name of the case {problem}; rename the file")
        case.rename(copied / T)
        copied = copied.rename(copied.parent / name)
        other = refusal(copied)
        assert other.endswith(f"the name of the folder {problem}; rename it")
        assert (message + other).isprintable()
        copied = copied.rename(copied.parent / "copied")


def test_a_file_that_is_not_text_and_a_folder_without_an_assignment(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (copied / T).write_bytes(b"kind: \xff")
    assert refusal(copied).endswith("tree.yaml:1: cannot be read: not UTF-8; save the file as UTF-8")
    assert refusal(tmp_path).endswith("no file assignment.yaml in this folder")
    assert refusal(copied / "assignment.yaml").endswith(f"give the folder with this file: {copied}")
    monkeypatch.chdir(copied.parent)
    with pytest.raises(InputError, match="give the folder with this file: copied$"):
        loading.load("copied/assignment.yaml")
    (copied / "cases" / "q1").rename(copied / "cases" / "q01")
    assert refusal(copied).endswith(f"has no cases; put them in {copied}/cases/q1; there is q01")
