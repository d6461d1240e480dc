"""Runs hostile submissions: a small assignment, a canary file, and checks that nothing is left behind."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.cases.case import Assignment
from autograder.grading.grade import Grader
from autograder.judge.scorecard import CaseScore, Scorecard
from autograder.sandbox import SandboxCheck, check_sandbox
from autograder.sandbox.fork_server import NotStarted, Walls
from autograder.sandbox.sandbox_level import probe
from tests.every_report import checked
from tests.written_assignment import written_assignment

SECONDS = 20.0
"""The time limit of a case: more than any program needs that ends by itself, also on a busy machine."""

# Two equal questions: the submission attacks the first one, and the second one must not change.
ASSIGNMENT = f"""\
title: A place for attacks
limits: {{seconds: {SECONDS}, memory_mb: 320, output_kb: 16}}
questions:
  - {{id: attacked, title: Attacked, part: MinimaxAgent, points: 3, role: search, reference: exhaustive,
     criteria: {{value: 1, action: 1, expanded: 1}}}}
  - {{id: honest, title: Honest, part: HonestAgent, points: 3, role: search, reference: exhaustive,
     criteria: {{value: 1, action: 1, expanded: 1}}}}
"""
# The right action is the second one, which no attack returns.
CASE = """\
kind: tree
shows: two plies
plies: 2
tree: |
  max
    a: min
      a: 1
      b: 8
    b: min
      a: 4
      b: 5
"""
WRAPPED = """\
import os

from agents.base import SearchAgent
from pacman.core.tree import Line, score


def as_dict(node, plies):
    if node.is_terminal:
        return {"name": str(node), "kids": [], "v": score(node)}
    kids = [as_dict(node.successor(action), plies - 1) for action in node.actions()]
    return {"name": str(node), "kids": kids, "v": 0}


class HonestAgent(SearchAgent):
    def search(self, node, plies):
        if node.is_terminal or not plies:
            return Line(self.evaluate(node), None)
        pick = max if node.layer.value == "max" else min
        lines = [Line(self.search(node.successor(a), plies - 1).value, a) for a in node.actions()]
        return pick(lines, key=lambda line: line.value)


class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        import attack

        claim = attack.search(as_dict(node, plies))
        loot = [key for key in map(str, getattr(attack, "LOOT", {})) if not key.startswith("_")]
        os.write(1, f"loot: {loot}\\n".encode())
        action = claim["action"]
        return Line(claim["value"], node.actions()[action] if isinstance(action, int) else action)
"""


def safe_sandbox() -> SandboxCheck:
    """The sandbox of the level `safe`. Skips the test only if the kernel of this machine does not have a wall."""
    check = check_sandbox()
    if not check.level.is_safe:
        for walls in (Walls(landlock=True), Walls(seccomp=True)):
            probe_or_skip(walls)
        pytest.fail(str(check.reasons))
    return check


def probe_or_skip(walls: Walls) -> dict[str, str | None]:
    """What stopped each attempt to escape. Skips the test if the kernel of this machine does not have these walls."""
    try:
        return probe(walls)
    except NotStarted as error:
        pytest.skip(str(error))


@dataclass(frozen=True)
class Outcome:
    """The result of an attack: the score of the attacked case, of the honest case, and the whole scorecard."""

    attacked: CaseScore
    honest: CaseScore
    card: Scorecard


def make_assignment(folder: Path, seconds: float) -> Assignment:
    """The assignment in a folder. The attacked case has `seconds`."""
    limits = {"attacked": seconds, "honest": SECONDS}
    cases = {f"{question}/case": f"seconds: {limit}\n{CASE}" for question, limit in limits.items()}
    return written_assignment(folder, ASSIGNMENT, cases)


def run_attack(
    place: Path, text: str, check: SandboxCheck, at_import: bool = False, seconds: float = SECONDS
) -> Outcome:
    """The outcome of one attack. Fails if it harms the grader or leaves something behind."""
    with assert_no_traces():
        return grade_attack(place, text, check, at_import, seconds)


@contextmanager
def assert_no_traces() -> Iterator[None]:
    """Fails if the code in the `with` block makes the grader grow, or leaves files or processes behind."""
    temporary = Path(tempfile.mkdtemp())  # not below pytest's folder, which no other user may enter
    temporary.chmod(0o711)
    usual, tempfile.tempdir = tempfile.tempdir, str(temporary)
    memory = _memory()
    try:
        yield
    finally:
        tempfile.tempdir = usual
    assert _memory() - memory < 100 << 20, "the grader uses more memory than before"
    temporary.rmdir()  # fails if a file was left behind
    until = time.monotonic() + 60  # a killed process takes a moment to disappear
    while left_running() and time.monotonic() < until:
        time.sleep(0.05)
    assert not left_running(), "a process was left behind"


def grade_attack(
    place: Path, text: str, check: SandboxCheck, at_import: bool = False, seconds: float = SECONDS
) -> Outcome:
    """Grades a submission that contains an attack. Fails if a file next to it changes."""
    homework = place / "homework"
    homework.mkdir()
    (place / "canary").write_text("alive", encoding="utf-8")
    (homework / "attack.py").write_text(text, encoding="utf-8", errors="surrogatepass")
    (homework / "agents.py").write_text(("import attack\n" if at_import else "") + WRAPPED, encoding="utf-8")
    folder = place / "assignment"
    before = {path: path.read_bytes() for path in [*homework.iterdir(), place / "canary"]}
    grader = Grader.of(make_assignment(folder, seconds), 2, sandbox_check=check)
    card = grader.grade(homework, grader.read(homework, allow_unsafe=True))
    assert {path: path.read_bytes() for path in [*homework.iterdir(), place / "canary"]} == before
    checked(card)
    return Outcome(card.questions[0].cases[0], card.questions[1].cases[0], card)


def left_running(grader: int | None = None) -> list[str]:
    """The command lines of all processes of graded code that a grader started; by default, this process."""
    mark = f"\0of-grader-{grader or os.getpid()}\0".encode()
    command_lines = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                words = Path("/proc", entry, "cmdline").read_bytes()
            except OSError:
                continue
            if mark in words:
                command_lines.append(words.replace(b"\0", b" ").decode("utf-8", "replace"))
    return command_lines


def _memory() -> int:
    """Resident bytes of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
