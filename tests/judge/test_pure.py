"""The judge works without YAML, pydantic, numpy, a terminal or a process: all of them are blocked in a program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.paths import ROOT

BLOCKED = ("yaml", "pydantic", "numpy", "numba", "rich", "typer", "subprocess", "pygame")
EXPECTED = """\
q1/tree 1.00 - 0
q1/tree 0.19 at node a: expected 3, got 5 9
q1/tree 0.00 raised 0
('min-as-max',) At MIN nodes, your search takes the largest value, as if the ghosts helped Pacman. 1
0.75
q1/line 1.00 - 0
q1/line 0.19 Pacman's move 1 (2 plies deep): your search generated the right nodes, but the value of the root is wrong 7
q2/choice 1.00 - 0
q2/choice 0.00 action: expected East, got Stop 3
q2/match 0.50 games won: 1 of 2 2
"""


def test_the_judge_works_with_the_libraries_blocked() -> None:
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("pure_program.py"), *BLOCKED],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == EXPECTED
