"""Copies of students' files on disk: nobody else can read them, and they do not outlive the grader."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from autograder.sandbox import work_folder
from autograder.sandbox.work_folder import PREFIX, WorkFolder, exits_in_order
from tests.paths import ROOT

if sys.platform == "win32":
    pytest.skip("Windows has neither these signals nor these rights and locks", allow_module_level=True)


@pytest.mark.slow("that attack the sandbox")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_a_stopped_grader_leaves_no_copy(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class MinimaxAgent: pass\nimport time\ntime.sleep(60)\n", encoding="utf-8")
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "autograder", "grade", str(tmp_path / "mine.py"), "--question", "q2"]
        grader = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "TMPDIR": place},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # a test runner in the background may ignore it
        )
        try:
            until = time.monotonic() + 60
            while not (copies := list(Path(place).glob(f"{PREFIX}*/mine.py"))) and time.monotonic() < until:
                assert grader.poll() is None
                time.sleep(0.05)
            time.sleep(1)  # now the submission runs
            for found in (copy.stat() for copy in (*copies, *(copy.parent for copy in copies))):
                assert not found.st_mode & (stat.S_IRWXO | stat.S_IWGRP), oct(found.st_mode)
                assert found.st_gid != os.getgid() or not found.st_mode & stat.S_IRWXG
            grader.send_signal(number)
            if number != signal.SIGINT:
                grader.send_signal(number)  # an impatient user
            _, errors = grader.communicate(timeout=120)
        finally:
            grader.kill()
        assert copies
        assert os.listdir(place) == []
    assert number == signal.SIGINT or (grader.returncode, errors) == (128 + number, b"")


@contextmanager
def handlers() -> Iterator[None]:
    """Gives both signals their handlers back at the end; SIGTERM begins with the usual one, SIGHUP is ignored."""
    begin = {signal.SIGTERM: signal.SIG_DFL, signal.SIGHUP: signal.SIG_IGN}
    before = {number: signal.signal(number, handler) for number, handler in begin.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_signals_are_as_before_after_the_sandbox() -> None:
    """One that is ignored stays ignored: after `nohup`, the end of the terminal does not end the grading."""
    seen: list[object] = []

    def enter() -> None:
        with exits_in_order():
            seen.append(signal.getsignal(signal.SIGTERM))

    with handlers():
        with exits_in_order():
            assert callable(signal.getsignal(signal.SIGTERM))
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        assert [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP)] == [signal.SIG_DFL, signal.SIG_IGN]
        thread = threading.Thread(target=enter)
        thread.start()
        thread.join()
    assert seen == [signal.SIG_DFL]  # a thread changes no signal


def test_two_signals_at_the_same_moment_end_a_process_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a terminal, for example, ends a grading and its workers, and then the grading ends its workers."""
    both, problems = [signal.SIGTERM, signal.SIGHUP], list[object]()
    monkeypatch.setattr(sys, "unraisablehook", problems.append)

    def send_both() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, both)
        for number in both:
            os.kill(os.getpid(), number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, both)

    with handlers():
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        with pytest.raises(SystemExit) as ended, exits_in_order():
            send_both()
        send_both()  # while the process cleans up
    assert ended.value.code in [128 + number for number in both], "which one is first depends on the system"
    assert problems == []


HOLD = """
import sys, time
from autograder.sandbox.work_folder import WorkFolder
folder = WorkFolder()
(folder.path / "inside").mkdir()
(folder.path / "inside" / "ada.py").write_text("x = 1")
(folder.path / "inside").chmod(0o500)
print(folder.path, flush=True)
time.sleep(600)
"""


def test_only_the_folder_of_a_killed_process_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is gone changes no rights above it: the folder above is the one for all temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    tmp_path.chmod(0o755)
    files = len(os.listdir("/dev/fd"))
    gone = WorkFolder()
    gone.path.rmdir()
    gone.remove()
    assert len(os.listdir("/dev/fd")) <= files
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    with WorkFolder() as own:
        (tmp_path / "other").mkdir()
        (tmp_path / f"{PREFIX}link").symlink_to(tmp_path / "other")
        (tmp_path / f"{PREFIX}file").touch()
        with subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdout is not None
            left = Path(holder.stdout.readline().strip())
            work_folder.remove_leftovers.cache_clear()
            work_folder.remove_leftovers()
            is_there = (left / "inside" / "ada.py").is_file()
            holder.kill()
        assert is_there, "its process lives"
        work_folder.remove_leftovers.cache_clear()
        work_folder.remove_leftovers()
        kept = sorted(["other", f"{PREFIX}link", f"{PREFIX}file", own.path.name])
        assert sorted(path.name for path in tmp_path.iterdir()) == kept
    assert not own.path.exists()
