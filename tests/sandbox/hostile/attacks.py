"""Programs that attack the grader, and how the attacked case must end.

They stand in programs.txt and short_programs.txt. After the name of an attack stand the kind of the fault and a part of
its text, or "any" for any end. Without them the attack has no effect, and the grader judges its claim only.
"""

from __future__ import annotations

from pathlib import Path

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


def _read(name: str) -> dict[str, tuple[tuple[str, str] | None, str]]:
    """Name -> (the kind of the fault and a part of its text; None for any end, the program)."""
    found = {}
    for part in f"\n{Path(__file__).with_name(name).read_text(encoding='utf-8')}".split("\n## ")[1:]:
        title, _, program = part.partition("\n")
        name, _, end = title.partition(" -> ")
        kind, _, message = end.partition(": ")
        found[name] = (None if end == "any" else (kind, message)), program
    return found


ATTACKS = {name: (end, ATTACK_HEAD + program) for name, (end, program) in _read("programs.txt").items()}
"""Whole programs."""
SHORT_ATTACKS = {
    name: (end, f"{HEAD}\n\ndef search(state):\n{program}\n")
    for name, (end, program) in _read("short_programs.txt").items()
}
"""The body of `search`. `honest(state)` is the claim that an attack returns at its end: never the right action."""
