"""The loop of the fork server: imports everything that graded code may use, then forks one child per case.

`autograder.sandbox.fork_server` starts it behind the walls and calls `main` with the number of a Unix socket. This
process never runs graded code; only its children do. The first order on the socket says which walls to close. Then
come `fork` orders (each with two descriptors: one for requests and replies, one for output) and `end` orders. With
`--alone`, for systems that cannot fork, the process itself runs one case.
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
from functools import partial
from mmap import mmap
from typing import Any

from autograder.student_process import allowed_imports, walls
from autograder.student_process.messages import MAX_REPLY, receive, send
from autograder.student_process.request_handler import RequestHandler, serve
from autograder.student_process.tree_questions import Output
from pacman.core import layout

OWN_PID = (0xDEADBEEF).to_bytes(4, "little")  # the filter's placeholder for the child's process number
TICK = 0.002


def main() -> None:
    """Follows the grader's orders until it closes the socket. The second argument is its number, or --alone."""
    argument = sys.argv[2]
    sys.argv[1:] = sys.orig_argv[:] = []  # graded code need not know the grader's process number
    if argument == "--alone":
        _run_alone()
        return
    control = socket.socket(fileno=int(argument))
    setup, _ = _receive_order(control)
    assert setup is not None
    try:
        student = _prepare(setup)
        program = setup["program"] and base64.b64decode(setup["program"])
        system_calls = walls.ComputingFilter(program, OWN_PID) if program else None
        _answer(control, started=True)
    except Exception as error:  # the grader reads it, and tries the level without walls
        _answer(control, error=f"{type(error).__name__}: {error}")
        return
    children = set[int]()
    while True:
        order, descriptors = _receive_order(control)
        if order is None:
            break
        if "fork" in order:
            _fork(control, student, system_calls, order["fork"], descriptors, children)
        else:
            pid = order["end"]
            status, processor_seconds = _end(pid, order["patience"])
            _answer(control, status=status, processor_seconds=processor_seconds)
            children.discard(pid)
            _end_orphans(children)
    for pid in children:
        _end(pid, 0)
    _end_orphans(set())


def _prepare(setup: dict[str, Any]) -> RequestHandler:
    """Imports what a case needs, then closes the walls that all children share.

    What is the same in all children is done here, once. The submission itself is not touched.
    """
    student = _import_all(setup)
    walls.adopt_orphans()
    if setup["has_walls"]:
        walls.drop_rights(setup["uid"], setup["count_only"], setup["keep_reading"])
        walls.forbid_new_rights()
    walls.die_with_parent()  # the kernel forgets this when the user changes
    if setup["readable"] is not None:
        walls.allow_reading_only(setup["readable"])
        if private := [path for path in setup["readable"] if not os.access(path, os.R_OK, effective_ids=True)]:
            raise PermissionError(f"the user of graded code cannot read {private[0]}, which Python needs")
    walls.forbid_dumps()
    os.chdir(setup["folder"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115
    gc.freeze()  # a child's garbage collector then copies none of these pages, which took a third of its time
    return student


def _import_all(order: dict[str, Any]) -> RequestHandler:
    """Imports all that the submission may import, and more; behind the walls, no file of this project can be read."""
    others = sys.path[:]
    sys.path += order["package_folders"]
    files = sorted(os.listdir(os.path.dirname(layout.__file__)))
    core = [f"pacman.core.{file[:-3]}" for file in files if file.endswith(".py") and not file.startswith("_")]
    for name in (*allowed_imports.MODULES, *core, *order["packages"]):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    layout.TEXTS.update(order["layouts"])
    student = RequestHandler(order["api"])
    student.api.prepare()
    sys.path[:] = others
    sys.meta_path[:] = [each for each in sys.meta_path if getattr(each, "__name__", "") != "ProjectFinder"]
    for place in sys.path_importer_cache.keys() - {*others}:  # it would say which files are there
        del sys.path_importer_cache[place]
    return student


def _fork(
    control: socket.socket,
    student: RequestHandler,
    system_calls: walls.ComputingFilter | None,
    limits: dict[str, Any],
    descriptors: list[int],
    children: set[int],
) -> None:
    """Forks the process of one case, adds its number to `children`, and tells it to the grader."""
    fork_server = os.getpid()
    try:
        pid = os.fork()
    except OSError as error:  # no memory or no process number is left: the other children run on
        _answer(control, error=f"no new process: {error.strerror}")
    else:
        if not pid:
            _run_child(fork_server, student, system_calls, limits, descriptors)
        children.add(pid)
        _answer(control, pid=pid)
    for descriptor in descriptors:  # the child has its own copies; with ours open, nobody would see its end
        os.close(descriptor)


def _run_child(
    fork_server: int,
    student: RequestHandler,
    system_calls: walls.ComputingFilter | None,
    limits: dict[str, Any],
    descriptors: list[int],
) -> None:
    """Becomes the process of one case, with its own session, its last walls and four descriptors; never returns.

    The descriptors are: 0 empty input, as in the fork server; 1 and 2 nothing, because Python's own streams write into
    the memory of the output; 3 the connection to the grader.
    """
    try:
        os.setsid()  # so that `_kill_group` ends the processes that this one starts
        connection, output = descriptors
        _print_into(output)
        os.dup2(1, 2)
        os.dup2(connection, 3)
        os.closerange(4, 1 << 16)  # also the fork server's socket: an order on it could end other cases
        walls.die_with_parent(fork_server)
        walls.limit_resources(**limits)
        walls.forbid_dumps()
        if system_calls is not None:
            system_calls.close(os.getpid())  # last: this filter forbids the calls above
        serve(student, partial(os.read, 3), partial(os.write, 3))
    except BaseException as error:  # nothing may return into the parent's loop
        print(f"the grader's code in this process failed: {type(error).__name__}: {error}")
    finally:
        os._exit(70)


def _run_alone() -> None:
    """Runs one case in this process, for which the order comes on the standard input."""
    order: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    student = _import_all(order)
    sys.path += order["package_folders"]
    os.chdir(order["folder"])
    if sys.platform == "win32":
        connection = socket.fromshare(base64.b64decode(order["connection"]))
    else:
        connection = socket.socket(fileno=order["connection"])
    _print_into(1)
    walls.limit_resources(**order["limits"])
    serve(student, connection.recv, connection.send)


def _print_into(descriptor: int) -> None:
    """From now on, this process prints into the memory of an open file, which the grader can read."""
    sys.stdout = sys.stderr = Output(mmap(descriptor, 0)).as_stream()


def _end(pid: int, patience: float) -> tuple[int | None, float]:
    """The exit status of a child, negative for a signal, and its processor time.

    No status if the child was still running after `patience` seconds. Also kills every process of the child's session.
    """
    until = time.monotonic() + patience
    while True:
        try:
            ended_pid, status, used = os.wait4(pid, os.WNOHANG)
        except ChildProcessError:  # it ended earlier
            return None, 0.0
        if ended_pid:
            _kill_group(pid)
            return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
        if time.monotonic() >= until:
            break
        time.sleep(TICK)
    _kill_group(pid)
    os.kill(pid, signal.SIGKILL)
    _, _, used = os.wait4(pid, 0)
    return None, used.ru_utime + used.ru_stime


def _kill_group(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def _end_orphans(children: set[int]) -> None:
    """Kills the processes that graded code left running. On Linux, they have become children of this process."""
    for _ in range(100):
        orphans: set[int] = set()
        with contextlib.suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            orphans = {int(word) for word in file.read().split()} - children
        if not orphans:
            return
        for pid in orphans:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for pid in orphans:
            with contextlib.suppress(OSError):
                os.waitpid(pid, 0)


def _receive_order(control: socket.socket) -> tuple[dict[str, Any] | None, list[int]]:
    """The next order and the descriptors that came with it; None when the grader has closed the socket."""
    _, descriptors, _, _ = socket.recv_fds(control, 1, 2)
    body = receive(control.recv)
    return None if body is None else json.loads(body), descriptors


def _answer(control: socket.socket, **answer: Any) -> None:
    send(control.send, answer, MAX_REPLY)
