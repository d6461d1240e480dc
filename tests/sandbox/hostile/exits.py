"""Programs that end, hang or stop instead of answering.

For each: how the attacked case must end, and the program. The text `ATTACK_HEAD` stands before it.
"""

from tests.sandbox.hostile_more import HONEST, TIME

ATTACKS = {
    # Attack: sys.exit(0) while being imported.
    # Must:   status import-exit for every test of this file, score 0, batch goes on; SystemExit must not end the grader.
    "01_sys_exit_import": (("exit", "called sys.exit(0) while importing"), r"""
import sys
sys.exit(0)
"""),
    # Attack: os._exit(0) while being imported: exit code 0, no exception, no atexit.
    # Must:   exit code 0 without a result frame = failure "no result", never a pass.
    "02_os_exit_import": (("exit", "exited with status 0 before it answered"), r"""
import os
os._exit(0)
"""),
    # Attack: registers an atexit handler that writes a forged result to every fd and to results.json.
    # Must:   only the first complete frame before process end counts, and a frame is a claim to be compared, not a score.
    "04_atexit_forge": (HONEST, r"""
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
"""),
    # Attack: raises KeyboardInterrupt / a BaseException subclass.
    # Must:   caught in the child as exception; grader loop is not interrupted.
    "05_base_exception": (("raised", "Nasty: stop everything"), r"""
class Nasty(BaseException): pass
def search(state):
    raise (KeyboardInterrupt if state.get("name", "r") < "m" else Nasty)("stop everything")
"""),
    # Attack: null pointer read through ctypes.
    # Must:   status crashed (SIGSEGV), no core file, next test runs.
    "07_segfault": (("died", "SIGSEGV"), r"""
import ctypes
def search(state):
    ctypes.string_at(0)
"""),
    # Attack: raises RLIMIT_CORE and calls os.abort().
    # Must:   status crashed (SIGABRT), no core dump left on disk.
    "08_abort_core": (("died", "SIGABRT"), r"""
import os, resource
def search(state):
    try: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
    except (ValueError, OSError): pass
    os.abort()
"""),
    # Attack: ignores every catchable signal and spins.
    # Must:   SIGKILL at the wall/CPU limit; status timeout; whole process tree gone.
    "10_infinite_loop_ignores_signals": (TIME, r"""
import signal
for s in range(1, 65):
    try: signal.signal(s, signal.SIG_IGN)
    except (OSError, ValueError): pass
def search(state):
    while True: pass
"""),
    # Attack: while True: try ... except BaseException: pass (defeats SIGALRM-raised Timeout, cf. check50 issue 181).
    # Must:   the limit is enforced from outside the process.
    "11_swallow_all_exceptions": (TIME, r"""
def search(state):
    while True:
        try:
            while True: pass
        except BaseException:
            pass
"""),
    # Attack: sleeps; uses no CPU.
    # Must:   wall-clock limit (RLIMIT_CPU alone never fires).
    "13_sleep_forever": (TIME, r"""
import time
def search(state):
    while True: time.sleep(3600)
"""),
    # Attack: stops itself with SIGSTOP.
    # Must:   wall-clock limit; SIGKILL works on stopped processes; waitpid must not block for ever.
    "14_sigstop_self": (("raised", "PermissionError"), r"""
import os, signal
def search(state):
    os.kill(os.getpid(), signal.SIGSTOP)
    return {"value": 0, "action": 0, "expanded": []}
"""),
    # Attack: leaves a non-daemon thread spinning so that interpreter shutdown never ends.
    # Must:   runner sends the frame and leaves with os._exit; leftover threads die; else timeout.
    "16_nondaemon_thread": (HONEST, r"""
import threading
def _spin():
    while True: pass
def search(state):
    threading.Thread(target=_spin).start()
    return _honest(state)
"""),
    # Attack: daemon thread that keeps patching modules and globals for the following tests.
    # Must:   fresh process per test: nothing carries over; CPU charged to this test only.
    "17_thread_between_tests": (HONEST, r"""
import threading, time, json, builtins
def _later():
    while True:
        time.sleep(0.01)
        json.dumps = lambda *a, **k: '{"value": 999}'
        builtins.max = min
def search(state):
    threading.Thread(target=_later, daemon=True).start()
    return _honest(state)
"""),
    # Attack: forked child keeps the result pipe and stdout open for 30 s so a reader waiting for EOF hangs.
    # Must:   reader stops at frame end / child exit / deadline, not at EOF.
    "19_child_holds_pipe": (("raised", "PermissionError"), r"""
import os, time
def search(state):
    if os.fork() == 0:
        time.sleep(30); os._exit(0)
    return _honest(state)
"""),
}
