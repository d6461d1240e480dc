"""Requests to one process of graded code and its replies, by the grader's clock. Captures what the process prints."""

from __future__ import annotations

import contextlib
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Self

from autograder.cases.case import Limits
from autograder.judge.submission_answer import COMPUTED, Fault
from autograder.sandbox.fork_server import ChildProcess
from autograder.sandbox.process_pipes import PIPES, Output
from autograder.sandbox.runner import Session, SessionBroken, ends_if_unreadable, read_fault, shown_output
from autograder.sandbox.without_fork import SpawnedProcess
from autograder.student_process import tree_questions
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.messages import MAX_REPLY, MAX_REQUEST, BadFrame, decode, encode

EXIT_SECONDS = 0.2  # how long a process that closed the connection may take to end, so that its exit status is known
REPLY_LIMITS = {"evaluate": 2 << 20, "choose": 1 << 16, "begin": 1 << 16, "load": 1 << 16, "load_part": 1 << 16}
"""The most bytes of a reply, by the question. Other questions have the limit of all frames."""
PIPE_CAPACITY = 65_536  # bytes that a pipe holds while nobody reads
HANGS = 0.9
"""The share of the time limit that such a process has computed at least."""
MERELY = 0.1
"""A process that computed for a smaller share of its time merely waited, however busy the machine was."""
SHORT_SECONDS = 1.0
"""A process that was idle for at most so many seconds counts as never idle."""
LAG_SECONDS = 0.1
"""The time for which a process may be idle in each request: a busy grader may read a reply late."""


class ProcessSession(Session):
    """One process of graded code. A context manager: call `ask` inside the `with` block; leaving it ends the process.

    All requests together may take `seconds` of processor time. By the clock, counted from now, they may take `waiting`
    more, and a process that computes may take as long as it needs on a busy machine, up to ten times as long.
    """

    def __init__(
        self, process: ChildProcess | SpawnedProcess, seconds: float, limits: Limits, waiting: float = 0.0
    ) -> None:
        super().__init__(seconds, limits)
        self.waiting = waiting
        self._start_time = self._last_reply_time = time.monotonic()
        self._process = process
        self._request_number = 0
        self._more_time = 0.0
        self._asked_seconds = 0.0
        self._output = Output(limits.output_kb << 10)
        self._pipes = PIPES(process, self._output)

    def __enter__(self) -> Self:
        try:
            self._pipes.start()
        except BaseException:  # raised again: no process may stay behind
            self.__exit__()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        self.elapsed = time.monotonic() - self._start_time
        with contextlib.suppress(OSError):  # the fork server has died, and all its children with it
            self._process.end()
        self._process.hang_up()
        self._pipes.close()

    @property
    def processor_seconds(self) -> float:  # type: ignore[override]
        """The processor time that the process used, after the `with` block. 0 where it is not measured."""
        return self._process.processor_seconds

    @property
    def idle_seconds(self) -> float:  # type: ignore[override]
        """How long the process did nothing while the grader waited for its replies, after the `with` block.

        0 up to `SHORT_SECONDS`, and where it is not known. Time in which other programs used the processor is not idle.
        Where that time is not known, only a process that computed for less than `MERELY` of its time was idle.
        """
        computed, queued = self._process.processor_seconds, self._process.queued_seconds
        if not computed or (queued is None and computed >= MERELY * self.elapsed):
            return 0.0
        idle = self._asked_seconds - self._request_number * LAG_SECONDS - computed - (queued or 0)
        return idle if idle > SHORT_SECONDS else 0.0

    @property
    def output(self) -> str:
        """The text that the process printed, or its end."""
        return shown_output(bytes(self._output.text), self._output.bytes_printed, self.limits)

    def ask(self, question: str, **arguments: Any) -> dict[str, Any]:
        """The reply to one question, as `Session` says.

        Of the grader are the errors that it lacks memory or threads, or that the process ended before it was ready.
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
        try:
            self._pipes.write(frame, self._until)
        except TimeoutError:
            raise SessionBroken(self._timeout_fault()) from None
        except OSError:  # the process has ended: reading tells how
            pass
        return len(frame)

    def _receive(self, number: int, most_bytes: int = MAX_REPLY) -> dict[str, Any]:
        """The reply to the request with this number, which must be the next reply."""
        with ends_if_unreadable():
            asked = time.monotonic()
            try:
                frame = self._next_frame()
            except TimeoutError:
                raise SessionBroken(self._timeout_fault()) from None
            finally:
                self._asked_seconds += time.monotonic() - asked
            if frame is None:
                raise SessionBroken(self._end_fault())
            if len(frame) > most_bytes:
                raise BadFrame(f"it has {len(frame)} bytes, the limit is {most_bytes}")
            reply = decode(frame)
            if reply.get("n") != number:
                raise BadFrame("it belongs to another request of the grader")
        self._last_reply_time = time.monotonic()
        if "fault" in reply:
            raise SessionBroken(read_fault(reply["fault"], self.limits))
        return reply

    def _next_frame(self) -> bytes | None:
        """The next frame, None at the end. TimeoutError when the time is up and the process does not compute."""
        while True:
            try:
                return self._pipes.next_frame(self._until)
            except TimeoutError:
                elapsed = time.monotonic() - self._start_time
                if not self.waiting or self._process.used() < MERELY * elapsed:
                    raise
                self._more_time += self.seconds

    def _wait_until_ready(self) -> None:
        """Reads the first frame, which the process sends before it runs any code of the submission."""
        try:
            if self._pipes.next_frame(self._until) is not None:
                return
        except TimeoutError:
            pass
        raise ChildProcessError("the process of a case did not start")

    @property
    def _until(self) -> float:
        """The moment at which the time is up."""
        return self._start_time + self.seconds + self.waiting + self._more_time

    def _seconds_left(self) -> float:
        return self._until - time.monotonic()

    def _end_fault(self) -> Fault:
        """Why the process closed the connection. OSError if the cause was the end of the fork server."""
        if self._seconds_left() <= 0:
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

    def _computed_fault(self) -> Fault:
        return Fault(FaultKind.TIME, f"no answer within {self.seconds:g} s", COMPUTED)

    @property
    def _has_computed(self) -> bool:
        return self.processor_seconds >= HANGS * self.seconds
