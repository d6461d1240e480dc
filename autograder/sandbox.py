"""The grader's side of a student's process: starts it, talks to it by the clock, ends it with all its children.

Level `limits`: a process and session of its own, an allow-listed environment, resource limits where the system has
them. That keeps accidents in; it does not keep a determined program from reading files.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from autograder.answer import Fault, clean
from autograder.cases import Limits
from autograder.transport import MAX_REPLY, MAX_REQUEST, BadFrame, decode, popen_with_pipe, receive, send

LEVEL = "limits"
LEVEL_TEXT = "sandbox: limits (time and memory; no shield against a hostile program)"
WORKER = Path(__file__).with_name("worker.py")
PATIENCE = 2.0  # seconds that a process which hung up gets to say how it ended
T = TypeVar("T")


class Broken(Exception):
    """The dialogue with a submission is over; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class Session:
    """One student's process. `ask` it as often as there is time; leaving the `with` block ends it.

    `seconds` of wall clock are for everything together, starting Python included.
    """

    def __init__(self, seconds: float, limits: Limits) -> None:
        self.limits = limits
        self.seconds = seconds
        self._number = 0
        self._output = bytearray()
        self._frames: queue.Queue[bytes | BadFrame | None] = queue.Queue(maxsize=4)

    def __enter__(self) -> Self:
        self._folder = tempfile.mkdtemp(prefix="grade-")
        self._began = time.monotonic()
        flags = [] if sys.platform == "win32" else ["-P"]
        command = [sys.executable, "-s", "-S", "-B", *flags, str(WORKER)]
        self._process, self._pipe = popen_with_pipe(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self._folder,
            env=_environment(self._folder),
            bufsize=0,
            start_new_session=True,
        )
        # The clock also frees us from a write that nobody reads.
        self._alarm = threading.Timer(self.seconds, self._kill)
        self._alarm.daemon = True
        self._alarm.start()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._captor = threading.Thread(target=self._capture, daemon=True)
        self._listener.start()
        self._captor.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.spent = time.monotonic() - self._began
        self._alarm.cancel()
        self._kill()
        self._process.wait()
        with contextlib.suppress(queue.Empty):
            while True:  # a listener that waits for room in the queue goes on, and finds the end
                self._frames.get_nowait()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        # A descendant that left the session may hold a pipe open: then its thread is left behind, not waited for.
        self._listener.join(0.5)
        self._captor.join(0.5)
        if not self._listener.is_alive():
            os.close(self._pipe)
        if not self._captor.is_alive() and self._process.stdout is not None:
            self._process.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def output(self) -> str:
        """What was printed, as far as the limit lets it through."""
        lines = bytes(self._output).decode("utf-8", "replace").splitlines()
        return "\n".join(clean(line) for line in lines)

    def ask(self, **request: Any) -> dict[str, Any]:
        """The reply to one request; Broken when there is none, or the reply is a fault."""
        self._number += 1
        assert self._process.stdin is not None
        try:
            send(self._process.stdin.fileno(), {**request, "n": self._number}, MAX_REQUEST)
        except OSError:
            raise Broken(self._ended()) from None
        left = self._began + self.seconds - time.monotonic()
        try:
            frame = self._frames.get(timeout=max(0.0, left))
        except queue.Empty:
            raise Broken(self._late()) from None
        if frame is None:
            raise Broken(self._ended())
        try:
            if isinstance(frame, BadFrame):
                raise frame
            reply = decode(frame)
            if reply.get("n") != self._number:
                raise BadFrame("an answer to another question")
        except BadFrame as error:
            raise Broken(Fault("garbled", f"the answer could not be read: {error}")) from None
        if "fault" in reply:
            raise Broken(_fault(reply["fault"]))
        return reply

    def _listen(self) -> None:
        while True:
            try:
                frame: bytes | BadFrame | None = receive(self._pipe, MAX_REPLY)
            except BadFrame as error:
                frame = error
            except OSError:
                frame = None
            self._frames.put(frame)
            if not isinstance(frame, bytes):
                return

    def _capture(self) -> None:
        """Keeps what fits the limit and reads on past it, so that a flood costs nothing but its own time."""
        assert self._process.stdout is not None
        cap = self.limits.output_kb << 10
        with contextlib.suppress(OSError, ValueError):
            while part := os.read(self._process.stdout.fileno(), 1 << 16):
                self._output += part[: max(0, cap - len(self._output))]

    def _ended(self) -> Fault:
        """Why the process hung up."""
        if time.monotonic() - self._began >= self.seconds:
            return self._late()
        try:
            status = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return Fault("died", "hung up without an answer")
        if status < 0:
            with contextlib.suppress(ValueError):
                name = signal.Signals(-status).name
                if name == "SIGXCPU":
                    return self._late()
                return Fault("died", f"the process was ended by {name} before it answered")
        return Fault("exit", f"the process exited with status {status} before it answered")

    def _late(self) -> Fault:
        return Fault("time", f"no answer within {self.seconds:g} s")

    def _kill(self) -> None:
        """Ends the process and whatever it started that is still in its session."""
        if sys.platform == "win32":
            tree = ["taskkill", "/T", "/F", "/PID", str(self._process.pid)]
            subprocess.run(tree, capture_output=True, check=False)
            return
        # Not once it is waited for: its number may by then be somebody else's.
        if self._process.returncode is None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)


def load(session: Session, submission: Path, role: str) -> None:
    """Has the session import a submission; Broken when it cannot."""
    session.ask(
        ask="load",
        path=str(submission.resolve()),
        role=role,
        site=[path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")],
        seconds=session.seconds,
        memory_mb=session.limits.memory_mb,
    )


def survey(files: list[Path], limits: Limits) -> list[dict[str, Any]]:
    """For each file, the `names` of its classes and functions, or the `error` and `line` for which it is not Python."""
    with Session(limits.seconds, limits) as session:
        found = session.ask(ask="survey", files=[str(file.resolve()) for file in files])["files"]
    return list(found)


def attempt(session: Session, dialogue: Callable[[], T]) -> T | Fault:
    """What a dialogue brings, or the fault that ended it."""
    try:
        with session:
            return dialogue()
    except Broken as broken:
        return broken.fault


def _environment(folder: str) -> dict[str, str]:
    """Nothing of ours but what a Python needs; hashes as in every other run, one thread for numpy."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    return {**kept, **threads, "HOME": folder, "TMPDIR": folder, "PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"}


def _fault(sent: Any) -> Fault:
    """The fault that a submission's side reports, as one line."""
    if type(sent) is not dict:
        return Fault("garbled", "the answer could not be read")
    kind, name, message = (clean(sent.get(key, "")) for key in ("kind", "type", "message"))
    line, text, doing = sent.get("line"), clean(sent.get("text", ""), 120), clean(sent.get("doing", ""), 60)
    where = f" (line {line}: {text})" if type(line) is int and line else ""
    if kind == "not written":
        return Fault(kind, message)
    if kind == "refused":
        return Fault(kind, message)
    if kind == "hidden":
        return Fault(kind, f"{message}{where}")
    if kind == "missing package":
        return Fault(kind, f"imports '{message}', which is not installed{where}")
    if kind == "exit":
        return Fault(kind, f"called sys.exit({message}) while in {doing}{where}")
    said = f"{name}: {message}" if message else name
    return Fault("raised", f"{said}{where or f' in {doing}'}")
