"""A wheel built from the tree, installed in an empty environment elsewhere, plays, grades and finds what it ships."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has the wheel; its dependencies are lent by this one, since a test has no network."""
    folder = tmp_path_factory.mktemp("install")
    tree = folder / "tree"
    tree.mkdir()
    for name in ("pacman", "agents", "autograder", "layouts", "setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tree / name)
    subprocess.run(
        [*PIP, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(tree)],
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    home = folder / "env"
    venv.create(home, with_pip=False)
    made = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run(
        [*PIP, "--python", str(made), "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True
    )
    where = subprocess.run(
        [str(made), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    lent = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(where.stdout.strip()) / "lent.pth").write_text("\n".join(sorted(lent)), encoding="utf-8")
    return made


def output(python: Path, folder: Path, *arguments: str) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(python), "-m", *arguments], cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_the_wheel_that_runs(python: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(python), "-c", "import pacman, autograder; print(pacman.__file__, autograder.__file__)"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for file in done.stdout.split():
        assert ROOT not in Path(file).parents


def test_it_finds_its_layouts_and_plays(python: Path, tmp_path: Path) -> None:
    listed = output(python, tmp_path, "pacman", "layouts")
    assert len(listed.splitlines()) == len(list((ROOT / "layouts").glob("*.lay")))
    assert "win: score" in output(python, tmp_path, "pacman", "watch", "--layout", "nook", "--view", "none")


def test_it_finds_its_assignment_and_grades(python: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "autograder" / "assignments" / "multiagent" / "solutions.py", tmp_path / "mine.py")
    assert "minimax" in output(python, tmp_path, "autograder", "grade", "mine.py", "--question", "q2").lower()


def test_it_builds_an_upload_for_gradescope(python: Path, tmp_path: Path) -> None:
    output(python, tmp_path, "autograder", "gradescope", "--out", "upload.zip")
    with zipfile.ZipFile(tmp_path / "upload.zip") as archive:
        names = set(archive.namelist())
    assert {"setup.sh", "run_autograder", "layouts/nook.lay", "autograder/sandbox/syscalls.txt"} <= names
    assert "autograder/report/scorecard.schema.json" in names
