"""The walls around graded code, each by itself and all together; and the processes behind them."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("the walls are Linux's", allow_module_level=True)

from autograder.cases.case import Limits
from autograder.sandbox import (
    Level,
    Sandbox,
    SandboxCheck,
    SessionBroken,
    check_sandbox,
    fork_server,
    seccomp,
    spawn,
    submission_files,
)
from autograder.sandbox.fork_server import NotStarted, Walls
from autograder.sandbox.import_bundle import FILES, ROOT, make_import_bundle
from autograder.sandbox.sandbox_level import STOPPED, probe
from autograder.sandbox.session import Session
from tests.sandbox.hostile_lab import left_running

MACHINE = platform.machine()


def tried(walls: Walls) -> dict[str, str | None]:
    try:
        return probe(walls)
    except NotStarted as error:
        if "REQUIRE_LEVELS" in os.environ:
            raise
        pytest.skip(str(error))


# What each wall stops by itself. Without one of these rows a wall could be missing and nobody would see it.
STOPS = {
    Walls(bubblewrap=True): {"read", "list", "write", "overwrite", "socket", "run", "signal", "memory of another"},
    Walls(landlock=True): {"read", "list", "write", "overwrite", "run", "memory of another", "memory of the parent"},
    Walls(seccomp=True): {"socket", "abstract socket", "fork", "run", "signal", "signal parent", "session"},
    Walls(): {"write", "overwrite"},
}


@pytest.mark.parametrize("walls", STOPS, ids=["bubblewrap", "landlock", "seccomp", "limits"])
def test_each_wall_stops_what_it_is_for(walls: Walls) -> None:
    stopped = {name for name, error in tried(walls).items() if error is not None}
    assert STOPS[walls] <= stopped


def test_without_walls_the_escapes_come_off() -> None:
    """The probe can tell: what the walls must stop is possible without them."""
    through = {name for name, error in tried(Walls()).items() if error is None}
    assert {"read", "list", "socket", "abstract socket", "fork", "run", "signal parent"} <= through


@pytest.mark.parametrize("level", [Level.FULL, Level.CONTAINER], ids=lambda level: level.value)
def test_a_level_stops_every_escape(level: Level) -> None:
    shield = check_sandbox(level)
    if shield.level is not level:
        assert "REQUIRE_LEVELS" not in os.environ, shield.reasons
        pytest.skip("; ".join(shield.reasons))
    assert {name for name, error in shield.escapes.items() if error} >= STOPPED[level]
    assert len(STOPPED[level]) >= 12


def box(tmp_path: Path, text: str, shield: SandboxCheck, **limits: int) -> Sandbox:
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    sandbox = Sandbox(submission_files.read(file), Limits(**limits), shield)
    sandbox.main_file = "mine.py"
    return sandbox


def run(tmp_path: Path, text: str, walls: Walls, **limits: int) -> tuple[Session, SessionBroken | None]:
    """Imports a file behind some walls, and what came of it."""
    with box(tmp_path, text, SandboxCheck(Level.LIMITS, walls), **limits) as sandbox:
        session = sandbox.session(10)
        try:
            with session:
                sandbox.load(session, "search")
        except SessionBroken as broken:
            return session, broken
        return session, None


CALLS = """\
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for name, number in {rows!r}.items():
    ctypes.set_errno(0)
    done = libc.syscall(*(ctypes.c_long(value) for value in (number, -1, -1, -1, -1, -1, -1)))
    print(name, ctypes.get_errno() if done < 0 else 0)
"""
# Would end or stop the process that asks, or wait for ever.
NOT_TRIED = {"exit", "exit_group", "rt_sigreturn", "pause", "rt_sigsuspend", "poll", "ppoll", "select", "pselect6"}
NOT_TRIED |= {"rt_sigtimedwait", "munmap", "mremap", "brk", "restart_syscall", "close_range", "close"}


@pytest.mark.skipif(MACHINE not in seccomp.MACHINES, reason="no table for this machine")
@pytest.mark.parametrize("part", ["allowed", "refused"])
def test_every_row_of_the_table_of_system_calls(part: str, tmp_path: Path) -> None:
    """Called with arguments that no kernel takes: a refused call is stopped before that, an allowed one by it."""
    rows = {name: number for name, number in seccomp.table(part, MACHINE).items() if name not in NOT_TRIED}
    session, broken = run(tmp_path, CALLS.format(rows=rows), Walls(seccomp=True))
    assert broken is None, broken
    answers = dict(line.rsplit(" ", 1) for line in session.output.splitlines())
    assert answers.keys() == rows.keys()
    for name, answer in answers.items():
        if part == "refused":
            assert int(answer) == (errno.ENOSYS if name in seccomp.REPORTED_MISSING else errno.EPERM), name
        elif name not in seccomp.CONDITIONAL:
            assert int(answer) != errno.EPERM, name


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("import threading; t = threading.Thread(target=print, args=('ran',)); t.start(); t.join()", "ran"),
        ("import os; print(os.cpu_count() > 0)", "True"),
        ("import fcntl; print(fcntl.fcntl(1, fcntl.F_GETFD))", "0"),
        ("import resource; print(resource.getrlimit(resource.RLIMIT_CORE))", "(0, 0)"),
        ("import sys; print(sys.stdout.isatty())", "False"),
        ("import time; time.sleep(0.001); print('slept')", "slept"),
        ("import random, secrets, uuid; print(len(secrets.token_bytes(4)))", "4"),
        ("import heapq, math, functools, collections, itertools, copy, json, decimal, statistics; print('all')", "all"),
        ("import numpy; print(numpy.linalg.inv(numpy.eye(40)).sum())", "40.0"),
    ],
)
@pytest.mark.parametrize("level", [Level.FULL, Level.CONTAINER, Level.LIMITS], ids=lambda level: level.value)
def test_what_honest_code_does_works_on_every_level(level: Level, call: str, answer: str, tmp_path: Path) -> None:
    session, broken = run(tmp_path, call, check_sandbox(level).walls)
    assert broken is None, broken
    assert session.output == answer


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_the_table_is_whole(machine: str) -> None:
    allowed, refused = seccomp.table("allowed", machine), seccomp.table("refused", machine)
    assert not set(allowed) & set(refused)
    numbers = [*allowed.values(), *refused.values()]
    assert len(numbers) == len(set(numbers))
    assert set(seccomp.CONDITIONAL) <= set(allowed)
    program = seccomp.program(machine)
    assert program is not None
    assert len(program) // 8 < 4096  # what a kernel takes


@pytest.mark.skipif(MACHINE != "x86_64", reason="read from this machine's headers")
def test_the_numbers_are_the_kernels() -> None:
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if not header.is_file():
        pytest.skip("no kernel headers here")
    lines = (line.split() for line in header.read_text(encoding="ascii").splitlines())
    known = {words[1].removeprefix("__NR_"): int(words[2]) for words in lines if len(words) == 3 and words[2].isdigit()}
    for part in ("allowed", "refused"):
        for name, number in seccomp.table(part, "x86_64").items():
            assert known.get(name, number) == number, name


def test_a_case_sees_nothing_of_another(tmp_path: Path) -> None:
    text = "import os, builtins\nprint(getattr(builtins, 'left', 0), os.getpid() > 1)\nbuiltins.left = 1\n"
    with box(tmp_path, text, check_sandbox()) as sandbox:
        for _ in range(3):
            with sandbox.session(10) as session:
                sandbox.load(session, "search")
            assert session.output == "0 True"


def test_the_environment_and_the_descriptors_are_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_TOKEN", "secret")
    text = "import os, sys\nprint(sorted(os.environ))\nopen_ = []\nfor fd in range(64):\n    try: os.fstat(fd)\n"
    text += "    except OSError: continue\n    open_.append(fd)\nprint(open_, sys.flags.isolated)\n"
    session, broken = run(tmp_path, text, check_sandbox().walls)
    assert broken is None, broken
    names, descriptors = session.output.splitlines()
    assert "COURSE_TOKEN" not in names
    assert descriptors == "[0, 1, 2, 3] 1"


def test_what_a_case_leaves_running_is_ended_on_the_lowest_level(tmp_path: Path) -> None:
    """A daemon that left the session, without any wall: it became the warm interpreter's child, and goes with it."""
    text = (
        "import os, time\nif not os.fork():\n    os.setsid()\n    if not os.fork(): time.sleep(60)\n    os._exit(0)\n"
    )
    _, broken = run(tmp_path, text, Walls())
    assert broken is None, broken
    assert not left_running()


def test_the_sandbox_ends_with_the_grader(tmp_path: Path) -> None:
    """SIGKILL to the grader: no process of a submission outlives it."""
    (tmp_path / "mine.py").write_text("class MinimaxAgent: pass\nwhile True: pass\n", encoding="utf-8")
    script = (
        "import sys; from pathlib import Path; from autograder.cases import loading\n"
        "from autograder.grading.grade import grade\n"
        "from autograder.sandbox.import_bundle import make_import_bundle; print(make_import_bundle(), flush=True)\n"
        f"grade(Path({str(tmp_path / 'mine.py')!r}), loading.load('multiagent'), 1)\n"
    )
    grader = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=ROOT, text=True)
    assert grader.stdout is not None
    made = Path(grader.stdout.readline().strip())
    until = 100
    while not (running := left_running(made)) and until:
        until -= 1
        grader.poll()
        time.sleep(0.05)
    assert running
    grader.kill()
    grader.wait()
    grader.stdout.close()
    for _ in range(100):
        if not left_running(made):
            break
        time.sleep(0.05)
    assert not left_running(made)
    shutil.rmtree(made, ignore_errors=True)


def test_a_child_is_ended_once_however_many_want_it(tmp_path: Path) -> None:
    """The alarm and the one who waits find at the same moment that time is up. The next case must not pay for it."""
    with box(tmp_path, "pass\n", check_sandbox()) as sandbox:
        warm = sandbox._fork_server
        assert warm is not None
        asked: list[int] = []
        end = warm.end

        def slowly(pid: int, patience: float) -> int | None:
            asked.append(pid)
            time.sleep(0.05)
            return end(pid, patience)

        warm.end = slowly  # type: ignore[method-assign]
        child = warm.fork(10)
        both = [threading.Thread(target=child.end) for _ in range(2)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert len(asked) == 1
        assert end(asked[0], 0) is None  # and were it asked again, the warm interpreter lives on
        with Session(warm.fork(10), 10, Limits()) as session:
            sandbox.load(session, "search")
        child.hang_up()
        child.close()
        os.close(child.output)


def test_a_warm_interpreter_that_died_costs_no_further_case(tmp_path: Path) -> None:
    """Whatever ended it, a full memory say: what was under way is over, and the next case gets a new one."""
    text = "import time\ntime.sleep(0.4)\nprint('hello')\n"  # what is under way takes a moment to die
    with box(tmp_path, text, check_sandbox()) as sandbox:
        first = sandbox._fork_server
        assert first is not None
        with sandbox.session(10) as session:
            first._process.kill()
            first._process.wait()
            with pytest.raises(SessionBroken, match="without an answer"):
                sandbox.load(session, "search")
        for _ in range(2):
            with sandbox.session(10) as session:
                sandbox.load(session, "search")
            assert session.output == "hello"
        assert sandbox._fork_server is not first
    assert not left_running()


THREADS = """\
import resource, threading, time
print(resource.getrlimit(resource.RLIMIT_NPROC)[1])
threading.stack_size(1 << 15)
made = 0
try:
    for made in range(400):
        threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
except RuntimeError:
    pass
print(made)
"""


@pytest.mark.parametrize("level", [Level.FULL, Level.CONTAINER], ids=lambda level: level.value)
def test_the_threads_of_a_submission_are_counted(level: Level, tmp_path: Path) -> None:
    """Else one case takes every process number of the machine, and the grader's own threads cannot start."""
    session, broken = run(tmp_path, THREADS, check_sandbox(level).walls)
    assert broken is None, broken
    most, made = map(int, session.output.splitlines())
    if os.geteuid() == 0 and check_sandbox(level).level is not Level.LIMITS:
        assert most == fork_server.OWN_THREADS
        assert made < most
    else:
        assert most <= fork_server.SHARED_THREADS


def test_the_kit_holds_no_search_and_no_answers() -> None:
    names = {
        path.relative_to(make_import_bundle()).as_posix()
        for path in make_import_bundle().rglob("*.py")
        if not path.is_symlink()
    }
    assert "pacman/core/state.py" in names
    assert not [name for name in names if "search" in name or "solutions" in name or "kernel" in name]
    assert not list(make_import_bundle().rglob("*.yaml"))
    for pattern in FILES:
        assert list(ROOT.glob(pattern)), pattern


THIEF = """\
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "student_process" not in type(finder).__module__]
try:
    import pacman.search.exhaustive
    print("got it")
except ImportError:
    print("not there")
class MinimaxAgent:
    def __init__(self): pass
    def begin(self, rng): pass
def better_evaluation(state): return 0
"""


def test_the_search_under_an_evaluation_is_there_for_no_other_case(tmp_path: Path) -> None:
    """One submission may have both: what one of its cases is put under, another must not be able to read."""
    with box(tmp_path, THIEF, check_sandbox()) as sandbox:
        for role, part in (("search", "MinimaxAgent"), ("evaluation", "better_evaluation"), ("search", "MinimaxAgent")):
            with sandbox.session(10) as session:
                sandbox.load_part(session, role, part, 1, "0/0")
            assert session.output == "not there"  # under an evaluation it has been hidden


def test_a_machine_that_cannot_fork_grades_too(tmp_path: Path) -> None:
    """The way of Windows: a fresh interpreter a case."""
    file = tmp_path / "mine.py"
    file.write_text("print('hello')\n", encoding="utf-8")
    session = Session(spawn.SpawnedProcess(make_import_bundle(), tmp_path, 10, Limits()), 10, Limits())
    with session:
        session.ask("load", path=str(file), code="", role="search", api="native", search_modules={})
    assert session.output == "hello"


def test_an_ordinary_user_is_shut_in_too(tmp_path: Path) -> None:
    """Where this runs as root, once more as somebody else who can read this Python."""
    if os.geteuid() != 0:
        pytest.skip("the other tests run as an ordinary user already")
    python = Path(sys.executable).resolve()
    if any(not os.stat(folder).st_mode & 0o001 for folder in (*python.parents, ROOT, *ROOT.parents)):
        pytest.skip("no other user can read this Python")
    command = [sys.executable, "-c", "from autograder.sandbox import check_sandbox; print(check_sandbox())"]
    done = subprocess.run(command, cwd=ROOT, user=65534, capture_output=True, text=True, env={"HOME": str(tmp_path)})
    assert "Level.FULL" in done.stdout or "Level.CONTAINER" in done.stdout, done.stdout + done.stderr


def test_a_process_that_answers_and_reads_nothing_does_not_hold_us(tmp_path: Path) -> None:
    """It fills the pipe: our side would wait for ever for it to be read, had the clock not its say."""
    forged = "body = b'{\"n\":%d}' % n\n    os.write(3, len(body).to_bytes(4, 'big') + body)\n"
    text = f"import os, time\nfor n in range(1, 2000):\n    {forged}time.sleep(60)\n"

    def asked(session: Session) -> None:
        sandbox.load(session, "search")
        for _ in range(1900):
            session.ask("load", more="x" * 4000)

    late = pytest.raises(SessionBroken, match="no answer within 2 s")
    with box(tmp_path, text, check_sandbox()) as sandbox, sandbox.session(2) as session, late:
        asked(session)
