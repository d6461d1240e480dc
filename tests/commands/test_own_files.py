"""Commands that run the file of a user: the stubs, the warning, what is said of a fault, and `--reload`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agents import load, student
from agents.base import NotWritten
from pacman import start
from pacman.__main__ import app
from pacman.commands.games import Reloader
from pacman.play.game import Game
from pacman.view import After
from pacman.view.screen import Key
from pacman.view.window import Window
from tests.command_line import run_here
from tests.view.fake_screen import FakeScreen

ODD_NAMES = ['quote".py', "back\\slash.py"] if os.name != "nt" else []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---- the stubs


@pytest.mark.parametrize("name", ["my_agents.py", "my agents.py", "агенты.py", *ODD_NAMES])
def test_new_agent_writes_stubs_that_load_and_name_their_own_file(name: str, folder: Path) -> None:
    result = run_here("pacman", "new-agent", name)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{name}: written. Next steps:\n")
    module = load.load_module(folder / name)
    assert "student.py" not in str(module.__doc__)
    assert Path(name).stem in str(module.__doc__)
    assert {*vars(module)} >= {key for key in vars(student) if not key.startswith("_")}
    with pytest.raises(NotWritten):
        load.make_pacman(f"{folder / name}:MinimaxAgent").choose(start("nook"))


@pytest.mark.parametrize(
    ("pacman", "autograder"), [("python -m pacman", "python -m autograder"), ("pacman-search", "pacman-grade")]
)
def test_the_next_steps_are_commands_that_run(pacman: str, autograder: str, folder: Path) -> None:
    """After the script, they and the stubs name the scripts."""
    steps = run_here(pacman.split()[-1], "new-agent", "mine.py").stdout
    assert f"{autograder} grade mine.py --question q1\n" in steps
    assert f"{pacman} watch mine.py:ReflexAgent\n" in steps
    stubs = (folder / "mine.py").read_text(encoding="utf-8")
    assert f"    {autograder} grade mine.py\n" in stubs
    assert ("python -m" in steps + stubs) == ("python" in pacman)
    result = run_here("pacman", "watch", "mine.py:ReflexAgent", "--view", "none")
    assert "ReflexAgent.evaluate_action is not written yet" in result.stdout


def test_new_agent_writes_a_berkeley_style_file_of_which_nothing_is_written(folder: Path) -> None:
    steps = run_here("pacman", "new-agent", "mine.py", "--api", "cs188").stdout
    command = "autograder grade mine.py --api cs188"
    assert f"python -m {command} --question q1\n" in steps
    assert f"python -m {command}\n" in (folder / "mine.py").read_text(encoding="utf-8")
    report = run_here(*command.split()).stdout
    unwritten = report.partition("not written yet: ")[2]
    assert all(
        name in unwritten for name in ("ReflexAgent.evaluationFunction", "ExpectimaxAgent.getAction", "betterEv")
    )


# ---- no sandbox


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


def stderr_of(words: str, folder: Path) -> list[str]:
    """The lines that a command writes to stderr, in a folder with files of agents and a recording."""
    for name in (FILE, "more_agents.py"):
        (folder / name).write_text(AGENTS, encoding="utf-8")
    run_here("pacman", "watch", "--view", "none", "--layout", "nook", "--max-plies", "4", "--save", "game.json")
    done = run_here("pacman", *words.split())
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if not re.match("numba is not installed|compiling", line)]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_says_once_that_a_file_runs_without_a_sandbox(command: str, folder: Path) -> None:
    assert stderr_of(command, folder) == [LINE]
    registered = command.replace("small_agents.py:First", "expectimax").replace("small_agents.py:Ghost", "optimal")
    assert stderr_of(registered, folder) == []
    text = " ".join(run_here("pacman", command.split()[0], "--help").stdout.split())
    assert re.search(r"FILE\.py:CLASS \(?runs without a sandbox", text)


def test_several_files_are_named_in_one_line(folder: Path) -> None:
    words = "watch --view none --layout nook --max-plies 4 small_agents.py:First more_agents.py:First"
    assert stderr_of(words, folder) == [LINE.replace(FILE, "small_agents.py, more_agents.py")]


# ---- faults


FAULTY = """
from agents.base import SearchAgent
from pacman import Layer, Line


class Mine(SearchAgent):
    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.leaf(node), None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return max(lines) if node.layer is Layer.MAX else min(lines)

    def leaf(self, node):
        if node.score > 5:
            return 1 / 0
        return node.score
"""
LOOP = """
import time
from agents.base import SearchAgent


class Mine(SearchAgent):
    def search(self, node, plies):
        node.successor(node.actions()[0])
        end = time.monotonic() + 3
        while time.monotonic() < end:
            pass
        raise ValueError("the second search ran to its end")
"""


@pytest.mark.parametrize("view", ["none", "text"])
def test_a_fault_shows_line_traceback_and_tree_and_the_status_is_1(view: str, folder: Path) -> None:
    (folder / "faulty.py").write_text(FAULTY)
    done = run_here("pacman", "watch", "faulty.py:Mine", "--layout", "nook", "--view", view)
    line = 1 + FAULTY[: FAULTY.index("1 / 0")].count("\n")
    assert done.returncode == 1
    assert f"Pacman at ply 0, faulty.py:{line}: ZeroDivisionError: division by zero" in done.stdout
    assert "Traceback" not in done.stdout
    own, _, tree = done.stderr.partition("The search until the error")
    assert own.count("File ") == own.count("faulty.py") - 1  # one more in the note about the sandbox
    assert "\nZeroDivisionError: division by zero\nThe divisor is 0" in own
    rows = tree.split("\n")[1:]
    assert rows[0].endswith("root")
    assert any(row.startswith(">") for row in rows)


def test_in_a_series_each_fault_is_explained_once_and_the_status_is_0(folder: Path) -> None:
    (folder / "faulty.py").write_text(FAULTY)
    done = run_here("pacman", "watch", "faulty.py:Mine", "--layout", "nook", "--view", "none", "--games", "3")
    assert (done.returncode, done.stdout.count("fault: "), done.stderr.count("Traceback")) == (0, 3, 1)


def test_a_search_out_of_time_is_explained_within_the_same_time(folder: Path) -> None:
    (folder / "loops.py").write_text(LOOP)
    done = run_here("pacman", "watch", "loops.py:Mine", "--layout", "nook", "--view", "none", "--move-timeout", "0.1")
    assert done.returncode == 1
    assert "Pacman at ply 0, loops.py:" in done.stdout
    assert done.stderr.endswith("no answer within 0.1 s\n")


# ---- --reload


IMPORTING = """
from helping import CHOICE
from agents.base import BaseAgent

class Mine(BaseAgent):
    def choose(self, state):
        return CHOICE if CHOICE in state.actions() else "Stop"
"""


@pytest.fixture
def file(folder: Path) -> Iterator[Path]:
    """The file of an agent that imports another file beside it."""
    file = folder / "mine.py"
    file.write_text(IMPORTING)
    (folder / "helping.py").write_text("CHOICE = 'West'\n")
    yield file
    load.forget_files([file])


def save(path: Path, text: str) -> None:
    """Saves a file so that its time differs from the one before even where clocks are coarse."""
    before = path.stat().st_mtime_ns
    path.write_text(text)
    os.utime(path, ns=(before + 10**7, before + 10**7))


def test_a_saved_file_and_the_files_that_it_imports_run_again(file: Path) -> None:
    choices: list[str] = []

    def choose() -> None:
        choices.append(load.make_pacman(f"{file}:Mine").choose(start("smallish")))

    reloader = Reloader([str(file)], choose)
    choose()
    assert reloader() is None, "the import of `helping` is new, but nothing was saved"
    save(file, IMPORTING.replace('"Stop"', '"East"'))
    assert reloader() == ""
    save(file.with_name("helping.py"), "CHOICE = 'East'\n")
    assert reloader() == ""
    assert choices == ["West", "West", "East"]
    file.rename(file.with_name("away.py"))
    assert reloader() is None, "an editor may replace the file"
    file.with_name("away.py").rename(file)
    assert reloader() is None
    save(file, IMPORTING + "\ndef broken(:\n")
    problem = reloader()
    assert problem is not None
    assert problem.startswith(f"{file}:9: not valid Python: ")
    assert reloader() is None, "a mistake is reported once"
    save(file, IMPORTING)
    assert reloader() == ""


def test_the_window_keeps_the_old_game_until_the_file_is_mended(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games_shown = list[Game]()
    errors: list[str] = []

    class Editing(FakeScreen):
        """In the first game: saves a mistake, then mends it; in the second game: quits."""

        def flip(self, fps: float) -> float:
            if self.frames == 30:
                save(file, "class Mine(:\n")
            if self.frames == 90:
                errors.append(window[0].player.file_error)
                assert len(games_shown) == 1
                save(file, IMPORTING.replace('"Stop"', '"East"'))
            if len(games_shown) == 2:
                self.script = {self.frames + 1: [Key("q")]}
            return super().flip(fps)

    class Listed(Window):
        def show(self, *games: object) -> After:
            window.append(self)
            games_shown.extend(game.source for game in games)  # type: ignore[attr-defined]
            return super().show(*games)  # type: ignore[arg-type]

    window: list[Listed] = []
    screen = Editing({})
    monkeypatch.setattr("pacman.view.screen.open_display", lambda: None)
    monkeypatch.setattr("pacman.view.window.Window", lambda *rest, **more: Listed(*rest, **more, screen=screen.open))
    result = CliRunner().invoke(app, ["watch", f"{file}:Mine", "--reload", "--overlay", "values"])
    assert result.exit_code == 0, result.output
    (error,) = errors
    assert error.startswith(f"{file}:1: not valid Python: ")
    assert [type(game.agents[0]).__name__ for game in games_shown] == ["Mine", "Mine"]
    assert type(games_shown[0].agents[0]) is not type(games_shown[1].agents[0])
    assert window[-1].player.file_error == ""
