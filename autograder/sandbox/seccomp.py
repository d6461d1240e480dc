"""Which system calls graded code may make: `syscalls.txt`, and from it the filter (classic BPF) that a kernel reads.

Computing only: memory, reading files, threads, clocks. No process, program, signal to others, socket, namespace or
change of rights. A call in no row is answered as if this kernel did not have it.
"""

from __future__ import annotations

import errno
import platform
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("syscalls.txt")


@dataclass(frozen=True)
class Condition:
    """Argument number `argument`, under `mask`, must be one of `values`."""

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF


OWN_PID = 0xDEADBEEF
"""Stands for the number of the process that the filter is for; it is put in when that process exists."""

CLONE_THREAD = 0x10000
TCGETS, FIONREAD, FIONCLEX, FIOCLEX = 0x5401, 0x541B, 0x5450, 0x5451
F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC = 0, 1, 2, 3, 4, 1030
PR_SET_NAME, PR_GET_NAME, PR_SET_VMA = 15, 16, 0x53564D41

CONDITIONAL: dict[str, tuple[Condition, ...]] = {
    "clone": (Condition(0, (CLONE_THREAD,), CLONE_THREAD),),
    "ioctl": (Condition(1, (TCGETS, FIONREAD, FIONCLEX, FIOCLEX)),),
    "fcntl": (Condition(1, (F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC)),),
    "prctl": (Condition(0, (PR_SET_NAME, PR_GET_NAME, PR_SET_VMA)),),
    "prlimit64": (Condition(0, (0,)), Condition(2, (0,))),  # asks about itself, sets nothing
    "tgkill": (Condition(0, (OWN_PID,)),),
}

NOT_HERE = frozenset({"clone3"})
"""Refused as missing, since the C library then does the same with a call that can be judged by its arguments."""

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Column of the tables, and how the kernel calls that machine."""

LOAD, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, AND, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
ALLOW, KILL = 0x7FFF0000, 0x80000000
REFUSE, MISSING = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
NUMBER_AT, MACHINE_AT, ARGUMENTS_AT = 0, 4, 16
OTHER_TABLE = 0x40000000  # x86-64's second, 32-bit numbering


@cache
def table(part: str, machine: str) -> dict[str, int]:
    """Name -> number of the calls in a part of `syscalls.txt` (allowed, refused) that a machine has."""
    text = TABLE.read_text(encoding="ascii").partition(f"[{part}]\n")[2].partition("[")[0]
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    column = MACHINES[machine][0]
    return {name: int(numbers[column]) for name, *numbers in rows if numbers[column] != "-"}


@cache
def program(machine: str = platform.machine()) -> bytes | None:
    """The filter for a machine, to be handed to the kernel; None for one that is not in the tables."""
    if machine not in MACHINES:
        return None
    code = [
        _step(LOAD, MACHINE_AT),
        _step(JUMP_IF_EQUAL, MACHINES[machine][1], 1, 0),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER_AT),
        _step(JUMP_IF_AT_LEAST, OTHER_TABLE, 0, 1),
        _step(RETURN, MISSING),
    ]
    for name, number in table("allowed", machine).items():
        body = [step for condition in CONDITIONAL.get(name, ()) for step in _test(condition)]
        body.append(_step(RETURN, ALLOW))
        code += [_step(JUMP_IF_EQUAL, number, 0, len(body)), *body]
    for name, number in table("refused", machine).items():
        code += [_step(JUMP_IF_EQUAL, number, 0, 1), _step(RETURN, MISSING if name in NOT_HERE else REFUSE)]
    return b"".join([*code, _step(RETURN, MISSING)])


def _test(condition: Condition) -> list[bytes]:
    """Returns from the filter unless the condition holds. The upper half of an argument counts only for a pointer."""
    last = len(condition.values) - 1
    tests = [_step(JUMP_IF_EQUAL, value, last - index + 1, 0) for index, value in enumerate(condition.values)]
    low = ARGUMENTS_AT + 8 * condition.argument
    steps = [_step(LOAD, low), _step(AND, condition.mask), *tests, _step(RETURN, REFUSE)]
    if condition.values == (0,):
        steps += [_step(LOAD, low + 4), _step(JUMP_IF_EQUAL, 0, 1, 0), _step(RETURN, REFUSE)]
    return steps


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
