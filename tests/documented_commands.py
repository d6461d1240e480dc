"""Commands that a page of the documentation shows, run as it shows them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    settings = {"PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "PATH": paths}
    return subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, **settings, **environment}, capture_output=True, text=True,
        encoding="utf-8", timeout=600,
    )  # fmt: skip


def own_command(line: str) -> list[str] | None:
    """The program and its arguments of a line that runs only this project; None for a line that needs a shell."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = [] if set(line) & set("$`*") else list(lexer)
    if words[:3] not in (["python", "-m", "pacman"], ["python", "-m", "autograder"]):
        return None
    return None if any(set(word) <= set("();<>|&") for word in words) else words[2:]


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
