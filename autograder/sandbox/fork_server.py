"""The grader's side of the warm interpreter: starts it behind walls, has it fork a child for each case, ends it."""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import signal
import socket
import struct
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.cases.case import Limits
from autograder.sandbox import seccomp
from autograder.sandbox.bubblewrap import wrap_command
from autograder.sandbox.import_bundle import python, readable
from autograder.student_process.transport import MAX_REPLY, MAX_REQUEST, BadFrame, receive, send

START_SECONDS = 30
FIRST_UID, UIDS = 60_100, 5_000
# Without a limit one case takes every process number of the machine. Other programs of the same user count too.
OWN_THREADS, SHARED_THREADS = 256, 4096
_slots = itertools.count()


class NotStarted(Exception):
    """The walls that were asked for cannot be had here; the text says which, and why."""


@dataclass(frozen=True)
class Walls:
    """Which walls to put around graded code (see `autograder.student_process.walls`); all that are named must hold."""

    bubblewrap: bool = False
    landlock: bool = False
    seccomp: bool = False
    uid: bool = False

    @property
    def is_shut(self) -> bool:
        return self.bubblewrap or self.landlock or self.seccomp or self.uid


class ForkServer:
    """A warm interpreter for one submission. Its children, not it, run what was handed in."""

    def __init__(self, walls: Walls, kit: Path, folder: Path, packages: tuple[str, ...], limits: Limits) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        program = seccomp.program() if walls.seccomp else None
        if walls.seccomp and program is None:
            raise NotStarted("seccomp: no table of system calls for this machine")
        # Root may have any number of threads: where he must stay who he is, to read his Python, he is counted apart.
        root = os.geteuid() == 0 and walls.is_shut
        self._uid = FIRST_UID + (os.getpid() + next(_slots)) % UIDS if walls.uid or root else None
        ours, theirs = socket.socketpair()
        command = warm(kit, str(theirs.fileno()))
        if walls.bubblewrap:
            command = wrap_command(command, [kit, folder])
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(theirs.fileno(),),
                cwd="/",
                env=environment(folder),
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            raise NotStarted(f"{command[0]}: {error.strerror}") from None
        finally:
            theirs.close()
        self._control = ours
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", START_SECONDS, 0))
        places = ["/"] if walls.bubblewrap else [str(path) for path in (*readable(), kit, folder)]
        try:
            answer = self._order(
                packages=packages,
                shut=walls.is_shut,
                uid=self._uid,
                in_name=not walls.uid,
                readable=places if walls.landlock else None,
                program=None if program is None else base64.b64encode(program).decode("ascii"),
                folder=str(folder),
            )
        except OSError:
            said = self._last_words()
            self.close()
            raise NotStarted(said) from None
        if "error" in answer:
            self.close()
            raise NotStarted(str(answer["error"])[:200])

    def fork(self, seconds: float) -> ChildProcess:
        """A new process for one case, which may use `seconds` of processor time and a little more."""
        talk, theirs = socket.socketpair()
        output, printed = os.pipe()
        try:
            threads = SHARED_THREADS if self._uid is None else OWN_THREADS
            limits = {"seconds": seconds, "memory_mb": self.limits.memory_mb, "threads": threads}
            pid = self._order((theirs.fileno(), printed), fork=limits)["pid"]
        except BaseException:  # raised again: only our ends must not stay open
            talk.close()
            os.close(output)
            raise
        finally:
            theirs.close()
            os.close(printed)
        return ChildProcess(self, pid, talk, output)

    def end(self, pid: int, patience: float) -> int | None:
        """The exit status of a child (negative for a signal); None when it did not end by itself in time."""
        try:
            status: int = self._order(end=pid, patience=patience)["status"]
        except OSError:  # the nursery itself is gone, and with it all its children
            return None
        return None if status == ENDED else status

    def close(self) -> None:
        """Ends the interpreter and all that came of it."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        if self._process.returncode is None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _order(self, descriptors: tuple[int, ...] = (), /, **order: Any) -> dict[str, Any]:
        with self._lock:
            try:
                socket.send_fds(self._control, [b"\0"], list(descriptors))  # they need a byte to come with
                send(self._control.fileno(), order, MAX_REQUEST)
                body = receive(self._control.fileno(), MAX_REPLY)
            except (OSError, BadFrame) as error:
                self._control.close()  # an answer that is late must not be taken for that of the next order
                raise ConnectionResetError("the warm interpreter does not answer") from error
        if body is None:
            raise ConnectionResetError("the warm interpreter is gone")
        answer: dict[str, Any] = json.loads(body)
        return answer

    def _last_words(self) -> str:
        """Why the interpreter did not start: the last line that it, or bubblewrap, printed."""
        assert self._process.stderr is not None
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return f"not ready within {START_SECONDS} s"
        lines = self._process.stderr.read(10_000).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"ended with status {self._process.returncode}"


GRACE = 2.0
ENDED = 256


class ChildProcess:
    """One forked process of graded code: `talk` carries requests and replies, `output` what it prints.

    Both are ours to close. `spawn.Spawned` is the same where a system cannot fork.
    """

    def __init__(self, nursery: ForkServer, pid: int, talk: socket.socket, output: int) -> None:
        self._nursery, self._pid, self._talk = nursery, pid, talk
        self.requests = self.replies = talk.fileno()
        self.output = output
        self._ended: tuple[int | None] | None = None
        self._lock = threading.Lock()

    def end(self, patience: float = 0) -> int | None:
        """Ends it and all it started, after `patience` seconds in which it may end itself.

        Its exit status (negative for a signal), or None when it did not end itself; again: the same answer.
        """
        with self._lock:  # the alarm and whoever waits for an answer find at the same moment that time is up
            if self._ended is None:
                self._ended = (self._nursery.end(self._pid, patience),)
            return self._ended[0]

    def hang_up(self) -> None:
        """Wakes whoever still reads `replies`."""
        with contextlib.suppress(OSError):  # nobody is at the other end any more
            self._talk.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Gives up `requests` and `replies`."""
        self._talk.close()


def warm(kit: Path, argument: str) -> list[str]:
    """The command line of the warm interpreter, which finds in a kit what it imports."""
    module = "autograder.student_process.fork_server_loop"
    start = f"import sys; sys.path.insert(0, {str(kit)!r}); from {module} import main; main()"
    return [str(python()), "-I", "-S", "-B", "-X", "utf8", "-c", start, argument]


def environment(folder: Path) -> dict[str, str]:
    """Nothing of ours but what a Python needs; hashes as in every other run, one thread for numpy."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    home = str(folder)
    return {**kept, **threads, "HOME": home, "TMPDIR": home, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
