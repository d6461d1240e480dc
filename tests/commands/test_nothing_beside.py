"""A program that shows or grades a user's file leaves nothing beside it, in Python's usual settings too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agents import load
from tests.command_line import run_here
from tests.course.small_class import RIGHT, write_assignment

LAZY = "\n    def choose(self, state):\n        import parts.lazy\n        return super().choose(state)\n"
FILES = {
    "mine.py": f"import helping\nfrom parts import one\n{RIGHT}".replace("\n\nclass Exp", f"{LAZY}\n\nclass Exp"),
    "helping.py": "HELP = 1\n",
    "parts/__init__.py": "",
    "parts/one.py": "from parts.inner.two import TWO\n",
    "parts/inner/two.py": "TWO = 2\n",
    "parts/lazy.py": "",
}
COMMANDS = {
    "watch": "pacman watch FILE:MinimaxAgent --layout nook --view none --max-plies 4 --save game.json",
    "compare": "pacman watch FILE:MinimaxAgent random --layout nook --view none --max-plies 4",
    "film": "pacman film game.json --out film.png --tree --see FILE:MinimaxAgent",
    "simulate": "pacman simulate FILE:MinimaxAgent --layout nook --games 2 --jobs 1",
    "grade": "autograder grade own --assignment trees",
    "case": "autograder case q1/01-first --agent FILE --assignment trees",
    "explain": "autograder explain q1/01-first --agent FILE --assignment trees --out page.html",
    "check": "autograder check trees --mutants 2",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an agent and what it imports, and an assignment whose sample answer is the same file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    for place in (tmp_path / "own", write_assignment(tmp_path)):
        for name, text in FILES.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text, encoding="utf-8")
    (tmp_path / "trees/mine.py").rename(tmp_path / "trees/solutions.py")
    run_here("pacman", "watch", "--layout", "nook", "--view", "none", "--max-plies", "4", "--save", "game.json")
    return tmp_path


def files(folder: Path) -> set[Path]:
    return {path for place in ("own", "trees") for path in (folder / place).rglob("*")}


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_beside_a_file_that_ran(command: str, folder: Path) -> None:
    file, before = folder / "own/mine.py", files(folder)
    done = run_here(*COMMANDS[command].replace("FILE", str(file)).split())
    load.forget_files([file])
    assert done.returncode in (0, 1), done.stderr
    assert files(folder) == before


def test_nothing_is_beside_a_file_that_ran_in_workers(folder: Path) -> None:
    """In the current folder, as a student starts it, with two processes that play."""
    before, command = files(folder), "-m pacman simulate mine.py:MinimaxAgent --layout nook --games 2 --jobs 2"
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, *command.split()], cwd=folder / "own", env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert files(folder) == before


def test_a_library_below_the_folder_of_a_file_stays_a_library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file may be beside an environment, as in a checkout: no library is compiled again, or loses its C modules."""
    library = folder / "own/.venv/site-packages"
    library.mkdir(parents=True)
    (library / "a_library.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(library)
    (folder / "own/mine.py").write_text("import a_library, helping\n", encoding="utf-8")
    module = load.load_module(folder / "own/mine.py")
    load.forget_files([folder / "own/mine.py"])
    sys.modules.pop("a_library")
    assert (library / "__pycache__").exists()
    assert module.helping.HELP == 1
    assert not (folder / "own/__pycache__").exists()
