"""Requests to one process of graded code and its replies, by the grader's clock. Captures what the process prints."""

from __future__ import annotations

import contextlib
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
from autograder.student_process import tree_questions
from autograder.student_process.transport import MAX_REPLY, MAX_REQUEST, PAUSE, BadFrame, decode, encode, receive, write

EXIT_SECONDS = 0.2  # how long a process that closed the connection may take to end, so that its exit status is known
JOIN_SECONDS = 0.5  # how long to wait for a pipe that a stray process may still have open
PAUSE_BEYOND_LIMIT = 0.005  # seconds between two reads of output that is not kept
REPLY_LIMITS = {"evaluate": 2 << 20, "choose": 1 << 16, "begin": 1 << 16, "load": 1 << 16, "load_part": 1 << 16}
"""The most bytes of a reply, by the question. Other questions have the limit of all frames."""
PIPE_CAPACITY = 65_536  # bytes that a pipe holds while nobody reads
T = TypeVar("T")


class SessionBroken(Exception):
    """The session with a submission is over because of the submission; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class Session:
    """One process of graded code. A context manager: call `ask` inside the `with` block; leaving it ends the process.

    All requests together may take `seconds` of wall-clock time, counted from now. The grader takes all threads that it
    needs before the submission runs. So a submission that leaves no threads for others cannot make its own case fail
    in the grader.
    """

    def __init__(self, process: ChildProcess | SpawnedProcess, seconds: float, limits: Limits) -> None:
        self.limits = limits
        self.seconds = seconds
        self.elapsed = 0.0
        """Seconds from the start to the end of the `with` block."""
        self._start_time = self._last_reply_time = time.monotonic()
        self._process = process
        self._request_number = 0
        self._output = bytearray()
        self._bytes_printed = 0
        self._frames: queue.Queue[bytes | Exception | None] = queue.Queue(maxsize=4)
        self._reply_thread = threading.Thread(target=self._read_replies, daemon=True)
        self._output_thread = threading.Thread(target=self._read_output, daemon=True)
        # Without the alarm, a process that reads no requests would block the grader's next write forever.
        self._alarm = self._new_alarm(seconds)

    def __enter__(self) -> Self:
        try:
            for thread in (self._reply_thread, self._output_thread, self._alarm):
                thread.start()
        except BaseException:  # raised again: no process may stay behind
            self.__exit__()
            raise
        return self

    def _new_alarm(self, seconds: float) -> threading.Timer:
        """A timer that ends the process."""
        alarm = threading.Timer(seconds, self._end_process)
        alarm.daemon = True
        return alarm

    def __exit__(self, *raised: object) -> None:
        self.elapsed = time.monotonic() - self._start_time
        self._alarm.cancel()
        self._end_process()
        self._process.hang_up()
        with contextlib.suppress(queue.Empty):
            while True:  # a reply thread that waits for space in the queue can then continue, and end
                self._frames.get_nowait()
        # If a stray process still has a pipe open, its thread cannot end: leaves the thread and the pipe behind.
        if _has_ended(self._reply_thread):
            self._process.close()
        if _has_ended(self._output_thread):
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

        SessionBroken if no valid reply comes in time, or if the reply reports a fault: this is the submission's doing.
        Any other exception is the grader's: it lacks memory or threads, or the process ended before it could load the
        submission.
        """
        is_first = not self._request_number
        self._send({"question": question, **arguments})
        if is_first:
            self._wait_until_ready()
        return self._receive(self._request_number, REPLY_LIMITS.get(question, MAX_REPLY))

    def ask_all(self, question: str, arguments: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The reply to the question with each of the arguments, in order. SessionBroken as in `ask`.

        Sends some requests before they are needed, so that the process does not wait for the grader. The time between
        two calls does not count as time of the process. The process must have answered `ask` before.
        """
        self._start_time += time.monotonic() - self._last_reply_time
        self._alarm.cancel()
        self._alarm = self._new_alarm(max(0.0, self._seconds_left()))
        self._alarm.start()
        sizes: deque[int] = deque()
        requests = iter(arguments)
        following = next(requests, None)
        for number in range(self._request_number + 1, self._request_number + 1 + len(arguments)):
            while following is not None and sum(sizes) < PIPE_CAPACITY // 2:
                sizes.append(self._send({"question": question, **following}))
                following = next(requests, None)
            if self._seconds_left() <= 0:
                raise SessionBroken(self._timeout_fault())
            yield self._receive(number)
            sizes.popleft()

    def _send(self, request: dict[str, Any]) -> int:
        """Sends the next request. Returns its size in bytes."""
        self._request_number += 1
        frame = encode({**request, "n": self._request_number}, MAX_REQUEST)
        with contextlib.suppress(OSError):  # if the process has ended, reading tells how
            write(self._process.requests, frame)
        return len(frame)

    def _receive(self, number: int, most_bytes: int = MAX_REPLY) -> dict[str, Any]:
        """The reply to the request with this number, which must be the next reply."""
        try:
            frame = self._next_frame()
            if frame is None:
                raise SessionBroken(self._end_fault())
            if len(frame) > most_bytes:
                raise BadFrame(f"it has {len(frame)} bytes, the limit is {most_bytes}")
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

    def _wait_until_ready(self) -> None:
        """Reads the first frame, which the process sends before it runs any code of the submission."""
        try:
            if self._next_frame() is not None:
                return
        except queue.Empty:
            pass
        raise ChildProcessError("the process of a case did not start")

    def _next_frame(self) -> bytes | None:
        """The next frame of the process, None at its end. Raises the error of a thread that reads, if there is one."""
        frame = self._frames.get(timeout=max(0.0, self._seconds_left()))
        if isinstance(frame, Exception):
            raise frame
        return frame

    def _seconds_left(self) -> float:
        return self._start_time + self.seconds - time.monotonic()

    def _read_replies(self) -> None:
        """Puts every reply into the queue, and at the end None or the error that ended it."""
        while True:
            try:
                frame: bytes | Exception | None = receive(self._process.replies, MAX_REPLY)
            except OSError:
                frame = None
            except Exception as error:  # a BadFrame of the submission; or the grader has no memory left
                frame = error
            self._frames.put(frame)
            if not isinstance(frame, bytes):
                return

    def _read_output(self) -> None:
        """Keeps the end of the output, up to the limit, and drops the rest, so that it fills no memory."""
        limit = self.limits.output_kb << 10
        try:
            while part := os.read(self._process.output, 1 << 16):
                self._bytes_printed += len(part)
                self._output += part
                del self._output[:-limit]
                # Otherwise a process that only prints would keep the grader busy.
                time.sleep(PAUSE_BEYOND_LIMIT if self._bytes_printed > limit else PAUSE)
        except (OSError, ValueError):
            pass
        except MemoryError as error:
            self._frames.put(error)

    def _end_process(self) -> None:
        with contextlib.suppress(OSError):  # the fork server has died, and all its children with it
            self._process.end()

    def _end_fault(self) -> Fault:
        """Why the process closed the connection. OSError if the cause was the end of the fork server."""
        if self._seconds_left() <= 0:
            return self._timeout_fault()
        status = self._process.end(EXIT_SECONDS)
        if status is None:
            return Fault("died", "the submission's process closed its connection to the grader without an answer")
        if -status in (names := {each.value: each.name for each in signal.Signals}):
            if names[-status] == "SIGXCPU":
                return self._timeout_fault()
            if names[-status] == "SIGPROF":
                return Fault("time", f"no answer within {tree_questions.SECONDS:g} s")
            return Fault("died", f"the submission's process was ended by {names[-status]} before it answered")
        return Fault("exit", f"the submission's process exited with status {status} before it answered")

    def _timeout_fault(self) -> Fault:
        return Fault("time", f"no answer within {self.seconds:g} s")


def _has_ended(thread: threading.Thread) -> bool:
    """True if a thread has ended, or never started. Waits a moment for it."""
    if thread.ident is not None:
        thread.join(JOIN_SECONDS)
    return not thread.is_alive()


def attempt(session: Session, dialogue: Callable[[], T]) -> T | Fault:
    """The result of `dialogue()`, which uses the session, or the fault of the submission that ended the session."""
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
        "refused": f"{message}{where}",
        "successors": f"{message}{where}",
        "hidden": f"{message}{where}",
        "missing package": f"imports '{message}', which is not available in the sandbox{where}",
        "exit": f"called sys.exit({message}) {during}{where}",
        "memory": f"needs more memory than the limit of {limits.memory_mb} MB{where or f' {during}'}",
    }
    error = f"{name}: {message}" if message else name
    return Fault(kind, texts[kind]) if kind in texts else Fault("raised", f"{error}{where or f' {during}'}")
