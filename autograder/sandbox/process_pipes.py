"""Reads what one process of graded code sends and prints, and writes to it, until a moment by the grader's clock.

`PolledPipes` needs no thread, so a submission that takes all threads of the machine does not disturb it. Windows cannot
wait for several pipes at once: there, `ThreadedPipes` reads each pipe in a thread of its own.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import threading
import time

from autograder.sandbox.fork_server import ChildProcess
from autograder.sandbox.without_fork import SpawnedProcess
from autograder.student_process.messages import MAX_REPLY, PAUSE, PREFIX, SMALL_PART, BadFrame, receive, write

PART = 1 << 16
GRACE = 0.2
"""Seconds in which a busy grader still reads what was sent in time. A process that never stops sending gets no more."""
JOIN_SECONDS = 0.5  # how long to wait for a pipe that a stray process may still have open
PAUSE_BEYOND_LIMIT = 0.005  # seconds between two reads of output that is not kept


class Output:
    """What a process prints: the end of it, up to a limit. The rest is dropped, so that it fills no memory."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.text = bytearray()
        self.bytes_printed = 0

    def add(self, part: bytes) -> None:
        """Adds what the process printed."""
        self.bytes_printed += len(part)
        self.text += part
        del self.text[: -self.limit]

    @property
    def pause(self) -> float:
        """How long to wait before the next read. Otherwise a process that only prints would keep the grader busy."""
        return PAUSE_BEYOND_LIMIT if self.bytes_printed > self.limit else PAUSE


class PolledPipes:
    """The three pipes of a process, which it waits for at once. TimeoutError after the moment `until` of its clock."""

    def __init__(self, process: ChildProcess | SpawnedProcess, output: Output) -> None:
        self._process, self._output = process, output
        self._received = bytearray()
        os.set_blocking(process.requests, False)
        self._replies, self._both = select.poll(), select.poll()
        self._replies.register(process.replies, select.POLLIN)
        self._both.register(process.replies, select.POLLIN)
        self._both.register(process.output, select.POLLIN)

    def start(self) -> None:
        """Begins to read. (Here, nothing has to start.)"""

    def write(self, frame: bytes, until: float) -> None:
        """Writes a frame; OSError if the process has ended. Meanwhile, this reads what the process prints."""
        view = memoryview(frame)
        while view:
            try:
                view = view[os.write(self._process.requests, view) :]
            except BlockingIOError:
                waiting = select.poll()
                waiting.register(self._process.requests, select.POLLOUT)
                waiting.register(self._process.output, select.POLLIN)
                for descriptor, _ in _wait(waiting, until):
                    if descriptor == self._process.output and not self._read_output():
                        time.sleep(PAUSE)  # the process has closed its output

    def next_frame(self, until: float) -> bytes | None:
        """The body of the next frame, None at the end. BadFrame if it is too large or incomplete.

        A frame that comes in small parts is read slowly, as in `messages.receive`.
        """
        part = b""
        while True:
            size = int.from_bytes(self._received[:PREFIX], "big") if len(self._received) >= PREFIX else 0
            if size > MAX_REPLY:
                raise BadFrame(f"it has {size} bytes, the limit is {MAX_REPLY}")
            if len(self._received) >= PREFIX + size:
                frame = bytes(self._received[PREFIX : PREFIX + size])
                del self._received[: PREFIX + size]
                return frame
            if 0 < len(part) < SMALL_PART:
                time.sleep(PAUSE)
            part = self._read(until)
            if not part and self._received:
                raise BadFrame("it is incomplete")
            if not part:
                return None
            self._received += part

    def _read(self, until: float) -> bytes:
        """Some bytes of the replies, none at the end. Reads the output too, but never lets a reply wait for that."""
        pause = 0.0
        while True:
            if pause:
                ready = self._replies.poll(1000 * pause)
                pause = 0.0
            else:
                ready = _wait(self._both, until)
            if any(descriptor == self._process.replies for descriptor, _ in ready):
                try:
                    return os.read(self._process.replies, PART)
                except BlockingIOError:
                    continue
                except OSError:
                    return b""
            if ready:
                if not self._read_output():
                    self._both.unregister(self._process.output)
                pause = self._output.pause

    def _read_output(self) -> bool:
        """Reads some output that is ready. False at its end."""
        part = os.read(self._process.output, PART)
        self._output.add(part)
        return bool(part)

    def close(self) -> None:
        """Reads the rest of the output of a process that has ended, and closes the pipes.

        If a stray process still has the pipe of the output open, this does not wait for more.
        """
        rest = select.poll()
        rest.register(self._process.output, select.POLLIN)
        try:
            until = time.monotonic() + JOIN_SECONDS
            while time.monotonic() < until and rest.poll(0) and self._read_output():
                pass
        finally:
            self._process.close()
            os.close(self._process.output)


def _wait(pipes: select.poll, until: float) -> list[tuple[int, int]]:
    """The pipes that are ready. TimeoutError if none is until then, and shortly after that in any case."""
    left = until - time.monotonic()
    if left < -GRACE:
        raise TimeoutError
    ready = pipes.poll(1000 * max(0.0, left))
    if not ready and time.monotonic() >= until:
        raise TimeoutError
    return ready


class ThreadedPipes:
    """As `PolledPipes`, but reads each pipe in a thread of its own."""

    def __init__(self, process: ChildProcess | SpawnedProcess, output: Output) -> None:
        self._process, self._output = process, output
        self._frames: queue.Queue[bytes | Exception | None] = queue.Queue(maxsize=4)
        self._reply_thread = threading.Thread(target=self._read_replies, daemon=True)
        self._output_thread = threading.Thread(target=self._read_output, daemon=True)
        self._output_error: MemoryError | None = None

    def start(self) -> None:
        """Starts the threads."""
        self._reply_thread.start()
        self._output_thread.start()

    def write(self, frame: bytes, until: float) -> None:
        """Writes a frame. The process is ended if it does not read the frame in time, which ends the writing."""
        alarm = threading.Timer(max(0.0, until - time.monotonic()), self._process.end)
        alarm.start()
        try:
            write(self._process.requests, frame)
        finally:
            alarm.cancel()

    def next_frame(self, until: float) -> bytes | None:
        """The next frame. Raises the error of a thread that reads, if there is one."""
        try:
            frame = self._frames.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(frame, Exception):
            raise frame
        return frame

    def close(self) -> None:
        """Ends the threads. If a stray process still has a pipe open, this leaves the thread and the pipe behind."""
        with contextlib.suppress(queue.Empty):
            while True:  # a reply thread that waits for space in the queue can then continue, and end
                self._frames.get_nowait()
        if _has_ended(self._reply_thread):
            self._process.close()
        if _has_ended(self._output_thread):
            os.close(self._process.output)
        if self._output_error:
            raise self._output_error

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
        try:
            while part := os.read(self._process.output, PART):
                self._output.add(part)
                time.sleep(self._output.pause)
        except (OSError, ValueError):
            pass
        except MemoryError as error:
            self._output_error = error


def _has_ended(thread: threading.Thread) -> bool:
    """True if a thread has ended, or never started. Waits a moment for it."""
    if thread.ident is not None:
        thread.join(JOIN_SECONDS)
    return not thread.is_alive()


Pipes = PolledPipes | ThreadedPipes
PIPES: type[Pipes] = PolledPipes if hasattr(select, "poll") else ThreadedPipes
"""How this system reads pipes."""
