"""Known mistakes in the Berkeley style: small changes to right files, so that each makes one mistake (slips.txt)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.mistakes import changed, mistakes
from tests.paths import ROOT

RIGHT = ROOT / "tests" / "submissions" / "classic"
SOLUTIONS = ROOT / "autograder" / "assignments" / "classic" / "solutions.py"


@dataclass(frozen=True)
class Slip:
    """A mistake in one class of a right file: a short name of it, the class, and the whole file."""

    name: str
    part: str
    source: str


def _slip(file: str, change: str, line: str) -> Slip:
    path = SOLUTIONS if file == SOLUTIONS.name else RIGHT / file
    name, part = line.split()
    return Slip(name, part, changed(path.read_text(encoding="utf-8"), change))


_ALL = [_slip(*row) for row in mistakes(Path(__file__).with_name("slips.txt"))]
*SLIPS, NO_STOP, MADE_TWICE, REMEMBERS, THIRD_GHOST_NEVER_MOVES = _ALL
