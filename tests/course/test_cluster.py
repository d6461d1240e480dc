"""A cluster gives the results of this machine, whatever happens to its workers; it is never spoken to in the clear."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

import pytest

from autograder.course.grade_class import Progress
from autograder.course.job import Job, Outcome, PackedGrader
from autograder.course.store import Store
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.course import small_class
from tests.course.test_grade_class import command, graded, grader, rows

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("pwd", reason="the sandbox of a worker needs POSIX")
from autograder.course import cluster

ROOT = Path(__file__).parents[2]
WAIT_SECONDS = 60


@contextmanager
def dask(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask, which is killed at the end."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    started = [sys.executable, "-m", "dask", *arguments]
    process = subprocess.Popen(started, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


class LocalCluster:
    """A scheduler and two workers on this machine."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        file = folder / "scheduler.json"
        place = "--host", "127.0.0.1", "--scheduler-file", str(file), "--no-dashboard"
        self.scheduler = stack.enter_context(dask("scheduler", *place, "--port", "0"))
        self.start_worker = lambda: stack.enter_context(
            dask("worker", *place, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
        )
        self.workers = [self.start_worker() for _ in range(2)]
        until = time.monotonic() + WAIT_SECONDS
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.05)
        with cluster.Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=WAIT_SECONDS)
            self.address = str(client.scheduler.address)


@pytest.fixture
def local_cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    with ExitStack() as stack:
        yield LocalCluster(tmp_path, stack)


@pytest.fixture
def assignment(tmp_path: Path) -> Path:
    return small_class.write_assignment(tmp_path, seconds=1)


def class_of_12(folder: Path) -> Path:
    """A class, one of them an endless loop."""
    submissions = small_class.write_class(folder / "class", copies=2)
    (submissions / "syntax-1.py").unlink()
    return submissions


def children(pid: int) -> list[int]:
    done = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in done.stdout.split()]


def end_grading_process(packed: PackedGrader, job: Job) -> Outcome:
    """In place of a grading: ends the process that a Dask worker has for it."""
    os._exit(1)


@pytest.mark.slow
def test_a_cluster_gives_the_results_of_this_machine_though_a_worker_is_killed(
    local_cluster: LocalCluster, assignment: Path, tmp_path: Path
) -> None:
    folder = class_of_12(tmp_path)
    killed: list[int] = []

    def kill_one(progress: Progress) -> None:
        if progress.done == 5 and not killed:
            killed.extend([local_cluster.workers[0].pid, *children(local_cluster.workers[0].pid)])
            os.kill(killed[0], signal.SIGKILL)

    with Store.open(str(tmp_path / "here.db"), create=True) as store:
        assert graded(store, folder, assignment) == {}
        expected = rows(store)
    with (
        cluster.connect(local_cluster.address) as connected,
        Store.open(str(tmp_path / "cluster.db"), create=True) as store,
    ):
        assert (connected.threads, connected.machines) == (2, 1)
        here = graded(store, folder, assignment, workers=lambda: nullcontext(connected.executor), on_progress=kill_one)
        assert here == {}
        assert len(killed) > 1
        assert rows(store) == expected
        assert len(expected) == len(store.results("trees")) == 12

        job = Job(1, "x.py", SubmissionFiles({"x.py": b""}), (), False)
        outcome = connected.executor.submit(end_grading_process, grader(assignment), job).result(WAIT_SECONDS)
        assert "ended before it was graded" in outcome.failure
    until = time.monotonic() + WAIT_SECONDS
    while any(Path(f"/proc/{pid}/cmdline").exists() for pid in killed[1:]) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}/cmdline").exists() for pid in killed[1:])


@pytest.mark.slow
def test_a_scheduler_that_goes_away_ends_the_command_in_one_line_and_what_is_stored_stays(
    local_cluster: LocalCluster, assignment: Path, tmp_path: Path
) -> None:
    folder, path = class_of_12(tmp_path), tmp_path / "class.db"
    address = local_cluster.address
    started = [sys.executable, "-m", "autograder", *command(folder, assignment, path, "--cluster", address)]
    process = subprocess.Popen(started, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    until, count = time.monotonic() + WAIT_SECONDS, 0
    while count < 3 and time.monotonic() < until:
        time.sleep(0.05)
        if path.exists():
            with Store.open(str(path), create=True) as store:
                count = len(store.results("trees"))
    local_cluster.scheduler.kill()
    _, errors = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 2, errors
    lines = [line for line in errors.splitlines() if "about" not in line]
    assert lines[0].endswith("12 submissions, format plain")
    assert len(lines) == 2
    assert f"--cluster {address}: the cluster failed; results so far are stored; start the cluster and" in lines[1]
    with Store.open(str(path)) as store:
        assert 3 <= count <= len(store.results("trees")) < 12


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("tcp://10.0.0.7:8786", "tcp is for this machine only"),
        ("tcp://grader.example.org:8786", "write tls://grader.example.org:8786"),
        ("tcp://127.example.org:8786", "tcp is for this machine only"),
        ("tcp://0.0.0.0:8786", "tcp is for this machine only"),
        ("ws://127.0.0.1:8786", "expected tls://HOST:PORT"),
        ("inproc://127.0.0.1:8786", "expected tls://HOST:PORT"),
        ("127.0.0.1:8786", "expected tls://HOST:PORT"),
        ("tls://grader.example.org", "expected tls://HOST:PORT"),
        ("tcp://127.0.0.1:port", "expected tls://HOST:PORT"),
        ("tcp://127.0.0.1@evil.example.org:8786", "expected tls://HOST:PORT"),
    ],
)
def test_code_is_not_sent_in_the_clear(address: str, problem: str, tmp_path: Path) -> None:
    small_class.write_class(tmp_path / "class", loops=False)
    store = tmp_path / "x.db"
    done = run_here("autograder", "grade-all", str(tmp_path / "class"), "--store", str(store), "--cluster", address)
    assert (done.returncode, done.stdout) == (2, "")
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not store.exists()


@pytest.mark.parametrize("address", ["tcp://localhost:1", "tcp://127.1.2.3:1", "tcp://[::1]:1", "tls://10.0.0.7:1"])
def test_other_addresses_are_accepted(address: str) -> None:
    cluster.check_address(address)


def test_tls_without_its_files_is_one_line() -> None:
    with pytest.raises(InputError, match="check Dask's TLS files") as raised, cluster.connect("tls://127.0.0.1:1"):
        pass
    assert "\n" not in str(raised.value)
