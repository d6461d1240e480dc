"""Runs a command as root like in a container of Docker: with its 14 capabilities and its filter of system calls.

    python -m tests.platforms.docker_emulation COMMAND ...

The filter is Docker's default profile (moby/profiles, seccomp/default.json) for x86-64 and these capabilities, written
as the calls that it refuses; of their arguments, only those of clone count. Not emulated: the container's own files,
processes, users and network.
"""

from __future__ import annotations

import os
import platform
import struct
import sys

from autograder.sandbox.seccomp import (
    ALLOW,
    JUMP_IF_AT_LEAST,
    JUMP_IF_EQUAL,
    KILL,
    LOAD,
    MACHINE_AT,
    MACHINES,
    MISSING,
    NUMBER_AT,
    REFUSE,
    RETURN,
)  # fmt: skip
from autograder.student_process import walls

CAPABILITIES = (0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31)
"""chown, dac_override, fowner, fsetid, kill, setgid, setuid, setpcap, net_bind_service, net_raw, sys_chroot, mknod,
audit_write and setfcap."""
ARGUMENT, AND_IS_SET = 16, 0x45
NEW_NAMESPACES = 0x7E020000
CLONE, CLONE3, LAST_CALL = 56, 435, 450
REFUSED = {
    "acct": 163, "add_key": 248, "afs_syscall": 183, "bpf": 321, "clock_settime": 227, "create_module": 174,
    "delete_module": 176, "fanotify_init": 300, "finit_module": 313, "fsconfig": 431, "fsmount": 432, "fsopen": 430,
    "fspick": 433, "get_kernel_syms": 177, "get_mempolicy": 239, "getpmsg": 181, "init_module": 175, "ioperm": 173,
    "iopl": 172, "kcmp": 312, "kexec_file_load": 320, "kexec_load": 246, "keyctl": 250, "lookup_dcookie": 212,
    "mbind": 237, "migrate_pages": 256, "mount": 165, "mount_setattr": 442, "move_mount": 429, "move_pages": 279,
    "nfsservctl": 180, "open_by_handle_at": 304, "open_tree": 428, "perf_event_open": 298, "pidfd_getfd": 438,
    "pivot_root": 155, "process_madvise": 440, "putpmsg": 182, "query_module": 178, "quotactl": 179,
    "quotactl_fd": 443, "reboot": 169, "request_key": 249, "security": 185, "set_mempolicy": 238,
    "set_mempolicy_home_node": 450, "setdomainname": 171, "sethostname": 170, "setns": 308, "settimeofday": 164,
    "swapoff": 168, "swapon": 167, "sysfs": 139, "syslog": 103, "_sysctl": 156, "tuxcall": 184, "umount2": 166,
    "unshare": 272, "uselib": 134, "userfaultfd": 323, "ustat": 136, "vhangup": 153, "vserver": 236,
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
}  # fmt: skip


def problem() -> str:
    """Why this machine cannot emulate Docker; an empty string if it can."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return "the list of system calls is for Linux on x86-64"
    if os.geteuid() != 0:
        return "only root can install the filter and keep some capabilities"
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith("CapEff"))
    needed = sum(1 << each for each in (*CAPABILITIES, 21))  # 21: sys_admin, to install the filter
    return "" if int(line.split()[1], 16) & needed == needed else "this root has not all of Docker's capabilities"


def filter_program() -> bytes:
    """The filter, as the kernel takes it."""
    code = [
        _step(LOAD, MACHINE_AT),
        _step(JUMP_IF_EQUAL, MACHINES["x86_64"][1], 1, 0),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER_AT),
        _step(JUMP_IF_AT_LEAST, LAST_CALL + 1, 0, 1),  # a call that this profile does not know
        _step(RETURN, MISSING),
        *_if_call(CLONE3, _step(RETURN, MISSING)),
        *_if_call(CLONE, _step(LOAD, ARGUMENT), _step(AND_IS_SET, NEW_NAMESPACES, 0, 1), _step(RETURN, REFUSE)),
        _step(LOAD, NUMBER_AT),
    ]
    for number in REFUSED.values():
        code += _if_call(number, _step(RETURN, REFUSE))
    return b"".join([*code, _step(RETURN, ALLOW)])


def _if_call(number: int, *steps: bytes) -> list[bytes]:
    """Steps for one system call. Another call jumps over them."""
    return [_step(LOAD, NUMBER_AT), _step(JUMP_IF_EQUAL, number, 0, len(steps)), *steps]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def main() -> None:
    """Installs the filter, gives up all other capabilities, and becomes the command."""
    walls.ComputingFilter(filter_program(), b"").close(0)
    for capability in range(walls.LAST_CAPABILITY + 1):
        if capability not in CAPABILITIES:
            try:
                walls._prctl(walls.PR_CAPBSET_DROP, capability)
            except OSError:  # a kernel with fewer capabilities
                break
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
