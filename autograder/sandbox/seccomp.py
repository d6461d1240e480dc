"""Builds the filter of system calls (classic BPF, which the kernel runs) from the table in `syscalls.txt`.

Graded code may only compute: use memory, read files, use threads and clocks. It may not start a process or a program,
signal another process, open a socket, make a namespace or change rights. A call that is not in the table fails as if
this kernel did not have it.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("syscalls.txt")


@dataclass(frozen=True)
class Condition:
    """Argument number `argument`, combined with `mask` by a bitwise and, must be one of `values`.

    Otherwise the call fails with `error`.
    """

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF
    error: int = errno.EPERM


OWN_PID = 0xDEADBEEF
"""A placeholder for the number of the process that the filter is for; the real number replaces it in that process."""

CLONE_THREAD = 0x10000
TCGETS, FIONREAD, FIONCLEX, FIOCLEX = 0x5401, 0x541B, 0x5450, 0x5451
F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC = 0, 1, 2, 3, 4, 1030
PR_SET_NAME, PR_GET_NAME, PR_SET_VMA = 15, 16, 0x53564D41
FUTEX_PRIVATE = 128
ADVICE = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17)
"""Advice on how this process will use its memory. None of it moves a page of a file out of memory, or shares one."""

CONDITIONAL: dict[str, tuple[Condition, ...]] = {
    "clone": (Condition(0, (CLONE_THREAD,), CLONE_THREAD),),
    "ioctl": (Condition(1, (TCGETS, FIONREAD, FIONCLEX, FIOCLEX)),),
    "fcntl": (Condition(1, (F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC)),),
    "prctl": (Condition(0, (PR_SET_NAME, PR_GET_NAME, PR_SET_VMA)),),
    "prlimit64": (Condition(0, (0,)), Condition(2, (0,))),  # only reads its own limits
    "tgkill": (Condition(0, (OWN_PID,)),),
    "madvise": (Condition(2, ADVICE, error=errno.EINVAL),),
    # Only within the process. On a page of a file, a shared futex reaches every process that can read this file. The C
    # library waits for the end of a thread with a shared one: after EAGAIN it looks again, after EPERM it aborts.
    "futex": (Condition(1, (FUTEX_PRIVATE,), FUTEX_PRIVATE, errno.EAGAIN),),
}

REPORTED_MISSING = frozenset({"clone3"})
"""Calls that fail as if missing. The C library then uses an older call, whose arguments a filter can check."""

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine -> (column of the table, the kernel's number for that machine)."""

LOAD, JUMP, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, AND, RETURN = 0x20, 0x05, 0x15, 0x35, 0x54, 0x06
ALLOW, KILL = 0x7FFF0000, 0x80000000
FAIL = 0x00050000
REFUSE, MISSING = FAIL | errno.EPERM, FAIL | errno.ENOSYS
NUMBER_AT, MACHINE_AT, ARGUMENTS_AT = 0, 4, 16
OTHER_NUMBERING = 0x40000000  # x86-64's second numbering of calls, for 32-bit pointers


@cache
def table(part: str, machine: str) -> dict[str, int]:
    """Name -> number of the machine's calls in one part of `syscalls.txt`: "allowed" or "refused"."""
    text = TABLE.read_text(encoding="ascii").partition(f"[{part}]\n")[2].partition("[")[0]
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    column = MACHINES[machine][0]
    return {name: int(numbers[column]) for name, *numbers in rows if numbers[column] != "-"}


@cache
def program(machine: str = platform.machine()) -> bytes | None:
    """The filter for a machine, as the kernel takes it; None for a machine that is not in the table."""
    if machine not in MACHINES:
        return None
    code = [
        _step(LOAD, MACHINE_AT),
        _step(JUMP_IF_EQUAL, MACHINES[machine][1], 1, 0),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER_AT),
        _step(JUMP_IF_AT_LEAST, OTHER_NUMBERING, 0, 1),
        _step(RETURN, MISSING),
    ]
    missing: tuple[bytes, ...] = (_step(RETURN, MISSING),)
    bodies = dict.fromkeys(range(max(_numbers(machine)) + 2), missing)
    for name, number in table("allowed", machine).items():
        conditions = [step for condition in CONDITIONAL.get(name, ()) for step in _condition_steps(condition)]
        bodies[number] = (*conditions, _step(RETURN, ALLOW))
    for name, number in table("refused", machine).items():
        bodies[number] = missing if name in REPORTED_MISSING else (_step(RETURN, REFUSE),)
    ranges = [(number, body) for number, body in bodies.items() if bodies.get(number - 1) != body]
    return b"".join([*code, *_choice(ranges)])


def _numbers(machine: str) -> list[int]:
    return [number for part in ("allowed", "refused") for number in table(part, machine).values()]


def _choice(ranges: Sequence[tuple[int, tuple[bytes, ...]]]) -> list[bytes]:
    """Steps that search for the range which contains the number of the call, and then follow its body.

    `ranges` are the first number and the body of each range, in order. Each process runs the filter once for every call
    that exists, when it installs it. So a search by halves saves a quarter of a millisecond for each case.
    """
    if len(ranges) == 1:
        return list(ranges[0][1])
    middle = len(ranges) // 2
    below, above = _choice(ranges[:middle]), _choice(ranges[middle:])
    return [_step(JUMP_IF_AT_LEAST, ranges[middle][0], 0, 1), _step(JUMP, len(below)), *below, *above]


def _condition_steps(condition: Condition) -> list[bytes]:
    """Steps that refuse the call unless the condition holds.

    They check the upper half of an argument only where its value must be 0, because it may be a pointer.
    """
    last = len(condition.values) - 1
    tests = [_step(JUMP_IF_EQUAL, value, last - index + 1, 0) for index, value in enumerate(condition.values)]
    low = ARGUMENTS_AT + 8 * condition.argument
    steps = [_step(LOAD, low), _step(AND, condition.mask), *tests, _step(RETURN, FAIL | condition.error)]
    if condition.values == (0,):
        steps += [_step(LOAD, low + 4), _step(JUMP_IF_EQUAL, 0, 1, 0), _step(RETURN, REFUSE)]
    return steps


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
