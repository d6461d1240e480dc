"""More attacks of a few lines each: the body of `attack.search(state)`, and how the attacked case must end.

`honest(state)` is the claim that an attack returns at its end: the right value, but never the right action.
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
"""The text before each program in the folder `hostile`. They use at most 300 processes, 8 GiB and no other machine."""
HONEST = ("", "")
TIME = ("time", "no answer within")
GARBLED = ("garbled", "the answer could not be read")

SHORT_ATTACKS: dict[str, tuple[str, tuple[str, str]]] = {
    "fork by its number": ("call(57); call(58); return honest(state)", HONEST),
    "clone without a thread": ("call(56, 17, 0, 0, 0, 0); call(435, b'\\0' * 88, 88); return honest(state)", HONEST),
    "the 32-bit numbering of calls": (
        "call(0x40000000 + 57); call(0x40000000 + 41, 2, 1, 0); call(0x40000000 + 520, b'/bin/true', 0, 0)\n"
        "    return honest(state)",
        HONEST,
    ),
    "32-bit calls": (
        "import mmap\n"
        "    page = mmap.mmap(-1, 4096, prot=7)\n"
        "    page.write(b'\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3')\n"
        "    place = ctypes.addressof(ctypes.c_char.from_buffer(page))\n"
        "    LOOT['pid'] = ctypes.CFUNCTYPE(ctypes.c_int)(place)()\n"
        "    return honest(state)",
        ("died", "SIGSYS"),
    ),
    "signals through fcntl": (
        "import fcntl; fcntl.fcntl(1, 8, os.getppid()); return honest(state)",
        ("raised", "Permission"),
    ),
    "limits of the parent": ("call(302, os.getppid(), 7, b'\\1' * 16, 0); return honest(state)", HONEST),
    "own limits": ("call(302, 0, 9, b'\\xff' * 16, 0); return honest(state)", HONEST),
    "a file in memory": ("call(319, b'x', 0); return honest(state)", HONEST),
    "io_uring": ("call(425, 8, b'\\0' * 120); return honest(state)", HONEST),
    "ptrace": ("call(101, 0, 0, 0, 0); call(101, 16, os.getppid(), 0, 0); return honest(state)", HONEST),
    "pidfd": ("call(434, os.getppid(), 0); call(438, 3, 3, 0); return honest(state)", HONEST),
    "installing its own filter": ("call(317, 1, 0, b'\\0' * 16); return honest(state)", HONEST),
    "sockets": ("import socket; socket.socketpair()", ("raised", "PermissionError")),
    "stopping itself": ("libc.raise_ = libc['raise']; libc.raise_(19); return honest(state)", TIME),
    "an alarm": ("import signal; signal.setitimer(signal.ITIMER_REAL, 0.01); time.sleep(9)", ("died", "SIGALRM")),
    "shared memory": ("open('/dev/shm/x', 'w')", ("raised", "Error")),
    "the terminal": ("open('/dev/tty', 'w')", ("raised", "Error")),
    "its own file": ("open(__file__, 'a')", ("raised", "Error")),
    "the rules": ("import pacman.core.rules; open(pacman.core.rules.__file__, 'a')", ("raised", "Error")),
    "passwords": ("open('/etc/shadow'); return honest(state)", ("raised", "Error")),
    "listing a folder": ("LOOT.update(enumerate(os.listdir('/etc')))", ("raised", "Error")),
    "threads without end": (
        "for _ in range(20000):\n        threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
        "    return honest(state)",
        ("raised", "can't start new thread"),
    ),
    "endless recursion": ("return search(state)", ("raised", "RecursionError")),
    "recursion without a limit": (
        "sys.setrecursionlimit(10**9); f = lambda n: f(n + 1)\n    return eval('[' * 50 + 'f(0)' + ']' * 50, {'f': f})",
        None,
    ),
    "one long computation": ("return 7 ** (7 ** 10) % 10", TIME),
    "a pattern without end": ("import re; re.match('(a+)+$', 'a' * 40 + 'b')", TIME),
    "messages without end": ("while True: forge({'n': 99, 'value': 4})", None),
    "answers in advance": (
        "[forge({'n': n, 'value': 4, 'value_text': '4', 'action': 'b', 'choice': 'b', 'generated': 6}) for n in range(9)]\n"
        "    return honest(state)",
        GARBLED,
    ),
    "deep JSON": ("forge(b'[' * 1000000); return honest(state)", GARBLED),
    "wide JSON": ("forge(b'{' + b'\"a\":1,' * 1000000 + b'\"n\":N}'); return honest(state)", GARBLED),
    "a number without end": ("forge(b'{\"n\":N,\"value\":' + b'9' * 5000 + b'}'); return honest(state)", GARBLED),
    "a number too large for a sum": (
        'forge(b\'{"n":N,"value":1\' + b\'0\' * 350 + b\',"value_text":"4","action":"b","choice":"b","generated":6}\'); time.sleep(9)',
        GARBLED,
    ),
    "UTF-16": (
        'forge((\'{"n":%d,"value":4,"value_text":"4","action":"b","choice":"b","generated":6}\''
        " % request_number()).encode('utf-16')); time.sleep(9)",
        GARBLED,
    ),
    "a million small parts": (
        'forge(b\'{"n":N,"value":4,"value_text":"4","action":"a","choice":"a","generated":6,"x":[\' + b"{}," * 1000000 + b"0]}")',
        GARBLED,
    ),
    "NaN by hand": (
        'forge(b\'{"n":N,"value":NaN,"value_text":"4","action":"b","choice":"b","generated":6}\'); time.sleep(9)',
        GARBLED,
    ),
    "a trace with a cycle": (
        "forge({'n': request_number(), 'value': 4, 'value_text': '4', 'action': 'b', 'choice': 'b', 'generated': 6, 'trace': {'names': ['a'],"
        "'parents': [0, 2, 1], 'actions': [0, 0, 0], 'made': [1, 2]}, 'values': []}); time.sleep(9)",
        GARBLED,
    ),
    "a fault with control characters": (
        "forge({'n': request_number(), 'fault': {'kind': 'not written', 'message': '\\x1b[2J' + 'x' * 5000 + '\\u202e'}}); time.sleep(9)",
        ("not written", "x" * 200),
    ),
    "half a message": ("os.write(3, b'\\0\\0\\1\\0{'); os._exit(0)", ("garbled", "it is incomplete")),
    "closes the connection and runs on": (
        "os.close(3)\n    while True: pass",
        ("died", "closed its connection to the grader without an answer"),
    ),
    "closes everything": (
        "os.closerange(0, 64)\n    while True: pass",
        ("died", "closed its connection to the grader without an answer"),
    ),
    "importing the grader": (
        "import autograder.judge.submission_answer",
        ("hidden", "imports autograder, which a submission may not use"),
    ),
    "importing the search without the guard": (
        "import importlib.util as u; sys.meta_path[:] = [f for f in sys.meta_path if 'student_process' not in type(f).__module__]\n"
        "    import pacman.search.exhaustive",
        ("missing package", "imports 'pacman.search', which is not available in the sandbox"),
    ),
    "a value whose repr never ends": (
        "class V(int):\n        def __repr__(self): time.sleep(99)\n    return {'value': V(4), 'action': 0}",
        TIME,
    ),
    "a value that lies": (
        "class V(float):\n        def __float__(self): return 4.0\n        __eq__ = lambda *a: True\n        __hash__ = None\n"
        "    return {'value': V('nan'), 'action': 0}",
        None,
    ),
    "an error whose text fails": (
        "class E(Exception):\n        def __str__(self): raise SystemExit(0)\n    raise E()",
        ("raised", "E"),
    ),
    "an error with a wild name": (
        "raise type('\\x1b[31mE\\u202e' + 'x' * 9999, (Exception,), {})('boo')",
        ("raised", "boo"),
    ),
    "replacing the output stream": (
        "class S:\n        def write(self, text): pass\n        def flush(self): raise SystemExit(0)\n"
        "    sys.stdout = S(); return honest(state)",
        HONEST,
    ),
}
