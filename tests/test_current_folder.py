"""Staff may start a program in any folder: no command, and no process that it starts, imports a file from there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import __main__ as autograder_program
from autograder.pages.lab.site import ACE, PYODIDE
from pacman import __main__ as pacman_program
from pacman.program_imports import SCRIPTS
from tests.command_line import run_here
from tests.course import small_class
from tests.paths import ROOT
from tests.trap_folder import Traps
from tests.written_files import write_files

COMMANDS = {"autograder": autograder_program.COMMANDS, "pacman": pacman_program.COMMANDS}
SCRIPT = """
import contextlib, importlib, io, json, sys
for program, script, *arguments in json.load(sys.stdin):
    sys.argv[:] = [script, *arguments]
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            importlib.import_module(program + ".__main__").main()
    except SystemExit as ended:
        print(json.dumps([ended.code, out.getvalue()]))
"""
"""Runs commands one after the other in one process, as the scripts of an installed project start them.

What the loop itself needs is imported from Python; the traps are in the current folder, which is not in `sys.path`.
"""


def works(folder: Path) -> list[list[str]]:
    """Commands that do their work, with files in `folder`; every kind of process is started by one of them."""
    packages = folder / "packages"
    write_files(packages, dict.fromkeys((*PYODIDE, *(f"src-min-noconflict/{name}" for name in ACE)), ""))
    write_files(folder, {"class/ada.py": small_class.RIGHT})
    trees = ["--assignment", str(small_class.write_assignment(folder))]
    store = ["--store", str(folder / "class.db")]
    file = str(folder / "class/ada.py")
    commands = [
        ["grade", file, *trees],
        ["grade-all", str(folder / "class"), *trees, *store, "--jobs", "1"],
        ["gradebook", *store, "--out", "-"],
        ["board", *store],
        ["case", "q1/01-first", "--agent", file, *trees],
        ["check", trees[1], "--jobs", "2"],
        ["gradescope", trees[1], "--out", str(folder / "upload.zip")],
        ["release", trees[1], "--out", str(folder / "kit.zip")],
        ["lab", *trees, "--pyodide", str(packages), "--ace", str(packages), "--out", str(folder / "site")],
        ["new-assignment", "week1", "--out", str(folder / "week1")],
        ["doctor"],
    ]
    plays = [
        ["solve", "--layout", "nook"],
        ["watch", "--layout", "nook", "--view", "none"],
        ["simulate", "--games", "2", "--layout", "nook", "scripted", "--jobs", "1"],
    ]
    return [["autograder", *command] for command in commands] + [["pacman", *command] for command in plays]


def run_in(folder: Path, *command: str, text: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with a command line in a folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment | variables, input=text, capture_output=True, text=True
    )


def test_no_command_imports_a_file_of_the_current_folder(tmp_path: Path) -> None:
    """Every command, started by its script: its help, and the work of some. `nook` is a layout and a file there."""
    traps = Traps(tmp_path / "traps")
    (traps.folder / "nook").write_text("not a layout", encoding="utf-8")
    helps = [[program, name, "--help"] for program, commands in COMMANDS.items() for name in commands]
    requests = [[program, SCRIPTS[program], *words] for program, *words in works(tmp_path) + helps]
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    other = tmp_path / "other"  # another package with the name of one of ours
    other.mkdir()
    shutil.move(traps.folder / "agents", other)
    path = f"{other}{os.pathsep}{ROOT}"
    done = run_in(traps.folder, str(tmp_path / "script.py"), text=json.dumps(requests), PYTHONPATH=path)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(results) == len(requests), done.stderr
    for words, (status, said) in zip(requests, results, strict=True):
        assert status == 0, (words, said)
    assert traps.sprung == []


@pytest.mark.slow("that attack the sandbox")
@pytest.mark.parametrize("is_project", [False, True])
def test_python_m_imports_only_the_project_from_the_current_folder(tmp_path: Path, is_project: bool) -> None:
    """`python -m` itself looks there for a few modules, and for the program."""
    empty = write_files(tmp_path / "empty", {"loaded.py": "import sys\nprint(*sys.modules)\n"})
    early = {name.partition(".")[0] for name in run_in(empty, "-m", "loaded").stdout.split()}
    traps = Traps(tmp_path / "traps", {*early, *(("pacman", "agents", "autograder", "layouts") if is_project else ())})
    commands = [["autograder", "grade-all", "class", "--assignment", "trees", "--store", "class.db", "--jobs", "1"]]
    commands += [["pacman", "simulate", "--layout", "nook", "scripted", "--games", "1", "--jobs", "1"]]
    variables = {"PYTHONPATH": str(ROOT)}
    if is_project:  # as in a checkout that is not installed
        for name in ("pacman", "agents", "autograder", "layouts"):
            shutil.copytree(ROOT / name, traps.folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        variables = {}
    else:
        shutil.rmtree(traps.folder / "autograder")
        shutil.rmtree(traps.folder / "pacman")
        (traps.folder / "game.py").touch()
    small_class.write_assignment(traps.folder)
    write_files(traps.folder, {"class/ada.py": small_class.RIGHT})
    for command in commands:
        done = run_in(traps.folder, "-m", *command, **variables)
        assert done.returncode == 0, done.stderr
    assert traps.sprung == []


@pytest.mark.parametrize("program", COMMANDS)
@pytest.mark.parametrize("is_removed", [False, True])
def test_another_package_agents_in_the_same_folder_is_named(tmp_path: Path, program: str, is_removed: bool) -> None:
    """`pip install` mixes two packages of one name; `pip uninstall` of one removes files of both."""
    for name in ("pacman", "autograder", "layouts"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "agents", tmp_path / "agents", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "agents/__init__.py").unlink()
    problem = "no such file; pip removes it with another package 'agents'; install pacman-search again"
    if not is_removed:
        about = {"METADATA": "Name: other-agents\n", "top_level.txt": "agents\n"}
        write_files(tmp_path / "other_agents-1.dist-info", about)
        write_files(tmp_path, {"agents/__init__.py": "from .exceptions import NoSuchName\n"})
        problem = (
            "this file is from other-agents, which also has a package 'agents'; "
            "install pacman-search in an environment of its own (python3 -m venv NAME)"
        )
    (tmp_path / "elsewhere").mkdir()
    done = run_in(tmp_path / "elsewhere", "-m", program, "--version", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"python -m {program}: {tmp_path}/agents/__init__.py: {problem}\n"


def test_a_folder_with_the_name_of_an_assignment_is_not_taken_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    small_class.write_assignment(tmp_path).rename("warm-up")
    (tmp_path / "ada.py").write_text(small_class.RIGHT, encoding="utf-8")
    done = run_here("autograder", "grade", "ada.py", "--assignment", "warm-up")
    assert (done.returncode, done.stderr) == (
        2,
        "python -m autograder: warm-up: an assignment of the project and a folder with an assignment.yaml; "
        f"write .{os.sep}warm-up for the folder, or start in another folder for the other one\n",
    )
    assert run_here("autograder", "grade", "ada.py", "--assignment", "./warm-up").returncode == 0
