"""What a submission claims, as the grader holds it: checked for its type, believed in nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pacman.core.trace import Path, Trace
from pacman.play.game import Result

MAX_TEXT = 300
# Everything that could steer a terminal or turn text around: control, surrogate and direction characters.
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]")


@dataclass(frozen=True)
class Fault:
    """Why a case has no answer, in one line. `kind` is for programs: raised, exit, time, died, ..."""

    kind: str
    text: str


@dataclass(frozen=True)
class Claim:
    """What one search said. `value` is None where it was no finite number; `value_text` is how it looked.

    `trace` is None when more was made than is worth sending. `values` are those of the nodes on which the search
    called itself; they decide nothing and serve to explain a miss.
    """

    value: float | None
    value_text: str
    action: str | None
    choice: str
    generated: int
    trace: Trace | None
    values: tuple[tuple[Path, float], ...]


@dataclass(frozen=True)
class Answer:
    """All that came of one case. Searches claim lines, matches have results, a single choice is an action."""

    claims: tuple[Claim, ...] = ()
    results: tuple[Result, ...] = ()
    action: str | None = None
    fault: Fault | None = None
    seconds: float = 0.0
    output: str = field(default="", repr=False)


def clean(text: object, cap: int = MAX_TEXT) -> str:
    """Text from a submission as one line that is safe to show."""
    line = _STEERING.sub(" ", str(text)[: 4 * cap])
    return line if len(line) <= cap else line[: cap - 3] + "..."
