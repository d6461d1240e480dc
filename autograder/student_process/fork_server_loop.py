"""The warm interpreter: inside the walls, everything loaded that graded code may import; forks one child a case.

Started by `autograder.sandbox.fork_server`, which calls `main` with the number of CONTROL, a Unix socket. It never runs
graded code itself. Orders on the socket: the first says how to shut the walls; then `fork` (with two descriptors: one
for requests and replies, one for output) and `end`. Where a system cannot fork, `--alone PIPE` is the child itself.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
import time
from typing import Any

from autograder.student_process import allowed_imports, student, walls
from autograder.student_process.transport import MAX_REPLY, MAX_REQUEST, inherited, receive, send

OWN_PID = (0xDEADBEEF).to_bytes(4, "little")  # stands in the filter where the child's own number belongs
TICK = 0.002


def main() -> None:
    if sys.argv[1] == "--alone":
        _alone(sys.argv[2])
        return
    control = socket.socket(fileno=int(sys.argv[1]))
    shut, _ = _order(control)
    assert shut is not None
    try:
        _prepare(shut)
        _say(control, ready=True)
    except Exception as error:  # the grader tells it, and tries with fewer walls
        _say(control, error=f"{type(error).__name__}: {error}")
        return
    children: set[int] = set()
    while True:
        order, descriptors = _order(control)
        if order is None:
            break
        if "fork" in order:
            pid = os.fork()
            if not pid:
                _child(shut, order["fork"], control, descriptors)
            children.add(pid)
            for descriptor in descriptors:
                os.close(descriptor)
            _say(control, pid=pid)
        else:
            pid = order["end"]
            _say(control, status=_end(pid, order["patience"]))
            children.discard(pid)
            _end_orphans(children)
    for pid in children:
        _end(pid, 0)
    _end_orphans(set())


def _prepare(order: dict[str, Any]) -> None:
    """Loads what a case needs, then shuts the walls that all children share."""
    for name in (*allowed_imports.MODULES, *order["packages"]):  # loaded once for all cases
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    walls.adopt_orphans()
    walls.die_with_parent()
    if order["shut"]:
        walls.drop_rights(order["uid"], order["in_name"])
        walls.no_new_rights()
    if order["readable"] is not None:
        walls.only_read(order["readable"])
    walls.forbid_dumps()
    os.chdir(order["folder"])
    gc.freeze()  # a child's collector then leaves our pages alone: a third of its time was copying them


def _child(order: dict[str, Any], limits: dict[str, Any], control: socket.socket, descriptors: list[int]) -> None:
    """Becomes the process of one case: one descriptor beside the standard ones, its own session, all walls shut."""
    try:
        os.setsid()
        talk, output = descriptors
        null = os.open(os.devnull, os.O_RDONLY)
        ends = [os.dup(end) for end in (null, output, output, talk)]  # out of each other's way
        control.close()
        for place, end in enumerate(ends):
            os.dup2(end, place)
        os.closerange(len(ends), 1 << 16)
        walls.die_with_parent()
        walls.limit(**limits)
        walls.forbid_dumps()
        if order["program"] is not None:
            own = os.getpid().to_bytes(4, "little")
            walls.only_compute(base64.b64decode(order["program"]).replace(OWN_PID, own))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115
        student.serve(3, 3)
    except BaseException as error:  # nothing may return into the loop of the parent
        os.write(2, f"the grader's side of this process failed: {type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(70)


def _alone(pipe: str) -> None:
    """The whole process is one case; requests come on the standard input."""
    requests, replies = os.dup(0), inherited(pipe)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    body = receive(requests, MAX_REQUEST)
    assert body is not None
    order: dict[str, Any] = json.loads(body)
    sys.path += order["packages_at"]
    os.chdir(order["folder"])
    walls.limit(order["seconds"], order["memory_mb"], order["threads"])
    student.serve(requests, replies)


def _end(pid: int, patience: float) -> int:
    """Waits for a child to end by itself, and ends it and its session when it does not; its exit status as waitpid's.

    256 stands for a child that had to be ended.
    """
    until = time.monotonic() + patience
    while True:
        try:
            found, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:  # ended before
            return 256
        if found:
            _kill_group(pid)
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() >= until:
            break
        time.sleep(TICK)
    _kill_group(pid)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return 256


def _kill_group(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def _end_orphans(children: set[int]) -> None:
    """Ends what graded code started and left behind: on Linux, it has become ours."""
    for _ in range(100):
        strays: set[int] = set()
        with contextlib.suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            strays = {int(word) for word in file.read().split()} - children
        if not strays:
            return
        for pid in strays:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for pid in strays:
            with contextlib.suppress(OSError):
                os.waitpid(pid, 0)


def _order(control: socket.socket) -> tuple[dict[str, Any] | None, list[int]]:
    """The next order, and the descriptors that came with it; None when the grader has hung up."""
    _, descriptors, _, _ = socket.recv_fds(control, 1, 2)
    body = receive(control.fileno(), MAX_REQUEST)
    return None if body is None else json.loads(body), descriptors


def _say(control: socket.socket, **answer: Any) -> None:
    send(control.fileno(), answer, MAX_REPLY)
