"""Workers on other machines, as an executor: a Dask cluster. Only this file imports Dask (the extra `cluster`).

A Dask worker runs tasks in threads. So each of these threads has a grading process (`local_workers`) that stays warm:
there the sandbox is started from the main thread, signals work, and the files of a submission are deleted even if the
Dask worker is killed. Nothing but the command itself writes to the store.
"""

from __future__ import annotations

import ipaddress
import logging
import multiprocessing
import os
import socket
import sys
import threading
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from distributed import Client, KilledWorker, WorkerPlugin, get_worker
from distributed import Future as Task

from autograder.course import digests
from autograder.course.job import Job, Outcome, PackedGrader
from autograder.course.local_workers import local_workers
from autograder.sandbox import check_sandbox
from pacman.core.errors import InputError, error_line
from pacman.environment import set_default
from pacman.play.worker_pool import WorkerEnded, WorkerPool

GUIDE = "see docs/scale.md"
CONNECT_SECONDS = 10
WATCH_SECONDS = 2.0
NO_WORKER_SECONDS = 60.0
"""A cluster without workers is given up after this time. Workers that are killed start again in a few seconds."""
PLUGIN = "pacman-grading-processes"

Grade = Callable[[PackedGrader, Job], Outcome]


def check_address(address: str) -> None:
    """InputError unless the address of a scheduler is safe: everything that a cluster is sent is code.

    >>> check_address("tls://grader.example.org:8786"), check_address("tcp://127.0.0.1:8786")
    (None, None)
    """
    if problem := _problem_of(address):
        raise InputError(f"--cluster {address}: {problem}")


def _problem_of(address: str) -> str:
    """Why messages to and from an address can be dangerous, "" if they are safe."""
    try:
        parts = urlsplit(address)
        host, has_port = parts.hostname or "", parts.port is not None
    except ValueError:
        host, has_port = "", False
    if not (host and has_port and parts.scheme in ("tls", "tcp")) or parts.path or parts.username:
        return "expected tls://HOST:PORT, or tcp://127.0.0.1:PORT on this machine"
    is_this_machine = host == "localhost"
    with suppress(ValueError):
        is_this_machine |= ipaddress.ip_address(host).is_loopback
    if parts.scheme == "tls" or is_this_machine:
        return ""
    return (
        "tcp is for this machine only, because whoever can read or send these messages can run programs; "
        f"write tls://{parts.netloc} ({GUIDE})"
    )


@contextmanager
def connect(address: str) -> Iterator[ClusterExecutor]:
    """Connects to the cluster whose scheduler has this address. InputError if it cannot grade."""
    check_address(address)
    logging.getLogger("distributed").addHandler(logging.NullHandler())
    for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # each problem gets one line, from this file
    warnings.filterwarnings("ignore", module="distributed")
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="grade-all")
    except (OSError, TypeError, ValueError, RuntimeError) as error:  # Dask has other errors for missing TLS files
        problem = "no connection; check Dask's"
        if isinstance(error, OSError):
            problem = "no scheduler answers; start one, or check its"
        raise InputError(f"--cluster {address}: {problem} TLS files ({GUIDE}): {error_line(error)}") from None
    with client:
        executor = ClusterExecutor(client, address)
        try:
            yield executor
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


class ClusterExecutor(Executor):
    """Runs jobs on a cluster: `threads` at a time, on the machines `hosts`.

    A job whose workers end has an outcome with a failure; InputError if the cluster ends.
    """

    def __init__(self, client: Client, address: str) -> None:
        self._client, self._address = client, address
        self._running: dict[Future[Outcome], tuple[Task[Outcome], str]] = {}
        """The jobs that run, each with the host that it has to itself, "" without one."""
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._problem = ""
        """Why the cluster cannot be used any more."""
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            cluster = client.scheduler_info()
            for place in (cluster["address"], *cluster["workers"]):
                if problem := _problem_of(place):
                    raise InputError(f"--cluster {address}: this cluster also listens at {place}: {problem}")
            client.register_plugin(GradingProcesses())
        except TimeoutError:
            raise InputError(f"--cluster {address}: the scheduler has no workers; start some ({GUIDE})") from None
        except InputError:
            raise
        except Exception as error:
            raise InputError(f"--cluster {address}: the workers do not start ({GUIDE}): {error_line(error)}") from None
        self.hosts = sorted({worker["host"] for worker in cluster["workers"].values()})
        self.threads = sum(worker["nthreads"] for worker in cluster["workers"].values())
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, function: Grade, packed: PackedGrader, job: Job, /) -> Future[Outcome]:  # type: ignore[override]
        """Grades a job with `function`. A job that has to run alone gets a machine on which no other one of them is."""
        outcome: Future[Outcome] = Future()
        with self._lock:
            if self._problem:
                raise InputError(self._problem)
            busy = {host for _, host in self._running.values()}
            host = next((host for host in self.hosts if host not in busy), "") if job.alone else ""
            place = {"workers": [host], "allow_other_workers": True} if host else {}
            try:
                task = self._client.submit(_grade, function, packed, job, _this_machine(), pure=False, **place)
            except Exception as error:
                raise InputError(self._gone(error)) from None
            self._running[outcome] = task, host
        task.add_done_callback(lambda task: self._finish(outcome, task, job))
        return outcome

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Gives up all jobs; the executor starts no new ones."""
        self._end.set()
        self._give_up("the cluster was left")

    def _finish(self, outcome: Future[Outcome], task: Task[Outcome], job: Job) -> None:
        """Passes on what came of a task."""
        result: Outcome | InputError
        try:
            result = task.result() if task.status == "finished" else _outcome_without_result(task, job)
        except InputError as error:
            result = InputError(f"--cluster {self._address}: {error}")
        except Exception as error:
            result = InputError(self._gone(error))
        with self._lock:
            if self._running.pop(outcome, None) is None:
                return
        if isinstance(result, InputError):
            outcome.set_exception(result)
        else:
            outcome.set_result(result)

    def _watch(self) -> None:
        """Gives up all jobs if there are no workers for a long time, or no scheduler."""
        without = 0.0
        while not self._end.wait(WATCH_SECONDS):
            try:
                without = 0.0 if self._client.nthreads() else without + WATCH_SECONDS
            except Exception as error:
                self._give_up(self._gone(error))
            if without >= NO_WORKER_SECONDS:
                self._give_up(f"--cluster {self._address}: all workers are gone; {_GO_ON}")

    def _gone(self, error: Exception) -> str:
        return f"--cluster {self._address}: the cluster failed; {_GO_ON}: {error_line(error)}"

    def _give_up(self, problem: str) -> None:
        with self._lock:
            self._problem = self._problem or problem
            running, self._running = self._running, {}
        for outcome in running:
            outcome.set_exception(InputError(self._problem))


_GO_ON = "results so far are stored; start the cluster and this command again"


def _outcome_without_result(task: Task[Outcome], job: Job) -> Outcome:
    """A failure if the workers of a task ended; else the error of the task is raised."""
    if task.status == "cancelled":
        raise ConnectionError("the scheduler went away")
    error = task.exception()
    if isinstance(error, KilledWorker):
        return Outcome(job.submission_id, failure=f"{error.allowed_failures + 1} workers ended while they graded it")
    raise error


def _this_machine() -> tuple[str, str]:
    """The version and the sandbox of this machine: equal on all machines, so that they give equal results."""
    check = check_sandbox()
    return digests.sources_digest(digests.GRADER), f"{check.level.value}, {check.walls}"


def _grade(function: Grade, packed: PackedGrader, job: Job, expected: tuple[str, str]) -> Outcome:
    """A task: grades a job in the grading process of this thread of a Dask worker."""
    if _may_import_current_folder():
        raise InputError(
            f"the worker on {socket.gethostname()} may import files of the folder in which it was started; "
            f"start it with PYTHONSAFEPATH=1 ({GUIDE})"
        )
    processes: Any = get_worker().plugins[PLUGIN]
    try:
        pool: WorkerPool = processes.of_thread[threading.get_ident()]
        return pool.submit(_grade_if_equal, function, packed, job, expected).result()
    except WorkerEnded:
        return Outcome(job.submission_id, failure=f"its process on {socket.gethostname()} ended before it was graded")


def _may_import_current_folder() -> bool:
    """True if this Dask worker looked for modules in its current folder, or does so."""
    is_child = multiprocessing.parent_process() is not None  # of the process that watches the worker
    return not sys.flags.safe_path and (is_child or not {"", os.getcwd()}.isdisjoint(sys.path))


def _grade_if_equal(function: Grade, packed: PackedGrader, job: Job, expected: tuple[str, str]) -> Outcome:
    """Grades a job, unless this machine differs from the one of the command."""
    (version, sandbox), host = _this_machine(), socket.gethostname()
    if version != expected[0]:
        raise InputError(
            f"the worker on {host} has another version of the project or of Python; install the same version there, "
            "and start the worker again"
        )
    if sandbox != expected[1]:
        raise InputError(
            f"the worker on {host} has another sandbox: expected {expected[1]}; got {sandbox}; "
            "`python -m autograder doctor` says what is missing"
        )
    return function(packed, job)


class GradingProcesses(WorkerPlugin):
    """The grading processes of a Dask worker, one for each of its threads. They end with the worker."""

    name = PLUGIN
    idempotent = True

    def setup(self, worker: Any) -> None:
        """Prepares a Dask worker. Its processes start with their first job."""
        set_default("PYTHONSAFEPATH", "1")  # for its grading processes
        multiprocessing.current_process().daemon = False  # Dask's default; a daemon may not start processes
        self.of_thread = defaultdict[int, WorkerPool](partial(local_workers, 1))
        """A pool with one grading process, for each thread."""

    def teardown(self, worker: Any) -> None:
        """Ends the processes, and gives up their jobs."""
        for pool in self.of_thread.values():
            pool.give_up()
