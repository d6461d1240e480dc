"""The files that a course copies: the Dockerfile and the workflow for a GitHub Classroom do what they say."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder.cases import loading
from autograder.course.kit import release
from autograder.course.new_assignment import small_assignment, write_files
from pacman.program_imports import SCRIPTS
from tests.command_line import run_here
from tests.paths import ROOT

DOCKERFILE = (ROOT / "docs/Dockerfile").read_text(encoding="utf-8")
WORKFLOW = (ROOT / "docs/classroom.yml").read_text(encoding="utf-8")


def test_the_image_installs_the_wheel_that_the_docs_build_and_starts_the_grader() -> None:
    """Docker itself is not here: so its commands are read, and the last one is run."""
    steps = [line.split(" ", 1) for line in DOCKERFILE.splitlines() if line and line[0] != "#"]
    assert [name for name, _ in steps] == ["FROM", "COPY", "RUN", "WORKDIR", "ENTRYPOINT", "CMD"]
    values = dict(steps)
    assert values["FROM"].startswith("python:3.1")
    for name, text in steps:
        if name == "RUN":
            assert subprocess.run(["sh", "-n", "-c", text]).returncode == 0
    course = (ROOT / "docs/course.md").read_text(encoding="utf-8")
    assert "pip wheel --no-deps --wheel-dir dist ." in course
    assert (values["COPY"], "/dist/*.whl" in DOCKERFILE) == ("dist/ /dist/", True)
    (script,) = json.loads(values["ENTRYPOINT"])
    program = {script: module for module, script in SCRIPTS.items()}[script]
    done = run_here(program, *json.loads(values["CMD"]))
    assert done.returncode in (0, 1)
    assert "\nsandbox: " in done.stdout


def grading(folder: Path, name: str) -> str:
    """The summary that the workflow shows after it graded a file in the kit of a small assignment."""
    write_files(small_assignment("week"), folder / "week")
    kit = zipfile.ZipFile(io.BytesIO(release(loading.load(str(folder / "week")))))
    kit.extractall(folder)
    place, summary = folder / "week", folder / "summary.md"
    (place / "my.py").write_bytes((place / name).read_bytes())
    steps: list[dict[str, Any]] = yaml.safe_load(WORKFLOW)["jobs"]["grade"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands[0] == "python -m pip install -e ."
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path, "PYTHONPATH": str(place), "GITHUB_STEP_SUMMARY": str(summary)}
    for command in commands[1:]:
        assert subprocess.run(["bash", "-e", "-c", command], cwd=place, env=variables).returncode == 0, command
    return summary.read_text(encoding="utf-8")


@pytest.mark.slow("that grade a class", keep=1)
@pytest.mark.parametrize(("name", "points"), [("stub.py", "0 of 5"), ("solutions.py", "5 of 5")])
def test_the_workflow_shows_the_report_of_the_open_cases(name: str, points: str, tmp_path: Path) -> None:
    assert grading(tmp_path, name).startswith(f"# week: {points} points\n")
    assert "--key" not in WORKFLOW
