"""A fresh interpreter for each case, where a system cannot fork: slower, and with no walls but its own process."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from autograder.cases.case import Limits
from autograder.sandbox.fork_server import SHARED_THREADS, environment, warm
from autograder.student_process.transport import MAX_REQUEST, send


class Spawned:
    """One process; see `nursery.ChildProcess`."""

    def __init__(self, kit: Path, folder: Path, seconds: float, limits: Limits) -> None:
        self._forced = False
        self._process, self.replies = _popen(
            warm(kit, "--alone"),
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
            "packages_at": [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")],
            "folder": str(folder),
            "seconds": seconds,
            "memory_mb": limits.memory_mb,
            "threads": SHARED_THREADS,
        }
        with contextlib.suppress(OSError):  # it died at once: the first question finds out how
            send(self.requests, order, MAX_REQUEST)

    def end(self, patience: float = 0) -> int | None:
        if self._process.returncode is None:
            try:
                return self._process.wait(patience)
            except subprocess.TimeoutExpired:
                if sys.platform == "win32":  # all that it started, too
                    tree = ["taskkill", "/T", "/F", "/PID", str(self._process.pid)]
                    subprocess.run(tree, capture_output=True, check=False)
                else:
                    self._process.kill()
                self._process.wait()
                self._forced = True
        return None if self._forced else self._process.returncode

    def hang_up(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def close(self) -> None:
        os.close(self.replies)


def _popen(command: list[str], **options: Any) -> tuple[subprocess.Popen[bytes], int]:
    """Starts `command` with one more argument, which names the end of a pipe to write to; returns our end too."""
    ours, theirs = os.pipe()
    try:
        if sys.platform == "win32":
            import msvcrt

            handle = msvcrt.get_osfhandle(theirs)
            os.set_handle_inheritable(handle, True)
            options["startupinfo"] = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})
        else:
            handle, options["pass_fds"] = theirs, (theirs,)
        return subprocess.Popen([*command, str(handle)], **options), ours
    except BaseException:  # raised again: only our end of the pipe must not stay open
        os.close(ours)
        raise
    finally:
        os.close(theirs)
