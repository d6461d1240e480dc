"""`python -m pacman new-agent`: the stubs for a student, under a new name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agents import load, student
from agents.base import NotWritten
from pacman import start
from tests.command_line import run_here

ODD_NAMES = ['quote".py', "back\\slash.py"] if os.name != "nt" else []


@pytest.mark.parametrize("name", ["my_agents.py", "my agents.py", "агенты.py", *ODD_NAMES])
def test_it_writes_stubs_that_load_and_name_their_own_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run_here("pacman", "new-agent", name)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{name}: written. Next steps:\n")
    module = load.load_module(tmp_path / name)
    assert "student.py" not in str(module.__doc__)
    assert Path(name).stem in str(module.__doc__)
    assert {*vars(module)} >= {key for key in vars(student) if not key.startswith("_")}
    with pytest.raises(NotWritten):
        load.make_pacman(f"{tmp_path / name}:MinimaxAgent").choose(start("nook"))


def test_the_next_steps_are_commands_that_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    steps = run_here("pacman", "new-agent", "mine.py").stdout
    assert "python -m autograder grade mine.py --question q2\n" in steps
    assert "python -m pacman watch --pacman mine.py:MinimaxAgent\n" in steps
    result = run_here("pacman", "watch", "--pacman", "mine.py:MinimaxAgent", "--view", "none")
    assert "MinimaxAgent.search is not written yet" in result.stdout


def test_the_next_steps_of_the_script_name_the_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    steps = run_here("pacman-search", "new-agent", "mine.py").stdout
    assert "pacman-grade grade mine.py --question q2\n" in steps
    assert "pacman-search watch --pacman mine.py:MinimaxAgent\n" in steps
    stubs = (tmp_path / "mine.py").read_text(encoding="utf-8")
    assert "    pacman-grade grade mine.py\n" in stubs
    assert "python -m" not in steps + stubs


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("mine.txt", "mine.txt: expected a file name that ends in .py, for example my_agents.py"),
        ("mine", "mine: expected a file name that ends in .py, for example my_agents.py"),
        ("there.py", "there.py: this file exists already; choose another name"),
        ("no/mine.py", "no/mine.py: cannot be written: no such file or directory"),
    ],
)
def test_it_refuses_other_names_and_never_overwrites(
    name: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.py").write_text("my work\n")
    result = run_here("pacman", "new-agent", name)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"python -m pacman: {problem}\n")
    assert (tmp_path / "there.py").read_text() == "my work\n"
