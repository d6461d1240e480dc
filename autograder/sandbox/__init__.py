"""Runs graded code: one sandbox per submission, one fresh process per case.

sandbox_level   which walls hold on this machine      fork_server, without_fork   start and end processes
process_session, process_pipes        requests to one process, and its replies
questioner, watched_search            the questions of a diagnosis        reply_reader   checks what a process sent
import_bundle   what graded code can import           submission_files, no_links   what belongs to it
run_case, evaluation_search           the questions of one case, and the search over a student's evaluation
work_folder                           where the copies of a student's files are
"""

from __future__ import annotations

import sys
import threading
from contextlib import ExitStack
from typing import Any, Self

from autograder.cases.case import Limits
from autograder.sandbox.fork_server import ChildProcess, ForkServer, NotStarted
from autograder.sandbox.import_bundle import make_import_bundle, make_private
from autograder.sandbox.process_session import Session, SessionBroken, attempt
from autograder.sandbox.sandbox_level import Level, SandboxCheck, check_sandbox, unsafe_message
from autograder.sandbox.submission_files import SubmissionFiles
from autograder.sandbox.without_fork import SpawnedProcess
from autograder.sandbox.work_folder import WorkFolder, exits_in_order
from autograder.student_process import walls
from autograder.student_process.allowed_imports import PACKAGES
from pacman.core.errors import InputError

__all__ = ["GraderFailed", "Level", "Sandbox", "SandboxCheck", "Session", "SessionBroken"]
__all__ += ["attempt", "check_sandbox", "unsafe_message"]


class GraderFailed(InputError):
    """The grader itself failed, so nothing is known about the submission."""


class Sandbox:
    """The sandbox of one submission: a read-only copy of its files, and a fork server behind the walls.

    A context manager. The same thread must enter and leave it: when that thread ends, every process in here ends too.
    """

    def __init__(
        self,
        submission: SubmissionFiles,
        limits: Limits,
        check: SandboxCheck,
        api: str = "native",
    ) -> None:
        self.submission = submission
        self.api = api
        self.main_file = ""
        """The file to grade, one of `submission.files`. The caller sets it before it loads a part."""
        self._bytecode: dict[str, str] = {}
        self.limits = limits
        self.check = check
        self._fork_server: ForkServer | None = None
        self._restart_lock = threading.Lock()

    def __enter__(self) -> Self:
        if not self.check.level.is_safe:
            walls.forbid_dumps()  # graded code runs as the same user and could read this process's memory
        with ExitStack() as stack:  # deletes the folder if anything below fails
            stack.enter_context(exits_in_order())
            self._bundle = make_import_bundle()
            self.folder = stack.enter_context(WorkFolder()).path
            for name, content in self.submission.files.items():
                target = self.folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            make_private(self.folder)
            if sys.platform != "win32":
                try:
                    self._fork_server = self._start_fork_server()
                except NotStarted as error:
                    raise GraderFailed(f"the sandbox does not start: {error}") from None
            self._folder = stack.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._fork_server is not None:
            self._fork_server.close()
        self._folder.close()

    def another(self) -> Sandbox:
        """A second sandbox for the same submission. It shares no process and no copy of the files with this one."""
        other = Sandbox(self.submission, self.limits, self.check, self.api)
        other.main_file, other._bytecode = self.main_file, self._bytecode
        return other

    def session(self, seconds: float) -> Session:
        """A session with a fresh process. The process is killed after `seconds` at the latest."""
        if self._fork_server is None:
            process = SpawnedProcess(self._bundle, self.folder, seconds, self.limits, self.api)
            return Session(process, seconds, self.limits)
        return Session(self._fork(self._fork_server, seconds), seconds, self.limits)

    def _start_fork_server(self) -> ForkServer:
        packages = [name for name in PACKAGES if self.submission.mentions(name)]
        return ForkServer(self.check.walls, self._bundle, self.folder, self.limits, packages, self.api)

    def _fork(self, server: ForkServer, seconds: float) -> ChildProcess:
        """A new child process. If the fork server has died (for example out of memory), a new one is started first.

        The cases that were running have no answers: the grader runs them again.
        """
        try:
            return server.fork(seconds)
        except ConnectionError:
            with self._restart_lock:
                if self._fork_server is server:
                    server.close()
                    self._fork_server = self._start_fork_server()
                new_server = self._fork_server
            assert new_server is not None
            return new_server.fork(seconds)

    def load(self, session: Session, counts_lines: bool = False) -> None:
        """Makes the session's process import the submission. SessionBroken if the import fails.

        `counts_lines`: of a loop that never ends, the fault then says where it is.
        """
        session.ask("load", **self._file(), counts_lines=counts_lines)

    def load_part(self, session: Session, role: str, part: str, rounds: int) -> None:
        """Makes the session's process import the submission and create one of its parts. SessionBroken on a fault."""
        session.ask("load_part", role=role, part=part, rounds=rounds, **self._file())

    def _file(self) -> dict[str, Any]:
        path, code = str(self.folder / self.main_file), self._bytecode.get(self.main_file, "")
        return {"path": path, "folder": str(self.folder), "code": code}

    def parse_files(self, names: list[str], seconds: float) -> list[dict[str, Any]]:
        """One dict per file: the `names` that it defines at top level; or `error` and `line` if it is not valid Python.

        An empty list if the reply does not have this form.
        """
        with self.session(seconds) as session:
            reports: Any = session.ask("parse_files", files=[str(self.folder / name) for name in names]).get("files")
        if type(reports) is not list or len(reports) != len(names) or any(type(each) is not dict for each in reports):
            return []
        # That process ran no code of the submission. The grader only passes the bytecode on and never reads it.
        self._bytecode = {name: str(each.get("code", "")) for name, each in zip(names, reports, strict=True)}
        return reports
