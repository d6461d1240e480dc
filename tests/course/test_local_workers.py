"""The workers of one machine: where they run."""

from __future__ import annotations

import os
import sys
import time

import pytest

from autograder.course.local_workers import local_workers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux binds a process to a core")


def cores_of_worker(_: int) -> tuple[int, frozenset[int]]:
    """The number of the worker's process, and the cores that it may use."""
    time.sleep(0.1)  # so that no worker takes all the jobs
    return os.getpid(), frozenset(os.sched_getaffinity(0))


def places(count: int) -> dict[int, frozenset[int]]:
    """The cores of each of `count` workers."""
    found: dict[int, frozenset[int]] = {}
    with local_workers(count) as executor:
        while len(found) < count:
            found |= dict(executor.map(cores_of_worker, range(4 * count)))
    return found


@pytest.mark.slow("that grade a class")
def test_as_many_workers_as_cores_have_a_core_each() -> None:
    cores = os.sched_getaffinity(0)
    assert sorted(places(len(cores)).values(), key=min) == [frozenset({core}) for core in sorted(cores)]


@pytest.mark.slow("that grade a class")
def test_another_number_of_workers_may_use_all_cores() -> None:
    cores = os.sched_getaffinity(0)
    assert set(places(len(cores) + 1).values()) == {frozenset(cores)}
