"""The workers of a class, on this machine and in a cluster: the results of a class do not depend on them.

A cluster is never spoken to in the clear.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from multiprocessing import active_children
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.course import versions
from autograder.course.grade import Progress
from autograder.course.job import Job, Outcome, PackedGrader
from autograder.course.store import Store
from autograder.course.workers import local_workers, problem_of_address
from autograder.sandbox.submission_files import SubmissionFiles
from autograder.sandbox.work_folder import PREFIX, WorkFolder
from pacman.core.errors import InputError
from pacman.play.worker_pool import WorkerEnded
from tests.command_line import run_here
from tests.course import small_class
from tests.course.small_class import graded, rows
from tests.course.test_grade_class import children, command
from tests.paths import ROOT

pytest.importorskip("pwd", reason="the sandbox of a worker needs POSIX")
WAIT_SECONDS = 60
SLOW = pytest.mark.slow("that grade a class")


def hold_a_folder() -> None:
    """Makes a folder for students' files, and works with it for a long time."""
    with WorkFolder() as folder:
        (folder.path / "mine.py").touch()
        time.sleep(600)


def test_a_grading_that_is_given_up_leaves_no_files_of_students(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    until = time.monotonic() + WAIT_SECONDS
    with suppress(KeyboardInterrupt), local_workers(1) as executor:
        executor.submit(hold_a_folder)
        while not list(tmp_path.glob(f"{PREFIX}*/mine.py")):
            assert time.monotonic() < until
            time.sleep(0.01)
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def a_class(folder: Path) -> tuple[Path, Path]:
    """An assignment, and a class of 12, one of them an endless loop."""
    submissions = small_class.write_class(folder / "class", copies=2)
    (submissions / "syntax-1.py").unlink()
    return small_class.write_assignment(folder, seconds=5), submissions


def rows_of(place: Path, workers: Callable[[], AbstractContextManager[Executor]], jobs: int, **more: Any) -> Any:
    """The rows of the class in a folder, graded by these workers."""
    with Store.open(str(place / f"{time.monotonic_ns()}.db"), create=True) as store:
        assert graded(store, place / "class", place / "trees", workers, jobs, **more) == {}
        assert len(rows(store)) == len(store.results("trees")) == 12
        return rows(store)


@SLOW
def test_a_class_has_equal_rows_with_one_worker_and_with_two_that_are_killed_beside_a_busy_loop(tmp_path: Path) -> None:
    a_class(tmp_path)
    killed = []

    def kill_all(progress: Progress) -> None:
        if not killed:
            killed.extend(active_children())
            for worker in killed:
                worker.kill()

    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as loop:
        busy = rows_of(tmp_path, lambda: local_workers(2), 2, on_progress=kill_all)
        loop.kill()
    assert killed
    assert busy == rows_of(tmp_path, lambda: local_workers(1), 1)


@contextmanager
def dask(*arguments: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask, which is killed at the end."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"} | variables
    started = [sys.executable, "-m", "dask", *arguments]
    process = subprocess.Popen(started, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@dataclass(frozen=True)
class LocalCluster:
    """A scheduler and two workers on this machine."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@contextmanager
def running_cluster(folder: Path, protocol: str = "tcp", **variables: str) -> Iterator[LocalCluster]:
    """A cluster that runs inside the `with` block."""
    cluster = pytest.importorskip("autograder.course.cluster", reason="the extra `cluster` is not installed")
    file = folder / "scheduler.json"
    place = "--protocol", protocol, "--host", "127.0.0.1", "--scheduler-file", str(file), "--no-dashboard"
    worker = "worker", *place, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder)
    with ExitStack() as stack:
        scheduler = stack.enter_context(dask("scheduler", *place, "--port", "0"))
        workers = [stack.enter_context(dask(*worker, **variables)) for _ in range(2)]
        until = time.monotonic() + WAIT_SECONDS
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.05)
        with cluster.Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=WAIT_SECONDS)
            address = str(client.scheduler.address)
        yield LocalCluster(address, scheduler, workers)


@contextmanager
def tls_cluster(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalCluster]:
    """A cluster with the certificate and the settings that docs/scale.md makes."""
    config = pytest.importorskip("dask.config", reason="the extra `cluster` is not installed")
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    blocks = re.findall(r"(?:^    .*\n)+", (ROOT / "docs/scale.md").read_text(encoding="utf-8"), re.M)
    commands, settings = (dedent(each) for each in blocks if each.split()[0] in ("openssl", "distributed:"))
    subprocess.run(["sh", "-e", "-c", commands], cwd=folder, check=True, capture_output=True)
    small_class.write_files(folder / "dask", {"tls.yaml": settings.replace("/etc/grader", str(folder))})
    monkeypatch.setenv("DASK_CONFIG", str(folder / "dask"))
    own = config.collect([str(folder / "dask")], env={})["distributed"]
    monkeypatch.setitem(config.config, "distributed", config.merge(config.config.get("distributed", {}), own))
    with running_cluster(folder, "tls") as found:
        yield found


def end_grading_process(packed: PackedGrader, job: Job) -> Outcome:
    """In place of a grading: ends the process that a Dask worker has for it."""
    os._exit(1)


JOB = Job(1, "x.py", SubmissionFiles({"x.py": b""}), (), False)


@SLOW
def test_a_cluster_gives_the_results_of_this_machine_though_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assignment, _ = a_class(tmp_path)
    packed, killed = small_class.packed_grader(assignment), list[int]()
    expected = rows_of(tmp_path, small_class.threads, 2)
    with running_cluster(tmp_path) as local:
        from autograder.course import cluster

        def kill_one(progress: Progress) -> None:
            if progress.done == 5 and not killed:
                victim = next(worker.pid for worker in local.workers if children(worker.pid))
                killed.extend([victim, *children(victim)])
                os.kill(victim, signal.SIGKILL)

        with cluster.connect(local.address) as connected:

            def ends(error: type[Exception], match: str | None = None) -> None:
                with pytest.raises(error, match=match):
                    connected.submit(end_grading_process, packed, JOB).result(WAIT_SECONDS)

            assert connected.threads == 2
            assert rows_of(tmp_path, lambda: nullcontext(connected), 2, on_progress=kill_one) == expected
            assert len(killed) > 1
            ends(WorkerEnded)
            with monkeypatch.context() as patch:
                other = "another version", versions.this_machine()[1]
                patch.setattr(versions, "this_machine", lambda: other)
                ends(InputError, f"{local.address}: the worker on .* has another version of the project")
            monkeypatch.setattr(cluster, "NO_WORKER_SECONDS", 0.5)
            for worker in local.workers:
                worker.kill()
            ends(InputError, "all workers are gone; results so far are stored")
    until = time.monotonic() + WAIT_SECONDS
    while (left := [pid for pid in killed[1:] if Path(f"/proc/{pid}/cmdline").exists()]) and time.monotonic() < until:
        time.sleep(0.05)
    assert not left


@SLOW
def test_a_scheduler_that_goes_away_ends_the_command_in_one_line_and_what_is_stored_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (assignment, folder), path, count = a_class(tmp_path), tmp_path / "class.db", 0
    with tls_cluster(tmp_path, monkeypatch) as running:
        address = running.address
        assert address.startswith("tls://127.0.0.1:")
        started = [sys.executable, "-m", "autograder", *command(folder, assignment, path, "--cluster", address)]
        process = subprocess.Popen(started, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + WAIT_SECONDS
        while count < 3 and time.monotonic() < until:
            time.sleep(0.05)
            if path.exists():
                with Store.open(str(path), create=True) as store:
                    count = len(store.results("trees"))
        running.scheduler.kill()
        _, errors = process.communicate(timeout=WAIT_SECONDS)
    first, *_, last = errors.splitlines()  # between them how many were graded, on a slow machine
    assert "Traceback" not in errors
    assert (process.returncode, first.endswith("12 submissions, format plain")) == (2, True)
    assert f"--cluster {address}: the scheduler went away; results so far are stored; start the cluster and" in last
    with Store.open(str(path)) as store:
        assert 3 <= count <= len(store.results("trees")) < 12


@SLOW
def test_a_worker_that_may_import_files_of_its_folder_is_not_used(tmp_path: Path) -> None:
    """With a watching process, Python puts the folder first in the worker; without one, `python -m` does."""
    packed = small_class.packed_grader(small_class.write_assignment(tmp_path))
    with running_cluster(tmp_path, PYTHONSAFEPATH="") as running:
        from autograder.course import cluster

        refused = "may import files of the folder in which it was started; start it w"
        with cluster.connect(running.address) as connected, pytest.raises(InputError, match=refused):
            connected.submit(end_grading_process, packed, JOB).result(WAIT_SECONDS)


THIS_MACHINE, FORM = "tcp is for this machine only", "expected tls://HOST:PORT"
ADDRESSES = {
    "tcp://10.0.0.7:8786": THIS_MACHINE,
    "tcp://grader.example.org:8786": f"{THIS_MACHINE}; write tls://grader.example.org:8786 (",
    **dict.fromkeys(("tcp://127.example.org:8786", "tcp://0.0.0.0:8786"), THIS_MACHINE),
    **dict.fromkeys(("ws://127.0.0.1:8786", "inproc://127.0.0.1:8786", "127.0.0.1:8786"), FORM),
    **dict.fromkeys(("tls://grader.example.org", "tcp://127.0.0.1:port", "tcp://127.0.0.1@evil.example.org:1"), FORM),
    **dict.fromkeys(("tcp://localhost:1", "tcp://127.1.2.3:1", "tcp://[::1]:1", "tls://10.0.0.7:1"), ""),
}


def test_code_is_not_sent_in_the_clear(tmp_path: Path) -> None:
    """An address that is not safe is one line before anything is stored; and a scheduler may not listen to others."""
    for address, problem in ADDRESSES.items():
        found = problem_of_address(address)
        assert found.startswith(problem) if problem else not found, address
    small_class.write_class(tmp_path / "class", loops=False)
    place = "--store", str(tmp_path / "x.db"), "--cluster", "tcp://10.0.0.7:8786"
    done = run_here("autograder", "grade-all", str(tmp_path / "class"), *place)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert not (tmp_path / "x.db").exists()
    cluster = pytest.importorskip("autograder.course.cluster", reason="the extra `cluster` is not installed")
    about = {"address": "tcp://192.0.2.2:8786", "workers": {}}
    client = SimpleNamespace(wait_for_workers=lambda count, timeout: None, scheduler_info=lambda: about)
    with pytest.raises(InputError, match="also listens at tcp://192.0.2.2:8786: tcp is for this machine only"):
        cluster.ClusterExecutor(client, "tcp://127.0.0.1:8786")
    with pytest.raises(InputError, match="Dask does not find its TLS files") as raised:
        cluster.connect("tls://127.0.0.1:1").__enter__()
    assert "\n" not in str(raised.value)
