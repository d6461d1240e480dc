"""The terminal view in a real terminal, as a person at the other end of ssh has it."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals here", allow_module_level=True)

import fcntl
import pty
import struct
import termios

from pacman.view.terminal import keys

ROOT = Path(__file__).parents[2]
SECONDS = 20.0
SLOW = """
import time
from agents.base import BaseAgent


class Slow(BaseAgent):
    def choose(self, state):
        time.sleep(60)
"""


class Terminal:
    """A program in a terminal of 90 columns and 30 lines, and somebody who types."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.child, self.ours = pty.fork()
        if self.child == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever runs the tests may have turned it off
            os.chdir(folder)
            hidden = ("NO_COLOR", "COLUMNS", "LINES")
            environment = {key: value for key, value in os.environ.items() if key not in hidden}
            environment |= {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
            os.execve(sys.executable, [sys.executable, "-m", "pacman", *arguments], environment)
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))
        self.said = ""

    def wait_for(self, text: str) -> None:
        end = time.monotonic() + SECONDS
        while text not in self.said:
            assert time.monotonic() < end, f"{text!r} never came; {self.said[-500:]!r}"
            self._read()

    def _read(self) -> bool:
        if select.select([self.ours], [], [], 0.1)[0]:
            try:
                some = os.read(self.ours, 65536)
            except OSError:  # Linux says so when the program has ended
                return False
            self.said += some.decode("utf-8", "replace")
            return bool(some)
        return True

    def type(self, text: str) -> None:
        self.said = ""
        os.write(self.ours, text.encode())

    def end(self) -> int:
        end = time.monotonic() + SECONDS
        while True:
            self._read()
            pid, status = os.waitpid(self.child, os.WNOHANG)
            if pid:
                while self._read() and time.monotonic() < end:
                    pass
                os.close(self.ours)
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > end:
                os.kill(self.child, signal.SIGKILL)
                raise AssertionError(f"it never ended; {self.said[-500:]!r}")


def test_a_game_is_paused_stepped_and_left(tmp_path: Path) -> None:
    terminal = Terminal(
        tmp_path, "watch", "--view", "text", "--pacman", "random", "--layout", "smallish", "--speed", "2"
    )
    terminal.wait_for("▀")
    terminal.type(" ")
    terminal.wait_for("paused")
    terminal.type(".")
    terminal.wait_for("ply ")
    terminal.type("?")
    terminal.wait_for("one ply on")
    terminal.type("q")
    assert terminal.end() == 0
    assert terminal.said.rstrip().endswith("\x1b[?25h")  # the cursor is back


def test_it_can_be_left_while_an_agent_thinks_and_interrupted(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    for key, status in (("q", 0), ("\x03", 130)):
        terminal = Terminal(tmp_path, "watch", "--view", "text", "--pacman", "slow.py:Slow", "--layout", "nook")
        terminal.wait_for("thinking")
        terminal.type(key)
        assert terminal.end() == status
        assert "Traceback" not in terminal.said


def test_an_arrow_in_two_parts_over_a_slow_line_is_no_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "SECOND_PART", 10.0)
    theirs, ours = os.pipe()
    with os.fdopen(theirs) as source:
        found = keys.TerminalKeys(source)
        os.write(ours, b"q\x1b")
        late = threading.Timer(0.05, os.write, (ours, b"[C"))
        late.start()
        assert found.poll() == ["q", "right"]
        assert found.poll() == []
        monkeypatch.setattr(keys, "SECOND_PART", 0.01)
        os.write(ours, b"\x1b")
        assert found.poll() == ["escape"]
        late.join()
        os.close(ours)
