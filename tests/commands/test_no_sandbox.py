"""A command that runs an agent's file without a sandbox says so: once, on stderr, and in its help."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.command_line import run_here

AGENTS = """\
from agents.base import SearchAgent
from agents.ghosts import RandomGhost
from pacman import Line

class First(SearchAgent):
    def search(self, node, plies):
        return Line(0, node.actions()[0])

class Ghost(RandomGhost):
    pass
"""
FILE = "small_agents.py"
"""No other test has this name: a process runs a file only once."""
GAME = "--layout nook --games 1 --max-plies 4"
COMMANDS = [
    f"watch --view none {GAME} small_agents.py:First --ghosts small_agents.py:Ghost",
    f"simulate --jobs 1 {GAME} small_agents.py:First",
    f"duel --jobs 1 {GAME} --games 2 small_agents.py:First random",
    "solve-exactly --games 1 --agent small_agents.py:First",
    "solve-exactly --ghosts small_agents.py:Ghost",
    "film game.json --out game.png --seconds 0.1 --tree --see small_agents.py:First",
    "replay game.json --view none --see small_agents.py:First",
]
LINE = "no sandbox: small_agents.py can do everything that you can do; run only code that you trust"


def run(words: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that a command writes to stderr, in a folder with a file of agents and a recording."""
    monkeypatch.chdir(folder)
    (folder / FILE).write_text(AGENTS, encoding="utf-8")
    run_here("pacman", "watch", "--view", "none", "--layout", "nook", "--max-plies", "4", "--save", "game.json")
    done = run_here("pacman", *words.split())
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if not re.match("numba is not installed|compiling", line)]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_says_once_that_a_file_runs_without_a_sandbox(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(command, tmp_path, monkeypatch) == [LINE]
    registered = command.replace("small_agents.py:First", "expectimax").replace("small_agents.py:Ghost", "optimal")
    assert run(registered, tmp_path, monkeypatch) == []


def test_several_files_are_named_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "more_agents.py").write_text(AGENTS, encoding="utf-8")
    words = f"watch --view none {GAME} small_agents.py:First more_agents.py:First"
    assert run(words, tmp_path, monkeypatch) == [LINE.replace(FILE, "small_agents.py, more_agents.py")]


@pytest.mark.parametrize("command", ["play", "watch", "film", "replay", "simulate", "duel", "solve-exactly"])
def test_the_help_says_that_a_file_runs_without_a_sandbox(command: str) -> None:
    text = " ".join(run_here("pacman", command, "--help").stdout.split())
    assert re.search(r"FILE\.py:CLASS \(?runs without a sandbox", text)
