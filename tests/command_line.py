"""Runs a command of the project in the tests' own process, because most of a command's time is the start of Python."""

from __future__ import annotations

import runpy
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from pacman.program_imports import SCRIPTS


def run_here(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs `python -m PROGRAM ARGUMENTS`, or a script such as `pacman-grade`; the result has status and outputs."""
    words = [program, *map(str, arguments)]
    out, err, status = StringIO(), StringIO(), 0
    module = next((module for module, script in SCRIPTS.items() if script == program), program)
    sys.modules.pop(f"{module}.__main__", None)
    with patch.object(sys, "argv", words), redirect_stdout(out), redirect_stderr(err):
        try:
            runpy.run_module(module, run_name="__main__")
        except SystemExit as ended:
            status = int(ended.code or 0)
    return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())
