"""new-assignment writes a folder that passes `check` and can be released; the schemas accept every assignment."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from autograder.cases import loading
from autograder.cases.assignment_json import from_json, to_json
from autograder.cases.case import Assignment
from autograder.cases.game_seeds import GameKey
from autograder.cases.yaml_file import read
from autograder.commands.shared.assignment_checks import check_for_students
from autograder.course.kit import release
from autograder.course.kit.new_assignment import write_assignment
from autograder.course.kit.release import assignment_files, framework_files
from autograder.grading.submission_api import NATIVE
from autograder.platforms.gradescope.build import Settings, build
from tests.command_line import run_here


def test_a_new_assignment_passes_every_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_here("autograder", "new-assignment", "Übung #2, trees", "--out", "course/week 1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "python -m autograder check 'course/week 1'" in done.stdout
    checked = run_here("autograder", "check", "course/week 1")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "0 problems" in checked.stdout
    assert "solutions   5 of 5 points" in checked.stdout
    assert loading.load("course/week 1").title == "Übung #2, trees"
    assert run_here("autograder", "release", "course/week 1", "--out", "kit.zip").stdout == "kit.zip: 2 cases\n"


def test_a_layout_of_an_assignment_travels_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path starts in the folder of the assignment, wherever a command starts, and the kit and the upload have it."""
    folder = tmp_path / "week"
    write_assignment("week", folder)
    (folder / "layouts").mkdir()
    shutil.copy("layouts/nook.lay", folder / "layouts" / "mine.lay")
    case = folder / "cases/q1/02-nook.yaml"
    before = loading.load(str(folder)).cases[1].root
    case.write_text(case.read_text(encoding="utf-8").replace("nook", "layouts/mine.lay"), encoding="utf-8")
    monkeypatch.chdir("/")
    loaded = loading.load(str(folder))
    assert loaded.cases[1].root == before == from_json(to_json(loaded)).cases[1].root
    assert "autograder/assignments/week/layouts/mine.lay" in assignment_files(loaded)
    names = build_names(loaded)
    assert "assignment/week/layouts/mine.lay" in names
    assert [(each.name, each.text, each.problems) for each in check_for_students(loaded, NATIVE)] == [
        ("handout", "names 1 of 1 question", ()),
        ("kit", "opens in an empty folder: 0 points for stub.py", ()),
    ]


def build_names(loaded: Assignment) -> list[str]:
    """The names in the upload for Gradescope."""
    settings = Settings(assignment=loaded.name, api="native", minutes=40, allow_unsafe=False)
    return zipfile.ZipFile(io.BytesIO(build(loaded, settings, GameKey.new()))).namelist()


def test_a_kit_that_does_not_grade_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "week"
    write_assignment("week", folder)
    (folder / "handout.md").write_text("Write it.\n", encoding="utf-8")
    left_out = {name: path for name, path in framework_files().items() if name != "autograder/judge/compare.py"}
    monkeypatch.setattr(release, "framework_files", lambda: left_out)
    handout, kit = check_for_students(loading.load(str(folder)), NATIVE)
    assert handout.problems == ("q1: the handout does not name MinimaxAgent",)
    assert kit.text == "does not grade"
    assert "autograder.judge.compare" in kit.problems[0]


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Draft202012Validator]:
    """The checkers of both kinds of files, from the schemas that a new assignment has."""
    folder = tmp_path_factory.mktemp("new") / "week"
    write_assignment("week", folder)
    checkers = {path.stem: json.loads(path.read_bytes()) for path in (folder / "schemas").iterdir()}
    for content in checkers.values():
        Draft202012Validator.check_schema(content)
    return {name: Draft202012Validator(content) for name, content in checkers.items()}


@pytest.mark.parametrize("name", loading.names())
def test_the_schemas_accept_the_files_of_every_assignment(
    name: str, schemas: Mapping[str, Draft202012Validator]
) -> None:
    assignment = loading.load(name)
    schemas["assignment"].validate(read(assignment.folder / "assignment.yaml").data)
    for case in assignment.cases:
        schemas["case"].validate(read(case.source).data)


def test_the_schemas_refuse_what_the_grader_refuses(schemas: Mapping[str, Draft202012Validator]) -> None:
    case_schema = schemas["case"]
    tree = {"kind": "tree", "shows": "a tree", "tree": "max { a: 3 }", "plies": 1}
    assert case_schema.is_valid(tree)
    for wrong in ({"kind": "tre"}, {"pliess": 1}, {"plies": -1}, {"plies": "1"}, {"weight": 0}, {"cut": "none"}):
        assert not case_schema.is_valid({**tree, **wrong}), wrong
    assert not case_schema.is_valid({key: value for key, value in tree.items() if key != "kind"})
    assert not schemas["assignment"].is_valid({"title": "no questions", "questions": []})
