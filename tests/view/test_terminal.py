"""The terminal view in a real terminal (a pseudo-terminal), as over ssh."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.paths import ROOT

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals here", allow_module_level=True)

import fcntl
import pty
import struct
import termios

from pacman.view import terminal_keys

SECONDS = 90.0


class Terminal:
    """A program in a terminal of 90 columns and 30 lines, with a person who types."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.child, self.our_end = pty.fork()
        if self.child == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # the test runner may ignore this signal
            os.chdir(folder)
            hidden = ("NO_COLOR", "COLUMNS", "LINES")
            environment = {key: value for key, value in os.environ.items() if key not in hidden}
            environment |= {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
            os.execve(sys.executable, [sys.executable, "-m", "pacman", *arguments], environment)
        fcntl.ioctl(self.our_end, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))
        self.output, self.end_time = "", time.monotonic() + SECONDS

    def answer(self, typed: str, text: str | None) -> None:
        """Types, and waits until the program has written the text, or without one until it has ended."""
        self.output = ""
        os.write(self.our_end, typed.encode())
        while text is None or text not in self.output:
            assert time.monotonic() < self.end_time, f"{text!r} did not appear; {self.output[-500:]!r}"
            if select.select([self.our_end], [], [], 0.1)[0]:
                try:
                    part = os.read(self.our_end, 65536)
                except OSError:  # so Linux says that the program has ended
                    part = b""
                self.output += part.decode("utf-8", "replace")
                if not part:
                    assert text is None, self.output
                    break

    def end(self, typed: str) -> int:
        """Types, and waits for the exit status of the program."""
        self.answer(typed, None)
        os.close(self.our_end)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


def test_keys_pause_step_and_quit(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "watch", "--view", "text", "random", "--layout", "smallish", "--speed", "2")
    for typed, text in (("", "▀"), (" ", "paused"), (".", "ply "), ("?", "rounds: "), ("h", "next ply")):
        terminal.answer(typed, text)
    assert terminal.end("q") == 0
    shown, _, last = terminal.output.rpartition("\x1b[?25h")  # the cursor is visible again
    assert shown
    assert last.startswith("stopped: score ")


@pytest.mark.slow("that draw a window")
def test_the_viewer_can_quit_or_interrupt_while_an_agent_thinks(tmp_path: Path) -> None:
    slow = "import time\nfrom agents.base import BaseAgent\nclass Slow(BaseAgent):\n    def choose(self, state):\n"
    (tmp_path / "slow.py").write_text(slow + "        time.sleep(300)\n")
    for key, status in (("q", 0), ("\x03", 130)):
        terminal = Terminal(tmp_path, "watch", "--view", "text", "slow.py:Slow", "--layout", "nook")
        terminal.answer("", "thinking")
        assert terminal.end(key) == status
        assert "Traceback" not in terminal.output


def test_an_arrow_key_in_two_parts_is_not_the_escape_key(monkeypatch: pytest.MonkeyPatch) -> None:
    assert terminal_keys.key_names("\x1b[C\x1bOD q\x1b\x1b[5~") == ["right", "left", "space", "q", "escape"]
    monkeypatch.setattr(terminal_keys, "SECOND_PART", 10.0)
    their_end, our_end = os.pipe()
    with os.fdopen(their_end) as source:
        keys = terminal_keys.Keys(source)
        os.write(our_end, b"q\x1b")
        late = threading.Timer(0.05, os.write, (our_end, b"[C"))
        late.start()
        assert (keys.poll(), keys.poll()) == (["q", "right"], [])
        monkeypatch.setattr(terminal_keys, "SECOND_PART", 0.01)
        os.write(our_end, b"\x1b")
        assert keys.poll() == ["escape"]
        late.join()
        os.close(our_end)
