"""The upload for Gradescope: its content, and its results when it runs like on the platform."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from packaging.requirements import Requirement

from autograder.cases import loading
from autograder.cases.game_seeds import GameKey
from autograder.platforms import gradescope_build as build
from autograder.platforms import gradescope_run as run
from autograder.platforms.gradescope_build import KEY, SETTINGS, Settings, fit_to_platform, time_out
from autograder.sandbox import Level, check_sandbox
from pacman.core.errors import InputError
from pacman.core.files import write_file
from tests.command_line import run_here
from tests.paths import ROOT, SOLUTIONS
from tests.trap_folder import Traps
from tests.written_files import write_files

SCHEMA = json.loads((ROOT / "tests" / "gradescope_schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)
SOLUTION = SOLUTIONS.read_text(encoding="utf-8") + "# my own work\n"  # the solutions themselves are ignored in a folder
METADATA = {
    "id": 123456,
    "created_at": "2018-07-01T14:22:32.365935-07:00",
    "assignment": {"due_date": "2018-07-31T23:00:00.000000-07:00", "id": 25828, "title": "Pacman"},
    "users": [{"email": "student@example.com", "id": 1234, "name": "Student User"}],
    "previous_submissions": [{"score": 0.0, "results": {}}],
}
VARIABLES = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
"""What every program needs. A Python that was copied may need the second one to find its own library."""
CASES = {"q2": ["01-figure", "03-horizon"], "q4": ["01-mean", "04-unequal-probabilities"]}

platform = pytest.mark.skipif(os.name == "nt", reason="the platform runs Linux")


@pytest.fixture(scope="module")
def assignment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an assignment with two questions of two small cases each."""
    return part_of("multiagent", CASES, tmp_path_factory.mktemp("course") / "small")


def part_of(name: str, cases: dict[str, list[str]], folder: Path) -> Path:
    """Writes a part of one of our assignments to `folder`: these questions with these cases."""
    source = loading.load(name).folder
    content = yaml.safe_load((source / "assignment.yaml").read_text(encoding="utf-8"))
    content["questions"] = [question for question in content["questions"] if question["id"] in cases]
    for question in content["questions"]:
        question.pop("requires", None)
        question.pop("hidden", None)
    copied = ["solutions.py", *(f"cases/{question}/{name}.yaml" for question in cases for name in cases[question])]
    files = {name: (source / name).read_bytes() for name in copied}
    return write_files(folder, {"assignment.yaml": yaml.safe_dump(content), **files})


@cache
def upload(assignment: Path, allow_unsafe: bool = True, api: str = "native") -> bytes:
    settings = Settings(assignment=assignment.name, api=api, allow_unsafe=allow_unsafe)
    return build.build(loading.load(str(assignment)), settings, GameKey(bytes(32)))


def unpack(root: Path, packed: bytes, name: str, text: str) -> list[str]:
    """Unpacks an upload as the platform does, beside a submission of one file; returns the command that grades it."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(root / "source")
    for folder in ("submission", "results"):
        (root / folder).mkdir()
    (root / "submission" / name).write_text(text, encoding="utf-8")
    (root / "submission_metadata.json").write_text(json.dumps(METADATA), encoding="utf-8")
    shutil.copy(root / "source" / "run_autograder", root)
    (root / "run_autograder").chmod(0o755)
    return [str(root / "run_autograder")]


def results_in(root: Path) -> dict[str, Any]:
    """The results that the platform finds."""
    results: dict[str, Any] = json.loads((root / "results" / "results.json").read_text(encoding="utf-8"))
    VALIDATOR.validate(results)
    return results


@pytest.fixture
def machine(tmp_path: Path, assignment: Path) -> Callable[..., dict[str, Any]]:
    """A function that grades a file like the platform: with an unpacked upload, in a temporary root folder."""
    root = tmp_path / "autograder"

    def graded(spoil: str = "", python: str = "") -> dict[str, Any]:
        command = unpack(root, upload(assignment), "solutions.py", SOLUTION)
        traps = Traps(root / "elsewhere")
        if spoil:
            (root / "source" / spoil).unlink()
        environment = {**VARIABLES, "AUTOGRADER_ROOT": str(root), "AUTOGRADER_PYTHON": python or sys.executable}
        done = subprocess.run(command, cwd=traps.folder, env=environment, capture_output=True, text=True, timeout=300)
        assert traps.sprung == []
        (root / "results" / "stdout").write_text(done.stdout + done.stderr, encoding="utf-8")
        return results_in(root)

    return graded


@platform
def test_a_right_submission_gets_full_marks(machine: Callable[..., Any], tmp_path: Path) -> None:
    results = machine()
    assert results["score"] == 10
    assert [test["name"].partition(":")[0] for test in results["tests"]] == [
        f"{question}/{name}" for question, names in CASES.items() for name in names
    ]
    assert {test["status"] for test in results["tests"]} == {"passed"}
    assert sum(test["max_score"] for test in results["tests"]) == 10
    assert results["extra_data"]["submission"] == 123456
    assert results["extra_data"]["students"] == [1234]
    assert "Student User" not in json.dumps(results)
    root = tmp_path / "autograder"
    # The printed report is for the staff; the results do not come from it.
    assert "10/10" in (root / "results" / "stdout").read_text(encoding="utf-8")
    private = [root / name for name in ("source", "results", "submission_metadata.json")]  # what no student may read
    assert [path.name for path in private if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)] == []
    assert results["stdout_visibility"] == "hidden"


def test_a_wrong_submission_loses_points_only_where_it_is_wrong(assignment: Path, tmp_path: Path) -> None:
    """The commands name the file as the student has it."""
    wrong = SOLUTION.replace("class ExpectimaxAgent", "class Expectimax")
    assert wrong != SOLUTION
    results = run_in_process(tmp_path / "a", upload(assignment), {"mine.py": wrong, "notes.py": "pass\n"})[-1]
    assert results["score"] == 5
    assert [test["status"] for test in results["tests"]] == ["passed", "passed", "failed", "failed"]
    assert "the file defines no class ExpectimaxAgent" in results["tests"][2]["output"]
    wrong = SOLUTION.replace("(max if node.layer is Layer.MAX else min)", "max")
    assert wrong != SOLUTION
    text = json.dumps(run_in_process(tmp_path / "b", upload(assignment), wrong)[-1])
    assert "To run just this: `python -m autograder case 'm" in text
    assert "--agent mine.py:MinimaxAgent --assignment " in text
    assert str(tmp_path) not in text


@pytest.mark.parametrize(
    ("files", "line"),
    [
        ({}, "submission: no Python file in this folder"),
        ({"notes.txt": "hello"}, "no Python file in this folder"),
        ({"game.py": "x = 1\n"},
         "submission: no part of the assignment in it; expected one of MinimaxAgent, ExpectimaxAgent"),
        ({"mine.py": "class MinimaxAgent(:\n"}, "submission/mine.py:1: not valid Python"),
        ({"a.py": SOLUTION, "b.py": f"{SOLUTION}#"}, "several files define parts of the assignment (a.py, b.py)"),
        ({"a.py": SOLUTION.replace("from math", "import nosuchpackage\nfrom math")},
         "submission/a.py: imports 'nosuchpackage', which is not"),
    ], ids=['nothing', 'no python', 'no part', 'syntax', 'two', 'package'],
)  # fmt: skip
def test_a_submission_that_cannot_be_graded_gets_no_points_and_one_line(
    assignment: Path, tmp_path: Path, files: dict[str, str], line: str
) -> None:
    results = run_in_process(tmp_path, upload(assignment), files)[-1]
    assert results["score"] == 0
    assert line in results["output"]
    assert results["output"].startswith("submission")
    assert "Traceback" not in json.dumps(results)
    assert results["tests"] == []


@pytest.mark.parametrize("allow_unsafe", [True, False])
def test_a_weak_sandbox_grades_nothing_unless_allowed(
    assignment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allow_unsafe: bool
) -> None:
    monkeypatch.setattr(run, "check_sandbox", lambda: check_sandbox(Level.LIMITS))
    results = run_in_process(tmp_path, upload(assignment, allow_unsafe))[-1]
    assert results["score"] == (10 if allow_unsafe else 0)
    assert ("Graded in a weak sandbox" if allow_unsafe else "reached only the level") in results["output"]
    assert "limits" in results["output"]


@pytest.mark.parametrize("spoil", ["settings.json", "games.key", "assignment/small/assignment.yaml"])
def test_an_error_in_the_grader_is_reported_as_such(
    assignment: Path, tmp_path: Path, spoil: str, capsys: pytest.CaptureFixture[str]
) -> None:
    results = run_in_process(tmp_path, upload(assignment), spoil=spoil)[-1]
    assert results["score"] == 0
    assert "not your fault" in results["output"]
    assert Path(spoil).stem in capsys.readouterr().err


@platform
@pytest.mark.parametrize(("spoil", "python"), [("autograder/report/markdown.py", ""), ("", "/nowhere/python")])
def test_a_grader_that_cannot_start_is_reported_as_such(
    machine: Callable[..., Any], tmp_path: Path, spoil: str, python: str
) -> None:
    results = machine(spoil, python)
    assert (results["score"], "not your fault" in results["output"]) == (0, True)
    assert Path(spoil).stem in (tmp_path / "autograder" / "results" / "stdout").read_text(encoding="utf-8")


def run_in_process(
    root: Path, packed: bytes, submission: str | Mapping[str, str] = SOLUTION, spoil: str = ""
) -> list[dict[str, Any]]:
    """All results that an upload writes for a submission, in order; it runs in this process, without the file `spoil`.

    The code is that of this process, so only the upload's data are unpacked.
    """
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        data = [name for name in archive.namelist() if name in (SETTINGS, KEY) or name.startswith("assignment/")]
        archive.extractall(root / "source", data)
    if spoil:
        (root / "source" / spoil).unlink()
    (root / "submission").mkdir(parents=True)
    write_files(root / "submission", {"mine.py": submission} if isinstance(submission, str) else submission)
    results: list[dict[str, Any]] = []

    def write_and_keep(path: Path, content: bytes) -> None:
        write_file(path, content)
        results.append(json.loads(path.read_text(encoding="utf-8")))
        VALIDATOR.validate(results[-1])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.platforms.gradescope_run.write_file", write_and_keep)
        run.main(root)
    return results


def test_results_grow_as_questions_finish(assignment: Path, tmp_path: Path) -> None:
    """If the platform stops the grading, the last results are whole, and they say that the grading is not finished.

    They name the level of the sandbox and the key of the games, which is that of the upload, and do not contain it.
    """
    level, key = check_sandbox().level, GameKey(bytes(32))
    states = run_in_process(tmp_path, upload(assignment, allow_unsafe=not level.is_safe))
    assert [results["score"] for results in states] == [0, 5, 10, 10]
    assert ["Grading is not finished" in results["output"] for results in states] == [True, True, True, False]
    assert "1 of 2 questions graded" in states[1]["output"]
    assert level.value in states[-1]["output"]
    assert f"games drawn from key {key.digest[:12]}" in states[-1]["output"]
    assert key.text.strip() not in json.dumps(states)


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{", '{"id": 1}', '{"id": 1, "users": 3}', '{"id": "<b>", "users": []}', "[" * 100_000,
     '{"id": 1, "users": [{"name": "x"}]}', '{"id": true, "users": []}'],
)  # fmt: skip
def test_unreadable_metadata_is_ignored(tmp_path: Path, text: str) -> None:
    (tmp_path / "metadata.json").write_text(text, encoding="utf-8")
    assert run.read_metadata(tmp_path / "metadata.json") == {}
    assert run.read_metadata(tmp_path / "nowhere.json") == {}


def test_the_same_input_makes_the_same_bytes(assignment: Path, tmp_path: Path) -> None:
    copy = tmp_path / "small"
    shutil.copytree(assignment, copy, copy_function=shutil.copyfile)  # other dates
    for path in copy.rglob("*.yaml"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))  # like a checkout on another system
    assert upload(assignment) == upload(copy)


def test_the_content_of_an_upload(assignment: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(upload(assignment))) as archive:
        names = archive.namelist()
        assert names == sorted(set(names))
        assert {"setup.sh", "run_autograder", "requirements.txt", SETTINGS, KEY} <= set(names)
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        assert {name for name, mode in modes.items() if mode & stat.S_IXUSR} == {"setup.sh", "run_autograder"}
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        for name in ("setup.sh", "run_autograder"):
            assert archive.read(name).startswith(b"#!/usr/bin/env bash\n")
        # Neither the solutions nor another assignment's answers.
        own = [name for name in names if "/course/templates/" not in name]
        assert not [name for name in own if "solutions" in name or "multiagent" in name or "__pycache__" in name]


def test_what_an_older_checkout_left_beside_the_scripts_is_not_in_an_upload(assignment: Path) -> None:
    packed, left = upload(assignment), ROOT / "autograder" / "platforms" / "gradescope" / "__pycache__"
    left.mkdir()
    try:
        assert upload.__wrapped__(assignment) == packed
    finally:
        left.rmdir()


def test_every_upload_has_a_new_key_unless_one_is_named(
    assignment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("course.key").write_text(GameKey(bytes(32)).text, encoding="utf-8")
    for name, options in {"a": [], "b": [], "c": ["--key", "course.key"], "d": ["--key", "course.key"]}.items():
        done = run_here("autograder", "gradescope", str(assignment), "--out", f"{name}.zip", *options)
        assert (done.returncode, done.stderr) == (0, "")
        assert ("the key is in the zip only" in done.stdout) == (not options)
        if os.name == "posix":
            assert stat.S_IMODE(Path(f"{name}.zip").stat().st_mode) == 0o600
    a, b, c, d = (Path(f"{name}.zip").read_bytes() for name in "abcd")
    assert c == d
    assert len({a, b, c}) == 3


def test_a_case_without_a_right_answer_is_refused(assignment: Path, tmp_path: Path) -> None:
    copy = tmp_path / "small"
    shutil.copytree(assignment, copy)
    case = copy / "cases" / "q2" / "01-figure.yaml"
    text = case.read_text(encoding="utf-8").replace("plies: 2", "plies: 1").replace(" ~-1", "")
    case.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="01-figure.yaml: .*: this min node has no score"):
        upload(copy)


def test_requirements_are_pinned_to_what_is_installed() -> None:
    from importlib import metadata

    lines = build.requirements().splitlines()
    requirements = {requirement.name: requirement for requirement in map(Requirement, lines)}
    assert {"numpy", "pydantic", "PyYAML", "rich", "pydantic_core"} <= requirements.keys()
    for name, requirement in requirements.items():
        assert str(requirement.specifier) == f"=={metadata.version(name)}"
    assert "pygame-ce" not in requirements


@platform
def test_setup_makes_an_environment_and_installs_the_pinned_versions(tmp_path: Path) -> None:
    """With a Python that only writes down its arguments, because tests have no network."""
    for script in (ROOT / "autograder/platforms/gradescope").iterdir():
        subprocess.run(["bash", "-n", str(script)], check=True)
    log = tmp_path / "log"
    fake = tmp_path / "bin" / "python3.14"
    fake.parent.mkdir()
    fake.write_text(
        f"""#!/bin/sh
echo "$@" >>{log}
if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; fi
""",
        encoding="utf-8",
    )
    fake.chmod(0o755)
    environment = {"PATH": f"{fake.parent}{os.pathsep}{os.environ['PATH']}", "AUTOGRADER_ROOT": str(tmp_path)}
    subprocess.run(["bash", str(ROOT / "autograder/platforms/gradescope/setup.sh")], env=environment, check=True)
    calls = log.read_text(encoding="utf-8").splitlines()
    assert f"-m venv {tmp_path}/env" in calls
    assert calls[-2].endswith(f"-r {tmp_path}/source/requirements.txt")
    assert calls[-1] == f"-m compileall -q {tmp_path}/source"


def test_classic_files_need_an_upload_with_their_api(tmp_path: Path) -> None:
    classic = part_of("classic", {"q2": ["01-won-ends", "05-first-of-equals"]}, tmp_path / "classic")
    text = (ROOT / "tests/submissions/classic/closures.py").read_text(encoding="utf-8")
    text += "\nMINE = True\n"  # an unchanged file of the checkout is no submission
    assert run_in_process(tmp_path / "a", upload(classic, api="cs188"), text)[-1]["score"] == 5
    assert run_in_process(tmp_path / "b", upload(classic), text)[-1]["score"] == 0


@platform
def test_a_grading_that_is_stopped_leaves_whole_results(assignment: Path, tmp_path: Path) -> None:
    """The platform kills all processes when its time is over."""
    endless = SOLUTION.replace("class ExpectimaxAgent", "while True: pass\nclass ExpectimaxAgent")
    command = unpack(tmp_path, upload(assignment), "mine.py", endless)
    environment = {**VARIABLES, "AUTOGRADER_ROOT": str(tmp_path), "AUTOGRADER_PYTHON": sys.executable}
    with subprocess.Popen(command, env=environment, start_new_session=True) as process:
        for _ in range(2000):
            if (tmp_path / "results" / "results.json").exists():
                break
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    last = results_in(tmp_path)
    assert (last["score"], "Grading is not finished" in last["output"]) == (0, True)


def test_a_submission_may_use_its_whole_time_on_the_platform() -> None:
    assignment = loading.load("multiagent")
    assert fit_to_platform(assignment).limits.memory_mb == 512
    assert fit_to_platform(assignment).cases == assignment.cases
    assert time_out(assignment) == 20
    slow = tuple(replace(case, seconds=60) for case in assignment.cases)
    limits = replace(assignment.limits, submission_seconds=1300)
    with pytest.raises(InputError, match="may use 1300 s, and the platform stops after 40 minutes; lower submission_s"):
        time_out(replace(assignment, limits=limits, cases=slow))
