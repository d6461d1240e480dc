"""Programs that attack the grader, and how the attacked case must end.

After the name of an attack stand the kind of the fault and a part of its text, or "any" for any end. Without them the
attack has no effect, and the grader judges its claim only.
"""

# ruff: noqa: E501 (programs as text)
from __future__ import annotations

BY_HAND = """\
import json, os, sys

def request():
    # the request that waits for a reply
    frame = sys._getframe()
    while type(frame.f_locals.get("request")) is not dict or "n" not in frame.f_locals["request"]:
        frame = frame.f_back
    return frame.f_locals["request"]

def read(count):
    parts = b""
    while len(parts) < count:
        part = os.read(3, count - len(parts))
        if not part:
            os._exit(0)
        parts += part
    return parts

def write(body):
    frame = len(body).to_bytes(4, "big") + body
    while frame:
        frame = frame[os.write(3, frame):]

def send(asked, body):
    body = body if isinstance(body, bytes) else json.dumps({"n": asked["n"], **body}).encode()
    write(body.replace(b"NUMBER", b"%d" % asked["n"]))

def take_over(reply):
    # answers this request, and all that follow, with what `reply(request)` returns
    asked = request()
    while True:
        send(asked, {} if asked["question"] == "begin" else reply(asked))
        asked = json.loads(read(int.from_bytes(read(4), "big")))

"""
"""The first lines of a program that answers the grader by hand."""
HEAD = f"""{BY_HAND}
import ctypes, threading, time

def honest(state, is_max=True):
    def value(node, is_max):
        values = [value(kid, not is_max) for kid in node["kids"]]
        return (max if is_max else min)(values) if values else node["v"]
    return {{"value": value(state, True), "action": 0}}

LOOT = {{}}
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

def call(number, *values):
    done = libc.syscall(number, *(ctypes.c_long(v) if isinstance(v, int) else v for v in values))
    if done >= 0:
        LOOT[number] = done

def request_number(): return request()["n"]

def forge(body):
    write(body.replace(b'"n":N', b'"n":%d' % request_number()) if isinstance(body, bytes) else json.dumps(body).encode())
"""

ATTACK_HEAD = """\
def _honest(state):
    # the right value, so that only the attack is on trial
    exp = []
    def mm(s, mx):
        exp.append(s["name"])
        vals = [mm(k, not mx) for k in s["kids"]]
        return (max if mx else min)(vals) if vals else s["v"]
    return {"value": mm(state, True), "action": 0, "expanded": exp}

LOOT = {}

def _out(state):
    return {**_honest(state), "note": {key: str(value)[:200] for key, value in LOOT.items()}}

def _guard():
    # an unprotected machine is not hurt
    import resource
    if resource.getrlimit(resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY:
        raise SystemExit("refusing: run me only under a CPU rlimit")

"""
"""The text before each program of the first kind. They use at most 300 processes, 8 GiB and no other machine."""
_TEXT = r'''
# Programs that end, hang or stop instead of answering.
## 01_sys_exit_import -> exit: called sys.exit(0) while importing
import sys
sys.exit(0)
## 02_os_exit_import -> exit: exited with status 0 before it answered
import os
os._exit(0)
## 04_atexit_forge
import atexit, json, os
def _forge():
    blob = json.dumps({"score": 100, "status": "passed", "value": 0}).encode() + b"\n"
    for fd in range(1, 32):
        try: os.write(fd, blob)
        except OSError: pass
    try: open("results.json", "wb").write(blob)
    except OSError: pass
atexit.register(_forge)
def search(state):
    return _honest(state)
## 05_base_exception -> raised: Nasty: stop everything
class Nasty(BaseException): pass
def search(state):
    raise (KeyboardInterrupt if state.get("name", "r") < "m" else Nasty)("stop everything")
## 07_segfault -> died: SIGSEGV
import ctypes
def search(state):
    ctypes.string_at(0)
## 10_infinite_loop_ignores_signals -> time: no answer within
import signal
for s in range(1, 65):
    try: signal.signal(s, signal.SIG_IGN)
    except (OSError, ValueError): pass
def search(state):
    while True:
        try:
            while True: pass
        except BaseException: pass
## 13_sleep_forever -> time: no answer within
import time
def search(state):
    while True: time.sleep(3600)
## 16_nondaemon_thread
import threading
def _spin():
    while True: pass
def search(state):
    threading.Thread(target=_spin).start()
    return _honest(state)
## 17_thread_between_tests
import threading, time, json, builtins
def _later():
    while True:
        time.sleep(0.01)
        json.dumps = lambda *a, **k: '{"value": 999}'
        builtins.max = min
def search(state):
    threading.Thread(target=_later, daemon=True).start()
    return _honest(state)
# Programs that take processes, memory, disk or messages without end.
## 22_memory_bomb -> memory: needs more memory than the limit of 320 MB
def search(state):
    _guard()
    hoard = []
    while len(hoard) < 512: hoard.append(bytearray(16 << 20))
    return _honest(state)
## 25_disk_bomb
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
## 32_raise_rlimits
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
# Programs that look for answers, for secrets and for a way to send them out.
## 34_read_expected_from_disk
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
## 35_gc_walk
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
## 40_env_argv
import os, sys
LOOT.update({k: v for k, v in os.environ.items() if any(w in k.upper() for w in ("KEY", "TOKEN", "SECRET", "PASS", "GRADE", "NONCE"))})
LOOT["argv"] = (sys.argv, sys.orig_argv)
def search(state): return _out(state)
# Programs that forge answers, and change files, clocks, reports or the grader.
## 49_eq_always_true -> raised: TypeError
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
## 50_nan_inf_bool
def search(state):
    return {"value": float("nan"), "action": True, "expanded": ["r"]}
## 52_stdout_forge
import sys
FAKE = '{"score": 100.0, "tests": [{"name": "all", "score": 100, "max_score": 100, "status": "passed"}]}'
def search(state):
    for s in (sys.stdout, sys.stderr, sys.__stdout__): print(FAKE, file=s, flush=True)
    return {"value": None, "action": None, "expanded": []}
## 53_result_fd_forge -> garbled: the answer could not be read
import json, os, struct
def search(state):
    for msg in ({"score": 100, "passed": True, "test": "all"}, {"value": 0, "action": 0, "expanded": [], "score": 1e9, "test_id": "other"}):
        b = json.dumps(msg).encode()
        for fd in range(1, 32):
            try: os.write(fd, struct.pack("<I", len(b)) + b)
            except OSError: pass
    os._exit(0)
## 61_delete_files
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
## 64_fake_clock
import time
time.time = time.perf_counter = time.monotonic = time.process_time = lambda: 0.0
def search(state):
    x = 0
    for _ in range(3_000_000): x += 1
    return _honest(state)
## 68_report_injection
EVIL = ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", "@SUM(1+1)", "\x1b[2J\x1b]0;pwn\x07", "\u202egnp.exe", "\x00", "$(touch x)", "{{7*7}}", "\\input{/etc/passwd}", "![x](http://127.0.0.1/x)", "\ud800"]
def search(state):
    print("\n".join(EVIL[:-1]))
    return {"value": 0, "action": EVIL[0], "expanded": EVIL}
'''


_SHORT = r'''
## clone without a thread
    call(56, 17, 0, 0, 0, 0); call(435, b'\0' * 88, 88); return honest(state)
## the 32-bit numbering of calls
    call(0x40000000 + 57); call(0x40000000 + 41, 2, 1, 0); call(0x40000000 + 520, b'/bin/true', 0, 0)
    return honest(state)
## 32-bit calls -> died: SIGSYS
    import mmap
    page = mmap.mmap(-1, 4096, prot=7)
    page.write(b'\xb8\x14\0\0\0\xcd\x80\xc3')
    place = ctypes.addressof(ctypes.c_char.from_buffer(page))
    LOOT['pid'] = ctypes.CFUNCTYPE(ctypes.c_int)(place)()
    return honest(state)
## signals through fcntl -> raised: Permission
    import fcntl; fcntl.fcntl(1, 8, os.getppid()); return honest(state)
## limits of the parent
    call(302, os.getppid(), 7, b'\1' * 16, 0); return honest(state)
## own limits
    call(302, 0, 9, b'\xff' * 16, 0); return honest(state)
## stopping itself -> time: no answer within
    libc.raise_ = libc['raise']; libc.raise_(19); return honest(state)
## an alarm -> died: SIGALRM
    import signal; signal.setitimer(signal.ITIMER_REAL, 0.01); time.sleep(9)
## shared memory -> raised: Error
    open('/dev/shm/x', 'w')
## its own file -> raised: Error
    open(__file__, 'a')
## endless recursion -> raised: RecursionError
    return search(state)
## recursion without a limit -> any
    sys.setrecursionlimit(10**9); f = lambda n: f(n + 1)
    return eval('[' * 50 + 'f(0)' + ']' * 50, {'f': f})
## a pattern without end -> time: no answer within
    import re; re.match('(a+)+$', 'a' * 40 + 'b')
## messages without end -> any
    while True: forge({'n': 99, 'value': 4})
## a fault with control characters -> not written: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    forge({'n': request_number(), 'fault': {'kind': 'not written', 'message': '\x1b[2J' + 'x' * 5000 + '\u202e'}}); time.sleep(9)
## half a message -> garbled: it is incomplete
    os.write(3, b'\0\0\1\0{'); os._exit(0)
## closes everything -> died: closed its connection to the grader without an answer
    os.closerange(0, 64)
    while True: pass
## importing the grader -> hidden: imports autograder, which a submission may not use
    import autograder.judge.submission_answer
## importing the search without the guard -> missing package: imports 'pacman.search', which is not available in the sandbox
    import importlib.util as u; sys.meta_path[:] = [f for f in sys.meta_path if 'student_process' not in type(f).__module__]
    import pacman.search.exhaustive
## a value whose repr never ends -> time: no answer within
    class V(int):
        def __repr__(self): time.sleep(99)
    return {'value': V(4), 'action': 0}
## an error whose text fails -> raised: E
    class E(Exception):
        def __str__(self): raise SystemExit(0)
    raise E()
## an error with a wild name -> raised: boo
    raise type('\x1b[31mE\u202e' + 'x' * 9999, (Exception,), {})('boo')
## replacing the output stream
    class S:
        def write(self, text): pass
        def flush(self): raise SystemExit(0)
    sys.stdout = S(); return honest(state)
'''


def _read(text: str) -> dict[str, tuple[tuple[str, str] | None, str]]:
    """Name -> (the kind of the fault and a part of its text; None for any end, the program)."""
    found = {}
    for part in text.split("\n## ")[1:]:
        title, _, program = part.partition("\n")
        name, _, end = title.partition(" -> ")
        kind, _, message = end.partition(": ")
        found[name] = (None if end == "any" else (kind, message)), program
    return found


ATTACKS = {name: (end, ATTACK_HEAD + program) for name, (end, program) in _read(_TEXT).items()}
"""Whole programs."""
SHORT_ATTACKS = {
    name: (end, f"{HEAD}\n\ndef search(state):\n{program}\n") for name, (end, program) in _read("\n" + _SHORT).items()
}
"""The body of `search`. `honest(state)` is the claim that an attack returns at its end: never the right action."""
