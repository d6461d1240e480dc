"""The workers that grade a class on this machine, and which other machines may help."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from urllib.parse import urlsplit

from autograder.sandbox.work_folder import exits_in_order
from pacman.play.worker_pool import WorkerPool


def local_workers(count: int) -> WorkerPool:
    """An executor with `count` processes, each with its core. A worker that is stopped deletes its students' files."""
    return WorkerPool(count, partial(_in_worker, _cores(count)))


def problem_of_address(address: str) -> str:
    """Why messages to and from an address can be dangerous, "" if they are safe: whoever sends them sends programs."""
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
    is_safe = parts.scheme == "tls" or is_this_machine
    return "" if is_safe else f"tcp is for this machine only; write tls://{parts.netloc} (see docs/scale.md)"


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
