"""Starts a new interpreter for each case, on systems that cannot fork. Slower, and without walls around the process."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from autograder.cases.case import Limits
from autograder.sandbox.fork_server import SHARED_THREADS, environment, imports, interpreter_command
from autograder.student_process.messages import MAX_REQUEST, send


class SpawnedProcess:
    """One process, with the interface of `fork_server.ChildProcess`."""

    processor_seconds = 0.0
    queued_seconds: float | None = None
    """Both are not measured here."""

    def __init__(self, folder: Path, seconds: float, limits: Limits, api: str = "native") -> None:
        self._was_killed = False
        self._process, self.replies = _start(
            interpreter_command("--alone"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment(folder),
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.requests = self._process.stdin.fileno()
        self.output = os.dup(self._process.stdout.fileno())
        self._process.stdout.close()
        order = {
            **imports(api),
            "package_folders": [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")],
            "folder": str(folder),
            "seconds": seconds,
            "memory_mb": limits.memory_mb,
            "threads": SHARED_THREADS,
        }
        with contextlib.suppress(OSError):  # it died at once: the first request reports how
            send(self.requests, order, MAX_REQUEST)

    def end(self, patience: float = 0) -> int | None:
        """Ends the process, which first gets `patience` seconds to end by itself.

        Returns the exit status (negative for a signal), or None if the process was killed here.
        """
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

    def used(self) -> float:
        """0: it is not known."""
        return 0.0

    def hang_up(self) -> None:
        """Closes `requests`, so that the process gets no more of them."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def close(self) -> None:
        """Closes `replies`."""
        os.close(self.replies)


def _start(command: list[str], **options: Any) -> tuple[subprocess.Popen[bytes], int]:
    """Starts `command` with one more argument: the end of a pipe to write to. Returns the process and our end."""
    our_end, its_end = os.pipe()
    try:
        if sys.platform == "win32":
            import msvcrt

            handle = msvcrt.get_osfhandle(its_end)
            os.set_handle_inheritable(handle, True)
            options["startupinfo"] = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})
        else:
            handle, options["pass_fds"] = its_end, (its_end,)
        return subprocess.Popen([*command, str(handle)], **options), our_end
    except BaseException:  # raised again: only our end of the pipe must not stay open
        os.close(our_end)
        raise
    finally:
        os.close(its_end)
