"""Where the tests find the files of this checkout."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
SOLUTIONS = ROOT / "autograder" / "assignments" / "multiagent" / "solutions.py"
