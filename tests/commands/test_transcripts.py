"""The command lines, as transcripts: the arguments, `---`, the output, `--- exit N`.

A file contains several transcripts, each after a line `===`. `{tmp}` is a folder with the files of `files()` below.
After a change of the texts, run this test with UPDATE_TRANSCRIPTS=1 and read the difference.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import run_here
from tests.paths import ROOT, SOLUTIONS

HERE = Path(__file__).parent
FENCE = "===\n"
WRONG = """
from agents.base import SearchAgent
from pacman import Layer, Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        print("search", plies)
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return max(lines, key=lambda line: line.value)
"""
"""A search that takes the largest value everywhere, and prints."""


def cases(*paths: Path) -> list[tuple[Path, int, str]]:
    """The transcripts in these files: file, number and text."""
    return [
        (path, number, case)
        for path in paths
        for number, case in enumerate(path.read_text(encoding="utf-8").split(FENCE)[1:], 1)
    ]


def files(folder: Path) -> None:
    """Writes the files that the commands in the transcripts read."""
    from agents.ghosts import RandomGhost
    from agents.pacmen import RandomPacman
    from pacman import start
    from pacman.play.game import Game
    from pacman.play.recording import Recorder

    def write(name: str, text: str) -> None:
        (folder / name).write_text(text, encoding="utf-8", newline="\n")

    write("ragged.lay", "%%%%%\n%P.G%\n%%%%\n")
    write("open.lay", "%%%%%\n%P.G \n%%%%%\n")
    write("empty.lay", "")
    write("long.lay", "%%%%%\n%P.G%   \n%%%%%%\n")
    write("small.lay", "%%%%%%\n%P .G%\n%%%%%%\n")
    write("notpython.py", "def minimax(:\n")
    write("imports.py", "import a_package_nobody_has\n")
    write("raises.py", "print(1 / 0)\n")
    write("empty.py", "")
    write(
        "mine.py",
        "from agents.base import BaseAgent\n\n\nclass West(BaseAgent):\n    def choose(self, state):\n"
        "        return 'West'\n",
    )
    write("wrong.py", WRONG)
    write("notes.txt", "this is no recording\n")
    shutil.copy(SOLUTIONS, folder / "right.py")
    shutil.copy(ROOT / "agents" / "student.py", folder / "stubs.py")
    shutil.copy(ROOT / "tests" / "submissions" / "classic" / "closures.py", folder / "cs188.py")
    (folder / "notes.zip").touch()
    (folder / "folder.gif").mkdir()
    write("tree.txt", "max\n  a: min\n    x: 3\n    y: 12\n  b: chance\n    x @1/4: 2\n    y @3/4: 6\n")
    write("bad-tree.txt", "max\n  a: 3\n  a: 4\n")
    path = folder / "game.json"
    played = Game(start("nook"), [RandomPacman(), RandomGhost()], ["random", "random 1"], seed=1, clock=lambda: 0.0)
    with Recorder(path, played):
        played.play()
    lines = path.read_text().splitlines(keepends=True)
    write("cut.json", "".join(lines[:4]) + lines[4][:20])
    changed = json.loads(lines[2])
    changed["action"] = "North" if changed["action"] != "North" else "South"
    write("newer.json", lines[0].replace('"version":3', '"version":9'))
    write("older.json", lines[0].replace('"version":3', '"version":2'))
    saved = ("--from", "3", "--agent", "greedy", "--save", str(folder / "branched.json"))
    run_here("pacman", "replay", str(path), "--view", "none", *saved)
    write("changed.json", "".join([*lines[:2], json.dumps(changed) + "\n", *lines[3:-1]]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    files(folder)
    return folder


def printed(arguments: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a command prints on stdout, then on stderr, and its exit status; without paths and times that vary.

    A command without a view runs in this process, because most of its time is the start of Python.
    """
    words = shlex.split(arguments.replace("{tmp}", folder.as_posix()))
    if words[1:2] in (["play"], ["watch"], ["replay"]) and "none" not in words:
        out, status = _in_a_process(words, folder)
    else:
        monkeypatch.chdir(folder)
        done = run_here(*words)
        out, status = done.stdout + done.stderr, done.returncode
    text = out.replace(folder.as_posix(), "{tmp}").replace(str(folder), "{tmp}").replace(f"{ROOT}{os.sep}", "")
    text = re.sub(r'("seconds": \[)[^\]]*', r"\1...", text)
    # These lines depend on the machine, and on whether its machine code is on disk.
    text = re.sub(r"^(numba is not installed; |compiling ).*\n", "", text, flags=re.M)
    return f"{text}--- exit {status}\n"


def _in_a_process(words: list[str], folder: Path) -> tuple[str, int]:
    screens = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
    environment = {key: value for key, value in os.environ.items() if key not in screens}
    environment |= {"NO_COLOR": "1", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        timeout=300,
    )
    return done.stdout + done.stderr, done.returncode


def check(path: Path, number: int, case: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a transcript prints. Fails if its file says something else, or if a command with a mistake writes."""
    arguments, _, expected = case.partition("\n---\n")
    before = {each.name: each.stat().st_mtime_ns for each in folder.iterdir()}
    got = "".join(f"{line.rstrip()}\n" for line in printed(arguments, folder, monkeypatch).splitlines())
    if os.environ.get("UPDATE_TRANSCRIPTS"):
        parts = path.read_text(encoding="utf-8").split(FENCE)
        parts[number] = f"{arguments}\n---\n{got}"
        path.write_text(FENCE.join(parts), encoding="utf-8", newline="\n")
        return got
    assert got == expected
    assert "Traceback" not in got
    if got.endswith("exit 2\n") and got.count("\n") == 2:
        assert {each.name: each.stat().st_mtime_ns for each in folder.iterdir()} == before, "nothing is written"
    return got


@pytest.mark.parametrize(
    ("file", "number", "case"),
    cases(*sorted((HERE / "transcripts").glob("*.txt"))),
    ids=lambda value: getattr(value, "name", str(value)).split("\n")[0][:60],
)
def test_transcript(file: Path, number: int, case: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(file, number, case, folder, monkeypatch)
