"""Requests to one process of graded code and its replies, by the grader's clock. Captures what the process prints."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self, TypeVar

from autograder.cases.case import Limits
from autograder.judge.submission_answer import Fault, clean
from autograder.sandbox.fork_server import ChildProcess
from autograder.sandbox.reply_reader import UNREADABLE
from autograder.sandbox.spawn import SpawnedProcess
from autograder.student_process.transport import MAX_REPLY, MAX_REQUEST, BadFrame, decode, receive, send

EXIT_SECONDS = 0.2  # how long a process that closed the connection may take to end, so that its exit status is known
PIPE_CAPACITY = 32 << 10  # bytes that every pipe accepts before a writer has to wait
JOIN_SECONDS = 0.5  # how long to wait for a pipe that a stray process may still have open
T = TypeVar("T")


class SessionBroken(Exception):
    """The session with a submission is over; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class Session:
    """One process of graded code. A context manager: call `ask` inside the `with` block; leaving it ends the process.

    All requests together may take `seconds` of wall-clock time, counted from now.
    """

    def __init__(self, process: ChildProcess | SpawnedProcess, seconds: float, limits: Limits) -> None:
        self.limits = limits
        self.seconds = seconds
        self.elapsed = 0.0
        """Seconds from the start to the end of the `with` block."""
        self._start_time = self._last_reply_time = time.monotonic()
        self._process = process
        self._request_number = 0
        self._bytes_written = 0
        self._alarm: threading.Timer | None = None
        self._output = bytearray()
        self._bytes_printed = 0
        self._frames: queue.Queue[bytes | BadFrame | None] = queue.Queue(maxsize=4)

    def __enter__(self) -> Self:
        self._reply_thread = threading.Thread(target=self._read_replies, daemon=True)
        self._output_thread = threading.Thread(target=self._read_output, daemon=True)
        self._reply_thread.start()
        self._output_thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.elapsed = time.monotonic() - self._start_time
        if self._alarm is not None:
            self._alarm.cancel()
        self._process.end()
        self._process.hang_up()
        with contextlib.suppress(queue.Empty):
            while True:  # a reply thread that waits for space in the queue can then continue, and end
                self._frames.get_nowait()
        # If a stray process still has a pipe open, its thread cannot end: leaves the thread and the pipe behind.
        self._reply_thread.join(JOIN_SECONDS)
        self._output_thread.join(JOIN_SECONDS)
        if not self._reply_thread.is_alive():
            self._process.close()
        if not self._output_thread.is_alive():
            os.close(self._process.output)

    @property
    def output(self) -> str:
        """The text that the process printed; of a text over the limit, the end."""
        lines = [clean(line) for line in bytes(self._output).decode("utf-8", "replace").splitlines()]
        if self._bytes_printed > len(self._output):
            cut = f"... cut: {self._bytes_printed:,} bytes were printed; these are the last {self.limits.output_kb} kB"
            lines.insert(0, cut)
        return "\n".join(lines)

    def ask(self, question: str, **arguments: Any) -> dict[str, Any]:
        """The reply to one question (a method of `student_process.student.Student`).

        SessionBroken if no valid reply comes in time, or if the reply reports a fault.
        """
        self._send({"question": question, **arguments})
        return self._receive(self._request_number)

    def ask_all(self, question: str, arguments: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The reply to the question with each of the arguments, in order. SessionBroken as in `ask`.

        Sends some requests before they are needed, so that the process does not wait for the grader. The time between
        two calls does not count as time of the process.
        """
        self._start_time += time.monotonic() - self._last_reply_time
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        sizes: deque[int] = deque()
        requests = iter(arguments)
        following = next(requests, None)
        for number in range(self._request_number + 1, self._request_number + 1 + len(arguments)):
            while following is not None and sum(sizes) < PIPE_CAPACITY // 2:
                sizes.append(self._send({"question": question, **following}))
                following = next(requests, None)
            yield self._receive(number)
            sizes.popleft()

    def _send(self, request: dict[str, Any]) -> int:
        """Sends the next request. Returns its size in bytes."""
        self._request_number += 1
        request["n"] = self._request_number
        size = len(json.dumps(request))
        self._set_alarm_for_full_pipe(size)
        try:
            send(self._process.requests, request, MAX_REQUEST)
        except OSError:
            raise SessionBroken(self._end_fault()) from None
        return size

    def _receive(self, number: int) -> dict[str, Any]:
        """The reply to the request with this number, which must be the next reply."""
        try:
            frame = self._frames.get(timeout=max(0.0, self._seconds_left()))
            if frame is None:
                raise SessionBroken(self._end_fault())
            if isinstance(frame, BadFrame):
                raise frame
            reply = decode(frame)
            if reply.get("n") != number:
                raise BadFrame("it belongs to another request of the grader")
        except queue.Empty:
            raise SessionBroken(self._timeout_fault()) from None
        except BadFrame as error:
            raise SessionBroken(Fault("garbled", f"{UNREADABLE}: {error}")) from None
        self._last_reply_time = time.monotonic()
        if "fault" in reply:
            raise SessionBroken(read_fault(reply["fault"], self.limits))
        return reply

    def _set_alarm_for_full_pipe(self, size: int) -> None:
        """Starts a timer that kills the process when its time is up, once more is written than a pipe can hold.

        Without the timer, a process that reads no requests would block the grader's next write forever.
        """
        self._bytes_written += size
        if self._bytes_written > PIPE_CAPACITY and self._alarm is None:
            self._alarm = threading.Timer(self._seconds_left(), self._process.end)
            self._alarm.daemon = True
            self._alarm.start()

    def _seconds_left(self) -> float:
        return self._start_time + self.seconds - time.monotonic()

    def _read_replies(self) -> None:
        """Puts every reply into the queue, and at the end None or the BadFrame that ended it."""
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

    def _read_output(self) -> None:
        """Keeps the end of the output, up to the limit, and drops the rest, so that it fills no memory."""
        limit = self.limits.output_kb << 10
        with contextlib.suppress(OSError, ValueError):
            while part := os.read(self._process.output, 1 << 16):
                self._bytes_printed += len(part)
                self._output += part
                del self._output[:-limit]

    def _end_fault(self) -> Fault:
        """Why the process closed the connection."""
        if self._seconds_left() <= 0:
            return self._timeout_fault()
        status = self._process.end(EXIT_SECONDS)
        if status is None:
            return Fault("died", "the submission's process closed its connection to the grader without an answer")
        if -status in (names := {each.value: each.name for each in signal.Signals}):
            if names[-status] == "SIGXCPU":
                return self._timeout_fault()
            return Fault("died", f"the submission's process was ended by {names[-status]} before it answered")
        return Fault("exit", f"the submission's process exited with status {status} before it answered")

    def _timeout_fault(self) -> Fault:
        return Fault("time", f"no answer within {self.seconds:g} s")


def attempt(session: Session, dialogue: Callable[[], T]) -> T | Fault:
    """The result of `dialogue()`, which uses the session, or the fault that ended the session."""
    try:
        with session:
            return dialogue()
    except SessionBroken as broken:
        return broken.fault


def read_fault(report: Any, limits: Limits) -> Fault:
    """The fault that a student's process reports, as one line for the student."""
    if type(report) is not dict:
        return Fault("garbled", UNREADABLE)
    kind, name, message = (clean(report.get(key, "")) for key in ("kind", "type", "message"))
    line, text, during = report.get("line"), clean(report.get("text", ""), 120), clean(report.get("during", ""), 60)
    file = clean(report.get("file", ""), 60)
    where = f" ({f'{file}, ' if file else ''}line {line}: {text})" if type(line) is int and line else ""
    texts = {
        "not written": message,
        "refused": message,
        "successors": message,
        "hidden": f"{message}{where}",
        "missing package": f"imports '{message}', which is not available in the sandbox{where}",
        "exit": f"called sys.exit({message}) {during}{where}",
        "memory": f"needs more memory than the limit of {limits.memory_mb} MB{where or f' {during}'}",
    }
    error = f"{name}: {message}" if message else name
    return Fault(kind, texts[kind]) if kind in texts else Fault("raised", f"{error}{where or f' {during}'}")
