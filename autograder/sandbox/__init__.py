"""Runs graded code: one sandbox per submission, one fresh process per case.

runner          what a grading needs of a sandbox     in_process       the same in this process, without walls
sandbox_level   which walls hold on this machine      fork_server      starts and ends processes
session         requests to one process               reader           checks what a process sent
run_case        the questions of one case             watch            watched searches, for a diagnosis
readable_files  what graded code can read             submission_files   what belongs to it
work_folder     where the copies of a student's files are   seccomp      the filter of system calls
"""

from __future__ import annotations

import sys
import threading
from contextlib import ExitStack
from typing import Self

from autograder.cases.case import Limits
from autograder.sandbox.fork_server import ChildProcess, ForkServer, NotStarted, Process, SpawnedProcess
from autograder.sandbox.readable_files import give_rights
from autograder.sandbox.runner import Runner, Session, SessionBroken, attempt
from autograder.sandbox.sandbox_level import Level, SandboxCheck, check_sandbox, unsafe_message
from autograder.sandbox.session import ProcessSession
from autograder.sandbox.submission_files import SubmissionFiles
from autograder.sandbox.work_folder import WorkFolder, exits_in_order
from autograder.student_process import walls
from autograder.student_process.allowed_imports import PACKAGES
from pacman.core.errors import InputError

__all__ = ["GraderFailed", "Level", "ProcessSession", "Runner", "Sandbox", "SandboxCheck", "Session", "SessionBroken"]
__all__ += ["attempt", "check_sandbox", "unsafe_message"]


class GraderFailed(InputError):
    """The grader itself failed, so nothing is known about the submission."""


class Sandbox(Runner):
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
        super().__init__(submission, limits, api)
        self.check = check
        self._fork_server: ForkServer | None = None
        self._restart_lock = threading.Lock()

    def __enter__(self) -> Self:
        if not self.check.level.is_safe:
            walls.forbid_dumps()  # graded code runs as the same user and could read this process's memory
        with ExitStack() as stack:  # deletes the folder if anything below fails
            stack.enter_context(exits_in_order())
            self.folder = stack.enter_context(WorkFolder()).path
            for name, content in self.submission.files.items():
                target = self.folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            give_rights(self.folder)
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
        other.main_file, other.bytecode = self.main_file, self.bytecode
        return other

    def session(self, seconds: float, waiting: float = 0.0) -> Session:
        """A session with a fresh process, as `ProcessSession` says. Afterwards the process is killed."""
        if self._fork_server is None:
            process: Process = SpawnedProcess(self.folder, seconds, self.limits, self.api)
        else:
            process = self._fork(self._fork_server, seconds)
        return ProcessSession(process, seconds, self.limits, waiting)

    def _start_fork_server(self) -> ForkServer:
        packages = [name for name in PACKAGES if self.submission.mentions(name)]
        return ForkServer(self.check.walls, self.folder, self.limits, packages, self.api)

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
