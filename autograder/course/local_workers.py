"""The workers that grade a class on this machine: where they run, and how they end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from autograder.sandbox.work_folder import exits_in_order
from pacman.play.worker_pool import WorkerPool


def local_workers(count: int) -> WorkerPool:
    """An executor with `count` processes, each with its core. A worker that is stopped deletes its students' files."""
    return WorkerPool(count, partial(_in_worker, _cores(count)))


def _cores(count: int) -> Sequence[int | None]:
    """The core of each worker, if the workers take all cores of this machine.

    A worker and the sandbox of its submission take turns: on one core, they need a fifth less time than on two. With
    fewer workers than cores, the system chooses: two gradings at the same time could have chosen the same cores.
    """
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) == count:
            return cores
    return [None] * count


@contextmanager
def _in_worker(cores: Sequence[int | None], number: int) -> Iterator[None]:
    core = cores[number]
    if sys.platform == "linux" and core is not None:
        os.sched_setaffinity(0, {core})  # its sandboxes inherit it
    with exits_in_order():
        yield
