"""The results of a class depend neither on the number of workers nor on what else the machine does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from autograder.course.local_workers import local_workers
from autograder.course.store import Store
from tests.course import small_class
from tests.course.test_grade_class import graded, rows

BUSY = "while True: pass"


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """So many processes that only use up the processor."""
    loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@pytest.mark.slow("that grade a class")
def test_a_class_has_equal_rows_beside_a_busy_loop_and_with_one_worker(tmp_path: Path) -> None:
    assignment = small_class.write_assignment(tmp_path, seconds=2)
    folder = small_class.write_class(tmp_path / "class", copies=2)
    (folder / "raises-0.py").unlink()
    found = []
    for number, (jobs, busy) in enumerate(((2, 1), (1, 0))):
        where = str(tmp_path / f"{number}.db")
        with Store.open(where, create=True) as store, busy_loops(busy):
            workers = lambda jobs=jobs: local_workers(jobs)  # noqa: E731
            assert graded(store, folder, assignment, workers, jobs=jobs, store_for_workers=where) == {}
            found.append(rows(store))
    assert len(found[0]) == len(list(folder.iterdir())) == 12
    assert found[0] == found[1]
