"""The dialogue with one process of graded code: by the grader's clock, its output captured to a cap."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from typing import Any, Self, TypeVar

from autograder.cases.case import Limits
from autograder.judge.submission_answer import Fault, clean
from autograder.sandbox.fork_server import ChildProcess
from autograder.sandbox.spawn import Spawned
from autograder.student_process.transport import MAX_REPLY, MAX_REQUEST, BadFrame, decode, receive, send

PATIENCE = 0.2  # seconds that a process which hung up gets to say how it ended
ROOM = 32 << 10  # bytes that any pipe takes before a writer has to wait
LEFT_BEHIND = 0.5  # seconds to wait for a pipe that a stray process may still hold open
T = TypeVar("T")


class SessionBroken(Exception):
    """The dialogue with a submission is over; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class Session:
    """One process. `ask` it as often as there is time; leaving the `with` block ends it.

    `seconds` of wall clock are for everything together, from now on.
    """

    def __init__(self, process: ChildProcess | Spawned, seconds: float, limits: Limits) -> None:
        self.limits = limits
        self.seconds = seconds
        self.spent = 0.0
        self._began = time.monotonic()
        self._process = process
        self._number = 0
        self._written = 0
        self._alarm: threading.Timer | None = None
        self._output = bytearray()
        self._printed = 0
        self._frames: queue.Queue[bytes | BadFrame | None] = queue.Queue(maxsize=4)

    def __enter__(self) -> Self:
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._captor = threading.Thread(target=self._capture, daemon=True)
        self._listener.start()
        self._captor.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.spent = time.monotonic() - self._began
        if self._alarm is not None:
            self._alarm.cancel()
        self._process.end()
        self._process.hang_up()
        with contextlib.suppress(queue.Empty):
            while True:  # a listener that waits for room in the queue goes on, and finds the end
                self._frames.get_nowait()
        # A stray process may hold a pipe open: then its thread is left behind with it, not waited for.
        self._listener.join(LEFT_BEHIND)
        self._captor.join(LEFT_BEHIND)
        if not self._listener.is_alive():
            self._process.close()
        if not self._captor.is_alive():
            os.close(self._process.output)

    @property
    def output(self) -> str:
        """What was printed, as far as the limit lets it through."""
        lines = [clean(line) for line in bytes(self._output).decode("utf-8", "replace").splitlines()]
        if self._printed > len(self._output):
            lines.append(f"... cut: {self._printed:,} bytes were printed, the limit is {self.limits.output_kb} kB")
        return "\n".join(lines)

    def ask(self, **request: Any) -> dict[str, Any]:
        """The reply to one request; Broken when there is none, or the reply is a fault."""
        self._number += 1
        self._free_the_writer(len(json.dumps(request)))
        try:
            send(self._process.requests, {**request, "n": self._number}, MAX_REQUEST)
        except OSError:
            raise SessionBroken(self._ended()) from None
        try:
            frame = self._frames.get(timeout=max(0.0, self._left()))
            if frame is None:
                raise SessionBroken(self._ended())
            if isinstance(frame, BadFrame):
                raise frame
            reply = decode(frame)
            if reply.get("n") != self._number:
                raise BadFrame("an answer to another question")
        except queue.Empty:
            raise SessionBroken(self._late()) from None
        except BadFrame as error:
            raise SessionBroken(Fault("garbled", f"the answer could not be read: {error}")) from None
        if "fault" in reply:
            raise SessionBroken(_fault(reply["fault"]))
        return reply

    def _free_the_writer(self, size: int) -> None:
        """Once more is written than a pipe holds, the clock ends a process that reads none of it."""
        self._written += size
        if self._written > ROOM and self._alarm is None:
            self._alarm = threading.Timer(self._left(), self._process.end)
            self._alarm.daemon = True
            self._alarm.start()

    def _left(self) -> float:
        return self._began + self.seconds - time.monotonic()

    def _listen(self) -> None:
        while True:
            try:
                frame: bytes | BadFrame | None = receive(self._process.replies, MAX_REPLY)
            except BadFrame as error:
                frame = error
            except OSError:
                frame = None
            self._frames.put(frame)
            if not isinstance(frame, bytes):
                return

    def _capture(self) -> None:
        """Keeps what fits the limit and reads on past it, so that a flood costs nothing but its own time."""
        cap = self.limits.output_kb << 10
        with contextlib.suppress(OSError, ValueError):
            while part := os.read(self._process.output, 1 << 16):
                self._printed += len(part)
                self._output += part[: max(0, cap - len(self._output))]

    def _ended(self) -> Fault:
        """Why the process hung up."""
        if self._left() <= 0:
            return self._late()
        status = self._process.end(PATIENCE)
        if status is None:
            return Fault("died", "hung up without an answer")
        if -status in (known := {each.value: each.name for each in signal.Signals}):
            if known[-status] == "SIGXCPU":
                return self._late()
            return Fault("died", f"the process was ended by {known[-status]} before it answered")
        return Fault("exit", f"the process exited with status {status} before it answered")

    def _late(self) -> Fault:
        return Fault("time", f"no answer within {self.seconds:g} s")


def attempt(session: Session, dialogue: Callable[[], T]) -> T | Fault:
    """What a dialogue brings, or the fault that ended it."""
    try:
        with session:
            return dialogue()
    except SessionBroken as broken:
        return broken.fault


def _fault(sent: Any) -> Fault:
    """The fault that a submission's side reports, as one line."""
    if type(sent) is not dict:
        return Fault("garbled", "the answer could not be read")
    kind, name, message = (clean(sent.get(key, "")) for key in ("kind", "type", "message"))
    line, text, doing = sent.get("line"), clean(sent.get("text", ""), 120), clean(sent.get("doing", ""), 60)
    where = f" (line {line}: {text})" if type(line) is int and line else ""
    known = {
        "not written": message,
        "refused": message,
        "hidden": f"{message}{where}",
        "missing package": f"imports '{message}', which is not there for graded code{where}",
        "exit": f"called sys.exit({message}) while in {doing}{where}",
        "memory": f"asked for more memory than there is{where or f' in {doing}'}",
    }
    raised = f"{name}: {message}" if message else name
    return Fault(kind, known[kind]) if kind in known else Fault("raised", f"{raised}{where or f' in {doing}'}")
