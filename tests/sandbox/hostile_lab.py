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

from autograder.grading.grade import Grader
from autograder.judge.scorecard import CaseScore
from autograder.sandbox import SandboxCheck, check_sandbox
from autograder.sandbox.fork_server import NotStarted, Walls
from autograder.sandbox.sandbox_level import probe
from tests.every_report import checked
from tests.written_files import write_files, written_assignment

SECONDS = 20.0
"""The time limit of a case: more than any program needs that ends by itself, also on a busy machine."""

# Two equal questions: the submission attacks the first one, and the second one must not change.
QUESTION = "points: 3, role: search, reference: exhaustive, criteria: {value: 1, action: 1, expanded: 1}"
ASSIGNMENT = f"""\
title: A place for attacks
limits: {{seconds: {SECONDS}, memory_mb: 320, output_kb: 16}}
questions:
  - {{id: attacked, title: Attacked, part: MinimaxAgent, {QUESTION}}}
  - {{id: honest, title: Honest, part: HonestAgent, {QUESTION}}}
"""
# The right action is the second one, which no attack returns.
TREE = "max { a: min { a: 1; b: 8 }; b: min { a: 4; b: 5 } }"
WRAPPED = """\
import contextlib

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
        with contextlib.suppress(BaseException):
            print(f"loot: {loot}")
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
    """The result of an attack: the score of the attacked case, and of the honest case."""

    attacked: CaseScore
    honest: CaseScore


@contextmanager
def assert_no_traces() -> Iterator[None]:
    """Fails if the code in the `with` block makes the grader grow, or leaves files or processes behind."""
    temporary = Path(tempfile.mkdtemp())  # not below pytest's folder, which no other user may enter
    temporary.chmod(0o711)
    usual, tempfile.tempdir, memory = tempfile.tempdir, str(temporary), _memory()
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
    agents = ("import attack\n" if at_import else "") + WRAPPED
    homework = write_files(place / "homework", {"attack.py": text, "agents.py": agents})
    (place / "canary").write_text("alive", encoding="utf-8")
    before = {path: path.read_bytes() for path in [*homework.iterdir(), place / "canary"]}
    limits = {"attacked": seconds, "honest": SECONDS}
    case = f"kind: tree\nshows: two plies\nplies: 2\ntree: '{TREE}'\n"
    cases = {f"{question}/case": f"{case}seconds: {limit}\n" for question, limit in limits.items()}
    grader = Grader.of(written_assignment(place / "assignment", ASSIGNMENT, cases), 2, sandbox_check=check)
    card = checked(grader.grade(homework, grader.read(homework, allow_unsafe=True)))
    assert {path: path.read_bytes() for path in [*homework.iterdir(), place / "canary"]} == before
    return Outcome(card.questions[0].cases[0], card.questions[1].cases[0])


def left_running(grader: int | None = None) -> list[str]:
    """The command lines of all processes of graded code that a grader started; by default, this process."""
    mark, found = f"\0of-grader-{grader or os.getpid()}\0".encode(), list[str]()
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path("/proc", entry, "cmdline").read_bytes()
        except OSError:
            continue
        if mark in words:
            found.append(words.replace(b"\0", b" ").decode("utf-8", "replace"))
    return found


def _memory() -> int:
    """Resident bytes of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
