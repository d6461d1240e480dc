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


@pytest.mark.parametrize(
    ("pacman", "autograder"), [("python -m pacman", "python -m autograder"), ("pacman-search", "pacman-grade")]
)
def test_the_next_steps_are_commands_that_run(
    pacman: str, autograder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the script, they and the stubs name the scripts."""
    monkeypatch.chdir(tmp_path)
    steps = run_here(pacman.split()[-1], "new-agent", "mine.py").stdout
    assert f"{autograder} grade mine.py --question q1\n" in steps
    assert f"{pacman} watch mine.py:ReflexAgent\n" in steps
    stubs = (tmp_path / "mine.py").read_text(encoding="utf-8")
    assert f"    {autograder} grade mine.py\n" in stubs
    assert ("python -m" in steps + stubs) == ("python" in pacman)
    result = run_here("pacman", "watch", "mine.py:ReflexAgent", "--view", "none")
    assert "ReflexAgent.evaluate_action is not written yet" in result.stdout
