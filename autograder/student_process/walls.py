"""The walls around graded code. This process closes them from the inside, and cannot open them again.

Each function raises OSError where the system does not have the wall. `autograder.sandbox.sandbox_level` tries which
walls really hold. Linux only, except `limit_resources` and `forbid_dumps`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from math import ceil

if sys.platform not in ("win32", "emscripten"):
    import resource  # here, before the fork: each child would load it again

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
SECCOMP_MODE_FILTER = 2
SIGKILL = 9
CAPABILITY_VERSION_3 = 0x20080522
READ_ALL_FILES, LAST_CAPABILITY = 2, 63

LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
ASK_VERSION, PATH_BENEATH = 1, 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # version -> number of file rights that it knows; later versions know 16
CONNECT_AND_BIND_TCP = 0b11  # from version 4
ABSTRACT_SOCKETS_AND_SIGNALS = 0b11  # from version 6

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform not in ("win32", "emscripten") else None


def drop_rights(uid: int | None, count_only: bool, keep_reading: bool) -> None:
    """Switches to user `uid` and to the group of the same number, and gives up all capabilities. None keeps the user.

    With `count_only`, the kernel only counts this process's threads as that user's; file access stays the same.
    With `keep_reading`, root keeps the right to read the files of all users, which the next wall limits to a few.
    """
    if uid is not None and count_only:
        os.setresuid(uid, -1, -1)
    elif uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    for capability in range(LAST_CAPABILITY + 1):
        with contextlib.suppress(OSError):  # not root, or a kernel with fewer capabilities
            _prctl(PR_CAPBSET_DROP, capability)
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    kept = 1 << READ_ALL_FILES if keep_reading else 0
    _checked(_call("capset", header, struct.pack("=6I", kept, kept, 0, 0, 0, 0)))  # effective, permitted, inheritable


def forbid_new_rights() -> None:
    """No program started from here can gain rights (as setuid programs do). The next two walls require this."""
    _prctl(PR_SET_NO_NEW_PRIVS, 1)


def allow_reading_only(paths: Iterable[str]) -> None:
    """Landlock: files below `paths` can be read. Forbids writing or running files, TCP, and signals to the outside."""
    version = _syscall(LANDLOCK_CREATE_RULESET, None, 0, ASK_VERSION)
    handled = struct.pack(
        "=QQQ",
        (1 << FILE_RIGHTS.get(version, 16)) - 1,
        CONNECT_AND_BIND_TCP if version >= 4 else 0,
        ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0,
    )[: 8 if version < 4 else 16 if version < 6 else 24]
    ruleset = _syscall(LANDLOCK_CREATE_RULESET, handled, len(handled), 0)
    try:
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                place = os.open(path, os.O_PATH | os.O_CLOEXEC)
                try:
                    rights = READ_FILE | (READ_DIR if os.path.isdir(path) else 0)
                    _syscall(LANDLOCK_ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
                finally:
                    os.close(place)
        _syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


class ComputingFilter:
    """Seccomp: system calls fail unless the filter `program` (see `autograder.sandbox.seccomp`) allows them.

    It is made once, before the fork, so that a child only fills in the number of its process for the `placeholder`.
    """

    def __init__(self, program: bytes, placeholder: bytes) -> None:
        self._program = ctypes.create_string_buffer(program, len(program))
        values = range(4, len(program), 8)  # an instruction is a code, two distances and a value, in 8 bytes
        self._places = [place for place in values if program[place : place + 4] == placeholder]
        self._header = struct.pack("@HP", len(program) // 8, ctypes.addressof(self._program))

    def close(self, pid: int) -> None:
        """Closes this wall around the calling process, which has the number `pid`."""
        for place in self._places:
            struct.pack_into("=I", self._program, place, pid)
        _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, self._header)


def limit_resources(seconds: float, memory_mb: int, threads: int) -> None:
    """Sets hard limits on time, memory, threads, files and core dumps, on any POSIX system. Stricter limits stay.

    The process ends by SIGXCPU when it has used `seconds` of processor time, rounded up, or by SIGKILL a second later.
    `threads` counts the threads of all processes of the user; it does not limit root.
    """
    if sys.platform == "win32":
        return
    memory, whole_seconds = memory_mb << 20, ceil(seconds)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (whole_seconds, whole_seconds + 1))
    for kind, maximum in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_NPROC, threads),
    ):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (maximum, maximum))


def forbid_dumps() -> None:
    """Forbids other processes of the same user to trace this one or to read its memory, environment and open files."""
    if sys.platform == "linux":
        _prctl(PR_SET_DUMPABLE, 0)


def die_with_parent(parent: int | None = None) -> None:
    """Has the kernel kill this process when its parent ends. ProcessLookupError if the process `parent` has ended."""
    if sys.platform == "linux":
        _prctl(PR_SET_PDEATHSIG, SIGKILL)
    if parent is not None and os.getppid() != parent:
        raise ProcessLookupError(f"the process {parent} has ended")


def adopt_orphans() -> None:
    """Makes this process the parent of the processes that its children leave behind, so that it can end them."""
    if sys.platform == "linux":
        _prctl(PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, *values: int | bytes) -> None:
    _checked(_call("prctl", option, *values, *(0 for _ in range(4 - len(values)))))


def _syscall(number: int, *values: int | bytes | None) -> int:
    return _checked(_call("syscall", number, *values))


def _call(name: str, *values: int | bytes | None) -> int:
    wide = (ctypes.c_long(value) if isinstance(value, int) else value for value in values)
    result: int = getattr(_libc, name)(*wide)
    return result


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
