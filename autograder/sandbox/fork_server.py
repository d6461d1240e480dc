"""The grader's side of the fork server: starts it behind the walls, has it fork one child per case, and ends it.

A system that cannot fork gets a new interpreter for each case.

The other side, which runs in the fork server itself, is `autograder.student_process.fork_server_loop`.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import platform
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from autograder.cases.case import Limits
from autograder.sandbox import seccomp
from autograder.sandbox.readable_files import (
    give_rights,
    interpreter,
    package_folders,
    readable_paths,
)
from autograder.shipped import ROOT, known_files
from autograder.student_process.messages import MAX_REQUEST, BadFrame, receive, send
from autograder.student_process.tree_questions import COUNT
from pacman.environment import PASSED_TO_GRADED_CODE, variables

START_SECONDS = 30
EXIT_SECONDS = 2.0
FIRST_UID, GRADERS, SERVERS = 60_100, 100, 50
"""The user numbers of fork servers: `SERVERS` for each of `GRADERS` neighbouring process numbers."""
# Without a limit, one case can take every process number of the machine.
# SHARED_THREADS is higher because the user's other programs count too.
OWN_THREADS, SHARED_THREADS = 256, 4096
_uid_numbers = itertools.count()


class NotStarted(Exception):
    """The fork server cannot start behind these walls. The text says which wall is missing, and why."""


@dataclass(frozen=True)
class Walls:
    """The walls to put around graded code (see `autograder.student_process.walls`). Each chosen wall must hold."""

    landlock: bool = False
    seccomp: bool = False
    uid: bool = False
    reads_all: bool = False
    """Root keeps its right to read the files of all users, without which it cannot read the Python of another user."""

    @property
    def has_any(self) -> bool:
        """True if at least one wall is chosen."""
        return self.landlock or self.seccomp or self.uid


class ForkServer:
    """A Python process for one submission. It has the imports loaded and forks children, which run the submission."""

    def __init__(
        self,
        walls: Walls,
        folder: Path,
        limits: Limits,
        packages: Sequence[str] = (),
        api: str = "native",
    ) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        # The kernel limits threads per user, but root has no limit. So root's fork server gets its own user number for
        # this count, even where it must stay root to read its Python.
        root = os.geteuid() == 0 and walls.has_any
        number = os.getpid() % GRADERS * SERVERS + next(_uid_numbers) % SERVERS
        self._uid = FIRST_UID + number if walls.uid or root else None
        setup = {
            **imports(api, packages),
            "has_walls": walls.has_any,
            "uid": self._uid,
            "count_only": not walls.uid,
            "readable": [*map(str, readable_paths()), str(folder)] if walls.landlock else None,
            "keep_reading": walls.reads_all,
            "program": _filter_program() if walls.seccomp else None,
            "folder": str(folder),
        }
        if walls.uid and not root:
            raise NotStarted("only root can switch to another user")
        if walls.uid and self._uid is not None:
            try:
                give_rights(folder, 0o750, self._uid)  # nobody else is in the group of this number
            except OSError as error:
                raise NotStarted(f"the copy of the submission: {error.strerror}") from None
        self._process, self._control = _start(folder)
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", START_SECONDS, 0))
        try:
            answer = self._order(**setup)
        except OSError:
            message = self._start_error()
            self.close()
            raise NotStarted(message) from None
        if "error" in answer:
            self.close()
            raise NotStarted(str(answer["error"])[:200])

    def fork(self, seconds: float) -> ChildProcess:
        """A new process for one case. It may use `seconds` of processor time and a little more.

        ConnectionError if the fork server has died, another OSError if the system has no room for one more process.
        """
        (connection, its_connection), output = socket.socketpair(), _output_file(self.limits)
        threads = SHARED_THREADS if self._uid is None else OWN_THREADS
        limits = {"seconds": seconds, "memory_mb": self.limits.memory_mb, "threads": threads}
        try:
            with its_connection:
                answer = self._order((its_connection.fileno(), output.fileno()), fork=limits)
            if "error" in answer:
                raise ChildProcessError(str(answer["error"]))
        except BaseException:  # raised again: only our ends must not stay open
            connection.close()
            output.close()
            raise
        return ChildProcess(self, answer["pid"], connection, output)

    def end(self, pid: int, patience: float) -> tuple[int | None, float]:
        """The exit status of a child, negative for a signal, and the processor time that it used.

        No status if the child was still running after `patience` seconds. OSError if the fork server has died, and all
        its children with it.
        """
        answer = self._order(end=pid, patience=patience)
        return answer["status"], answer["processor_seconds"]

    def close(self) -> None:
        """Ends the fork server and every process that it started."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_SECONDS)
        if self._process.returncode is None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _order(self, descriptors: tuple[int, ...] = (), /, **order: Any) -> dict[str, Any]:
        """The fork server's answer to an order; ConnectionError if it does not answer."""
        with self._lock:
            try:
                socket.send_fds(self._control, [b"\0"], list(descriptors))  # descriptors travel with at least one byte
                send(self._control.send, order, MAX_REQUEST)
                body = receive(self._control.recv)
            except BaseException as error:
                self._control.close()  # a late answer must not be read as the answer to the next order
                if isinstance(error, OSError | BadFrame):
                    raise ConnectionResetError("the grader's sandbox process does not answer") from error
                raise
        if body is None:
            raise ConnectionResetError("the grader's sandbox process has ended")
        answer: dict[str, Any] = json.loads(body)
        return answer

    def _start_error(self) -> str:
        """Why the fork server did not start: the last line that it printed."""
        assert self._process.stderr is not None
        try:
            self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return f"the sandbox process did not start within {START_SECONDS} s"
        lines = self._process.stderr.read(10_000).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"the sandbox process ended with status {self._process.returncode}"


class Process(ABC):
    """One process of graded code. The session closes the `connection`, for requests and replies, and the `output`.

    The output is a file that the process has in its memory, with the end of what it prints (see `Output`).
    """

    processor_seconds = 0.0
    """The processor time that the process used, known after its end. 0 where it is not measured."""
    queued_seconds: float | None = None
    """The time for which other programs kept it waiting, known after its end. None where this is not known."""

    def __init__(self, connection: socket.socket, output: IO[bytes]) -> None:
        self.connection, self.output = connection, output

    @abstractmethod
    def end(self, patience: float = 0) -> int | None:
        """Ends the process and every process that it started. It first gets `patience` seconds to end by itself.

        Returns the exit status (negative for a signal), or None if the process was killed here. A second call returns
        the same status. OSError if the fork server has died.
        """


class ChildProcess(Process):
    """A process that the fork server has forked."""

    def __init__(self, server: ForkServer, pid: int, connection: socket.socket, output: IO[bytes]) -> None:
        super().__init__(connection, output)
        self._server, self._pid = server, pid
        self._status: tuple[int | None] | None = None

    def end(self, patience: float = 0) -> int | None:
        """Ends the process, as `Process` says."""
        if self._status is None:
            self.queued_seconds = queued_seconds(str(self._pid))
            status, self.processor_seconds = self._server.end(self._pid, patience)
            self._status = (status,)
        return self._status[0]


class SpawnedProcess(Process):
    """A new interpreter for one case, on systems that cannot fork. Slower, and without walls around the process."""

    def __init__(self, folder: Path, seconds: float, limits: Limits, api: str = "native") -> None:
        (connection, its_connection), output = socket.socketpair(), _output_file(limits)
        super().__init__(connection, output)
        self._was_killed = False
        streams: Any = {"stdin": subprocess.PIPE, "stdout": output, "stderr": subprocess.DEVNULL}
        inherited = () if hasattr(its_connection, "share") else (its_connection.fileno(),)  # Windows shares it below
        command = interpreter_command("--alone")
        with its_connection:
            self._process = subprocess.Popen(
                command, **streams, pass_fds=inherited, cwd=folder, env=environment(folder)
            )
            shared: int | str = its_connection.fileno()
            if hasattr(its_connection, "share"):
                shared = base64.b64encode(its_connection.share(self._process.pid)).decode()
            order = {
                **imports(api),
                "package_folders": [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")],
                "folder": str(folder),
                "limits": {"seconds": seconds, "memory_mb": limits.memory_mb, "threads": SHARED_THREADS},
                "connection": shared,
            }
            assert self._process.stdin is not None
            with contextlib.suppress(OSError), self._process.stdin as orders:  # it may have ended
                orders.write(json.dumps(order).encode())
        connection.settimeout(START_SECONDS)
        with contextlib.suppress(OSError):
            if connection.recv(1, socket.MSG_PEEK):  # its first message
                return
        self.end()
        connection.close()
        output.close()
        raise ChildProcessError("the process of a case did not start")

    def end(self, patience: float = 0) -> int | None:
        """Ends the process, as `Process` says."""
        if self._process.returncode is None:
            try:
                return self._process.wait(patience)
            except subprocess.TimeoutExpired:
                if sys.platform == "win32":  # also ends the processes that it started
                    command = ["taskkill", "/T", "/F", "/PID", str(self._process.pid)]
                    subprocess.run(command, capture_output=True, check=False)
                else:
                    self._process.kill()
                self._process.wait()
                self._was_killed = True
        return None if self._was_killed else self._process.returncode


def _output_file(limits: Limits) -> IO[bytes]:
    """A new file without a name for the output of a process. OSError, here and not in the process, if no space is left.

    The process and the session say what is in it.
    """
    file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
    file.write(bytes(COUNT + (limits.output_kb << 10)))
    return file


def queued_seconds(process: str) -> float | None:
    """The seconds for which a process could not run because other programs did; None where this is not known.

    Of its first thread only: many threads could add up to any number. For "thread-self", of the calling thread.
    """
    with contextlib.suppress(OSError, ValueError):
        _, nanoseconds, times = map(int, Path(f"/proc/{process}/schedstat").read_bytes().split())
        return nanoseconds / 1e9 if times else None  # a kernel that does not measure says 0 0 0
    return None


def _filter_program() -> str:
    """The filter of system calls, for an order. NotStarted if there is none for this machine."""
    program = seccomp.program()
    if program is None:
        kind = platform.machine()
        raise NotStarted(f"seccomp does not support the processor type '{kind}'; expected x86_64 or aarch64")
    return base64.b64encode(program).decode("ascii")


def _start(folder: Path) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """The process of the fork server, and the grader's end of the socket to it. NotStarted if it cannot start."""
    our_end, its_end = socket.socketpair()
    command = interpreter_command(str(its_end.fileno()))
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(its_end.fileno(),),
            cwd="/",
            env=environment(folder),
            start_new_session=True,  # so that Ctrl-C reaches the grader only, and `close` can end the whole group
        )
    except OSError as error:
        our_end.close()
        raise NotStarted(f"{command[0]}: {error.strerror}") from None
    finally:
        its_end.close()
    return process, our_end


def imports(api: str, packages: Sequence[str] = ()) -> dict[str, Any]:
    """The part of an order that says what to import before the walls close, and which layouts it may know."""
    return {
        "api": api,
        "packages": packages,
        "package_folders": [str(place.parent) for place in package_folders()],
        "layouts": {  # only known ones: another one may be that of a hidden case
            path.stem: path.read_text(encoding="utf-8-sig") for path in known_files(["layouts/*.lay"]).values()
        },
    }


FIND_PROJECT = """\
import sys
from importlib.machinery import PathFinder
class ProjectFinder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        is_ours = path is None and name in ("agents", "autograder", "layouts", "pacman")
        return PathFinder.find_spec(name, [{root!r}]) if is_ours else None
sys.meta_path.append(ProjectFinder)
"""
"""Finds the packages of this project, and nothing that happens to be beside them. It goes after the imports."""


def interpreter_command(argument: str) -> list[str]:
    """The command line that starts `fork_server_loop` with one argument. The word before it names the grader."""
    module = "autograder.student_process.fork_server_loop"
    start = FIND_PROJECT.format(root=str(ROOT)) + f"from {module} import main; main()"
    # Not -I: it would ignore the fixed hash seed too. The environment has no other variable for Python.
    options = ("-P", "-s", "-S", "-B", "-X", "utf8", "-c")
    return [str(interpreter()), *options, start, f"of-grader-{os.getpid()}", argument]


def environment(folder: Path) -> dict[str, str]:
    """The environment variables of graded code: those that Python needs, a fixed hash seed, one thread for numpy."""
    inherited = {name: value for name, value in variables().items() if name in PASSED_TO_GRADED_CODE}
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    home = str(folder)
    return {**inherited, **threads, "HOME": home, "TMPDIR": home, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
