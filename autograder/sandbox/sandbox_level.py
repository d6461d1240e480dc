"""Finds out which walls hold on this machine, by trying to get through them. The result is one of four levels."""

from __future__ import annotations

import os
import select
import socket
import sys
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

from autograder.cases.case import Limits
from autograder.sandbox.fork_server import ForkServer, NotStarted, Walls
from autograder.sandbox.import_bundle import make_import_bundle, make_world_readable, unreadable_path
from autograder.sandbox.process_session import Session, SessionBroken
from autograder.sandbox.work_folder import WorkFolder
from pacman.core.errors import InputError

PROBE_SECONDS = 10.0


class Level(Enum):
    """How strong the sandbox is, strongest first. Other people's submissions need at least `CONTAINER`."""

    FULL = "full"
    CONTAINER = "container"
    UID = "uid"
    LIMITS = "limits"

    @property
    def is_safe(self) -> bool:
        """True if the level is strong enough for other people's submissions."""
        return self in (Level.FULL, Level.CONTAINER)

    @property
    def text(self) -> str:
        """What the level means, in one line for a report."""
        return f"sandbox: {self.value} ({_MEANINGS[self]})"


_MEANINGS = {
    Level.FULL: "sees no file, process or network of this machine",
    Level.CONTAINER: "can read Python's own files only; cannot write, start processes or use the network",
    Level.UID: "runs as another user, without processes or network; can read world-readable files",
    Level.LIMITS: "limits time and memory only; does not stop a hostile program",
}

DESCRIPTIONS = {
    "read": "read a file of the grader",
    "list": "list a folder of the grader",
    "write": "write a file elsewhere",
    "overwrite": "write into its own folder",
    "socket": "send over the network",
    "abstract socket": "open a local socket",
    "fork": "start a process",
    "run": "run a program",
    "signal": "signal the grader",
    "signal parent": "signal its parent process",
    "memory of another": "read the grader's memory",
    "memory of the parent": "read its parent's memory",
    "session": "start a new Unix session",
    "shared futex": "signal another submission",
}
"""What each escape attempt tries to do, in words for a report."""

ESCAPES_TO_STOP: dict[Level, frozenset[str]] = {
    Level.FULL: frozenset(DESCRIPTIONS),
    Level.CONTAINER: frozenset(DESCRIPTIONS),
    Level.UID: frozenset(DESCRIPTIONS) - {"read", "list", "memory of the parent"},
    Level.LIMITS: frozenset(),
}
"""The escapes of `autograder.student_process.escape_attempts` that each level must stop."""


@dataclass(frozen=True)
class SandboxCheck:
    """The level of this machine's sandbox, its walls, and the reasons why no stronger level holds.

    `escapes`: for each escape attempt, the error that stopped it, or None if it succeeded.
    """

    level: Level
    walls: Walls
    escapes: dict[str, str | None] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()


@cache
def check_sandbox(highest: Level | None = None) -> SandboxCheck:
    """The strongest level that holds on this machine, found by real escape attempts.

    With `highest`, stronger levels are not tried. InputError if graded code cannot start here at all.
    """
    if sys.platform == "win32":
        return SandboxCheck(Level.LIMITS, Walls(), {}, ("the levels 'full', 'container' and 'uid' need Linux",))
    reasons: list[str] = []
    levels = list(Level)
    for level in levels[levels.index(highest) if highest else 0 :]:
        walls, problem = _walls(level)
        if problem:
            reasons.append(f"level '{level.value}' not reached: {problem}")
            continue
        try:
            escapes = probe(walls)
        except (NotStarted, SessionBroken, OSError) as error:
            reasons.append(f"level '{level.value}' not reached: {error}")
            continue
        stopped = ESCAPES_TO_STOP[level]
        successes = [text for name, text in DESCRIPTIONS.items() if name in stopped and escapes[name] is None]
        if not successes:
            return SandboxCheck(level, walls, escapes, tuple(reasons))
        reasons.append(f"level '{level.value}' not reached: these attempts succeeded: {', '.join(successes)}")
    raise InputError(f"graded code cannot start on this machine: {reasons[-1]}")


def unsafe_message(check: SandboxCheck) -> str:
    """Why this sandbox is too weak for other people's submissions, and what to do, in one line."""
    return (
        "a folder or an archive may be somebody else's work, and the sandbox of this machine is too weak for that "
        f"(level '{check.level.value}'); run `python -m autograder doctor` for the reasons, "
        "or add --allow-unsafe if you trust this code"
    )


def _walls(level: Level) -> tuple[Walls, str]:
    """The walls of a level, and why they cannot be used here; an empty string if they can be tried."""
    is_root = os.geteuid() == 0
    if level is Level.LIMITS:
        return Walls(), ""
    if sys.platform != "linux":
        return Walls(), "it needs Linux"
    if level is Level.FULL:
        return Walls(bubblewrap=True, landlock=True, seccomp=True, uid=is_root), ""
    problem = no_other_user()
    if level is Level.CONTAINER:
        return Walls(landlock=True, seccomp=True, uid=not problem), ""
    return Walls(seccomp=True, uid=True), problem


def no_other_user() -> str:
    """Why graded code cannot run as another user on this machine; an empty string if it can."""
    if os.geteuid() != 0:
        return "only root can switch to another user"
    path = unreadable_path()
    return f"other users cannot read {path}" if path else ""


def probe(walls: Walls) -> dict[str, str | None]:
    """For each escape attempt: the error that stopped it, or None if it succeeded.

    NotStarted if one of the walls is missing here; SessionBroken or OSError if the process ends before it replies.
    """
    with WorkFolder() as own, WorkFolder() as secrets:
        folder, secret = own.path, secrets.path / "secret"
        secret.write_text("A test of the sandbox: graded code must not be able to read this file.")
        make_world_readable(folder)
        make_world_readable(secret.parent)
        server = ForkServer(walls, make_import_bundle(), folder, Limits())
        listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            listener.bind(("127.0.0.1", 0))
            places = {"secret": str(secret), "folder": str(secret.parent), "own": str(folder / "own")}
            with Session(server.fork(PROBE_SECONDS), PROBE_SECONDS, Limits()) as session:
                reply = session.ask("probe", **places, port=listener.getsockname()[1], grader=os.getpid())
            escapes = {str(name): None if stop is None else str(stop) for name, stop in reply["escapes"].items()}
            if not select.select([listener], [], [], 0)[0]:  # sent, but only inside a separate network
                escapes["socket"] = escapes["socket"] or "NotDelivered"
        finally:
            listener.close()
            server.close()
    return escapes
