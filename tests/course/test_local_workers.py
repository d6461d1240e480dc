"""The workers of one machine: where they run, and that the results of a class do not depend on them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from autograder.course.grade import Progress
from autograder.course.store import Store
from autograder.course.workers import local_workers
from autograder.sandbox.work_folder import PREFIX, WorkFolder
from tests.course import small_class
from tests.course.test_grade_class import graded, rows


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
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux binds a process to a core")
def test_as_many_workers_as_cores_have_a_core_each_and_another_number_may_use_all() -> None:
    cores = os.sched_getaffinity(0)
    assert sorted(places(len(cores)).values(), key=min) == [frozenset({core}) for core in sorted(cores)]
    assert set(places(len(cores) + 1).values()) == {frozenset(cores)}


def hold_a_folder() -> None:
    """Makes a folder for students' files, and works with it for a long time."""
    with WorkFolder() as folder:
        (folder.path / "mine.py").touch()
        time.sleep(600)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without a word")
def test_a_grading_that_is_given_up_leaves_no_files_of_students(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    until = time.monotonic() + 60
    with suppress(KeyboardInterrupt), local_workers(1) as executor:
        executor.submit(hold_a_folder)
        while not list(tmp_path.glob(f"{PREFIX}*/mine.py")):
            assert time.monotonic() < until
            time.sleep(0.01)
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow("that grade a class")
def test_a_class_is_graded_though_its_workers_are_killed(tmp_path: Path) -> None:
    assignment = small_class.write_assignment(tmp_path)
    folder = small_class.write_class(tmp_path / "class", loops=False)
    killed: list[BaseProcess] = []

    def kill_all(progress: Progress) -> None:
        if not killed:
            killed.extend(active_children())
            for worker in killed:
                worker.kill()

    where = str(tmp_path / "class.db")
    with Store.open(where, create=True) as store:
        assert graded(store, folder, assignment, lambda: local_workers(2), on_progress=kill_all) == {}
        assert killed
        assert len(rows(store)) == 7


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """So many processes that only use up the processor."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
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
            assert graded(store, folder, assignment, workers, jobs=jobs) == {}
            found.append(rows(store))
    assert len(found[0]) == len(list(folder.iterdir())) == 12
    assert found[0] == found[1]
