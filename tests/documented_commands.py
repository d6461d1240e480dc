"""Commands that a page of the documentation shows, run as it shows them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.command_line import run_here
from tests.paths import ROOT

SCRIPTS = Path(__file__).parent / "scripts"
"""Runs `pacman-search` and `pacman-grade` from the checkout, or from the copy that PYTHONPATH names."""


OWN = re.compile(
    r"(python -m )?(?P<words>(?:pacman|autograder|pacman-search|pacman-grade) [^|&<>$`*]*?)"
    r"( 2> (?P<errors>\S+))?( \| (?P<rest>[^|&<>]+))?"
)
"""A command of the project alone; its messages may go to a file, and its output through one other program."""


def is_own(line: str) -> bool:
    """True for a line that `run_own` can run."""
    return OWN.fullmatch(line) is not None


def run_own(line: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Runs a command of the project with `more` arguments in this process. The working directory must be `folder`."""
    match = OWN.fullmatch(line)
    assert match, line
    done = run_here(*shlex.split(match["words"], comments=True), *more)
    if match["errors"]:
        (folder / match["errors"]).write_text(done.stderr, encoding="utf-8")
        done.stderr = ""
    if match["rest"]:
        after = run(match["rest"], folder, done.stdout)
        return subprocess.CompletedProcess(line, after.returncode, after.stdout, done.stderr + after.stderr)
    return done


def run(command: str, folder: Path, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command of a POSIX shell, which reads `text`."""
    paths = os.pathsep.join(map(str, (SCRIPTS, Path(sys.executable).parent, os.environ["PATH"])))
    settings = {"PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "PATH": paths}
    return subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, **settings, **environment}, capture_output=True, text=True,
        encoding="utf-8", input=text, timeout=600,
    )  # fmt: skip


def printed(done: subprocess.CompletedProcess[str]) -> str:
    """Both outputs, without what is blank at the ends of lines."""
    return "".join(f"{line.rstrip()}\n" for line in (done.stdout + done.stderr).splitlines())


def plain(text: str) -> str:
    """Text without what differs from run to run and from machine to machine: times, a new key, the sandbox, numba."""
    text = re.sub(r"\d+(\.\d+)? ?(ms|s)\b", "N s", text)
    text = re.sub(r"sandbox: .*;", "sandbox: ...;", text)
    text = re.sub(r"^numba is not installed; .*\n", "", text, flags=re.M)
    return re.sub(r'("seconds": \[)[^\]]*', r"\1...", text)


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output below it."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def links(page: Path) -> Iterator[Path]:
    """The files and folders that a page leads to."""
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        yield page.parent / target


def rewriting() -> bool:
    """True when the outputs shown are to be written anew: UPDATE_README=1, and read the difference."""
    return bool(os.environ.get("UPDATE_README"))
