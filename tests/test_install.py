"""The sdist, and the wheel made from it: installed in an empty environment, it plays, grades and has all its files."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.empty_environment import environment, install, make_environment
from tests.paths import ROOT, SOLUTIONS

PACKAGES = ("pacman", "agents", "autograder", "layouts")
SETTINGS = ("setup.py", "setup.cfg", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that is in an sdist of the project, in a folder of its own."""
    folder = tmp_path_factory.mktemp("install")
    tree = folder / "tree"
    for name in (*PACKAGES, "tests", "docs"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in SETTINGS:
        shutil.copy(ROOT / name, tree / name)
    build("sdist", tree, folder)
    with tarfile.open(*folder.glob("*.tar.gz")) as archive:
        if hasattr(tarfile, "data_filter"):  # Python 3.11.4 and later
            archive.extraction_filter = staticmethod(tarfile.data_filter)
        archive.extractall(folder)
    (unpacked,) = folder.glob("pacman_search-*/")
    return unpacked


def build(kind: str, tree: Path, to: Path) -> None:
    """Builds an sdist or a wheel as pip does, in less time."""
    code = f"from setuptools import build_meta; build_meta.build_{kind}({str(to)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=tree, capture_output=True, check=True)


@pytest.fixture(scope="module")
def python(sdist: Path) -> Path:
    """An interpreter with the wheel. It uses the dependencies of this interpreter, because a test has no network."""
    left_by_a_build = sdist / "build/lib/layouts/deleted.lay"
    left_by_a_build.parent.mkdir(parents=True)
    left_by_a_build.touch()
    build("wheel", sdist, sdist.parent)
    interpreter = make_environment(sdist.parent / "env")
    install(interpreter, *map(str, sdist.parent.glob("*.whl")))
    return interpreter


def output(python: Path, folder: Path, *arguments: str) -> str:
    """What `python -m ARGUMENTS` prints in that folder; the command must succeed."""
    done = subprocess.run(
        [str(python), "-m", *arguments], cwd=folder, env=environment(), capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files(folder: Path) -> set[str]:
    """The files of the packages in a folder."""
    paths = (path for name in PACKAGES for path in (folder / name).rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix() for path in paths if "__pycache__" not in path.parts}


def test_the_wheel_has_every_file_of_the_packages_and_none_of_an_earlier_build(python: Path) -> None:
    code = "import pacman; print(pacman.__path__[0])"
    done = subprocess.run([str(python), "-c", code], cwd=python.parent, capture_output=True, text=True, check=True)
    installed = Path(done.stdout.strip()).parent
    assert installed != ROOT, "what runs is the wheel"
    assert files(installed) == files(ROOT) - {"layouts/README.md"}


def test_the_sdist_has_what_the_wheel_is_made_of(sdist: Path) -> None:
    assert files(sdist) == files(ROOT) - {"layouts/README.md"}
    others = {path.name for path in sdist.iterdir()} - {*PACKAGES, "build", "pacman_search.egg-info"}
    assert others == {*SETTINGS, "PKG-INFO"}


COMMANDS = {
    "pacman --version": "pacman-search 0.3.0\n",
    "pacman layouts": f"nook{' ' * 4}",
    "pacman watch --layout nook --view none": "win: score",
    "pacman new-agent my.py": "",
    "autograder grade mine.py --question q2 --html report.html": "Minimax",
    "autograder gradescope --out upload.zip": "",
    "autograder release warm-up --out kit.zip": "",
}
"""Commands of the installed programs, and a part of what each prints."""
MEMBERS = {
    "upload.zip": {"setup.sh", "run_autograder", "layouts/nook.lay", "autograder/sandbox/syscalls.txt"}
    | {"autograder/report/scorecard.schema.json"},
    "kit.zip": {f"warm-up/{name}" for name in ("handout.md", "my.py", "README.md", "LICENSE")},
}


def test_it_finds_its_files_and_plays_grades_and_writes(python: Path, tmp_path: Path) -> None:
    shutil.copy(SOLUTIONS, tmp_path / "mine.py")
    for words, expected in COMMANDS.items():
        assert expected in output(python, tmp_path, *words.split()), words
    assert "autograder grade my.py" in (tmp_path / "my.py").read_text(encoding="utf-8")
    assert "<h1>Multi-agent search: 5 of 5 points</h1>" in (tmp_path / "report.html").read_text(encoding="utf-8")
    for name, members in MEMBERS.items():
        with zipfile.ZipFile(tmp_path / name) as archive:
            names = set(archive.namelist())
            assert members <= names
            assert name == "upload.zip" or not [each for each in names if "instructors" in each]
