"""Where graded code runs: one sandbox a submission, one fresh process a case.

levels    which walls this machine gives, found by trying        nursery, spawn   the processes
session   the dialogue with one process                          kit              what graded code may import
"""

from __future__ import annotations

import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from autograder.cases.case import Limits
from autograder.sandbox.fork_server import ChildProcess, ForkServer
from autograder.sandbox.import_bundle import make_import_bundle, open_to_all, under
from autograder.sandbox.sandbox_level import Level, SandboxCheck, check_sandbox, unsafe_message
from autograder.sandbox.session import Session, SessionBroken, attempt
from autograder.sandbox.spawn import Spawned
from autograder.sandbox.submission_files import SubmissionFiles
from autograder.student_process import walls
from autograder.student_process.allowed_imports import PACKAGES
from autograder.student_process.student import module_of

__all__ = ["SessionBroken", "Level", "Sandbox", "Session", "SandboxCheck", "attempt", "check_sandbox", "unsafe_message"]


class Sandbox:
    """The place of one submission: a read-only copy of its files, and a warm interpreter behind walls.

    Made and left by the same thread: when that ends, so does all that runs in here.
    """

    def __init__(self, handed_in: SubmissionFiles, limits: Limits, shield: SandboxCheck, api: str = "native") -> None:
        self.handed_in = handed_in
        self.api = api
        self.main = ""
        self._compiled: dict[str, str] = {}
        self.limits = limits
        self.shield = shield
        self._nursery: ForkServer | None = None
        self._renewing = threading.Lock()

    def __enter__(self) -> Self:
        if not self.shield.level.is_safe:
            walls.forbid_dumps()  # graded code of the same user could look into this very process
        with ExitStack() as stack:  # nothing may stay behind, whatever fails on the way
            folder = TemporaryDirectory(prefix="grade-", ignore_cleanup_errors=True)
            self.folder = Path(stack.enter_context(folder)).resolve()
            for name, content in self.handed_in.files.items():
                target = self.folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            open_to_all(self.folder)
            if sys.platform != "win32":
                self._nursery = self._warmed()
            self._folder = stack.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._nursery is not None:
            self._nursery.close()
        self._folder.close()

    def session(self, seconds: float) -> Session:
        """A dialogue with a fresh process, which ends after `seconds` at the latest."""
        if self._nursery is None:
            return Session(Spawned(make_import_bundle(), self.folder, seconds, self.limits), seconds, self.limits)
        return Session(self._forked(self._nursery, seconds), seconds, self.limits)

    def _warmed(self) -> ForkServer:
        wanted = (*(name for name in PACKAGES if self.handed_in.mentions(name)), module_of(self.api))
        return ForkServer(self.shield.walls, make_import_bundle(), self.folder, wanted, self.limits)

    def _forked(self, nursery: ForkServer, seconds: float) -> ChildProcess:
        """A new process; from a new warm interpreter when something, as a full memory, has ended this one.

        Its end costs the cases that were under way, and no other: the rest would otherwise be ours to answer for.
        """
        try:
            return nursery.fork(seconds)
        except OSError:
            with self._renewing:
                if self._nursery is nursery:
                    nursery.close()
                    self._nursery = self._warmed()
                renewed = self._nursery
            assert renewed is not None
            return renewed.fork(seconds)

    def load(self, session: Session, role: str) -> None:
        """Has a session import the submission, in the style of its API; Broken when it cannot."""
        session.ask(ask="load", **self._file(role))

    def ready(self, session: Session, role: str, part: str, rounds: int, seed: str) -> None:
        """Has a session import the submission, make one of its parts and begin; Broken when it cannot."""
        session.ask(ask="ready", part=part, rounds=rounds, seed=seed, **self._file(role))

    def _file(self, role: str) -> dict[str, Any]:
        path, code = str(self.folder / self.main), self._compiled.get(self.main, "")
        return {"path": path, "code": code, "role": role, "api": self.api, "under": under(role)}

    def survey(self, names: list[str], seconds: float) -> list[dict[str, Any]]:
        """For each file the `names` that it defines, or the `error` and `line` of what is no Python."""
        with self.session(seconds) as session:
            found: Any = session.ask(ask="survey", files=[str(self.folder / name) for name in names]).get("files")
        if type(found) is not list or len(found) != len(names) or any(type(each) is not dict for each in found):
            return []
        # Made by a process that had run nothing of the submission, and never looked into on this side.
        self._compiled = {name: str(each.get("code", "")) for name, each in zip(names, found, strict=True)}
        return found
