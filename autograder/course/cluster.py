"""Workers on other machines, as an executor: a Dask cluster. Only this file imports Dask (the extra `cluster`).

A Dask worker runs tasks in threads. So each of these threads has a grading process (`local_workers`) that stays warm:
there the sandbox is started from the main thread, signals work, and the files of a submission are deleted even if the
Dask worker is killed.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import socket
import sys
import threading
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from distributed import Client, KilledWorker, WorkerPlugin, get_worker
from distributed import Future as Task

from autograder.course import versions
from autograder.course.job import Job, Outcome, PackedGrader
from autograder.course.workers import local_workers, problem_of_address
from pacman.core.errors import InputError, error_line, one_line
from pacman.environment import set_default
from pacman.play.worker_pool import WorkerEnded, WorkerPool

CONNECT_SECONDS = 10
WATCH_SECONDS = 2.0
NO_WORKER_SECONDS = 60.0
"""A cluster without workers is given up after this time. Workers that are killed start again in a few seconds."""
PLUGIN = "pacman-grading-processes"
_GO_ON = "results so far are stored; start the cluster and this command again"

Grade = Callable[[PackedGrader, Job], Outcome]


@contextmanager
def connect(address: str) -> Iterator[ClusterExecutor]:
    """Connects to the cluster whose scheduler has this address. InputError if it cannot grade."""
    for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # each problem gets one line, from this file
    warnings.filterwarnings("ignore", module="distributed")
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="grade-all")
    except (OSError, TypeError, ValueError, RuntimeError) as error:  # Dask has other errors for missing TLS files
        problem = "no scheduler answers, or Dask does not find its TLS files (see docs/scale.md)"
        raise InputError(f"--cluster {address}: {problem}: {error_line(error)}") from None
    with client:
        yield ClusterExecutor(client, address)


class ClusterExecutor(Executor):
    """Runs jobs on a cluster, `threads` at a time. WorkerEnded if the worker of a job ends, InputError if all do."""

    def __init__(self, client: Client, address: str) -> None:
        self._client, self._running = client, set[Future[Outcome]]()
        self._name = f"--cluster {address}"
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            raise InputError(f"{self._name}: the scheduler has no workers; start some (see docs/scale.md)") from None
        cluster = client.scheduler_info()
        for place in (cluster["address"], *cluster["workers"]):
            if problem := problem_of_address(place):
                raise InputError(f"{self._name}: this cluster also listens at {place}: {problem}")
        client.register_plugin(GradingProcesses())
        self.threads = sum(worker["nthreads"] for worker in cluster["workers"].values())
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, function: Grade, packed: PackedGrader, job: Job, /) -> Future[Outcome]:  # type: ignore[override]
        """Grades a job with `function`."""
        outcome: Future[Outcome] = Future()
        self._running.add(outcome)
        task = self._client.submit(_grade, function, packed, job, versions.this_machine(), pure=False)
        task.add_done_callback(partial(self._finish, outcome))
        return outcome

    def _finish(self, outcome: Future[Outcome], task: Task[Outcome]) -> None:
        """Passes on what came of a task: its outcome, or its error."""
        self._running.discard(outcome)
        with suppress(InvalidStateError):  # it was given up
            if task.status == "finished":
                outcome.set_result(task.result())
            elif task.status == "cancelled":
                outcome.set_exception(InputError(f"{self._name}: the scheduler went away; {_GO_ON}"))
            elif isinstance(error := task.exception(), KilledWorker | WorkerEnded):
                outcome.set_exception(WorkerEnded(str(error)))
            else:
                outcome.set_exception(InputError(f"{self._name}: {one_line(error, 300, str)}"))

    def _watch(self) -> None:
        """Gives up all jobs if there are no workers for a long time."""
        last, gone = time.monotonic(), InputError(f"{self._name}: all workers are gone; {_GO_ON}")
        with suppress(Exception):  # until the client is closed
            while True:
                time.sleep(WATCH_SECONDS)
                last = time.monotonic() if self._client.nthreads() else last
                for outcome in tuple(self._running) if time.monotonic() - last > NO_WORKER_SECONDS else ():
                    with suppress(InvalidStateError):
                        outcome.set_exception(gone)


def _grade(function: Grade, packed: PackedGrader, job: Job, expected: tuple[str, str]) -> Outcome:
    """A task: grades a job in the grading process of this thread of a Dask worker."""
    is_child = multiprocessing.parent_process() is not None  # of the process that watches the worker
    if not sys.flags.safe_path and (is_child or not {"", os.getcwd()}.isdisjoint(sys.path)):
        problem = "may import files of the folder in which it was started; start it with PYTHONSAFEPATH=1"
        raise InputError(f"the worker on {socket.gethostname()} {problem}")
    processes: Any = get_worker().plugins[PLUGIN]
    pool: WorkerPool = processes.of_thread[threading.get_ident()]
    return pool.submit(_grade_if_equal, function, packed, job, expected).result()


def _grade_if_equal(function: Grade, packed: PackedGrader, job: Job, expected: tuple[str, str]) -> Outcome:
    """Grades a job, unless this machine differs from the one of the command."""
    (version, sandbox), host = versions.this_machine(), socket.gethostname()
    if version != expected[0]:
        raise InputError(f"the worker on {host} has another version of the project or of Python; install the same one")
    if sandbox != expected[1]:
        raise InputError(f"the worker on {host} has another sandbox: expected {expected[1]}; got {sandbox}")
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
