"""Finds out which walls hold on this machine, by trying to get through them. The result is one of two levels."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path

from autograder.cases.case import Limits
from autograder.sandbox.fork_server import ForkServer, NotStarted, Walls
from autograder.sandbox.readable_files import give_rights
from autograder.sandbox.runner import SessionBroken
from autograder.sandbox.session import ProcessSession
from autograder.sandbox.work_folder import WorkFolder
from pacman.core.errors import InputError

PROBE_SECONDS = 10.0
AS_ROOT: tuple[dict[str, bool], ...] = ({"uid": True}, {}, {"reads_all": True})
"""What root adds to the walls of the safe level, the first that works: it depends on whose files Python is."""


class Level(Enum):
    """How strong the sandbox is. Other people's submissions need `SAFE`."""

    SAFE = "safe"
    LIMITS = "limits"

    @property
    def is_safe(self) -> bool:
        """True if the level is strong enough for other people's submissions."""
        return self is Level.SAFE

    @property
    def text(self) -> str:
        """What the level means, in one line for a report."""
        return f"sandbox: {self.value} ({_MEANINGS[self]})"


_MEANINGS = {
    Level.SAFE: "can read Python's own files only; cannot write, start processes or use the network",
    Level.LIMITS: "limits time and memory only; does not stop a hostile program",
}


@dataclass(frozen=True)
class SandboxCheck:
    """The level of this machine's sandbox, its walls, and the reason why no stronger level holds.

    `escapes`: for each escape attempt, in words, the error that stopped it, or None if it succeeded.
    """

    level: Level
    walls: Walls
    escapes: dict[str, str | None] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()


@cache
def check_sandbox(highest: Level = Level.SAFE) -> SandboxCheck:
    """The strongest level that holds on this machine, found by real escape attempts. `SAFE` must stop all of them.

    With `highest`, a stronger level is not tried. InputError if graded code cannot start here at all.
    """
    reasons: tuple[str, ...] = ()
    if highest is Level.SAFE:
        problem = "it needs Linux"
        if sys.platform == "linux":
            is_root = os.geteuid() == 0
            for more in AS_ROOT[not is_open_to_all(sys.executable) :] if is_root else AS_ROOT[1:2]:
                walls = Walls(landlock=True, seccomp=True, **more)
                escapes, problem = _try(walls)
                successes = [attempt for attempt, stop in escapes.items() if stop is None]
                if escapes and not successes:
                    return SandboxCheck(Level.SAFE, walls, escapes)
                problem = problem or f"these attempts succeeded: {', '.join(successes)}"
        reasons = (f"level 'safe' not reached: {problem}",)
    escapes, problem = _try(Walls()) if sys.platform != "win32" else ({}, "")
    if problem:
        raise InputError(f"graded code cannot start on this machine: {problem}")
    return SandboxCheck(Level.LIMITS, Walls(), escapes, reasons)


def is_open_to_all(file: str) -> bool:
    """True if every user may enter the folders of a file. A try that cannot work would take a third of a second."""
    return all(folder.stat().st_mode & 0o001 for folder in Path(file).resolve().parents)


def _try(walls: Walls) -> tuple[dict[str, str | None], str]:
    """The result of `probe`, and why graded code cannot start behind these walls; an empty string if it can."""
    try:
        return probe(walls), ""
    except (NotStarted, SessionBroken, OSError) as error:
        return {}, str(error) or type(error).__name__


def unsafe_message(check: SandboxCheck) -> str:
    """Why this sandbox is too weak for other people's submissions, and what to do, in one line."""
    return (
        "a folder or an archive may be somebody else's work, and the sandbox of this machine is too weak for that "
        f"(level '{check.level.value}'); run `python -m autograder doctor` for the reasons, "
        "or add --allow-unsafe if you trust this code"
    )


def probe(walls: Walls) -> dict[str, str | None]:
    """For each escape attempt: the error that stopped it, or None if it succeeded.

    NotStarted if one of the walls is missing here; SessionBroken or OSError if the process ends before it replies.
    """
    with WorkFolder() as own, WorkFolder() as secrets:
        folder, secret = own.path, secrets.path / "secret"
        secret.write_text("A test of the sandbox: graded code must not be able to read this file.")
        give_rights(folder, 0o755)
        give_rights(secret.parent, 0o755)
        server = ForkServer(walls, folder, Limits())
        try:
            places = {"secret": str(secret), "folder": str(secret.parent), "own": str(folder / "own")}
            with ProcessSession(server.fork(PROBE_SECONDS), PROBE_SECONDS, Limits()) as session:
                reply = session.ask("probe", **places, grader=os.getpid())
            return {str(name): None if stop is None else str(stop) for name, stop in reply["escapes"].items()}
        finally:
            server.close()
