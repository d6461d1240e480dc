"""Programs that take processes, memory, disk or messages without end.

For each: how the attacked case must end, and the program. The text `ATTACK_HEAD` stands before it.
"""

from tests.sandbox.hostile_more import GARBLED, HONEST

ATTACKS = {
    # Attack: up to 300 forks that sleep 2 s.
    # Must:   fork refused or capped; grader and parallel workers keep running.
    "20_fork_bomb": (HONEST, r"""
import os, time
def search(state):
    kids = []
    try:
        for _ in range(300):
            p = os.fork()
            if p == 0: time.sleep(2); os._exit(0)
            kids.append(p)
    except OSError: pass
    for k in kids:
        try: os.waitpid(k, 0)
        except OSError: pass
    return _honest(state)
"""),
    # Attack: touches up to 8 GiB.
    # Must:   MemoryError or SIGKILL at the limit; status memory; machine does not swap or OOM others.
    "22_memory_bomb": (("memory", "needs more memory than the limit of 320 MB"), r"""
def search(state):
    _guard()
    hoard = []
    while len(hoard) < 512: hoard.append(bytearray(16 << 20))
    return _honest(state)
"""),
    # Attack: 16 children of 512 MiB each: every one below RLIMIT_AS, together 8 GiB.
    # Must:   fork denied, or one cgroup memory limit for the whole tree.
    "23_memory_by_many_children": (("raised", "PermissionError"), r"""
import os, time
def search(state):
    _guard()
    for _ in range(16):
        if os.fork() == 0:
            b = bytearray(512 << 20); time.sleep(2); os._exit(0)
    return _honest(state)
"""),
    # Attack: writes up to 2 GiB into cwd, /tmp and $HOME.
    # Must:   EFBIG/ENOSPC at the cap, files gone after the test.
    "25_disk_bomb": (HONEST, r"""
import os, signal
def search(state):
    _guard()
    try: signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    except ValueError: pass
    page = b"x" * (1 << 20); left = 2048
    for d in (".", "/tmp", os.path.expanduser("~")):
        try:
            with open(os.path.join(d, "hoard.bin"), "wb", buffering=0) as f:
                while left: f.write(page); left -= 1
        except OSError: pass
    return _honest(state)
"""),
    # Attack: 20 000 small files and 1 000-deep directories.
    # Must:   no writable place, or a tmpfs with nr_inodes; cleanup must not recurse in Python (deep tree breaks shutil.rmtree).
    "26_inode_bomb": (HONEST, r"""
import os
def search(state):
    try:
        os.makedirs("t", exist_ok=True)
        for i in range(20_000): open(f"t/{i}", "w").close()
        for _ in range(1000): os.mkdir("d"); os.chdir("d")
    except OSError: pass
    return _honest(state)
"""),
    # Attack: 200 MB to stdout and stderr.
    # Must:   output cut at a cap while reading (drain or kill), never held whole in memory or stored; student told it was cut.
    "28_output_flood": (HONEST, r"""
import os
def search(state):
    blob = b"spam " * 13107
    for _ in range(3000):
        for fd in (1, 2):
            try: os.write(fd, blob)
            except OSError: pass
    return _honest(state)
"""),
    # Attack: returns a trace of 5 million names.
    # Must:   frame larger than the cap: status result-too-large; parent memory stays flat.
    "29_result_flood": (("memory", "needs more memory than the limit of 320 MB"), r"""
def search(state):
    return {"value": 0, "action": 0, "expanded": ["node%d" % i for i in range(5_000_000)]}
"""),
    # Attack: returns an int of 10**7 digits / 1e999 / NaN as JSON number.
    # Must:   numbers are checked by range and length before conversion; int max str digits left on.
    "31_huge_int_result": (GARBLED, r"""
import os, struct
def search(state):
    blob = b'{"value": ' + b"9" * 900_000 + b', "action": 0, "expanded": []}'
    for fd in range(3, 32):
        try: os.write(fd, struct.pack("<I", len(blob)) + blob)
        except OSError: pass
    os._exit(0)
"""),
    # Attack: tries to raise all rlimits and to renice.
    # Must:   hard limits hold (ValueError/EPERM).
    "32_raise_rlimits": (HONEST, r"""
import os, resource
RAISED = []
for n in dir(resource):
    if n.startswith("RLIMIT_"):
        try: resource.setrlimit(getattr(resource, n), (resource.RLIM_INFINITY,) * 2); RAISED.append(n)
        except (ValueError, OSError): pass
try: os.nice(-20); RAISED.append("nice")
except OSError: pass
def search(state):
    out = _honest(state); out["note"] = RAISED
    return out
"""),
}
