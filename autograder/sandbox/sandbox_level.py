"""Which walls hold on this machine: found by trying to get through each of them, and said by one of four names."""

from __future__ import annotations

import os
import select
import socket
import sys
import tempfile
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path

from autograder.cases.case import Limits
from autograder.sandbox.fork_server import ForkServer, NotStarted, Walls
from autograder.sandbox.import_bundle import is_open_to_all, make_import_bundle, open_to_all, python, readable
from autograder.sandbox.session import Session, SessionBroken


class Level(Enum):
    """How well graded code is shut in, from the best down. Other people's work needs at least `CONTAINER`."""

    FULL = "full"
    CONTAINER = "container"
    UID = "uid"
    LIMITS = "limits"

    @property
    def is_safe(self) -> bool:
        return self in (Level.FULL, Level.CONTAINER)

    @property
    def text(self) -> str:
        """What the level means, in one line for a report."""
        return f"sandbox: {self.value} ({_MEANINGS[self]})"


_MEANINGS = {
    Level.FULL: "sees no file, process or network of this machine",
    Level.CONTAINER: "reads Python alone, writes nothing; no process, no network",
    Level.UID: "another user, no process, no network; world-readable files can be read",
    Level.LIMITS: "time and memory; no shield against a hostile program",
}

STOPPED: dict[Level, frozenset[str]] = {
    Level.LIMITS: frozenset(),
    Level.UID: frozenset(
        {"write", "overwrite", "socket", "abstract socket", "fork", "run", "signal", "signal parent", "session"}
        | {"memory of another"}
    ),
}
STOPPED[Level.CONTAINER] = STOPPED[Level.UID] | {"read", "list", "memory of the parent"}
STOPPED[Level.FULL] = STOPPED[Level.CONTAINER]
"""The escapes of `autograder.student_process.escape_attempts` that must fail on each level."""


@dataclass(frozen=True)
class SandboxCheck:
    """A level, the walls that make it, and why there is no better one. `escapes`: what was tried, what stopped it."""

    level: Level
    walls: Walls
    escapes: dict[str, str | None] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()


@cache
def check_sandbox(most: Level | None = None) -> SandboxCheck:
    """The best shield that this machine gives, tried for real; `most` leaves better ones out."""
    if sys.platform == "win32":
        return SandboxCheck(Level.LIMITS, Walls(), {}, ("Windows has none of the walls",))
    reasons: list[str] = []
    levels = list(Level)
    for level in levels[levels.index(most) if most else 0 :]:
        walls, missing = _walls(level)
        if missing:
            reasons.append(f"{level.value}: {missing}")
            continue
        try:
            escapes = probe(walls)
        except (NotStarted, SessionBroken) as error:
            reasons.append(f"{level.value}: {error}")
            continue
        through = sorted(name for name in STOPPED[level] if escapes[name] is None)
        if not through:
            return SandboxCheck(level, walls, escapes, tuple(reasons))
        reasons.append(f"{level.value}: did not stop {', '.join(through)}")
    raise AssertionError("the level without walls always holds")


def unsafe_message(shield: SandboxCheck) -> str:
    """Why other people's work is not graded behind this shield, and what to do, in one line."""
    return (
        f"a folder or an archive may be other people's work, and the sandbox here is only '{shield.level.value}': "
        "see `python -m autograder doctor`, or say --allow-unsafe"
    )


def _walls(level: Level) -> tuple[Walls, str]:
    """The walls of a level, or what is missing for them to be tried."""
    root = os.geteuid() == 0
    if level is Level.LIMITS:
        return Walls(), ""
    if sys.platform != "linux":
        return Walls(), "Linux only"
    if level is Level.FULL:
        return Walls(bubblewrap=True, landlock=True, seccomp=True, uid=root), ""
    alone = no_other_user()
    if level is Level.CONTAINER:
        return Walls(landlock=True, seccomp=True, uid=not alone), ""
    return Walls(seccomp=True, uid=True), alone


def no_other_user() -> str:
    """Why graded code cannot run as another user here; empty when it can."""
    if os.geteuid() != 0:
        return "only root can become another user"
    closed = [path for path in (python(), *readable(), make_import_bundle()) if not is_open_to_all(path)]
    return f"no other user can read {closed[0]}" if closed else ""


def probe(walls: Walls) -> dict[str, str | None]:
    """What stopped each small escape, None for one that came off; Broken or NotStarted when it could not be tried."""
    with tempfile.TemporaryDirectory(prefix="grade-probe-") as name, tempfile.TemporaryDirectory() as secrets:
        folder, secret = Path(name).resolve(), Path(secrets).resolve() / "secret"
        secret.write_text("a file that graded code must not read")
        open_to_all(folder)
        open_to_all(secret.parent)
        nursery = ForkServer(walls, make_import_bundle(), folder, (), Limits())
        listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            listener.bind(("127.0.0.1", 0))
            places = {"secret": str(secret), "folder": str(secret.parent), "own": str(folder / "own")}
            with Session(nursery.fork(PROBE_SECONDS), PROBE_SECONDS, Limits()) as session:
                reply = session.ask(ask="probe", **places, port=listener.getsockname()[1], grader=os.getpid())
            escapes = {str(name): None if stop is None else str(stop) for name, stop in reply["escapes"].items()}
            if not select.select([listener], [], [], 0)[0]:  # a network of its own lets it send, to nobody
                escapes["socket"] = escapes["socket"] or "NotDelivered"
        finally:
            listener.close()
            nursery.close()
    return escapes


PROBE_SECONDS = 10.0
