"""Commands that a page of the documentation shows, run as it shows them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPTS = Path(__file__).parent / "scripts"
"""Runs `pacman-search` and `pacman-grade` from the checkout, or from the copy that PYTHONPATH names."""


def run(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(map(str, (SCRIPTS, Path(sys.executable).parent, os.environ["PATH"])))
    settings = {"PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "PATH": paths}
    return subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, **settings, **environment}, capture_output=True, text=True,
        encoding="utf-8", timeout=600,
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
