"""Programs that forge answers, and change files, clocks, reports or the grader.

For each: how the attacked case must end, and the program. The text `ATTACK_HEAD` stands before it.
"""

from tests.sandbox.hostile_more import GARBLED, HONEST

ATTACKS = {
    # Attack: returns objects whose __eq__/__lt__/__hash__/__class__ lie.
    # Must:   only exact JSON types cross the boundary; unknown type = status bad-result.
    "49_eq_always_true": (("raised", "TypeError"), r"""
class Yes(float):
    __eq__ = lambda s, o: True
    __ne__ = lambda s, o: False
    __lt__ = __le__ = __gt__ = __ge__ = lambda s, o: True
    __hash__ = lambda s: 0
    __sub__ = __rsub__ = lambda s, o: 0.0
    __class__ = property(lambda s: int)
class YesList(list):
    __eq__ = lambda s, o: True
    __ne__ = lambda s, o: False
    __len__ = lambda s: 0
def search(state):
    return {"value": Yes(123456), "action": Yes(1), "expanded": YesList(["x"])}
"""),
    # Attack: returns NaN, inf, True, -0.0, numpy/Decimal/complex look-alikes.
    # Must:   NaN never equals; bool is not int; non-finite only where the reference is; tolerance stated.
    "50_nan_inf_bool": (HONEST, r"""
def search(state):
    return {"value": float("nan"), "action": True, "expanded": ["r"]}
"""),
    # Attack: prints a complete forged report / Gradescope results JSON on stdout and stderr.
    # Must:   stdout is only captured text; results do not travel on stdout.
    "52_stdout_forge": (HONEST, r"""
import sys
FAKE = '{"score": 100.0, "tests": [{"name": "all", "score": 100, "max_score": 100, "status": "passed"}]}'
def search(state):
    for s in (sys.stdout, sys.stderr, sys.__stdout__): print(FAKE, file=s, flush=True)
    return {"value": None, "action": None, "expanded": []}
"""),
    # Attack: writes forged frames (score, passed, another test id) on every fd.
    # Must:   a frame may hold only value/action/expanded for the one test this process was given; parent fills score and id.
    "53_result_fd_forge": (GARBLED, r"""
import json, os, struct
def search(state):
    for msg in ({"score": 100, "passed": True, "test": "all"}, {"value": 0, "action": 0, "expanded": [], "score": 1e9, "test_id": "other"}):
        b = json.dumps(msg).encode()
        for fd in range(1, 32):
            try: os.write(fd, struct.pack("<I", len(b)) + b)
            except OSError: pass
    os._exit(0)
"""),
    # Attack: background child waits for results.json to appear and rewrites it afterwards (Securescope notes this).
    # Must:   no child alive when results are written; directory not reachable.
    "55_inotify_rewrite": (HONEST, r"""
import os, time
def search(state):
    try: pid = os.fork()
    except OSError: return _honest(state)
    if pid == 0:
        end = time.time() + 10
        while time.time() < end:
            for p in ("results.json", "../results.json", "/autograder/results/results.json"):
                try:
                    if os.path.getsize(p) > 0: open(p, "w").write('{"score": 100}')
                except OSError: pass
            time.sleep(0.01)
        os._exit(0)
    return _honest(state)
"""),
    # Attack: replaces output paths with symlinks to other files and with FIFOs (parent's open() follows or blocks for ever).
    # Must:   parent reads no file the child can create; else O_NOFOLLOW|O_NONBLOCK + S_ISREG check.
    "56_symlink_fifo_output": (HONEST, r"""
import os
def search(state):
    for name, kind in (("results.json", "link"), ("stdout.txt", "fifo"), ("trace.json", "fifo"), ("agent.py", "link")):
        try:
            if os.path.lexists(name): os.unlink(name)
            os.symlink("/etc/passwd", name) if kind == "link" else os.mkfifo(name)
        except OSError: pass
    return _honest(state)
"""),
    # Attack: ships agent.yaml with !!python/object/apply and an alias bomb (build_extra(path) writes it).
    # Must:   yaml.safe_load only, size cap, alias cap; student YAML parsed in the child.
    "58_yaml_tags": (HONEST, r"""
def search(state): return _honest(state)
"""),
    # Attack: ships random.py, json.py, struct.py, sitecustomize.py, conftest.py beside the agent.
    # Must:   python -I / explicit loader: submission directory never on sys.path ahead of the stdlib; harness imports everything before.
    "59_shadow_stdlib": (HONEST, r"""
import sys
sys.path.insert(0, ".")
for m in ("random", "copy", "json", "struct"): sys.modules.pop(m, None)
def search(state):
    import json, random
    return _honest(state)
"""),
    # Attack: deletes what it can reach whose name says canary, plus its own source and cwd content.
    # Must:   grader keeps its copy; inputs are read-only to the child; other submissions unreachable.
    "61_delete_files": (HONEST, r"""
import os
HIT = []
def search(state):
    _guard()
    for top in (".", "..", "/tmp", "/autograder", "/grade"):
        for d, ds, fs in os.walk(top):
            ds[:] = ds[:50]
            for f in fs:
                if "canary" in f or (top == "." and f.endswith(".py") and os.path.abspath(d) == os.getcwd() and f == os.path.basename(__file__ if "__file__" in globals() else "")):
                    try: os.unlink(os.path.join(d, f)); HIT.append(f)
                    except OSError: pass
    r = _honest(state); r["note"] = HIT
    return r
"""),
    # Attack: SIGSTOP/SIGTERM/SIGKILL to the parent and to its process group.
    # Must:   EPERM or no such pid; own session; grader alive.
    "62_signal_parent": (("raised", "PermissionError"), r"""
import os, signal
def search(state):
    _guard()
    for target in (os.getppid(),):
        for s in (signal.SIGUSR1, signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
            try:
                if target > 1: os.kill(target, s)
            except OSError: pass
    if os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    return _honest(state)
"""),
    # Attack: patches time.time/perf_counter/monotonic to freeze the clock.
    # Must:   times are taken by the parent.
    "64_fake_clock": (HONEST, r"""
import time
time.time = time.perf_counter = time.monotonic = time.process_time = lambda: 0.0
def search(state):
    x = 0
    for _ in range(3_000_000): x += 1
    return _honest(state)
"""),
    # Attack: looks ahead without logging: reads private fields, deep-copies the state, clears the log, returns a made-up trace.
    # Must:   the trace is kept by the engine/parent (or is only compared with a hidden truth); state passed is a copy; both value and trace must match.
    "65_forge_trace": (HONEST, r"""
import copy
def search(state):
    s = copy.deepcopy(state)
    def leaves(n): return [n["v"]] if not n.get("kids") else [v for k in n["kids"] for v in leaves(k)]
    for attr in ("log", "expanded", "trace", "_expanded"):
        obj = state.get(attr) if isinstance(state, dict) else getattr(state, attr, None)
        if isinstance(obj, list): obj.clear()
    return {"value": max(leaves(s)), "action": 0, "expanded": ["r"]}
"""),
    # Attack: behaves differently when it believes it is graded; random answers.
    # Must:   PYTHONHASHSEED, random seed and environment fixed; option to run twice and flag differences.
    "67_detect_grading": (HONEST, r"""
import os, random, socket, time
def search(state):
    r = _honest(state)
    if "GRADER" in os.environ or os.getuid() in (65534, 60001) or random.random() < 0.5: r["value"] = random.random()
    return r
"""),
    # Attack: action/node names with HTML, Markdown, LaTeX, ANSI escapes, CSV formulas, bidi and NUL characters.
    # Must:   escaped per output format; control characters stripped; CSV cells starting =+-@ tab CR are quoted; length cut.
    "68_report_injection": (HONEST, r"""
EVIL = ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", "@SUM(1+1)", "\x1b[2J\x1b]0;pwn\x07", "\u202egnp.exe", "\x00", "$(touch x)", "{{7*7}}", "\\input{/etc/passwd}", "![x](http://127.0.0.1/x)", "\ud800"]
def search(state):
    print("\n".join(EVIL[:-1]))
    return {"value": 0, "action": EVIL[0], "expanded": EVIL}
"""),
    # Attack: TIOCSTI: pushes characters into the grader's terminal.
    # Must:   no controlling terminal (setsid / --new-session), stdio are pipes.
    "70_tty_inject": (HONEST, r"""
import fcntl, os, termios
def search(state):
    for name in (0, 1, 2, "/dev/tty"):
        try:
            fd = name if isinstance(name, int) else os.open(name, os.O_RDWR)
            for ch in b"echo INJECTED\n": fcntl.ioctl(fd, termios.TIOCSTI, bytes([ch]))
        except OSError: pass
    return _honest(state)
"""),
    # Attack: unshare(CLONE_NEWUSER|NEWNS), mount, chroot, setns to pid 1.
    # Must:   EPERM: seccomp deny list.
    "71_namespace_escape": (HONEST, r"""
import ctypes, os
HIT = []
def search(state):
    L = ctypes.CDLL(None, use_errno=True)
    if L.unshare(0x10000000 | 0x00020000) == 0: HIT.append("userns")
    if L.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0: HIT.append("mount")
    try: os.chroot("."); HIT.append("chroot")
    except OSError: pass
    r = _honest(state); r["note"] = HIT
    return r
"""),
}
