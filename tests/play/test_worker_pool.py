"""The worker processes of this machine: what comes of their work, and that they end, whatever happens to them."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from multiprocessing import active_children
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from pacman.core.errors import InputError
from pacman.play import worker_pool
from pacman.play.worker_pool import WorkerEnded, WorkerPool, in_order
from tests.paths import ROOT

MORE_THAN_A_PIPE_HOLDS = b"x" * (1 << 20)
LONG = 600.0
"""Seconds: a test that waits for so long has found a hang."""


def end_first(file: Path) -> int:
    """Ends this process; the second call, in another process, returns the number of that one."""
    try:
        file.touch(exist_ok=False)
    except FileExistsError:
        return os.getpid()
    os._exit(1)


def fail(message: str) -> None:
    raise InputError(message)


def test_results_come_in_order_whoever_ends_first() -> None:
    with WorkerPool(2) as pool:
        calls = [partial(max, number, len(MORE_THAN_A_PIPE_HOLDS[number:])) for number in range(7)]
        assert list(in_order(pool, calls, ahead=3)) == [(1 << 20) - number for number in range(7)]
    assert active_children() == []


def test_an_error_comes_back_with_its_place_and_the_worker_goes_on() -> None:
    with WorkerPool(1) as pool:
        worker = pool.submit(os.getpid).result()
        with pytest.raises(InputError, match="no such layout") as caught:
            pool.submit(fail, "no such layout").result()
        assert "in fail" in caught.value.__notes__[0]
        assert pool.submit(os.getpid).result() == worker != os.getpid()
        with pytest.raises((AttributeError, pickle.PicklingError)):  # a lambda cannot be sent
            pool.submit(lambda: 1).result()


def test_a_worker_that_ends_costs_its_own_work_alone(tmp_path: Path) -> None:
    with WorkerPool(2) as pool:
        others = [pool.submit(len, MORE_THAN_A_PIPE_HOLDS) for _ in range(4)]
        ended = pool.submit(os._exit, 1)
        others += [pool.submit(len, MORE_THAN_A_PIPE_HOLDS) for _ in range(4)]
        with pytest.raises(WorkerEnded, match="a worker process ended before"):
            ended.result()
        assert {each.result() for each in others} == {1 << 20}


def test_what_a_worker_lost_runs_once_more_and_then_the_user_hears_of_it(tmp_path: Path) -> None:
    with WorkerPool(1) as pool:
        assert list(in_order(pool, [partial(end_first, tmp_path / "first"), partial(abs, -3)], ahead=2))[1:] == [3]
        with pytest.raises(InputError, match="ended twice before it had a result"):
            list(in_order(pool, [partial(os._exit, 1)], ahead=1))


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot ignore its end")
def test_an_exception_ends_workers_that_work_and_kills_one_that_does_not_obey(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "END_SECONDS", 0.1)
    with suppress(KeyboardInterrupt), WorkerPool(2) as pool:
        pool.submit(signal.signal, signal.SIGTERM, signal.SIG_IGN).result()
        for _ in range(2):
            pool.submit(time.sleep, LONG)
        waiting = pool.submit(len, MORE_THAN_A_PIPE_HOLDS)
        raise KeyboardInterrupt
    assert active_children() == []
    assert waiting.cancelled()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for processes")
def test_a_worker_leaves_ctrl_c_to_the_program_from_its_first_moment(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    start = SpawnProcess.start

    def start_and_interrupt(process: SpawnProcess) -> None:
        start(process)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGINT)

    monkeypatch.setattr(SpawnProcess, "start", start_and_interrupt)
    with WorkerPool(1) as pool:
        worker = pool.submit(os.getpid).result()
        assert pool.submit(os.kill, worker, signal.SIGINT).result() is None
        assert pool.submit(os.getpid).result() == worker
    assert capfd.readouterr().err == ""


WITH_A_POOL = """
import os, time
from pacman.play.worker_pool import WorkerPool
if __name__ == "__main__":
    with WorkerPool(2) as pool:
        pool.submit(time.sleep, 600)
        pool.submit(os.getpid).result()
        os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for processes")
def test_workers_end_with_the_program_that_is_killed(tmp_path: Path) -> None:
    """They have its standard error: it is closed when the last of them has ended."""
    (tmp_path / "program.py").write_text(WITH_A_POOL)
    done = subprocess.run(
        [sys.executable, tmp_path / "program.py"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        timeout=LONG / 2,
        check=False,
    )
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, "")
