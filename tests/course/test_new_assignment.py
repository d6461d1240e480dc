"""Every assignment fits its files; new-assignment writes one that passes `check` and can be released."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from autograder import shipped
from autograder.cases import loading
from autograder.cases.assignment_text import from_text, to_text
from autograder.cases.game_seeds import GameKey
from autograder.cases.yaml_file import read
from autograder.commands.checks import check_for_students
from autograder.course import kit as release
from autograder.course.kit import assignment_files
from autograder.course.new_assignment import copy_of, small_assignment, write_files
from autograder.judge.wrong_searches import WRONG_SEARCHES
from autograder.platforms.gradescope_build import Settings, build
from pacman.core.tree_text import Outline
from pacman.search import exhaustive
from tests.command_line import run_here


def test_a_new_assignment_passes_every_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_here("autograder", "new-assignment", "Übung 2: trees", "--out", "course/week 1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "python -m autograder check 'course/week 1'" in done.stdout
    checked = run_here("autograder", "check", "course/week 1")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "0 problems" in checked.stdout
    assert "solutions   5 of 5 points" in checked.stdout
    assert loading.load("course/week 1").title == "Übung 2: trees"
    assert run_here("autograder", "release", "course/week 1", "--out", "kit.zip").stdout == "kit.zip: 2 public cases\n"


def test_a_layout_of_an_assignment_travels_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path starts in the folder of the assignment, wherever a command starts, and the kit and the upload have it."""
    folder = tmp_path / "week"
    write_files(small_assignment("week"), folder)
    (folder / "layouts").mkdir()
    shutil.copy("layouts/nook.lay", folder / "layouts" / "mine.lay")
    case = folder / "cases/q1/02-nook.yaml"
    before = loading.load(str(folder)).cases[1].root
    case.write_text(case.read_text(encoding="utf-8").replace("nook", "layouts/mine.lay"), encoding="utf-8")
    monkeypatch.chdir("/")
    loaded = loading.load(str(folder))
    assert loaded.cases[1].root == before == from_text(to_text(loaded)).cases[1].root
    assert "autograder/assignments/week/layouts/mine.lay" in assignment_files(loaded)
    settings = Settings(assignment=loaded.name, api="native", allow_unsafe=False)
    upload = zipfile.ZipFile(io.BytesIO(build(loaded, settings, GameKey.new())))
    assert "assignment/week/layouts/mine.lay" in upload.namelist()
    assert [(each.name, each.text, each.problems) for each in check_for_students(loaded)] == [
        ("handout", "fits the 1 question", ()),
        ("kit", "opens in an empty folder: 0 points for stub.py", ()),
    ]
    (folder / "handout.md").write_text("Write it.\n", encoding="utf-8")
    left_out = {name: path for name, path in shipped.known_files(shipped.KIT).items() if "compare" not in name}
    monkeypatch.setattr(release, "known_files", lambda patterns: left_out)
    handout, kit = check_for_students(loading.load(str(folder)))
    assert handout.problems == (f"{folder}/handout.md: does not name MinimaxAgent, the part of q1",)
    assert (kit.text, "autograder.judge.compare" in kit.problems[0]) == ("does not grade", True)


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Draft202012Validator]:
    """The checkers of both kinds of files, from the schemas that a new assignment has."""
    folder = tmp_path_factory.mktemp("new") / "week"
    write_files(small_assignment("week"), folder)
    checkers = {path.stem: json.loads(path.read_bytes()) for path in (folder / "schemas").iterdir()}
    for content in checkers.values():
        Draft202012Validator.check_schema(content)
    return {name: Draft202012Validator(content) for name, content in checkers.items()}


@pytest.mark.parametrize("name", loading.names())
def test_a_copy_has_all_that_belongs_to_the_assignment(
    name: str, tmp_path: Path, schemas: Mapping[str, Draft202012Validator]
) -> None:
    """And the schemas accept its files."""
    write_files(copy_of(loading.load(name), "Week: 4"), tmp_path / "ours")
    copy, original = loading.load(str(tmp_path / "ours")), loading.load(name)
    assert (copy.title, copy.questions, copy.limits) == ("Week: 4", original.questions, original.limits)
    assert [case.root for case in copy.cases] == [case.root for case in original.cases]
    for ours, theirs in ((copy.stub, original.stub), (copy.solutions, original.solutions)):
        assert (ours and ours.read_bytes()) == (theirs and theirs.read_bytes())
        assert ours is None or ours.is_relative_to(tmp_path.resolve() / "ours")
    assert {"handout.md", "instructors.md", "schemas"} <= {path.name for path in (tmp_path / "ours").iterdir()}
    assert next(check_for_students(copy)).problems == ()
    schemas["assignment"].validate(read(original.folder / "assignment.yaml").data)
    for case in original.cases:
        schemas["case"].validate(read(case.source).data)


def test_handout_and_stub_are_compared_with_the_assignment(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    write_files(copy_of(loading.load("multiagent"), "Project 2"), folder)
    keys = (folder / "assignment.yaml").read_text(encoding="utf-8")
    for old, new in (("Project 2", "Project 3"), ("id: q6", "id: q7"), ("    points: 6\n", "    points: 60\n")):
        keys = keys.replace(old, new)
    (folder / "assignment.yaml").write_text(keys, encoding="utf-8")
    (folder / "cases/q6").rename(folder / "cases/q7")
    result = next(check_for_students(loading.load(str(folder))))
    assert result.text == "differs from the 6 questions"
    unknown = "names q6, but the assignment has no question of this id: known: q1, q2, q3, q4, q5, q7"
    assert [problem.partition("; ")[0].replace(f"{folder.resolve()}/", "") for problem in result.problems] == [
        f"handout.md: {unknown}",
        f"stub.py: {unknown}",
        "handout.md: the title is 'Project 2', but that of the assignment 'Project 3'",
        "handout.md: no row with ExpectiminimaxAgent has its 60 points",
    ]


def test_the_schemas_refuse_what_the_grader_refuses(schemas: Mapping[str, Draft202012Validator]) -> None:
    case_schema = schemas["case"]
    tree = {"kind": "tree", "shows": "a tree", "tree": "max { a: 3 }", "plies": 1}
    assert case_schema.is_valid(tree)
    for wrong in ({"kind": "tre"}, {"pliess": 1}, {"plies": -1}, {"plies": "1"}, {"weight": 0}, {"cut": "none"}):
        assert not case_schema.is_valid({**tree, **wrong}), wrong
    assert not case_schema.is_valid({key: value for key, value in tree.items() if key != "kind"})
    assert not schemas["assignment"].is_valid({"title": "no questions", "questions": []})


def text(name: str, file: str) -> str:
    return (loading.load(name).folder / file).read_text(encoding="utf-8")


def trees(handout: str) -> list[Outline]:
    """The trees that are drawn as text, with all their leaves."""
    return [Outline.parse(tree) for tree in re.findall(r"^```text\n(max\n.*?)^```", handout, re.M | re.S)]


@pytest.mark.parametrize("name", loading.names())
def test_the_notes_and_the_handout_say_what_is_so(name: str) -> None:
    """The value of each drawn tree, the sentences of mistakes, cases and parts; and only staff get the notes."""
    assignment, handout, notes = loading.load(name), text(name, "handout.md"), text(name, "instructors.md")
    stated = re.findall(r"The root is worth (\S+),\s+action (\w+)\.", notes)
    found = [exhaustive(tree, tree.height()) for tree in trees(handout)]
    assert len(stated) >= 2
    assert [(float(value), action) for value, action in stated] == [(line.value, line.action) for line in found]
    quoted = re.findall(r"^\| ((?:Your|At|In your) .*?) \|", notes, re.M)
    assert quoted
    for quote in quoted:
        first = re.split(r" / | \.\.\.", quote)[0]
        assert any(mistake.sentence.startswith(first) for mistake in WRONG_SEARCHES), quote
    assert {*re.findall(r"\bq\d/[\w-]+", handout)} <= {case.id for case in assignment.cases}
    assert all(question.part in handout for question in assignment.questions)
    assert all(len(line) <= 120 or line.startswith(("|", "    ")) for line in handout.splitlines())
    assert (assignment.folder / "instructors.md").resolve() in assignment.answers


def test_the_trees_of_the_handout_are_cases() -> None:
    drawn = trees(text("warm-up", "handout.md"))
    cases = [case for case in loading.load("warm-up").cases if "-tree-" in case.name]
    assert len(drawn) == len(cases) == 4
    for tree, case in zip(drawn, cases, strict=True):
        assert str(tree) == re.sub(r" ~0", "", str(case.root)), case.id
