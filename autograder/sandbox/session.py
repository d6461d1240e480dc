"""Requests to one process of graded code and its replies, over one socket and by one clock.

It needs no thread, so a submission that takes all threads of the machine does not disturb it.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Self

from autograder.cases.case import Limits
from autograder.judge.submission_answer import COMPUTED, ONE_ANSWER, Fault
from autograder.sandbox.fork_server import Process, queued_seconds
from autograder.sandbox.runner import Session, SessionBroken, ends_if_unreadable, read_fault, shown_output
from autograder.student_process import tree_questions
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.messages import MAX_REPLY, MAX_REQUEST, BadFrame, decode, encode, receive
from autograder.student_process.plain_values import OutOfTime

EXIT_SECONDS = 0.2  # how long a process that closed the connection may take to end, so that its exit status is known
REPLY_LIMITS = {"evaluate": 2 << 20, "choose": 1 << 16, "begin": 1 << 16, "load": 1 << 16, "load_part": 1 << 16}
"""The most bytes of a reply, by the question. Other questions have the limit of all frames."""
MOST_AHEAD = 1 << 15
"""So many bytes of requests are sent before they are needed: what a connection holds while nobody reads."""
GRACE = 0.2
"""Seconds in which a busy grader still reads what was sent in time. A process that never stops sending gets no more."""
SMALL_PART = 1 << 12
PAUSE = 0.001
"""Seconds to wait after a part of a frame with fewer than SMALL_PART bytes: single bytes keep the grader not busy."""
HANGS = 0.9  # a process that has computed for at least this share of its time limit hangs
ENDS_EARLY = 0.6
"""The kernel counts ticks of the clock for its limits. On a busy machine a limit can come at this share of its time."""
SHORT_SECONDS = 1.0  # a process that was idle for at most so many seconds counts as never idle
LAG_SECONDS = 0.005
"""The time for which a process may be idle in each request: ten times what an honest one is on a busy machine."""


class ProcessSession(Session):
    """One process of graded code. A context manager: call `ask` inside the `with` block; leaving it ends the process.

    All requests together may take `seconds` of processor time, and by the clock, counted from now, `waiting` more.
    """

    def __init__(self, process: Process, seconds: float, limits: Limits, waiting: float = 0.0) -> None:
        super().__init__(seconds, limits)
        self.waiting = waiting
        self._start_time = self._last_reply_time = time.monotonic()
        self._process, self._connection = process, process.connection
        self._request_number = 0
        self._answer_seconds = seconds
        self._asked_seconds, self._late_seconds = 0.0, queued_seconds("thread-self") or 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.elapsed = time.monotonic() - self._start_time
        self._late_seconds = (queued_seconds("thread-self") or 0.0) - self._late_seconds  # it read replies late
        self._connection.close()
        with self._process.output as output, contextlib.suppress(OSError):
            self._process.end()  # OSError: the fork server has died, and all its children with it
            output.seek(0)
            memory = output.read(tree_questions.COUNT + (self.limits.output_kb << 10))
            self.output = shown_output(*tree_questions.printed(memory), self.limits)

    @property
    def processor_seconds(self) -> float:  # type: ignore[override]
        """The processor time that the process used, after the `with` block. 0 where it is not measured."""
        return self._process.processor_seconds

    @property
    def idle_seconds(self) -> float:  # type: ignore[override]
        """How long the process did nothing while the grader waited for its replies, after the `with` block.

        0 up to `SHORT_SECONDS`, and where it is not known. Time in which other programs used the processor is not idle.
        """
        computed, queued = self._process.processor_seconds, self._process.queued_seconds
        if not computed or queued is None:
            return 0.0
        idle = self._asked_seconds - self._request_number * LAG_SECONDS - self._late_seconds - computed - queued
        return idle if idle > SHORT_SECONDS else 0.0

    def ask_all(self, question: str, arguments: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The reply to the question with each of the arguments, in order. SessionBroken as in `ask`.

        Sends some requests before they are needed, so that the process does not wait for the grader. The time between
        two calls does not count as time of the process. Of the grader are the errors that it lacks memory, or that the
        process ended before it was ready.
        """
        if self._request_number:
            self._start_time += time.monotonic() - self._last_reply_time
        sizes: deque[int] = deque()
        requests = iter(arguments)
        following = next(requests, None)
        for number in range(self._request_number + 1, self._request_number + 1 + len(arguments)):
            while following is not None and sum(sizes) < MOST_AHEAD:
                sizes.append(self._send({"question": question, **following}))
                following = next(requests, None)
            if number == 1:
                self._wait_until_ready()
            if self._until <= time.monotonic():
                raise SessionBroken(self._timeout_fault())
            yield self._receive(number, REPLY_LIMITS.get(question, MAX_REPLY))
            sizes.popleft()

    def _send(self, request: dict[str, Any]) -> int:
        """Sends the next request. Returns its size in bytes."""
        self._request_number += 1
        self._answer_seconds = request.get("seconds", self.seconds)
        frame = encode({**request, "n": self._request_number}, MAX_REQUEST)
        try:
            left = memoryview(frame)
            self._connection.setblocking(False)  # with a time-out, Python first waits until most of the buffer is free
            with contextlib.suppress(BlockingIOError):
                left = left[self._connection.send(left) :]
            self._connection.settimeout(max(self._until - time.monotonic(), PAUSE))
            if left:
                self._connection.sendall(left)
        except TimeoutError:
            raise SessionBroken(self._timeout_fault()) from None
        except OSError:  # the process has ended: reading tells how
            pass
        return len(frame)

    def _receive(self, number: int, most_bytes: int) -> dict[str, Any]:
        """The reply to the request with this number, which must be the next reply."""
        with ends_if_unreadable():
            asked = time.monotonic()
            try:
                frame = receive(self._read, most_bytes)
            except TimeoutError:
                raise SessionBroken(self._timeout_fault()) from None
            finally:
                self._asked_seconds += time.monotonic() - asked
            if frame is None:
                raise SessionBroken(self._end_fault())
            reply = decode(frame)
            if reply.get("n") != number:
                raise BadFrame("it belongs to another request of the grader")
        self._last_reply_time = time.monotonic()
        if "fault" in reply:
            fault, report = read_fault(reply["fault"], self.limits), reply["fault"]
            is_late = fault.detail.startswith(OutOfTime.__name__)
            raise SessionBroken(self._late_fault(fault, report.get("seconds")) if is_late else fault)
        return reply

    def _wait_until_ready(self) -> None:
        """Reads the first frame, which the process sends before it runs any code of the submission."""
        with contextlib.suppress(TimeoutError):
            if receive(self._read, MAX_REPLY) is not None:
                return
        raise ChildProcessError("the process of a case did not start")

    def _read(self, size: int) -> bytes:
        """Some bytes of the replies, at most `size`, none at their end.

        TimeoutError when the time is up and nothing came, and shortly after that in any case.
        """
        left = self._until - time.monotonic()
        if left <= -GRACE:
            raise TimeoutError
        self._connection.settimeout(max(0.0, left))
        try:
            part = self._connection.recv(size)
        except (TimeoutError, BlockingIOError):
            raise TimeoutError from None
        except OSError:  # the process was killed with requests that it had not read
            return b""
        if len(part) < min(size, SMALL_PART):
            time.sleep(PAUSE)
        return part

    @property
    def _until(self) -> float:
        """The moment at which the time is up."""
        return self._start_time + self.seconds + self.waiting

    def _end_fault(self) -> Fault:
        """Why the process closed the connection. OSError if the cause was the end of the fork server."""
        if self._until <= time.monotonic():
            return self._timeout_fault()
        status = self._process.end(EXIT_SECONDS)
        if status is None:
            text = "the submission's process closed its connection to the grader without an answer"
            return Fault(FaultKind.DIED, text)
        if -status in (names := {each.value: each.name for each in signal.Signals}):
            if names[-status] == "SIGXCPU" or (names[-status] == "SIGKILL" and self._has_computed):
                return self._computed_fault()
            if names[-status] == "SIGPROF":
                return Fault(FaultKind.TIME, f"no answer within {tree_questions.SECONDS:g} s")
            return Fault(FaultKind.DIED, f"the submission's process was ended by {names[-status]} before it answered")
        return Fault(FaultKind.EXIT, f"the submission's process exited with status {status} before it answered")

    def _timeout_fault(self) -> Fault:
        with contextlib.suppress(OSError):
            self._process.end()  # only then its processor time is known
        if self._has_computed:
            return self._computed_fault()
        return Fault(FaultKind.TIME, f"no answer within {self.seconds + self.waiting:g} s")

    def _late_fault(self, fault: Fault, seconds: Any) -> Fault:
        """The fault of a process that says that it computed this answer for `seconds` and has no time left."""
        with contextlib.suppress(OSError):
            self._process.end()
        most, where = self._answer_seconds, fault.text.removeprefix(OutOfTime.TEXT)
        if type(seconds) is float and min(seconds, self.processor_seconds) >= ENDS_EARLY * most:
            return Fault(FaultKind.TIME, f"no answer within {most:g} s{where}", ONE_ANSWER)
        return self._computed_fault(where) if self.processor_seconds >= ENDS_EARLY * self.seconds else fault

    def _computed_fault(self, where: str = "") -> Fault:
        return Fault(FaultKind.TIME, f"no answer within {self.seconds:g} s{where}", COMPUTED)

    @property
    def _has_computed(self) -> bool:
        return self.processor_seconds >= HANGS * self.seconds
