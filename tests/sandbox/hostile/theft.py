"""Programs that look for answers, for secrets and for a way to send them out.

For each: how the attacked case must end, and the program. The text `ATTACK_HEAD` stands before it.
"""

from tests.sandbox.hostile_more import HONEST

ATTACKS = {
    # Attack: walks the file system for files with answers and for the grader's source.
    # Must:   nothing found: nothing with answers is on a path the child can open (not in cwd, not in parents, not in site-packages).
    "34_read_expected_from_disk": (HONEST, r"""
import os
def search(state):
    n = 0
    for top in (".", "..", "../..", "/autograder", "/grade", "/tmp", "/home", "/srv", "/opt"):
        for d, ds, fs in os.walk(top):
            ds[:] = ds[:50]
            for f in fs:
                n += 1
                if n > 20_000: return _out(state)
                if any(w in f.lower() for w in ("solution", "reference", "expected", "hidden", "answer", "secret")):
                    try: LOOT[os.path.join(d, f)] = open(os.path.join(d, f), "rb").read(80)
                    except OSError: pass
                    if len(LOOT) > 20: return _out(state)
    return _out(state)
"""),
    # Attack: gc.get_objects() for dicts with keys such as expected/reference/solution.
    # Must:   no such object exists in the process (not even in the zygote it was forked from).
    "35_gc_walk": (HONEST, r"""
import gc
def search(state):
    for o in gc.get_objects():
        try:
            if isinstance(o, dict):
                for k in list(o):
                    if isinstance(k, str) and any(w in k.lower() for w in ("expected", "reference_", "solution", "answer_key", "hidden")):
                        LOOT[k] = o[k]
        except Exception: pass
    return _out(state)
"""),
    # Attack: reads /proc/<ppid>/{environ,cmdline,cwd,fd/*,maps,mem} and those of every other pid.
    # Must:   EACCES/ENOENT; no secret in any argv or environment.
    "37_proc_parent": (HONEST, r"""
import os
def search(state):
    try: pids = [int(p) for p in os.listdir("/proc") if p.isdigit()][:200]
    except OSError: pids = [*range(1, 400), *range(os.getppid() - 200, os.getppid() + 200)]
    for pid in [os.getppid(), *pids]:
        for f in ("environ", "cmdline", "maps"):
            try:
                if pid != os.getpid(): LOOT[f"{pid}/{f}"] = open(f"/proc/{pid}/{f}", "rb").read(200)
            except OSError: pass
        try: os.close(os.open(f"/proc/{pid}/mem", os.O_RDONLY)); LOOT[f"{pid}/mem"] = "opened" if pid != os.getpid() else "self"
        except OSError: pass
    return _out(state)
"""),
    # Attack: process_vm_readv on the parent.
    # Must:   EPERM (other uid, Landlock domain or seccomp).
    "38_process_vm_readv": (HONEST, r"""
import ctypes, os
def search(state):
    L = ctypes.CDLL(None, use_errno=True)
    class V(ctypes.Structure): _fields_ = [("b", ctypes.c_void_p), ("n", ctypes.c_size_t)]
    buf = ctypes.create_string_buffer(64)
    try: base = int(open(f"/proc/{os.getppid()}/maps").readline().split("-")[0], 16)
    except OSError: base = 0x400000
    r = L.process_vm_readv(os.getppid(), ctypes.byref(V(ctypes.cast(buf, ctypes.c_void_p).value, 64)), 1, ctypes.byref(V(base, 64)), 1, 0)
    if r > 0: LOOT["parent_memory"] = buf.raw
    else: LOOT["_errno"] = ctypes.get_errno()
    return _out(state)
"""),
    # Attack: looks for tokens in os.environ, sys.argv, sys.orig_argv, /proc/self/environ.
    # Must:   environment is built from an allow-list; argv names no hidden file.
    "40_env_argv": (HONEST, r"""
import os, sys
LOOT.update({k: v for k, v in os.environ.items() if any(w in k.upper() for w in ("KEY", "TOKEN", "SECRET", "PASS", "GRADE", "NONCE"))})
LOOT["argv"] = (sys.argv, sys.orig_argv)
def search(state): return _out(state)
"""),
    # Attack: reads every inherited descriptor above 2 and lists /proc/self/fd targets.
    # Must:   only 0,1,2 and the result fd are open; all others closed on exec/fork.
    "41_inherited_fds": (HONEST, r"""
import os
def search(state):
    for fd in range(3, 256):
        try: os.fstat(fd)
        except OSError: continue
        try: LOOT[f"fd{fd}"] = os.readlink(f"/proc/self/fd/{fd}")
        except OSError: LOOT[f"fd{fd}"] = "open"
        try:
            os.set_blocking(fd, False); LOOT[f"fd{fd}data"] = os.read(fd, 200)
        except OSError: pass
    return _out(state)
"""),
    # Attack: looks for .pyc files of removed sources in __pycache__ along sys.path.
    # Must:   none shipped; PYTHONDONTWRITEBYTECODE / -B in the grader tree.
    "43_pycache_hunt": (HONEST, r"""
import os, sys
def search(state):
    for p in sys.path + [".", ".."]:
        d = os.path.join(p or ".", "__pycache__")
        try:
            for f in os.listdir(d):
                if any(w in f.lower() for w in ("reference", "solution", "hidden", "expected")): LOOT[f] = d
        except OSError: pass
    return _out(state)
"""),
    # Attack: sends the test input by TCP, UDP and AF_UNIX (127.0.0.1, [::1], abstract).
    # Must:   ENETUNREACH/EACCES for all; note: Landlock ABI 4-7 has no UDP rule, so seccomp or a net namespace is needed too.
    "44_net_exfil": (HONEST, r"""
import json, socket
def search(state):
    data = json.dumps(state).encode()[:1000]
    for fam, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        for typ in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            try:
                s = socket.socket(fam, typ); s.settimeout(0.3); s.connect((host, 9)); s.send(data); LOOT[f"{fam!r}{typ!r}"] = "SENT"
            except OSError as e: LOOT[f"_{fam!r}{typ!r}"] = e.errno
    try: s = socket.socket(socket.AF_UNIX); s.bind("\0exfil"); LOOT["abstract"] = "BOUND"
    except OSError: pass
    return _out(state)
"""),
    # Attack: dumps the hidden test input through the exception text and stdout into the student's own feedback.
    # Must:   for hidden tests stdout and exception text are withheld (or only type + line) and never shown.
    "46_feedback_leak": (("raised", "LEAK"), r"""
import json
def search(state):
    print(json.dumps(state))
    raise ValueError("LEAK " + json.dumps(state)[:5000])
"""),
    # Attack: encodes bits of the hidden input in running time / memory / pass-fail of a test it controls.
    # Must:   hidden tests report no times or memory; count of submissions limited; few bits per run accepted and documented.
    "47_timing_channel": (HONEST, r"""
import time
def search(state):
    time.sleep(0.05 * (abs(hash(str(state))) % 8))
    return _honest(state)
"""),
}
