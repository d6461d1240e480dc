"""A cluster gives the results of this machine, whatever happens to its workers; it is never spoken to in the clear."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.course import versions
from autograder.course.grade import Progress
from autograder.course.job import Job, Outcome, PackedGrader
from autograder.course.store import Store
from autograder.course.workers import problem_of_address
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError
from pacman.play.worker_pool import WorkerEnded
from tests.command_line import run_here
from tests.course import small_class
from tests.course.test_grade_class import children, command, graded, rows
from tests.paths import ROOT

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("pwd", reason="the sandbox of a worker needs POSIX")
from dask import config as dask_config

from autograder.course import cluster

WAIT_SECONDS = 60


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


@pytest.fixture
def local_cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    with running_cluster(tmp_path) as found:
        yield found


@pytest.fixture
def tls_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalCluster]:
    """A cluster with a certificate that Dask's configuration names, as docs/scale.md makes it."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    curve = "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"
    out = "-out", "grader.pem"
    for command_line in (
        ("req", "-x509", *curve, "-subj", "/CN=CA of the graders", "-keyout", "ca.key", "-out", "ca.pem"),
        ("req", *curve, "-subj", "/CN=grader", "-keyout", "grader.key", "-out", "grader.csr"),
        ("x509", "-req", "-in", "grader.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", *out),
    ):
        subprocess.run(["openssl", *command_line], cwd=tmp_path, check=True, capture_output=True)
    pair = {"cert": str(tmp_path / "grader.pem"), "key": str(tmp_path / "grader.key")}
    tls = {"ca-file": str(tmp_path / "ca.pem"), **dict.fromkeys(("scheduler", "worker", "client"), pair)}
    configuration = {"distributed": {"comm": {"require-encryption": True, "tls": tls}}}
    (tmp_path / "dask").mkdir()
    (tmp_path / "dask" / "tls.yaml").write_text(json.dumps(configuration))  # JSON is YAML
    monkeypatch.setenv("DASK_CONFIG", str(tmp_path / "dask"))
    flat = {f"distributed.comm.tls.{name}": value for name, value in tls.items()}
    required = {"distributed.comm.require-encryption": True}
    with dask_config.set(flat | required), running_cluster(tmp_path, "tls") as found:
        yield found


@pytest.fixture
def assignment(tmp_path: Path) -> Path:
    return small_class.write_assignment(tmp_path, seconds=5)


def class_of_12(folder: Path) -> Path:
    """A class, one of them an endless loop."""
    submissions = small_class.write_class(folder / "class", copies=2)
    (submissions / "syntax-1.py").unlink()
    return submissions


def end_grading_process(packed: PackedGrader, job: Job) -> Outcome:
    """In place of a grading: ends the process that a Dask worker has for it."""
    os._exit(1)


@pytest.mark.slow("that grade a class")
def test_a_cluster_gives_the_results_of_this_machine_though_a_worker_is_killed(
    local_cluster: LocalCluster, assignment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, address = class_of_12(tmp_path), local_cluster.address
    killed: list[int] = []

    def kill_one(progress: Progress) -> None:
        if progress.done == 5 and not killed:
            victim = next(worker.pid for worker in local_cluster.workers if children(worker.pid))
            killed.extend([victim, *children(victim)])
            os.kill(victim, signal.SIGKILL)

    with Store.open(str(tmp_path / "here.db"), create=True) as store:
        assert graded(store, folder, assignment) == {}
        expected = rows(store)
    with (
        cluster.connect(address) as connected,
        Store.open(str(tmp_path / "cluster.db"), create=True) as store,
    ):
        assert connected.threads == 2
        here = graded(store, folder, assignment, workers=lambda: nullcontext(connected), on_progress=kill_one)
        assert here == {}
        assert len(killed) > 1
        assert rows(store) == expected
        assert len(expected) == len(store.results("trees")) == 12

        job = Job(1, "x.py", SubmissionFiles({"x.py": b""}), (), False)
        lost = connected.submit(end_grading_process, small_class.packed_grader(assignment), job)
        with pytest.raises(WorkerEnded):
            lost.result(WAIT_SECONDS)

        with monkeypatch.context() as patch:
            other = "another version", versions.this_machine()[1]
            patch.setattr(versions, "this_machine", lambda: other)
            mismatch = connected.submit(end_grading_process, small_class.packed_grader(assignment), job)
            with pytest.raises(InputError, match=f"{address}: the worker on .* has another version of the project"):
                mismatch.result(WAIT_SECONDS)

        monkeypatch.setattr(cluster, "NO_WORKER_SECONDS", 0.5)
        waiting = connected.submit(end_grading_process, small_class.packed_grader(assignment), job)
        for worker in local_cluster.workers:
            worker.kill()
        with pytest.raises(InputError, match="all workers are gone; results so far are stored"):
            waiting.result(WAIT_SECONDS)
    until = time.monotonic() + WAIT_SECONDS
    while any(Path(f"/proc/{pid}/cmdline").exists() for pid in killed[1:]) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}/cmdline").exists() for pid in killed[1:])


@pytest.mark.slow("that grade a class")
def test_a_scheduler_that_goes_away_ends_the_command_in_one_line_and_what_is_stored_stays(
    tls_cluster: LocalCluster, assignment: Path, tmp_path: Path
) -> None:
    folder, path = class_of_12(tmp_path), tmp_path / "class.db"
    address = tls_cluster.address
    assert address.startswith("tls://127.0.0.1:")
    started = [sys.executable, "-m", "autograder", *command(folder, assignment, path, "--cluster", address)]
    process = subprocess.Popen(started, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    until, count = time.monotonic() + WAIT_SECONDS, 0
    while count < 3 and time.monotonic() < until:
        time.sleep(0.05)
        if path.exists():
            with Store.open(str(path), create=True) as store:
                count = len(store.results("trees"))
    tls_cluster.scheduler.kill()
    _, errors = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 2, errors
    lines = [line for line in errors.splitlines() if "about" not in line]
    assert lines[0].endswith("12 submissions, format plain")
    assert len(lines) == 2
    assert f"--cluster {address}: the scheduler went away; results so far are stored; start the cluster and" in lines[1]
    with Store.open(str(path)) as store:
        assert 3 <= count <= len(store.results("trees")) < 12


@pytest.mark.slow("that grade a class")
def test_a_worker_that_may_import_files_of_its_folder_is_not_used(assignment: Path, tmp_path: Path) -> None:
    """With a watching process, Python puts the folder first in the worker; without one, `python -m` does."""
    job = Job(1, "x.py", SubmissionFiles({"x.py": b""}), (), False)
    local = running_cluster(tmp_path, PYTHONSAFEPATH="")
    with local as running, cluster.connect(running.address) as connected:
        refused = connected.submit(end_grading_process, small_class.packed_grader(assignment), job)
        with pytest.raises(InputError, match="may import files of the folder in which it was started; start it w"):
            refused.result(WAIT_SECONDS)


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("tcp://10.0.0.7:8786", "tcp is for this machine only"),
        ("tcp://grader.example.org:8786", "tcp is for this machine only; write tls://grader.example.org:8786 ("),
        ("tcp://127.example.org:8786", "tcp is for this machine only"),
        ("tcp://0.0.0.0:8786", "tcp is for this machine only"),
        ("ws://127.0.0.1:8786", "expected tls://HOST:PORT"),
        ("inproc://127.0.0.1:8786", "expected tls://HOST:PORT"),
        ("127.0.0.1:8786", "expected tls://HOST:PORT"),
        ("tls://grader.example.org", "expected tls://HOST:PORT"),
        ("tcp://127.0.0.1:port", "expected tls://HOST:PORT"),
        ("tcp://127.0.0.1@evil.example.org:8786", "expected tls://HOST:PORT"),
        *((f"tcp://{host}:1", "") for host in ("localhost", "127.1.2.3", "[::1]")),
        ("tls://10.0.0.7:1", ""),
    ],
)
def test_code_is_not_sent_in_the_clear(address: str, problem: str) -> None:
    assert problem_of_address(address).startswith(problem) if problem else not problem_of_address(address)


def test_an_address_that_is_not_safe_is_one_line_before_anything_is_stored(tmp_path: Path) -> None:
    small_class.write_class(tmp_path / "class", loops=False)
    place = "--store", str(tmp_path / "x.db"), "--cluster", "tcp://10.0.0.7:8786"
    done = run_here("autograder", "grade-all", str(tmp_path / "class"), *place)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert not (tmp_path / "x.db").exists()


def test_a_scheduler_without_tls_that_listens_to_other_machines_is_refused() -> None:
    about = {"address": "tcp://192.0.2.2:8786", "workers": {}}
    client = SimpleNamespace(wait_for_workers=lambda count, timeout: None, scheduler_info=lambda: about)
    with pytest.raises(InputError, match="also listens at tcp://192.0.2.2:8786: tcp is for this machine only"):
        cluster.ClusterExecutor(client, "tcp://127.0.0.1:8786")


def test_tls_without_its_files_is_one_line() -> None:
    with (
        pytest.raises(InputError, match="Dask does not find its TLS files") as raised,
        cluster.connect("tls://127.0.0.1:1"),
    ):
        pass
    assert "\n" not in str(raised.value)
