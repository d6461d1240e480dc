"""Small attempts to escape from the sandbox, made from the inside. A wall holds if its escape attempts fail."""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

DISCARD_PORT = 9


def probe(request: dict[str, Any]) -> dict[str, Any]:
    """For each escape: None if it succeeded, otherwise the name of the error that stopped it."""
    escapes: dict[str, Callable[[], object]] = {
        "read a file of the grader": lambda: _read(request["secret"]),
        "list a folder of the grader": lambda: os.listdir(request["folder"]),
        "write a file elsewhere": lambda: _write(os.path.join(request["folder"], "escaped")),
        "write into its own folder": lambda: _write(request["own"]),
        "send over the network": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(
            b"x", ("127.0.0.1", DISCARD_PORT)
        ),
        "open a local socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).close(),
        "start a process": _fork,
        "run a program": lambda: os.posix_spawn("/bin/true", ["true"], {}),
        "signal the grader": lambda: os.kill(request["grader"], 0),
        "signal its parent process": lambda: os.kill(os.getppid(), 0),
        "read the grader's memory": lambda: _read(f"/proc/{request['grader']}/environ"),
        "read its parent's memory": lambda: _read(f"/proc/{os.getppid()}/maps"),
        "start a new Unix session": os.setsid,
        "signal another submission": _wake_others,
    }
    return {"escapes": {name: _attempt(escape) for name, escape in escapes.items()}, "uid": os.getuid()}


def _attempt(escape: Callable[[], object]) -> str | None:
    try:
        escape()
    except OSError as error:
        return type(error).__name__
    return None


def _read(path: str) -> None:
    with open(path, "rb") as file:
        file.read(1)


def _write(path: str) -> None:
    with open(path, "ab", buffering=0) as file:
        file.write(b"x")


def _wake_others() -> None:
    """Wakes whoever waits at an address, in any process. Nobody waits at this one."""
    call = {"x86_64": 202, "aarch64": 98}.get(os.uname().machine)
    if sys.platform != "linux" or call is None:
        raise OSError(errno.ENOSYS, "futex")
    word, wake, count = ctypes.c_int(), ctypes.c_long(1), ctypes.c_long(1)
    if ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(call), ctypes.byref(word), wake, count) < 0:
        raise OSError(ctypes.get_errno(), "futex")


def _fork() -> None:
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
