"""A command of the project, run in the tests' own process: most of a command's time is starting Python."""

from __future__ import annotations

import runpy
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from unittest.mock import patch


def run_here(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """What `python -m PROGRAM WORDS` does: its exit status and what it prints on both outputs."""
    out, err, status = StringIO(), StringIO(), 0
    sys.modules.pop(f"{program}.__main__", None)
    with patch.object(sys, "argv", [program, *words]), redirect_stdout(out), redirect_stderr(err):
        try:
            runpy.run_module(program, run_name="__main__")
        except SystemExit as ended:
            status = int(ended.code or 0)
    return subprocess.CompletedProcess([program, *words], status, out.getvalue(), err.getvalue())
