"""Runs a command of the project in the tests' own process, because most of a command's time is the start of Python."""

from __future__ import annotations

import runpy
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from unittest.mock import patch


def run_here(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs `python -m PROGRAM ARGUMENTS`; the result has the exit status and both outputs."""
    out, err, status = StringIO(), StringIO(), 0
    sys.modules.pop(f"{program}.__main__", None)
    with patch.object(sys, "argv", [program, *arguments]), redirect_stdout(out), redirect_stderr(err):
        try:
            runpy.run_module(program, run_name="__main__")
        except SystemExit as ended:
            status = int(ended.code or 0)
    return subprocess.CompletedProcess([program, *arguments], status, out.getvalue(), err.getvalue())
