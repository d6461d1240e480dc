"""The upload for Gradescope as root in a container with Docker's defaults: no namespaces, few capabilities."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT
from tests.platforms import docker_emulation
from tests.platforms.test_gradescope import SOLUTION, VARIABLES, assignment, results_in, unpack, upload

__all__ = ["assignment"]  # a fixture

if problem := docker_emulation.problem():
    pytest.skip(problem, allow_module_level=True)

IN_DOCKER = [sys.executable, "-m", "tests.platforms.docker_emulation"]
ENVIRONMENT = {**VARIABLES, "PYTHONPATH": str(ROOT), "AUTOGRADER_PYTHON": sys.executable}


def graded(root: Path, assignment: Path, text: str) -> dict[str, Any]:
    """The results of one submission, graded by the upload's own script in the emulated container."""
    command = unpack(root, upload(assignment, allow_unsafe=False), "mine.py", text)
    before = {path: path.read_bytes() for path in (root / "source").rglob("*") if path.is_file()}
    temporary = root / "tmp"
    temporary.mkdir()
    done = subprocess.run(
        [*IN_DOCKER, *command],
        cwd=root, env={**ENVIRONMENT, "AUTOGRADER_ROOT": str(root), "TMPDIR": str(temporary)},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert not list(temporary.iterdir()), "a file was left behind"
    assert {path: path.read_bytes() for path in (root / "source").rglob("*") if path.is_file()} == before
    results = results_in(root)
    assert "sandbox: safe" in results["output"]
    return results


def test_the_emulated_container_has_the_rights_of_docker() -> None:
    show = (
        "grep -E 'CapEff|Seccomp:' /proc/self/status; unshare --mount true; unshare --user true; mount -t tmpfs x /mnt"
    )
    done = subprocess.run(
        [*IN_DOCKER, "sh", "-c", show], env=ENVIRONMENT, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["CapEff:", "00000000a80425fb", "Seccomp:", "2"]
    assert done.stderr.count("Operation not permitted") >= 2
    assert len(done.stderr.splitlines()) >= 3


def test_an_honest_submission_gets_its_points(tmp_path: Path, assignment: Path) -> None:
    results = graded(tmp_path, assignment, SOLUTION)
    assert results["score"] == 10
    assert {test["status"] for test in results["tests"]} == {"passed"}


@pytest.mark.slow("that attack the sandbox")
def test_a_hostile_submission_gets_nothing(tmp_path: Path, assignment: Path) -> None:
    """What it could read or change is tried by the sandbox itself, at its start: it says that it is safe."""
    results = graded(tmp_path, assignment, Path(__file__).with_name("bully.txt").read_text(encoding="utf-8"))
    assert results["score"] == 0
    assert [test["status"] for test in results["tests"]] == ["failed"] * 4
    assert all("memory" in test["output"] for test in results["tests"])
