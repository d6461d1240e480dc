"""A wheel of the project, installed in an empty environment, plays, grades, and finds the files that it contains."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.empty_environment import environment, install, make_environment
from tests.paths import ROOT, SOLUTIONS


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter with the wheel. It uses the dependencies of this interpreter, because a test has no network."""
    folder = tmp_path_factory.mktemp("install")
    interpreter = make_environment(folder / "env")
    tree = folder / "tree"
    tree.mkdir()
    for name in ("pacman", "agents", "autograder", "layouts", "setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tree / name)
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(folder)!r})"  # as pip does, in less time
    subprocess.run([sys.executable, "-c", build], cwd=tree, capture_output=True, check=True)
    (wheel,) = folder.glob("*.whl")
    install(interpreter, str(wheel))
    return interpreter


def output(python: Path, folder: Path, *arguments: str) -> str:
    """What `python -m ARGUMENTS` prints in that folder; the command must succeed."""
    done = subprocess.run(
        [str(python), "-m", *arguments], cwd=folder, env=environment(), capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_runs_and_not_the_checkout(python: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(python), "-c", "import pacman, autograder; print(pacman.__file__, autograder.__file__)"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for file in done.stdout.split():
        assert ROOT not in Path(file).parents


def test_the_wheel_has_every_file_of_the_packages(python: Path) -> None:
    code = "import pacman; print(pacman.__path__[0])"
    done = subprocess.run([str(python), "-c", code], cwd=python.parent, capture_output=True, text=True, check=True)
    packages = ("pacman", "agents", "autograder", "layouts")
    files = [path for name in packages for path in (ROOT / name).rglob("*") if path.is_file()]
    names = {path.relative_to(ROOT) for path in files if "__pycache__" not in path.parts}
    installed = Path(done.stdout.strip()).parent
    assert [name for name in names if not (installed / name).is_file()] == [Path("layouts/README.md")]


def test_it_finds_its_layouts_and_plays(python: Path, tmp_path: Path) -> None:
    layouts = output(python, tmp_path, "pacman", "layouts")
    assert len(layouts.splitlines()) == len(list((ROOT / "layouts").glob("*.lay")))
    assert "win: score" in output(python, tmp_path, "pacman", "watch", "--layout", "nook", "--view", "none")


def test_it_finds_its_assignment_and_grades(python: Path, tmp_path: Path) -> None:
    shutil.copy(SOLUTIONS, tmp_path / "mine.py")
    report = ("--question", "q2", "--html", "report.html")
    assert "minimax" in output(python, tmp_path, "autograder", "grade", "mine.py", *report).lower()
    assert "<h1>Multi-agent search: 5 of 5 points</h1>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_it_writes_the_stubs_for_a_student(python: Path, tmp_path: Path) -> None:
    assert output(python, tmp_path, "pacman", "--version") == "pacman-search 0.2.0\n"
    output(python, tmp_path, "pacman", "new-agent", "mine.py")
    assert "autograder grade mine.py" in (tmp_path / "mine.py").read_text(encoding="utf-8")


def test_it_builds_an_upload_for_gradescope(python: Path, tmp_path: Path) -> None:
    output(python, tmp_path, "autograder", "gradescope", "--out", "upload.zip")
    with zipfile.ZipFile(tmp_path / "upload.zip") as archive:
        names = set(archive.namelist())
    assert {"setup.sh", "run_autograder", "layouts/nook.lay", "autograder/sandbox/syscalls.txt"} <= names
    assert "autograder/report/scorecard.schema.json" in names


def test_it_makes_a_release_for_students(python: Path, tmp_path: Path) -> None:
    output(python, tmp_path, "autograder", "release", "warm-up", "--out", "kit.zip")
    with zipfile.ZipFile(tmp_path / "kit.zip") as archive:
        assert archive.read("warm-up/LICENSE") == (ROOT / "LICENSE").read_bytes()
        assert {"warm-up/handout.md", "warm-up/my.py", "warm-up/README.md"} <= set(archive.namelist())
        assert not [name for name in archive.namelist() if "instructors" in name]
