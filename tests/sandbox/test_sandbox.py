"""Tests of the walls around graded code, each alone and all together, and of the processes behind them."""

from __future__ import annotations

import errno
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("these walls exist only on Linux", allow_module_level=True)

from autograder.cases.case import Limits
from autograder.judge.submission_answer import COMPUTED, ONE_ANSWER, Fault
from autograder.sandbox import (
    Level,
    Sandbox,
    SandboxCheck,
    Session,
    SessionBroken,
    check_sandbox,
    fork_server,
    sandbox_level,
    seccomp,
    submission_files,
)
from autograder.sandbox.fork_server import NotStarted, SpawnedProcess, Walls
from autograder.sandbox.sandbox_level import is_open_to_all, probe
from autograder.sandbox.session import ProcessSession
from autograder.shipped import PACKAGES, ROOT, known_files
from autograder.student_process import walls as walls_inside
from autograder.student_process.allowed_imports import FILES
from pacman.core.errors import InputError
from tests.sandbox.hostile_lab import left_running, probe_or_skip, safe_sandbox

MACHINE = platform.machine()
SLOW = pytest.mark.slow("that attack the sandbox")
HAS_TABLE = pytest.mark.skipif(MACHINE not in seccomp.MACHINES, reason="no table for this machine")
LEVELS = pytest.mark.parametrize("level", Level, ids=lambda level: level.value)

# What each wall stops alone. Without this table, a missing wall would not be noticed, because the others stop the same.
OF_WRITING = {"write a file elsewhere", "write into its own folder"}
OF_READING = {"read a file of the grader", "list a folder of the grader"}
OF_MEMORY = {"read the grader's memory", "read its parent's memory"}
OF_LEAVING = {"signal the grader", "start a new Unix session"}  # without a wall too, some machines stop these
OF_CALLS = {"send over the network", "open a local socket", "start a process", "run a program", *OF_LEAVING}
OF_CALLS |= {"signal its parent process", "signal another submission"}
STOPS = {
    Walls(landlock=True): OF_WRITING | OF_READING | OF_MEMORY | {"run a program"},
    Walls(seccomp=True): OF_CALLS,
    Walls(): OF_WRITING,
}


@pytest.mark.parametrize("walls", STOPS, ids=["landlock", "seccomp", "limits"])
def test_each_wall_alone_stops_its_escapes_and_the_safe_level_stops_all(walls: Walls) -> None:
    escapes = probe_or_skip(walls)
    assert STOPS[walls] <= {name for name, error in escapes.items() if error is not None}
    if not walls.has_any:  # so a wall, and not this machine, stops these in the other tests
        assert {escapes[name] for name in OF_READING | OF_CALLS - OF_LEAVING} == {None}
    stopped = {name for name, error in safe_sandbox().escapes.items() if error}
    assert stopped == OF_WRITING | OF_READING | OF_MEMORY | OF_CALLS


def make_sandbox(tmp_path: Path, text: str, check: SandboxCheck | None = None, **limits: int) -> Sandbox:
    """A sandbox for a submission of one file."""
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    sandbox = Sandbox(submission_files.read(file), Limits(**limits), check or check_sandbox())
    sandbox.main_file = "mine.py"
    return sandbox


def printed(tmp_path: Path, text: str, walls: Walls | None = None) -> list[str]:
    """The lines that a file prints, behind the strongest walls of this machine or behind these."""
    check = SandboxCheck(Level.LIMITS, check_sandbox().walls if walls is None else walls)
    with make_sandbox(tmp_path, text, check) as sandbox, sandbox.session(10) as session:
        sandbox.load(session)
    return session.output.splitlines()


CALLS = """\
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for name, number in {rows!r}.items():
    ctypes.set_errno(0)
    done = libc.syscall(*(ctypes.c_long(value) for value in (number, -1, -1, -1, -1, -1, -1)))
    print(name, ctypes.get_errno() if done < 0 else 0)
"""
# These calls would end or stop the process, or wait forever.
NOT_TRIED = {"exit", "exit_group", "rt_sigreturn", "pause", "rt_sigsuspend", "poll", "ppoll", "select", "pselect6"}
NOT_TRIED |= {"rt_sigtimedwait", "munmap", "mremap", "brk", "restart_syscall", "close_range", "close"}


@HAS_TABLE
@pytest.mark.parametrize("part", ["allowed", "refused"])
def test_every_row_of_the_table_of_system_calls(part: str, tmp_path: Path) -> None:
    """Each call gets invalid arguments: the filter refuses a refused call; the kernel itself rejects an allowed one."""
    rows = {name: number for name, number in seccomp.table(part, MACHINE).items() if name not in NOT_TRIED}
    answers = dict(line.rsplit(" ", 1) for line in printed(tmp_path, CALLS.format(rows=rows), Walls(seccomp=True)))
    assert answers.keys() == rows.keys()
    for name, answer in answers.items():
        if part == "refused":
            assert int(answer) == (errno.ENOSYS if name in seccomp.REPORTED_MISSING else errno.EPERM), name
        elif name not in seccomp.CONDITIONAL:
            assert int(answer) != errno.EPERM, name


# Before Python 3.13, only libraries in C wait for a thread in this way.
NORMAL = """\
import collections, copy, ctypes, decimal, fcntl, functools, heapq, itertools, json, math, os, random, resource
import secrets, statistics, sys, threading, time, uuid, numpy
thread = threading.Thread(target=print, args=("ran",))
thread.start(), thread.join()
ended, number = [], ctypes.c_void_p()
function = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda _: ended.append(time.sleep(0.2)))
libc = ctypes.CDLL(None)
print(libc.pthread_create(ctypes.byref(number), None, function, None) or libc.pthread_join(number, None), bool(ended))
print(os.cpu_count() > 0, fcntl.fcntl(1, fcntl.F_GETFD), resource.getrlimit(resource.RLIMIT_CORE))
print(sys.stdout.isatty(), len(secrets.token_bytes(4)), numpy.linalg.inv(numpy.eye(40)).sum())
"""


@LEVELS
def test_normal_python_code_works_on_every_level(level: Level, tmp_path: Path) -> None:
    expected = ["ran", "0 True", "True 0 (0, 0)", "False 4 40.0"]
    assert printed(tmp_path, NORMAL, check_sandbox(level).walls) == expected


PAGES = """\
import ctypes, mmap, resource
libc, page, found = ctypes.CDLL(None, use_errno=True), mmap.mmap(-1, 4096), ctypes.create_string_buffer(1)
address = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page)))
print(libc.mincore(address, ctypes.c_size_t(4096), found))
print([libc.madvise(address, ctypes.c_size_t(4096), advice) for advice in (4, 21, 12)])  # discard, put out, merge
try:
    resource.getrusage(resource.RUSAGE_SELF)
except OSError:
    print("no page faults")
"""


@HAS_TABLE
def test_a_submission_learns_nothing_about_the_pages_of_files(tmp_path: Path) -> None:
    """Which of them are in memory tells what earlier code has read; and it can neither remove nor merge a page."""
    assert printed(tmp_path, PAGES, Walls(seccomp=True)) == ["-1", "[0, -1, -1]", "no page faults"]


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_the_table_of_system_calls_is_consistent_and_has_the_numbers_of_the_kernel(machine: str) -> None:
    allowed, refused = seccomp.table("allowed", machine), seccomp.table("refused", machine)
    numbers, program = [*allowed.values(), *refused.values()], seccomp.program(machine)
    assert not set(allowed) & set(refused)
    assert len(numbers) == len(set(numbers))
    assert set(seccomp.CONDITIONAL) <= set(allowed)
    assert program is not None
    assert len(program) // 8 < 4096  # the kernel's limit
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if machine == MACHINE == "x86_64" and header.is_file():
        rows = [line.split() for line in header.read_text(encoding="ascii").splitlines()]
        known = {words[1].removeprefix("__NR_"): int(words[2]) for words in rows if words[2:] and words[2].isdigit()}
        for name, number in (allowed | refused).items():
            assert known.get(name, number) == number, name


def test_a_process_that_sleeps_is_idle_unless_other_programs_used_the_time(tmp_path: Path) -> None:
    with make_sandbox(tmp_path, "import time\ntime.sleep(1.3)\n") as sandbox:
        with sandbox.session(10) as session:
            sandbox.load(session)
        assert 1.0 < session.idle_seconds <= session.elapsed
    for computed, queued, idle in (
        (6.0, 23.5, 0.0),  # three other programs used its processor
        (6.0, 0.0, 22.5),
        (14.0, 0.5, 14.0),
        (14.0, 15.0, 0.0),  # at most a second
        (0.0, 0.0, 0.0),  # not measured
        (2.0, None, 0.0),  # perhaps the machine was busy
    ):
        session._process.processor_seconds, session._process.queued_seconds = computed, queued
        session._asked_seconds, session._late_seconds, session._request_number = 30.0, 0.5, 200
        assert session.idle_seconds == pytest.approx(idle)


INHERITED = """\
import builtins, os, sys
print(getattr(builtins, "left", 0), os.getpid() > 1)
builtins.left, open_ = 1, []
for number in range(64):
    try: os.fstat(number)
    except OSError: continue
    open_.append(number)
print(open_, sys.flags.safe_path, sys.flags.no_user_site, "COURSE_TOKEN" in os.environ)
print(hash("West"))
"""


def test_a_case_gets_few_variables_and_descriptors_and_nothing_of_another_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And every grading has the same hash seed."""
    monkeypatch.setenv("COURSE_TOKEN", "secret")
    hashes = set()
    for _ in range(2):
        with make_sandbox(tmp_path, INHERITED) as sandbox:
            for _ in range(2):
                with sandbox.session(10) as session:
                    sandbox.load(session)
                *lines, number = session.output.splitlines()
                assert lines == ["0 True", "[0, 1, 2, 3] True 1 False"]
                hashes.add(number)
    assert len(hashes) == 1


DAEMON = "import os, time\nif not os.fork():\n    os.setsid()\n    if not os.fork(): time.sleep(60)\n    os._exit(0)\n"


def test_a_daemon_is_killed_on_the_lowest_level_too(tmp_path: Path) -> None:
    """Without walls, a process can leave its session. It then becomes a child of the fork server, which kills it."""
    assert printed(tmp_path, DAEMON, Walls()) == []
    assert not left_running()


def wait_for(condition: Callable[[], bool]) -> None:
    """Fails if a condition does not hold within a minute."""
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_the_sandbox_ends_with_the_grader(tmp_path: Path) -> None:
    """After SIGKILL to the grader, no process of a submission is left."""
    (tmp_path / "mine.py").write_text("class MinimaxAgent: pass\nwhile True: pass\n", encoding="utf-8")
    own_files = {**os.environ, "TMPDIR": str(tmp_path)}  # nobody deletes them
    command = [sys.executable, "-m", "autograder", "grade", str(tmp_path / "mine.py"), "--jobs", "1"]
    grader = subprocess.Popen(command, cwd=ROOT, env=own_files)
    wait_for(lambda: bool(left_running(grader.pid)))
    assert grader.poll() is None
    grader.kill()
    grader.wait()
    wait_for(lambda: not left_running(grader.pid))


def test_a_dead_fork_server_is_replaced(tmp_path: Path) -> None:
    """The case that was running has no answer, which is the grader's failure. The next one gets a new fork server."""
    with make_sandbox(tmp_path, "print('hello')\n") as sandbox:
        first = sandbox._fork_server
        assert first is not None
        with sandbox.session(10) as session:
            first._process.kill()
            first._process.wait()
            wait_for(lambda: not left_running())  # the kernel ends the process of the case a moment later
            with pytest.raises(OSError, match="the process of a case did not start|sandbox process"):
                sandbox.load(session)
        for _ in range(2):
            with sandbox.session(10) as session:
                sandbox.load(session)
            assert session.output == "hello"
        assert sandbox._fork_server is not first
    assert not left_running()


THREADS = """\
import resource, threading, time
print(resource.getrlimit(resource.RLIMIT_NPROC)[1])
threading.stack_size(1 << 16)
count = 0
try:
    for count in range(400):
        threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
except RuntimeError:
    pass
print(count)
"""


def test_the_number_of_threads_is_limited(tmp_path: Path) -> None:
    """Otherwise one case could take every process number of the machine, and the grader could start no thread."""
    limit, count = map(int, printed(tmp_path, THREADS))
    if os.geteuid() == 0 and check_sandbox().level.is_safe:
        assert limit == fork_server.OWN_THREADS
        assert count < limit
    else:
        assert limit <= fork_server.SHARED_THREADS


NOTHING_OF_OURS = """
import os, sys, numpy
from agents.base import SearchAgent
from pacman import Layer, Line

def ours():
    return {name for name in sys.modules if name.partition(".")[0] in ("pacman", "agents", "autograder", "layouts")}

OURS = ours()

def note(event, arguments):
    if event in ("open", "import") and str(arguments[event == "import"]).startswith(PLACES_OF_PROJECT):
        print(event, arguments)

class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        sys.addaudithook(note)
        from pacman import GameState, Outline, directional, start
        start("nook", ["random"]), numpy.linalg.norm([3, 4]), str(node)
        values = [(self.evaluate(node.successor(action)), action) for action in node.actions()]
        if ours() - OURS:
            print(ours() - OURS)
        return Line(*max(values))
"""


@SLOW
def test_behind_the_walls_no_file_of_ours_is_opened_or_imported(tmp_path: Path) -> None:
    """In 500 cases. And none can be: what somebody would look for in the folders of the project is not there."""
    places = tuple(f"{ROOT / name}/" for name in PACKAGES)
    text = NOTHING_OF_OURS.replace("PLACES_OF_PROJECT", repr(places))
    with make_sandbox(tmp_path, text, safe_sandbox()) as sandbox:
        sandbox.parse_files(["mine.py"], 10)
        for _ in range(500):
            with sandbox.session(10) as session:
                sandbox.load_part(session, "search", "MinimaxAgent", 1)
                assert session.ask("search", tree="max\n  a: 3\n  b: 5", plies=1)["action"] == "b"
            assert session.output == ""


def test_no_file_of_the_project_and_nothing_about_other_processes_can_be_read(tmp_path: Path) -> None:
    """Only that the number of a process is in use."""
    files = [str(path) for name in PACKAGES for path in (ROOT / name).rglob("*")]
    files += [f"/proc/{os.getpid()}/{name}" for name in ("cmdline", "status", "stat", "comm", "fd/0")]
    files += ["/proc", "/proc/1/status", "/proc/self/status", "/proc/loadavg"]
    text = f"""
import os
from pacman.core import layout
for file in {[*files, str(ROOT)]!r}:
    try:
        os.listdir(file) if os.path.isdir(file) else open(file).close()
        print("opened", file)
    except OSError:
        pass
for name in ("autograder.judge", "pacman.search", "agents.ghosts", "autograder.shipped", "pacman.core.nothing"):
    try:
        __import__(name)
        print("imported", name)
    except ImportError:
        pass
print(len(layout.names()), os.path.exists("/proc/{os.getpid()}"))  # as docs/sandbox.md says
"""
    assert printed(tmp_path, text, safe_sandbox().walls) == [f"{len(known_files(['layouts/*.lay']))} True"]
    assert all(list(ROOT.glob(pattern)) for pattern in FILES)


def test_a_new_interpreter_per_case_works_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, which cannot fork. The last text that it printed comes too, and its exit status is known."""
    file = tmp_path / "mine.py"
    arguments = {"path": str(file), "folder": str(tmp_path), "code": ""}
    file.write_text("import sys\nprint('hello')\nprint('Übung', file=sys.stderr)\n", encoding="utf-8")
    with ProcessSession(SpawnedProcess(tmp_path, 10, Limits()), 10, Limits()) as session:
        session.ask("load", **arguments)
        session._start_time -= 60  # as if the grader had then been busy, for example with a ghost of the course
        session._last_reply_time -= 60
        session.ask("load", **arguments)
    assert session.output.startswith("hello\nÜbung")
    file.write_text("import os\nos._exit(3)\n", encoding="utf-8")
    ends = pytest.raises(SessionBroken, match="exited with status 3 before it answered")
    with ProcessSession(SpawnedProcess(tmp_path, 10, Limits()), 10, Limits()) as session, ends:
        session.ask("load", **arguments)
    monkeypatch.setattr(fork_server, "START_SECONDS", 0.5)
    monkeypatch.setattr(fork_server, "interpreter_command", lambda argument: [sys.executable, "-c", "pass"])
    with pytest.raises(ChildProcessError, match="did not start"):  # the grader's failure
        SpawnedProcess(tmp_path, 10, Limits())


def test_a_user_who_is_not_root_reaches_a_safe_level(tmp_path: Path) -> None:
    """Runs the check as another user, if this test runs as root."""
    if os.geteuid() != 0:
        pytest.skip("the other tests already run as an ordinary user")
    python = Path(sys.executable).resolve()
    if any(not os.stat(folder).st_mode & 0o001 for folder in (*python.parents, ROOT, *ROOT.parents)):
        pytest.skip("other users cannot read this Python")
    command = [sys.executable, "-c", "from autograder.sandbox import check_sandbox; print(check_sandbox())"]
    environment = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, user=65534, capture_output=True, text=True, env=environment)
    assert "Level.SAFE" in done.stdout, done.stdout + done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can read the private files of other users")
def test_root_can_use_the_python_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process keeps this right of root, but Landlock allows nothing else."""
    for name in ("python", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file.py").write_text(f"print('read {name}')\n")
        os.chown(tmp_path / name, 12345, 12345)
        (tmp_path / name).chmod(0o700)
    paths = (*fork_server.readable_paths(), tmp_path / "python")
    monkeypatch.setattr(fork_server, "readable_paths", lambda: paths)
    places = [str(tmp_path / name / "file.py") for name in ("python", "other")]
    text = f"for place in {places}:\n    try: exec(open(place).read())\n"
    text += "    except OSError as error: print(error.strerror)\n"
    walls = Walls(landlock=True, reads_all=True)
    probe_or_skip(walls)
    assert printed(tmp_path, text, walls) == ["read python", "Permission denied"]
    for walls in (Walls(landlock=True), Walls(landlock=True, uid=True)):
        with pytest.raises(NotStarted, match="denied|cannot read"):
            probe(walls)


def test_a_level_that_does_not_hold_has_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_level, "probe", lambda walls: {"run a program": "stopped", "start a process": None})
    check = check_sandbox.__wrapped__()
    assert (check.level, check.walls) == (Level.LIMITS, Walls())
    assert check.reasons == ("level 'safe' not reached: these attempts succeeded: start a process",)

    def fail(walls: Walls) -> dict[str, str | None]:
        raise NotStarted("python3: Permission denied")

    monkeypatch.setattr(sandbox_level, "probe", fail)
    with pytest.raises(InputError, match=r"^graded code cannot start on this machine: .*python3: Permission denied$"):
        check_sandbox.__wrapped__()


def test_a_child_ends_if_its_fork_server_ended_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel tells only later ends. Without this check, the child of a dead fork server could run on for ever."""
    monkeypatch.setattr(walls_inside, "_prctl", lambda *values: None)
    walls_inside.die_with_parent(os.getppid())
    with pytest.raises(ProcessLookupError):
        walls_inside.die_with_parent(os.getpid())


READS_NOTHING = """\
import os, time
for n in range(1, 2000):
    body = b'{"n":%d}' % n
    os.write(3, len(body).to_bytes(4, 'big') + body)
time.sleep(60)
"""


@SLOW
def test_a_process_that_reads_no_requests_does_not_block_the_grader(tmp_path: Path) -> None:
    """The pipe becomes full, and the grader's write would wait forever. The time limit ends the process."""

    def ask_often(session: Session) -> None:
        sandbox.load(session)
        for _ in range(1900):
            session.ask("load", more="x" * 4000)

    late = pytest.raises(SessionBroken, match="no answer within 2 s")
    with make_sandbox(tmp_path, READS_NOTHING) as sandbox, sandbox.session(2) as session, late:
        ask_often(session)


@SLOW
@pytest.mark.parametrize(
    ("text", "where"),
    {
        "while True: pass": " (line 1: while True: pass)",
        "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass": "",
        "def f():\n  try:\n    while True:\n      len('')\n  except BaseException:\n    pass\nf()": " while importing",
    }.items(),
)
def test_a_process_that_computes_ends_by_its_processor_time(text: str, where: str, tmp_path: Path) -> None:
    """The clock alone would not end it here. So it ends in the same way on a busy machine."""
    caught = pytest.raises(SessionBroken)
    runs = make_sandbox(tmp_path, f"{text}\n")
    with runs as sandbox, sandbox.session(1, waiting=600) as session, caught as broken:
        sandbox.load(session)
    assert broken.value.fault == Fault("time", f"no answer within 1 s{where}", ONE_ANSWER if where else COMPUTED)


def test_a_process_that_prints_without_end_is_out_of_time(tmp_path: Path) -> None:
    """There is always something to read, but never an answer."""
    caught = pytest.raises(SessionBroken, match="no answer within 0.5 s")
    runs = make_sandbox(tmp_path, "while True: print(chr(0) * 60_000)\n")
    with runs as sandbox, sandbox.session(0.5) as session, caught:
        sandbox.load(session)
    assert session.elapsed < 5
    assert session.output.startswith("... cut: ")


@pytest.mark.skipif(sys.platform == "win32", reason="folders have other rights there")
def test_a_python_in_a_private_folder_is_none_for_another_user(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir(mode=0o700)
    assert is_open_to_all(f"{os.sep}python")
    assert not is_open_to_all(str(folder / "python"))
